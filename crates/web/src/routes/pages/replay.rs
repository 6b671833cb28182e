//! `/t/{id}/replay`: a finished game, stepped through.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::Seat;
use sultan_table::Replay;

use super::shared;
use super::visit::Visit;
use crate::error::WebError;
use crate::html::layout::answer;
use crate::html::replay::{Eyes, Moment, Source, body, replay};
use crate::state::AppState;

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

    /// The eyes asked for; else the visitor's own, where there are such.
    pub(crate) fn eyes(&self, replay: &Replay, own: Option<Seat>) -> Eyes {
        let asked = self.eyes.parse().ok().and_then(Seat::new).filter(|seat| replay.has(*seat));
        match asked.or(own.filter(|_| self.eyes != "all")) {
            Some(seat) => Eyes::Seat(seat),
            None => Eyes::All,
        }
    }
}

/// The page, or for the script its main part.
pub(crate) async fn show(State(state): State<AppState>, Query(wanted): Query<Wanted>, visit: Visit) -> Response {
    match shown(&state, &wanted, &visit).await {
        Ok(page) => page,
        Err(error) => visit.refuse(error),
    }
}

async fn shown(state: &AppState, wanted: &Wanted, visit: &Visit) -> Result<Response, WebError> {
    let table = visit.call()?.table;
    let game = state.service().replay(table).await.map_err(WebError::secret_until_over)?;
    let own = shared::Eyes::of(state, visit).await?.own.first().copied();
    let moment =
        Moment { replay: &game, source: Source::Table(table), at: wanted.at(&game), eyes: wanted.eyes(&game, own) };
    let page = if visit.live { body(visit.guest.text, moment) } else { replay(&visit.guest, moment) };
    Ok(answer(StatusCode::OK, &visit.headers, page))
}
