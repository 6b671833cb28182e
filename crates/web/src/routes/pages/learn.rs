//! `/learn`: a guided first game, and what it will be.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use sultan_domain::TableId;
use sultan_table::{NewTable, Sitting, Visitor};

use super::PageError;
use super::open::go;
use crate::error::WebError;
use crate::guest::Guest;
use crate::html;
use crate::post::Post;
use crate::state::AppState;

/// What will happen, and a button.
pub(crate) async fn show(guest: Guest, headers: HeaderMap) -> Response {
    html::layout::answer(StatusCode::OK, &headers, html::learn::learn(&guest))
}

/// Opens a guided game, and goes there.
pub(crate) async fn begin(State(state): State<AppState>, post: Post) -> Result<Response, PageError> {
    let browser = post.browser();
    match open(&state, &post, browser).await {
        Ok(table) => Ok(go(&state, &post, &browser, table)),
        Err(error) => Err(post.problem(error)),
    }
}

async fn open(state: &AppState, post: &Post, browser: Visitor) -> Result<TableId, WebError> {
    state.may_open(&post.extensions, &post.headers)?;
    let host = Sitting { name: post.known_name(), visitor: Some(browser), ..Sitting::default() };
    Ok(state.service().open(NewTable::guided(host)).await?.table)
}
