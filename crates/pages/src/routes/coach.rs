//! `/t/{id}/hint` and `/t/{id}/holds`: asks the coach of a table.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use maud::Markup;
use serde::Deserialize;
use sultan_domain::{PlayingTable, TableId, TableView};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection};

use super::page_request::{PageForm, PageRequest};
use crate::errors::PageError;
use crate::html::coach;
use crate::html::layout::answer;
use crate::html::table::PageContext;

/// A form without fields.
#[derive(Deserialize)]
pub(crate) struct Empty {}

/// What the coach would do: a page, or for the script what stands in its dialog.
pub(crate) async fn hint(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<Empty>,
) -> Result<Response, PageError> {
    let (caller, Empty {}) = page.request.seated_with(&state, form).await?;
    let advice = state.service().advice(page.request.table, &caller).await?;
    let playing = playing(&state, page.request.table, &caller).await?;
    let look = PageContext { text: page.display().text, playing: &playing, query: "" };
    Ok(shown(&page, "coach-title", coach::said(look, &advice)))
}

/// What the others may still hold.
pub(crate) async fn holds(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<Empty>,
) -> Result<Response, PageError> {
    let (caller, Empty {}) = page.request.seated_with(&state, form).await?;
    let holds = state.service().holds(page.request.table, &caller).await?;
    let playing = playing(&state, page.request.table, &caller).await?;
    let look = PageContext { text: page.display().text, playing: &playing, query: "" };
    Ok(shown(&page, "coach-holds", coach::holds(look, &holds)))
}

async fn playing(state: &AppState, table: TableId, caller: &Caller) -> Result<Box<PlayingTable>, WebError> {
    match state.service().look(table, caller).await?.view() {
        TableView::Playing(playing) => Ok(playing),
        TableView::Waiting(_) => Err(Rejection::NotStarted.into()),
    }
}

fn shown(page: &PageRequest, heading: &str, said: Markup) -> Response {
    let html = if page.is_script {
        said
    } else {
        let back = format!("/t/{}{}", page.request.table, page.query());
        coach::page_of(page.display(), &page.display().text.say(heading), &said, &back)
    };
    answer(StatusCode::OK, &page.headers, html)
}
