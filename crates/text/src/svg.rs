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
/// The distance from an estimate to either end of its 95 % confidence interval, in standard errors.
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

/// A line with these attributes. Positions are `(x, y)` from the top left corner.
#[must_use]
pub fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64), attributes: &str) -> String {
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>\n")
}

/// A text with these attributes, in the colour [`INK`] if they have no `fill`. `anchor` is the part of the text that is
/// at the position: `start`, `middle` or `end`.
#[must_use]
pub fn text_element((x, y): (f64, f64), anchor: &str, attributes: &str, text: &str) -> String {
    let text = escaped(text);
    let default_fill = if attributes.contains("fill=") { String::new() } else { format!(" fill=\"{INK}\"") };
    let space = if attributes.is_empty() { "" } else { " " };
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{default_fill}{space}{attributes}>{text}</text>\n")
}

/// Escapes a text for use between tags.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
