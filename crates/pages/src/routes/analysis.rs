//! `/t/{id}/analysis`: what happened in a finished game, and why.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sultan_domain::TableView;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection};

use super::page_request::PageRequest;
use crate::errors::PageError;
use crate::html::analysis::{analysis, body};
use crate::html::layout::answer;
use crate::html::table::PageContext;

/// The page, or for the script its main part. The first request starts the analysis.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, PageError> {
    let table = page.request.table;
    let studied = state.service().analysis(table).await.map_err(WebError::secret_until_over)?;
    let sight = state.service().look(table, &Caller::Nobody).await?.view();
    let TableView::Playing(playing) = &sight else { return Err(Rejection::NotStarted.into()) };
    let look = PageContext { text: page.display().text, playing, query: "" };
    let html = if page.is_script { body(look, &studied) } else { analysis(page.display(), look, &studied) };
    Ok(answer(StatusCode::OK, &page.headers, html))
}
