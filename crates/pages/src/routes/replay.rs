//! `/t/{id}/replay`: a finished game, stepped through.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::Seat;
use sultan_server::{AppState, WebError};
use sultan_table::Replay;

use super::page_request::PageRequest;
use super::viewer::Viewer;
use crate::errors::PageError;
use crate::html::layout::answer;
use crate::html::replay::{Moment, ReplayPerspective, Source, body, replay};

/// A moment, as the address names it. What names none is passed over: links are typed by hand, too.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    at: String,
    #[serde(default)]
    eyes: String,
}

impl Wanted {
    pub(crate) fn at(&self, replay: &Replay) -> usize {
        self.at.parse().unwrap_or(0).min(replay.last())
    }

    /// The seat asked for; else the visitor's own, if there is one.
    pub(crate) fn perspective(&self, replay: &Replay, own: Option<Seat>) -> ReplayPerspective {
        let asked = self.eyes.parse().ok().and_then(Seat::new).filter(|seat| replay.has(*seat));
        match asked.or(own.filter(|_| self.eyes != "all")) {
            Some(seat) => ReplayPerspective::Seat(seat),
            None => ReplayPerspective::All,
        }
    }
}

/// The page, or for the script its main part.
pub(crate) async fn show(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
    page: PageRequest,
) -> Result<Response, PageError> {
    let table = page.request.table;
    let game = state.service().replay(table).await.map_err(WebError::secret_until_over)?;
    let own = Viewer::of(&state, &page).await?.own.first().copied();
    let moment = Moment {
        replay: &game,
        source: Source::Table(table),
        at: wanted.at(&game),
        eyes: wanted.perspective(&game, own),
    };
    let html = if page.is_script { body(page.display().text, moment) } else { replay(page.display(), moment) };
    Ok(answer(StatusCode::OK, &page.headers, html))
}
