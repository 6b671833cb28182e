//! Static assets of the pages, built from `assets/` by `build.rs` and named by a hash of their contents.

use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use sultan_server::WebError;

struct Asset {
    /// The file name in the address, with a hash of the contents.
    name: &'static str,
    content_type: &'static str,
    /// The contents without compression.
    plain: &'static [u8],
    /// The contents compressed with Brotli.
    brotli: &'static [u8],
}

// `ASSETS`, the list of all assets, and a constant with the address of each.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The SVG symbols inlined into every page: jewels, emblems, cushions.
pub(crate) const SPRITE: &str = include_str!("../assets/art/sprite.svg");

/// `/a/{name}`: an asset. Its contents never change under the same name, so browsers may cache it forever.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, WebError> {
    let asset = ASSETS.iter().find(|asset| asset.name == name).ok_or_else(WebError::path_not_found)?;
    let accepts_brotli = accepts(&headers, "br");
    let headers = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    let encoding = accepts_brotli.then_some([(header::CONTENT_ENCODING, "br")]);
    Ok((headers, encoding, if accepts_brotli { asset.brotli } else { asset.plain }).into_response())
}

/// Returns whether the client's `Accept-Encoding` header lists this encoding with a weight above zero.
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let header = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    header.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let has_name = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        // A weight of zero (`q=0`, `q=0.000`) is a refusal.
        let is_zero = |weight: &str| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0);
        has_name && parts.all(|part| !part.strip_prefix("q=").is_some_and(is_zero))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_is_accepted_if_listed_with_a_weight_above_zero() {
        let accepts_br = |header: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, header.parse().unwrap());
            accepts(&headers, "br")
        };
        for header in ["br", "gzip, deflate, br", "BR", "gzip,br;q=0.5", "br ; q=1", "br;q=0.01"] {
            assert!(accepts_br(header), "{header}");
        }
        for header in ["", "gzip", "brotli", "br;q=0", "gzip, br; q=0.0", "br;q=0.000", "identity"] {
            assert!(!accepts_br(header), "{header}");
        }
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
