//! `/t/{id}/fill`, `/t/{id}/return`, `/t/{id}/pause`, `/t/{id}/resume` and `/t/{id}/leave`: the forms about a whole game:
//! stand-in bots, pauses, leaving. They are on the page of the table and on the home page.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::{Seat, TableId};
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection};

use super::page_request::PageForm;
use super::seats::as_host;
use super::table::submit;

/// A seat, the level of a bot for this seat, and the page that sent the form.
#[derive(Deserialize)]
pub(crate) struct SeatForm {
    seat: Option<u8>,
    #[serde(default)]
    bot: String,
    /// `home` for a form on the home page, which appears again.
    #[serde(default)]
    back: String,
}

impl SeatForm {
    /// The seat in the form, if there is one. A number that no table has is an error.
    fn seat(&self) -> Result<Option<Seat>, Rejection> {
        self.seat.map(|number| Seat::new(number).ok_or(Rejection::NoSuchSeat)).transpose()
    }

    /// The caller with the seat in the form: a browser with several seats names it, other browsers may omit it.
    fn caller_with_seat(&self, caller: Caller) -> Result<Caller, Rejection> {
        Ok(match (caller, self.seat()?) {
            (Caller::Visitor { visitor, .. }, Some(seat)) => Caller::Visitor { visitor, seat: Some(seat) },
            (caller, _) => caller,
        })
    }
}

/// Executes a form as [`submit`] does, and redirects to the home page if the form was there.
async fn submit_and_return(
    state: &AppState,
    form: PageForm<SeatForm>,
    execute: impl AsyncFnOnce(TableId, Caller, SeatForm) -> Result<(), WebError>,
) -> Result<Response, WebError> {
    let is_from_home = form.form.as_ref().is_ok_and(|form| form.back == "home");
    let response = submit(state, form, execute).await?;
    Ok(if is_from_home && response.status() == StatusCode::SEE_OTHER { see_other("/") } else { response })
}

/// Takes a seat back from its stand-in bot, which plays for an absent player. The host may do so for other seats;
/// without a seat in the form, the caller's own seat is meant.
pub(crate) async fn take_back(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    submit_and_return(&state, form, async |table, caller, form| {
        let seat = match form.seat()? {
            Some(seat) => seat,
            None => state.service().observe(table, &caller).await?.observer().seat().ok_or(Rejection::NoToken)?,
        };
        state.service().end_stand_in(table, &caller, seat).await?;
        Ok(())
    })
    .await
}

/// Puts a bot into a seat: before the game into a free seat, during the game into the seat of an absent player or the
/// player's own. Without a bot in the form, the table's stand-in is meant.
pub(crate) async fn fill(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    submit_and_return(&state, form, async |table, caller, form| {
        let seat = form.seat()?.ok_or(Rejection::NoSuchSeat)?;
        let caller = match form.caller_with_seat(caller)? {
            own @ Caller::Visitor { .. } if is_own_seat_in_play(&state, table, &own).await? => own,
            _ => as_host(&state, table, caller).await?,
        };
        let bot = Some(form.bot.as_str()).filter(|bot| !bot.is_empty());
        state.service().put_bot_in_seat(table, &caller, seat, bot).await?;
        Ok(())
    })
    .await
}

/// Returns whether the game has started, and the caller has the seat that it names.
async fn is_own_seat_in_play(state: &AppState, table: TableId, caller: &Caller) -> Result<bool, WebError> {
    let Caller::Visitor { visitor, seat: Some(seat) } = caller else { return Ok(false) };
    let has_started = state.service().observe(table, &Caller::Spectator).await?.view().playing().is_some();
    Ok(has_started && state.service().seats_of(table, visitor).await?.contains(seat))
}

/// Pauses a game of one person against bots.
pub(crate) async fn pause(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    set_paused(&state, form, true).await
}

/// Ends a pause.
pub(crate) async fn resume(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    set_paused(&state, form, false).await
}

async fn set_paused(state: &AppState, form: PageForm<SeatForm>, paused: bool) -> Result<Response, WebError> {
    submit_and_return(state, form, async |table, caller, form| {
        state.service().set_paused(table, &form.caller_with_seat(caller)?, paused).await?;
        Ok(())
    })
    .await
}

/// Leaves the seat. Redirects to the home page, which names the table and offers a new game.
pub(crate) async fn leave(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    let table = form.page.request.table;
    let response = submit(&state, form, async |table, caller, form| {
        Ok(state.service().leave(table, &form.caller_with_seat(caller)?).await?)
    })
    .await?;
    Ok(if response.status() == StatusCode::SEE_OTHER { see_other(&format!("/?left={table}")) } else { response })
}
