//! `/t/{id}/analysis`: the analysis of a finished game.

use axum::extract::State;
use axum::response::Response;
use sultan_server::{AppState, WebError};
use sultan_table::Caller;

use super::page_request::{PageRequest, playing};
use super::viewer::Viewer;
use crate::html::analysis::{analysis, body};
use crate::html::table::PageContext;

/// The page, or only its `main` element if the page's script requests it. The first request starts the analysis.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let (table, browser) = (page.request.table, &page.browser);
    let analysis_state = state.service().analysis(table).await.map_err(WebError::secret_until_over)?;
    // Everything is public after the end. Only the winner, if alone at this browser, is addressed as "you".
    let own_seats = Viewer::of(&state, &page).await?.own_seats;
    let you = if let [own_seat] = own_seats[..] { Some(own_seat) } else { None };
    let (_, playing) = playing(&state, table, &Caller::Spectator).await?;
    let display = browser.display();
    let context = PageContext { text: display.text, playing: &playing, query: "" };
    Ok(browser.page(if browser.is_from_script() {
        body(context, &analysis_state, you)
    } else {
        analysis(&display, context, &analysis_state, you)
    }))
}
