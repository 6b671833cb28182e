//! `/api`: the API reference as a page.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// The page, the same for all clients.
pub(crate) fn show(html: Bytes) -> Response {
    // No scripts, and no resources from other sites.
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, html).into_response()
}
