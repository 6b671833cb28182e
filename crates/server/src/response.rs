//! Responses that many routes give.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use sultan_table::ObserverSnapshot;

/// A value as JSON.
pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    json_bytes(status, serde_json::to_vec(body).expect("a response can be written as JSON").into())
}

/// JSON that is serialized already.
#[must_use]
pub fn json_bytes(status: StatusCode, json: Bytes) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// 200: a view that is written already.
#[must_use]
pub(crate) fn view(snapshot: &ObserverSnapshot) -> Response {
    json_bytes(StatusCode::OK, snapshot.json().json.to_string().into())
}

/// 303: the client shall GET this path, which must be plain ASCII.
#[must_use]
pub fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let path = HeaderValue::try_from(path).expect("paths of this site are plain");
    response.headers_mut().insert(header::LOCATION, path);
    response
}

/// 204: done, nothing more to say.
#[must_use]
pub fn no_content() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
