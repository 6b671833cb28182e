//! The browser that sent a request, and responses with a page for this browser.

use std::convert::Infallible;
use std::io::Write;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::Markup;
use sultan_server::AppState;
use sultan_server::cookies::visitor;
use sultan_table::Visitor;

use crate::assets::accepts;
use crate::display::DisplaySettings;
use crate::origin::Origin;

/// The content security policy of pages: no resources from other sites, no inline scripts or styles.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The parts of a request that are needed to render a page for the browser that sent it.
pub(crate) struct Browser {
    method: Method,
    uri: Uri,
    pub(crate) headers: HeaderMap,
    /// The visitor (the owner of seats taken in this browser) that the signed cookie identifies, if it is valid.
    pub(crate) visitor: Option<Visitor>,
    /// The start of absolute links; empty on error pages, which have none.
    pub(crate) origin: String,
}

impl Browser {
    pub(crate) fn new(parts: &Parts, visitor: Option<Visitor>) -> Self {
        let origin = String::new();
        Self { method: parts.method.clone(), uri: parts.uri.clone(), headers: parts.headers.clone(), visitor, origin }
    }

    /// The browser that sent a request to a page with absolute links.
    pub(crate) fn with_origin(parts: &Parts, visitor: Option<Visitor>, state: &AppState) -> Self {
        Self { origin: Origin::of(state, &parts.headers).address, ..Self::new(parts, visitor) }
    }

    /// Reads the language and the theme. Most requests of the page's script do not need them, so they are not read in
    /// advance.
    pub(crate) fn display(&self) -> DisplaySettings {
        let mut settings = DisplaySettings::new(&self.method, &self.uri, &self.headers);
        settings.origin.clone_from(&self.origin);
        settings
    }

    /// Returns whether the page's script sent the request.
    pub(crate) fn is_from_script(&self) -> bool {
        is_from_script(&self.headers)
    }

    /// A successful response with this page.
    pub(crate) fn page(&self, html: Markup) -> Response {
        self.page_with(StatusCode::OK, html)
    }

    /// A response with this status and page, compressed if the browser accepts gzip.
    pub(crate) fn page_with(&self, status: StatusCode, html: Markup) -> Response {
        let html = html.into_string().into_bytes();
        let compressed = accepts(&self.headers, "gzip").then(|| gzip(&html)).flatten();
        let encoding = compressed.as_ref().map(|_| [(header::CONTENT_ENCODING, "gzip")]);
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
            (header::VARY, "accept-encoding, accept-language, cookie"),
        ];
        (status, headers, encoding, Body::from(compressed.unwrap_or(html))).into_response()
    }
}

/// Compresses a page; `None` if this fails. The output buffer starts with a quarter of the page's size, because HTML
/// shrinks that much.
fn gzip(html: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(html.len() / 4), Compression::new(5));
    encoder.write_all(html).ok()?;
    encoder.finish().ok()
}

/// Returns whether the page's script sent a request with these headers: the script adds `x-sultan: live`. It needs no
/// whole page in response.
pub(crate) fn is_from_script(headers: &HeaderMap) -> bool {
    headers.get("x-sultan").is_some_and(|value| value == "live")
}

impl FromRequestParts<AppState> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self::with_origin(parts, visitor(&parts.headers, state), state))
    }
}
