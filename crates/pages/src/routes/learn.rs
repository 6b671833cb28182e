//! `/learn`: a guided first game, and what it will be.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use sultan_server::AppState;
use sultan_table::{NewTable, Sitting};

use super::open::go;
use crate::display::DisplaySettings;
use crate::errors::PageError;
use crate::html;
use crate::post::Post;

/// What will happen, and a button.
pub(crate) async fn show(display: DisplaySettings, headers: HeaderMap) -> Response {
    html::layout::answer(StatusCode::OK, &headers, html::learn::learn(&display))
}

/// Opens a guided game, and goes there.
pub(crate) async fn begin(State(state): State<AppState>, post: Post) -> Result<Response, PageError> {
    state.limit_opening(&post.extensions, &post.headers)?;
    let browser = post.browser();
    let host = Sitting { name: post.known_name(), visitor: Some(browser), ..Sitting::default() };
    let opened = state.service().open(NewTable::guided(host)).await?;
    Ok(go(&state, &post, &browser, opened.table))
}
