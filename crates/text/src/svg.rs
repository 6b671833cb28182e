//! Shared parts of all SVG pictures: colours, lines and texts. Titles and descriptions are for screen readers.

/// The background colour.
pub const PAPER: &str = "#fffdf7";
/// The colour of the border and of dividing lines.
pub const FRAME: &str = "#d8cdb8";
/// The colour of grid lines.
pub const GRID: &str = "#ebe3d3";
/// The colour of text.
pub const INK: &str = "#2a2320";
/// The colour of secondary text.
pub const PALE_INK: &str = "#6a5e52";
/// The half-width of a 95 % confidence interval in standard errors.
pub const INTERVAL_ERRORS: f64 = 1.96;

/// The start of an SVG picture: the title, the description and the background. `id` is a prefix for element IDs, unique
/// in the page; `more_attributes` are added to the `svg` element.
#[must_use]
pub fn svg_start(
    id: &str,
    (width, height): (f64, f64),
    more_attributes: &str,
    title: &str,
    description: &str,
) -> String {
    let (title, description) = (escaped(title), escaped(description));
    let (inner_width, inner_height) = (width - 1.0, height - 1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" \
         viewBox=\"0 0 {width} {height}\"{more_attributes} \
         font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" font-size=\"13\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{description}</desc>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"12\" fill=\"{PAPER}\" stroke=\"{FRAME}\"/>\n"
    )
}

/// A line with these attributes.
#[must_use]
pub fn line(from: (f64, f64), to: (f64, f64), attributes: &str) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>\n")
}

/// A text with these attributes, in [`INK`] if they have no `fill`.
#[must_use]
pub fn text_element(at: (f64, f64), anchor: &str, attributes: &str, text: &str) -> String {
    let ((x, y), text) = (at, escaped(text));
    let ink = if attributes.contains("fill=") { String::new() } else { format!(" fill=\"{INK}\"") };
    let gap = if attributes.is_empty() { "" } else { " " };
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{ink}{gap}{attributes}>{text}</text>\n")
}

/// Escapes a text for use between tags.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
