//! `/api`: the description of the API as a page to read.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// The page, which is the same for everybody.
pub(crate) fn show(html: Bytes) -> Response {
    // No script, and nothing from anywhere else.
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, html).into_response()
}
