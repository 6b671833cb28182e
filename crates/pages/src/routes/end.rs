//! `/t/{id}/rematch`, `/t/{id}/record.sultan.json`, `/t/{id}/verify` and `/t/{id}/result.svg`: the routes of a finished
//! game.

use axum::extract::State;
use axum::http::{Extensions, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_domain::{ClientSeed, Commitment, PlayingTable, TableId, TableView, WaitingTable};
use sultan_server::response::{json, see_other};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection, SeatChange};

use super::page_request::{PageForm, PageRequest};
use super::viewer::Viewer;
use crate::html::end::picture::result_picture;
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

/// Opens a table for the same people, or agrees to play at the table already opened for them, and redirects to it.
pub(crate) async fn rematch(
    State(state): State<AppState>,
    extensions: Extensions,
    PageForm { page, form }: PageForm<RematchForm>,
) -> Result<Response, WebError> {
    let (caller, form) = page.request.caller_and_body(&state, form).await?;
    if !has_rematch(&state, page.request.table, &caller).await? {
        state.limit_opening(&extensions, &page.browser.headers)?;
    }
    let wrong_shape = |reason| WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", reason);
    let commitment = match form.commitment.as_str() {
        "" => None,
        hex => Some(hex.parse::<Commitment>().map_err(|_| wrong_shape("a commitment has 64 hexadecimal digits"))?),
    };
    let seed = ClientSeed::try_from(form.client_seed).map_err(|_| wrong_shape("a seed has at most 255 bytes"))?;
    let change = SeatChange { client_seed: Some(seed), ..SeatChange::default() };
    let table = state.service().rematch(page.request.table, &caller, change.clone(), commitment).await?;
    agree(&state, table, &caller, &change).await?;
    Ok(see_other(&format!("/t/{table}")))
}

/// Returns whether a rematch of the game was already requested.
async fn has_rematch(state: &AppState, table: TableId, caller: &Caller) -> Result<bool, WebError> {
    let view = state.service().observe(table, caller).await?.view();
    Ok(view.playing().is_some_and(|playing| playing.info.rematch.is_some()))
}

/// The rematch of this game, if one was requested and still waits for players.
pub(super) async fn waiting_rematch(state: &AppState, playing: &PlayingTable) -> Option<WaitingTable> {
    match state.service().observe(playing.info.rematch?, &Caller::Spectator).await.ok()?.view() {
        TableView::Waiting(waiting) => Some(waiting),
        TableView::Playing(_) => None,
    }
}

/// Agrees to the rematch for the caller's seats that have not agreed yet: those of all players who share the browser,
/// although only one of them sent the form.
async fn agree(state: &AppState, rematch: TableId, caller: &Caller, change: &SeatChange) -> Result<(), WebError> {
    let service = state.service();
    let callers: Vec<Caller> = match caller {
        Caller::Visitor { visitor, .. } => {
            let own_seats = service.seats_of(rematch, visitor).await?.into_iter();
            own_seats.map(|seat| Caller::Visitor { visitor: *visitor, seat: Some(seat) }).collect()
        }
        other => vec![*other],
    };
    for caller in callers {
        // A player who had left the finished game has no seat in the rematch.
        let Ok(snapshot) = service.observe(rematch, &caller).await else { return Ok(()) };
        let (Some(seat), TableView::Waiting(waiting)) = (snapshot.observer().seat(), snapshot.view()) else {
            return Ok(());
        };
        if waiting.seats.iter().any(|waiting_seat| waiting_seat.seat == seat && !waiting_seat.ready) {
            service.change_seat(rematch, &caller, seat, change.clone()).await?;
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
    let playing = finished(&state, &page, &viewer).await?;
    if playing.info.branch.is_some() {
        return Err(Rejection::Branch.into());
    }
    let display = page.browser.display();
    let context = PageContext { text: display.text, playing: &playing, query: &page.query() };
    Ok(page.browser.page(verify_page(&display, context, !viewer.own_seats.is_empty())))
}

/// The picture of the result, to share.
pub(crate) async fn picture(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let viewer = Viewer::of(&state, &page).await?;
    let playing = finished(&state, &page, &viewer).await?;
    let context = PageContext { text: page.browser.display().text, playing: &playing, query: "" };
    let svg = result_picture(context).ok_or_else(|| WebError::secret_until_over(Rejection::NotOver.into()))?;
    let vary = "accept-language, cookie";
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::VARY, vary)], svg.into_string()).into_response())
}

/// The finished game as the viewer sees it. An error if it is not over, or if its end is not visible to the viewer yet.
async fn finished(state: &AppState, page: &PageRequest, viewer: &Viewer) -> Result<Box<PlayingTable>, WebError> {
    match state.service().observe(page.request.table, &viewer.caller).await?.view() {
        TableView::Playing(playing) if playing.is_over() => Ok(playing),
        _ => Err(WebError::secret_until_over(Rejection::NotOver.into())),
    }
}
