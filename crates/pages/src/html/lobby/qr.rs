//! A link as a QR code, drawn as one SVG path.

use std::fmt::Write;

use maud::{Markup, html};
use qrcode::{Color, QrCode};

/// The width of the light zone around the code, in modules (the squares of the code). The standard requires more, which
/// the style sheet adds.
const QUIET_ZONE: usize = 2;

/// The QR code; empty if the link is too long for one.
pub(super) fn svg(link: &str, label: &str) -> Markup {
    let Ok(code) = QrCode::new(link) else { return html! {} };
    let size = code.width() + 2 * QUIET_ZONE;
    html! {
        svg viewBox=(format!("0 0 {size} {size}")) role="img" aria-label=(label) shape-rendering="crispEdges" {
            path fill="currentColor" d=(path(&code)) {}
        }
    }
}

/// The SVG path of the dark modules. Each horizontal run of dark modules is one bar.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(code.width()).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|module, next| module == next) {
            if run[0] == Color::Dark {
                let _ = write!(path, "M{} {}h{}v1h-{2}z", x + QUIET_ZONE, y + QUIET_ZONE, run.len());
            }
            x += run.len();
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_draws_the_dark_modules() {
        let code = QrCode::new("http://192.168.1.20:8080/t/0123456789ab").unwrap();
        let mut dark = vec![false; code.width() * code.width()];
        for bar in path(&code).split('M').skip(1) {
            // A bar has the form `x yhLENGTHv1h-LENGTHz`.
            let (position, length) = bar.split_once('h').unwrap();
            let (x, y) = position.split_once(' ').unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            let length: usize = length.split('v').next().unwrap().parse().unwrap();
            for offset in 0..length {
                dark[(y - QUIET_ZONE) * code.width() + x - QUIET_ZONE + offset] = true;
            }
        }
        let expected = code.to_colors().iter().map(|&color| color == Color::Dark).collect::<Vec<_>>();
        assert_eq!(dark, expected);
    }

    #[test]
    fn too_long_link_has_no_qr_code() {
        assert_eq!(svg(&"x".repeat(4000), "").into_string(), "");
    }
}
