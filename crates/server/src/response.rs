//! Responses that several routes use.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;
use serde::Serialize;
use sultan_table::ObserverSnapshot;

/// A response with a value as JSON.
pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    json_bytes(status, serde_json::to_vec(body).expect("a response can be written as JSON").into())
}

/// A response with JSON that is already serialized.
#[must_use]
pub fn json_bytes(status: StatusCode, json: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// 200: the view of an observer.
#[must_use]
pub(crate) fn view(snapshot: &ObserverSnapshot) -> Response {
    json_bytes(StatusCode::OK, snapshot.json().json.to_string().into())
}

/// 303: redirects the client to this path, which must be ASCII. The client requests it with GET.
#[must_use]
pub fn see_other(path: &str) -> Response {
    Redirect::to(path).into_response()
}

/// 204: success without content.
#[must_use]
pub fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
