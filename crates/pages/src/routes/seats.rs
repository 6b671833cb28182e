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

/// Returns the response to an accepted form. For a rejected form, shows the lobby with the form and the reason, or an
/// error page if the table no longer waits for players.
async fn respond(
    state: &AppState,
    post: Post,
    form: &'static str,
    result: Result<Response, WebError>,
) -> Result<Response, WebError> {
    let Err(error) = result else { return result };
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
    let is_other_person = post.fields.get("another") == "yes";
    let result = take_seat(&state, &post, is_other_person).await;
    respond(&state, post, if is_other_person { "another" } else { "sit" }, result).await
}

/// Takes a seat for the visitor, or for another person at the same browser.
async fn take_seat(state: &AppState, post: &Post, is_other_person: bool) -> Result<Response, WebError> {
    let table = post.table()?;
    // A browser that sends the form twice takes only one seat. The form for another person takes another seat.
    if is_other_person || state.service().seats_of(table, &post.visitor).await?.is_empty() {
        let player = NewPlayer {
            name: post.name_or_guest(post.fields.get("name")),
            colour: parse_colour(post.fields.get("colour")),
            client_seed: post.fields.client_seed()?,
            visitor: Some(post.visitor),
        };
        state.service().sit(table, player).await?;
    }
    // The browser remembers only the name of its first player.
    let name = if is_other_person { "" } else { post.fields.get("name") };
    let cookies = RememberedChoices::keep_name(CookieJar::new(), name);
    Ok((cookies, redirect_to_table(state, post, table)).into_response())
}

/// `/t/{id}/seat`: changes a player's name or colour. In a rematch, the form also confirms that the player takes part.
pub(crate) async fn change(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let result = change_seat(&state, &post).await;
    respond(&state, post, "seat", result).await
}

/// Changes the fields of the seat that are not empty in the form.
async fn change_seat(state: &AppState, post: &Post) -> Result<Response, WebError> {
    let (table, seat, visitor) = (post.table()?, seat_in_form(post)?, known_visitor(post)?);
    let submitted = |name| Some(post.fields.get(name)).filter(|value| !value.is_empty());
    let change = SeatChange {
        name: submitted("name").map(str::to_owned),
        colour: submitted("colour").and_then(parse_colour),
        client_seed: submitted("client_seed").map(|_| post.fields.client_seed()).transpose()?,
    };
    state.service().change_seat(table, &Caller::Visitor { visitor, seat: Some(seat) }, seat, change).await?;
    let cookies = RememberedChoices::keep_name(CookieJar::new(), post.fields.get("name"));
    Ok((cookies, see_other(&format!("/t/{table}"))).into_response())
}

/// `/t/{id}/free`: lets the host remove a player or a bot from a seat.
pub(crate) async fn free(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let result = free_seat(&state, &post).await;
    // No form of the lobby has the name "table": only the reason is shown, above all forms.
    respond(&state, post, "table", result).await
}

/// Frees the seat that the form names, on behalf of the host.
async fn free_seat(state: &AppState, post: &Post) -> Result<Response, WebError> {
    let table = post.table()?;
    let caller = as_host(state, table, Caller::Visitor { visitor: known_visitor(post)?, seat: None }).await?;
    state.service().free_seat(table, &caller, seat_in_form(post)?).await?;
    Ok(see_other(&format!("/t/{table}")))
}

/// The caller with the host's seat selected, if that is one of the browser's seats.
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
