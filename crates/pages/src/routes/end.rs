//! `/t/{id}/rematch`, `/t/{id}/record.sultan.json` and `/t/{id}/verify`: the routes of a finished game.

use axum::extract::State;
use axum::http::{Extensions, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_domain::{ClientSeed, Commitment, TableId, TableView};
use sultan_server::response::{json, see_other};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection, SeatChange};

use super::page_request::{PageForm, PageRequest};
use super::viewer::Viewer;
use crate::html::table::PageContext;
use crate::html::verify::verify as verify_page;

/// The fields that the page's script adds to the form for a rematch. Both are empty without a script.
#[derive(Deserialize)]
pub(crate) struct RematchForm {
    #[serde(default)]
    /// The caller's contribution to the shuffle.
    client_seed: String,
    #[serde(default)]
    /// The hash of a server seed, which the server has published before it gets the client seed. The new table uses
    /// that server seed.
    commitment: String,
}

/// Opens a table for the same people, or finds the table already opened for them, and redirects to it.
pub(crate) async fn rematch(
    State(state): State<AppState>,
    extensions: Extensions,
    PageForm { page, form }: PageForm<RematchForm>,
) -> Result<Response, WebError> {
    let (caller, form) = page.request.caller_and_body(&state, form).await?;
    state.limit_opening(&extensions, &page.browser.headers)?;
    let wrong_shape = |reason| WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", reason);
    let commitment = match form.commitment.as_str() {
        "" => None,
        hex => Some(hex.parse::<Commitment>().map_err(|_| wrong_shape("a commitment has 64 hexadecimal digits"))?),
    };
    let seed = ClientSeed::try_from(form.client_seed).map_err(|_| wrong_shape("a seed has at most 255 bytes"))?;
    let change = SeatChange { client_seed: Some(seed), ..SeatChange::default() };
    let table = state.service().rematch(page.request.table, &caller, change, commitment).await?;
    confirm_all_seats(&state, table, &caller).await?;
    Ok(see_other(&format!("/t/{table}")))
}

/// Confirms the rematch for all seats of a browser that several players share, although only one of them sent the form.
/// The only seat of any other browser is confirmed already.
async fn confirm_all_seats(state: &AppState, rematch: TableId, caller: &Caller) -> Result<(), WebError> {
    let Caller::Visitor { visitor, .. } = caller else { return Ok(()) };
    let own_seats = state.service().seats_of(rematch, visitor).await?;
    if own_seats.len() < 2 {
        return Ok(());
    }
    for seat in own_seats {
        let caller = Caller::Visitor { visitor: *visitor, seat: Some(seat) };
        let view = state.service().observe(rematch, &caller).await?.view();
        let TableView::Waiting(waiting) = view else { return Ok(()) };
        // A rematch keeps all seats for the players of the last game. A seat is ready as soon as its player has
        // confirmed.
        // An empty change confirms.
        if waiting.seats.iter().any(|waiting_seat| waiting_seat.seat == seat && !waiting_seat.ready) {
            state.service().change_seat(rematch, &caller, seat, SeatChange::default()).await?;
        }
    }
    Ok(())
}

/// The record, as a file to download.
pub(crate) async fn record(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let table = page.request.table;
    let record = state.service().record(table).await.map_err(WebError::secret_until_over)?;
    let name = format!("attachment; filename=\"{table}.sultan.json\"");
    Ok(([(header::CONTENT_DISPOSITION, name)], json(StatusCode::OK, &record)).into_response())
}

/// The page to verify the deal: that the cards and jewels follow from the seeds.
pub(crate) async fn verify(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let viewer = Viewer::of(&state, &page).await?;
    let view = state.service().observe(page.request.table, &viewer.caller).await?.view();
    let Some(playing) = view.playing().filter(|playing| playing.is_over()) else {
        return Err(WebError::secret_until_over(Rejection::NotOver.into()));
    };
    if playing.info.branch.is_some() {
        return Err(Rejection::Branch.into());
    }
    let display = page.browser.display();
    let context = PageContext { text: display.text, playing, query: &page.query() };
    Ok(page.browser.page(verify_page(&display, context, !viewer.own_seats.is_empty())))
}
