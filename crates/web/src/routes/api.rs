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
    let mut response = text(html, "text/html; charset=utf-8");
    // No script, and nothing from anywhere else.
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}

/// How that looks.
pub(crate) async fn style() -> Response {
    text(Bytes::from_static(include_bytes!("../page.css")), "text/css; charset=utf-8")
}

fn text(text: Bytes, kind: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
