//! `/t/{id}/sit`, `/seat` and `/free`: the forms for seats before the game.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use sultan_domain::{Seat, TableId, TableView};
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, NewPlayer, Rejection, SeatChange, Visitor};

use super::lobby;
use super::open::redirect_to_table;
use crate::html::fields::parse_colour;
use crate::post::Post;
use crate::remembered::RememberedChoices;

/// Redirects to the table.
fn redirect_back(table: TableId) -> Response {
    see_other(&format!("/t/{table}"))
}

/// The lobby with the rejected form and the reason, or an error page if the table no longer waits for players.
async fn show_rejected(
    state: &AppState,
    post: Post,
    form: &'static str,
    error: WebError,
) -> Result<Response, WebError> {
    let caller = post.browser.visitor.map_or(Caller::Spectator, |visitor| Caller::Visitor { visitor, seat: None });
    let Ok(snapshot) = state.service().observe(post.table()?, &caller).await else { return Err(error) };
    let TableView::Waiting(waiting) = snapshot.view() else { return Err(error) };
    let (browser, rejected) = post.rejected(form, &error);
    Ok(lobby::page(state, &browser, snapshot.version(), &waiting, Some(rejected)).await?)
}

/// The seat in the form.
fn seat(post: &Post) -> Result<Seat, WebError> {
    Ok(post.fields.parse("seat").and_then(Seat::new).ok_or(Rejection::NoSuchSeat)?)
}

/// The visitor of the form, who must have a cookie.
fn visitor(post: &Post) -> Result<Visitor, WebError> {
    Ok(post.browser.visitor.ok_or(Rejection::NoToken)?)
}

/// Takes a seat.
pub(crate) async fn sit(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    let another = post.fields.get("another") == "yes";
    match sit_down(&state, table, &post, another).await {
        Ok(()) => {
            // The name of another person at this device is not remembered.
            let name = if another { "" } else { post.fields.get("name") };
            let cookies = RememberedChoices::keep_name(CookieJar::new(), name);
            Ok((cookies, redirect_to_table(&state, &post, table)).into_response())
        }
        Err(error) => show_rejected(&state, post, if another { "another" } else { "sit" }, error).await,
    }
}

async fn sit_down(state: &AppState, table: TableId, post: &Post, another: bool) -> Result<(), WebError> {
    // A form sent twice takes one seat, unless it is for another person at the same device.
    if !another && !state.service().seats_of(table, &post.visitor).await?.is_empty() {
        return Ok(());
    }
    let player = NewPlayer {
        name: post.name_or_guest(post.fields.get("name")),
        colour: parse_colour(post.fields.get("colour")),
        client_seed: post.fields.client_seed()?,
        visitor: Some(post.visitor),
    };
    state.service().sit(table, player).await?;
    Ok(())
}

/// Changes a name or a colour. In a rematch it also confirms.
pub(crate) async fn change(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    match change_seat(&state, table, &post).await {
        Ok(()) => {
            let cookies = RememberedChoices::keep_name(CookieJar::new(), post.fields.get("name"));
            Ok((cookies, redirect_back(table)).into_response())
        }
        Err(error) => show_rejected(&state, post, "seat", error).await,
    }
}

async fn change_seat(state: &AppState, table: TableId, post: &Post) -> Result<(), WebError> {
    let (seat, visitor) = (seat(post)?, visitor(post)?);
    let text = |name| Some(post.fields.get(name)).filter(|text| !text.is_empty());
    let client_seed = text("client_seed").map(|_| post.fields.client_seed()).transpose()?;
    let change = SeatChange {
        name: text("name").map(str::to_owned),
        colour: text("colour").and_then(parse_colour),
        client_seed,
    };
    state.service().change_seat(table, &Caller::Visitor { visitor, seat: Some(seat) }, seat, change).await?;
    Ok(())
}

/// Frees a seat before the game.
pub(crate) async fn free(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    match free_seat(&state, table, &post).await {
        Ok(()) => Ok(redirect_back(table)),
        Err(error) => show_rejected(&state, post, "table", error).await,
    }
}

async fn free_seat(state: &AppState, table: TableId, post: &Post) -> Result<(), WebError> {
    let host = as_host(state, table, Caller::Visitor { visitor: visitor(post)?, seat: None }).await?;
    state.service().free_seat(table, &host, seat(post)?).await?;
    Ok(())
}

/// The caller, acting as the host if the browser has the host's seat.
pub(super) async fn as_host(state: &AppState, table: TableId, caller: Caller) -> Result<Caller, WebError> {
    let Caller::Visitor { visitor, .. } = caller else { return Ok(caller) };
    let view = state.service().observe(table, &Caller::Spectator).await?.view();
    let host = match &view {
        TableView::Waiting(waiting) => waiting.host,
        TableView::Playing(playing) => playing.info.host,
    };
    let own = state.service().seats_of(table, &visitor).await?;
    Ok(Caller::Visitor { visitor, seat: Some(host).filter(|host| own.contains(host)) })
}
