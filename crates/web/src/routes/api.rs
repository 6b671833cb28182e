//! `/api`: how the API is described, for programs and for people.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use super::ready_json;

/// The description for programs.
pub(crate) fn document(json: Bytes) -> Response {
    ready_json(StatusCode::OK, json)
}

/// The description for people.
pub(crate) fn page(html: Bytes) -> Response {
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // No script, and nothing from anywhere else.
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
