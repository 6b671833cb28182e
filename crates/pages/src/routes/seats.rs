//! `/t/{id}/sit`, `/t/{id}/seat` and `/t/{id}/free`: the forms that change seats before the game starts.

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

/// The seat that the form names.
fn seat_in_form(post: &Post) -> Result<Seat, WebError> {
    Ok(post.fields.parse("seat").and_then(Seat::new).ok_or(Rejection::NoSuchSeat)?)
}

/// The visitor that the browser's cookie identifies. Unlike `post.visitor`, this is never a new visitor without a seat.
fn known_visitor(post: &Post) -> Result<Visitor, WebError> {
    Ok(post.browser.visitor.ok_or(Rejection::NoToken)?)
}

/// `/t/{id}/sit`: takes a seat.
pub(crate) async fn sit(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    let is_other_person = post.fields.get("another") == "yes";
    match sit_down(&state, table, &post, is_other_person).await {
        Ok(()) => {
            // The browser remembers only the name of its first player.
            let name = if is_other_person { "" } else { post.fields.get("name") };
            let cookies = RememberedChoices::keep_name(CookieJar::new(), name);
            Ok((cookies, redirect_to_table(&state, &post, table)).into_response())
        }
        Err(error) => show_rejected(&state, post, if is_other_person { "another" } else { "sit" }, error).await,
    }
}

async fn sit_down(state: &AppState, table: TableId, post: &Post, is_other_person: bool) -> Result<(), WebError> {
    // A browser that sends the form twice takes only one seat. Seats for other people at the same device have a form of
    // their own.
    if !is_other_person && !state.service().seats_of(table, &post.visitor).await?.is_empty() {
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

/// `/t/{id}/seat`: changes a player's name or colour. In a rematch, the form also confirms that the player takes part.
pub(crate) async fn change(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    match change_seat(&state, table, &post).await {
        Ok(()) => {
            let cookies = RememberedChoices::keep_name(CookieJar::new(), post.fields.get("name"));
            Ok((cookies, see_other(&format!("/t/{table}"))).into_response())
        }
        Err(error) => show_rejected(&state, post, "seat", error).await,
    }
}

async fn change_seat(state: &AppState, table: TableId, post: &Post) -> Result<(), WebError> {
    let (seat, visitor) = (seat_in_form(post)?, known_visitor(post)?);
    // An empty field changes nothing.
    let submitted = |name| Some(post.fields.get(name)).filter(|value| !value.is_empty());
    let change = SeatChange {
        name: submitted("name").map(str::to_owned),
        colour: submitted("colour").and_then(parse_colour),
        client_seed: submitted("client_seed").map(|_| post.fields.client_seed()).transpose()?,
    };
    state.service().change_seat(table, &Caller::Visitor { visitor, seat: Some(seat) }, seat, change).await?;
    Ok(())
}

/// `/t/{id}/free`: lets the host remove a player or a bot from a seat.
pub(crate) async fn free(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    match free_seat(&state, table, &post).await {
        Ok(()) => Ok(see_other(&format!("/t/{table}"))),
        Err(error) => show_rejected(&state, post, "table", error).await,
    }
}

async fn free_seat(state: &AppState, table: TableId, post: &Post) -> Result<(), WebError> {
    let caller = as_host(state, table, Caller::Visitor { visitor: known_visitor(post)?, seat: None }).await?;
    state.service().free_seat(table, &caller, seat_in_form(post)?).await?;
    Ok(())
}

/// The caller with the host's seat selected, if the browser has that seat among others.
pub(super) async fn as_host(state: &AppState, table: TableId, caller: Caller) -> Result<Caller, WebError> {
    let Caller::Visitor { visitor, .. } = caller else { return Ok(caller) };
    let view = state.service().observe(table, &Caller::Spectator).await?.view();
    let host = match &view {
        TableView::Waiting(waiting) => waiting.host,
        TableView::Playing(playing) => playing.info.host,
    };
    let own_seats = state.service().seats_of(table, &visitor).await?;
    Ok(Caller::Visitor { visitor, seat: Some(host).filter(|host| own_seats.contains(host)) })
}
