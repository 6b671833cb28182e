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
use crate::html::replay::{self as html, ReplayPosition, Source, body};

/// The position and the view that an address selects. Malformed values are ignored, because people edit such addresses
/// by hand.
#[derive(Deserialize)]
pub(crate) struct ReplayQuery {
    /// The number of actions before the position.
    #[serde(default)]
    at: String,
    /// The seat whose view is shown, or `all` for the open view.
    #[serde(default, rename = "eyes")]
    perspective: String,
}

impl ReplayQuery {
    /// The page of the position, or only its `main` element for the page's script. It shows the view of the requested
    /// seat, or everything if `all` is requested. Without a valid request, it shows the view of the visitor's own seat,
    /// or everything to other visitors.
    pub(crate) fn page(&self, browser: &Browser, replay: &Replay, source: Source<'_>, own_seats: &[Seat]) -> Response {
        let index = self.at.parse().unwrap_or(0).min(replay.last());
        let requested_seat = self.perspective.parse().ok().and_then(Seat::new).filter(|seat| replay.has(*seat));
        let seat = requested_seat.or(own_seats.first().copied().filter(|_| self.perspective != "all"));
        let you = if let [own_seat] = own_seats { Some(*own_seat) } else { None };
        let position = ReplayPosition { replay, source, index, seat, you };
        let display = browser.display();
        browser.page(if browser.is_from_script() {
            body(display.text, position)
        } else {
            html::replay(&display, position)
        })
    }
}

/// The replay of a table's game.
pub(crate) async fn show(
    State(state): State<AppState>,
    Query(query): Query<ReplayQuery>,
    page: PageRequest,
) -> Result<Response, WebError> {
    let table = page.request.table;
    let replay = state.service().replay(table).await.map_err(WebError::secret_until_over)?;
    let own_seats = Viewer::of(&state, &page).await?.own_seats;
    Ok(query.page(&page.browser, &replay, Source::Table(table), &own_seats))
}
