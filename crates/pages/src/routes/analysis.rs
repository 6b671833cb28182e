//! `/t/{id}/analysis`: the analysis of a finished game.

use axum::extract::State;
use axum::response::Response;
use sultan_server::{AppState, WebError};
use sultan_table::Caller;

use super::page_request::{PageRequest, playing};
use crate::html::analysis::{analysis, body};
use crate::html::table::PageContext;

/// The page, or only its `main` element if the page's script requests it. The first request starts the analysis.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let (table, browser) = (page.request.table, &page.browser);
    let analysis_state = state.service().analysis(table).await.map_err(WebError::secret_until_over)?;
    // Everything is public after the end, so all readers get the same page.
    let (_, playing) = playing(&state, table, &Caller::Spectator).await?;
    let display = browser.display();
    let context = PageContext { text: display.text, playing: &playing, query: "" };
    Ok(browser.page(if browser.is_from_script() {
        body(context, &analysis_state)
    } else {
        analysis(&display, context, &analysis_state)
    }))
}
