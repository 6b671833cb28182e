//! `/rules`: the rules, in pictures and a few words.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::guest::Guest;
use crate::html;

/// The rules.
pub(crate) async fn show(guest: Guest, headers: HeaderMap) -> Response {
    html::layout::answer(StatusCode::OK, &headers, html::rules::rules(&guest))
}
