//! Composes the routes into an application.

use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::{Router, routing};
use bytes::Bytes;
use serde_json::Value;

use crate::error::WebError;
use crate::middleware::middleware;
use crate::openapi;
use crate::response::json_bytes;
use crate::state::AppState;

/// The routes of the API, and their `OpenAPI` document, which `/api/openapi.json` serves.
pub fn api() -> (Router<AppState>, Value) {
    let (routes, description) = openapi::api_routes().split_for_parts();
    let document = serde_json::to_value(&description).expect("the description can be written as JSON");
    let json = Bytes::from(serde_json::to_vec(&description).expect("the description can be written as JSON"));
    let routes =
        routes.route("/api/openapi.json", routing::get(async move || json_bytes(StatusCode::OK, json.clone())));
    (routes, document)
}

/// An application of these routes: with rate limits, security headers, metrics, and errors for unknown paths and methods.
pub fn app(routes: Router<AppState>, state: AppState) -> Router {
    routes
        .fallback(async || WebError::path_not_found().for_anyone())
        .method_not_allowed_fallback(async || WebError::method_not_allowed().for_anyone())
        .layer(from_fn_with_state(state.clone(), middleware))
        .with_state(state)
}
