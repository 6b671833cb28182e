//! `/t/{id}/replay`: the replay of a finished game.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::Seat;
use sultan_server::{AppState, WebError};
use sultan_table::Replay;

use super::page_request::PageRequest;
use super::viewer::Viewer;
use crate::browser::Browser;
use crate::html::replay::{self as html, Moment, Source, body};

/// A position and a view, as the address names them. Malformed values are ignored, because people edit such addresses
/// by hand.
#[derive(Deserialize)]
pub(crate) struct ReplayQuery {
    #[serde(default)]
    at: String,
    #[serde(default, rename = "eyes")]
    perspective: String,
}

impl ReplayQuery {
    /// The page of the position, or only its `main` element for the script. It shows the view of the requested seat, or
    /// else of the visitor's `own`, if there is one.
    pub(crate) fn page(&self, browser: &Browser, replay: &Replay, source: Source<'_>, own: Option<Seat>) -> Response {
        let at = self.at.parse().unwrap_or(0).min(replay.last());
        let requested = self.perspective.parse().ok().and_then(Seat::new).filter(|seat| replay.has(*seat));
        let seat = requested.or(own.filter(|_| self.perspective != "all"));
        let moment = Moment { replay, source, at, seat };
        let display = browser.display();
        browser.page(if browser.is_script() { body(display.text, moment) } else { html::replay(&display, moment) })
    }
}

/// The replay of a table's game.
pub(crate) async fn show(
    State(state): State<AppState>,
    Query(query): Query<ReplayQuery>,
    page: PageRequest,
) -> Result<Response, WebError> {
    let table = page.request.table;
    let game = state.service().replay(table).await.map_err(WebError::secret_until_over)?;
    let own = Viewer::of(&state, &page).await?.own.first().copied();
    Ok(query.page(&page.browser, &game, Source::Table(table), own))
}
