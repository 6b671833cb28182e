//! The routes, one file for each part of the paths.

pub(crate) mod actions;
pub(crate) mod api;
pub(crate) mod commitments;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod link;
pub(crate) mod my;
pub(crate) mod pages;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod seats;
pub(crate) mod socket;
pub(crate) mod tables;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;

/// An answer in JSON.
fn json(status: StatusCode, body: &impl Serialize) -> Response {
    ready_json(status, serde_json::to_vec(body).expect("an answer can be written as JSON").into())
}

/// An answer in JSON that is written already.
fn ready_json(status: StatusCode, json: Bytes) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Go there, and look.
fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let path = HeaderValue::try_from(path).expect("paths of this site are plain");
    response.headers_mut().insert(header::LOCATION, path);
    response
}

/// Nothing more to say.
fn done() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
