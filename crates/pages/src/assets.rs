//! What pages need besides themselves: made by `build.rs` out of `assets/`, named by its contents.

use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use sultan_server::WebError;

struct Asset {
    name: &'static str,
    kind: &'static str,
    plain: &'static [u8],
    brotli: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The drawings that every page has in itself: what stands for jewels, emblems, cushions.
pub(crate) const SPRITE: &str = include_str!("../assets/art/sprite.svg");

/// `/a/{name}`: never another thing under the same name, so browsers need to ask only once.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, WebError> {
    let asset = ASSETS.iter().find(|asset| asset.name == name).ok_or_else(WebError::no_such_path)?;
    let compressed = accepts(&headers, "br");
    let headers = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    let encoding = compressed.then_some([(header::CONTENT_ENCODING, "br")]);
    Ok((headers, encoding, if compressed { asset.brotli } else { asset.plain }).into_response())
}

/// Whether a client reads this encoding.
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let said = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        // A weight of nothing is a refusal, in however many digits.
        let is_nothing = |weight: &str| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0);
        named && parts.all(|part| !part.strip_prefix("q=").is_some_and(is_nothing))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_encodings_are_parsed() {
        let reads = |said: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, said.parse().unwrap());
            accepts(&headers, "br")
        };
        for said in ["br", "gzip, deflate, br", "BR", "gzip,br;q=0.5", "br ; q=1", "br;q=0.01"] {
            assert!(reads(said), "{said}");
        }
        for said in ["", "gzip", "brotli", "br;q=0", "gzip, br; q=0.0", "br;q=0.000", "identity"] {
            assert!(!reads(said), "{said}");
        }
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
