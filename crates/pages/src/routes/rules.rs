//! `/rules`: the rules, in pictures and a few words.

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::display::DisplaySettings;
use crate::html;

/// The rules.
pub(crate) async fn show(display: DisplaySettings, headers: HeaderMap) -> Response {
    html::layout::answer(StatusCode::OK, &headers, html::rules::rules(&display))
}
