//! `/learn`: the guided first game, in which a guide on the page explains each step to a new player.

use axum::extract::State;
use axum::response::Response;
use sultan_server::{AppState, WebError};
use sultan_table::NewTable;

use super::open::redirect_to_table;
use crate::browser::Browser;
use crate::html;
use crate::post::Post;

/// The page that describes the guided game, with a button that starts it.
pub(crate) async fn show(browser: Browser) -> Response {
    browser.page(html::learn::learn(&browser.display()))
}

/// Opens a guided game and redirects to it.
pub(crate) async fn open(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    state.limit_opening(&post.extensions, &post.browser.headers)?;
    let opened = state.service().open(NewTable::guided(post.remembered_player())).await?;
    Ok(redirect_to_table(&state, &post, opened.table))
}
