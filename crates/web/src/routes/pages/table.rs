//! `/t/{id}`: a table, and what is done at it by forms.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use maud::Markup;
use serde::Deserialize;
use sultan_domain::{Jewel, Seat};
use sultan_table::{Caller, PlayingView, Reaction, Rejection, Sight};

use super::lobby;
use super::seats::as_host;
use super::shared::{Eyes, Showing};
use super::visit::{Asked, Visit};
use crate::error::WebError;
use crate::html::curtain::{curtain, wait};
use crate::html::end::{end, is_end};
use crate::html::layout::answer;
use crate::html::problem::sentence;
use crate::html::table::{Look, table};
use crate::post::Typed;
use crate::routes::see_other;
use crate::state::AppState;

/// The table as whoever asks sees it.
pub(crate) async fn show(State(state): State<AppState>, visit: Visit) -> Response {
    match shown(&state, &visit, None).await {
        Ok(page) => page,
        Err(error) => visit.refuse(error),
    }
}

/// The page, with why something was not done.
async fn shown(state: &AppState, visit: &Visit, wrong: Option<&WebError>) -> Result<Response, WebError> {
    let call = visit.call()?;
    let caller = match &wrong {
        // Whoever may not ask for something may still look.
        Some(_) => call.caller.clone().unwrap_or(Caller::Nobody),
        None => call.or_spectator(state).await?,
    };
    let eyes = Eyes::with(state, visit, caller).await?;
    let snapshot = state.service().look(call.table, &eyes.caller).await?;
    let (version, sight) = (snapshot.version(), snapshot.view());
    let alert = wrong.map(|error| sentence(visit.guest.text, error));
    let page = match &sight {
        Sight::Waiting(view) => {
            let refused = wrong.map(|error| (error.status(), Typed::told("table", sentence(visit.guest.text, error))));
            return Ok(lobby::page(state, &visit.guest, &visit.headers, (version, view), refused).await?);
        }
        Sight::Playing(playing) => match eyes.showing(&playing.view, visit.seat) {
            Showing::Curtain(seat) => behind_curtain(state, visit, seat).await?,
            Showing::Seat(_) | Showing::Public => in_sight(visit, &eyes, (version, playing), alert.as_deref()),
        },
    };
    Ok(answer(wrong.map_or(StatusCode::OK, WebError::status), &visit.headers, page))
}

/// The table, or its end.
fn in_sight(visit: &Visit, eyes: &Eyes, now: (u32, &PlayingView), alert: Option<&str>) -> Markup {
    let (version, playing) = now;
    let look = Look { text: visit.guest.text, playing, query: &visit.query() };
    if is_end(playing) {
        return end(&visit.guest, look, &eyes.own, version);
    }
    let wait = (eyes.own.len() > 1 && look.own().is_none()).then(|| wait(look, &eyes.own));
    table(&visit.guest, look, version, (alert, wait.as_ref()))
}

/// The curtain, made of nothing but what everybody may see.
async fn behind_curtain(state: &AppState, visit: &Visit, seat: Seat) -> Result<Markup, WebError> {
    let table = visit.call()?.table;
    let snapshot = state.service().look(table, &Caller::Nobody).await?;
    let (version, sight) = (snapshot.version(), snapshot.view());
    let Sight::Playing(playing) = &sight else { return Err(Rejection::NotStarted.into()) };
    let look = Look { text: visit.guest.text, playing, query: "" };
    Ok(curtain(&visit.guest, look, seat, version))
}

/// What becomes of something that was asked.
async fn finish<T>(state: &AppState, visit: Visit, asked: Result<T, WebError>) -> Response {
    let Err(error) = asked else { return visit.done() };
    if visit.live {
        return visit.refuse(error);
    }
    match shown(state, &visit, Some(&error)).await {
        Ok(page) => page,
        Err(first) => visit.refuse(first),
    }
}

/// A choice at the table: a card and a cushion, the place of the drawn jewel that goes back, or an offer in the order of the
/// cushions.
#[derive(Deserialize)]
pub(crate) struct Choice {
    card: Option<String>,
    cushion: Option<String>,
    back: Option<usize>,
    offer: Option<String>,
    #[serde(default)]
    at: Option<u16>,
}

/// Acts, as the form says.
pub(crate) async fn act(State(state): State<AppState>, Asked { visit, form }: Asked<Choice>) -> Response {
    let acted = acted(&state, &visit, form).await;
    finish(&state, visit, acted).await
}

async fn acted(state: &AppState, visit: &Visit, form: Result<Choice, WebError>) -> Result<(), WebError> {
    let call = visit.call()?;
    let (caller, choice) = call.with(state, form).await?;
    let action = match choice {
        Choice { offer: Some(offer), .. } if !offer.is_empty() => offer,
        Choice { back: Some(back), .. } => {
            let sight = state.service().look(call.table, &caller).await?.view();
            all_but(&sight, back)
        }
        Choice { card: Some(card), cushion: Some(cushion), .. } => format!("{card}@{cushion}"),
        // Says itself that it is no action, after all that is wrong before.
        _ => String::new(),
    };
    // No game has so many actions.
    let at = choice.at.unwrap_or(u16::MAX);
    state.service().act_as_text(call.table, &caller, &action, at).await?;
    Ok(())
}

/// The drawn jewels without one, in the order they were drawn.
fn all_but(sight: &Sight, back: usize) -> String {
    let Sight::Playing(playing) = sight else { return String::new() };
    let drawn: Vec<Jewel> = playing.view.drawn.iter().collect();
    if back >= drawn.len() {
        return String::new();
    }
    drawn.iter().enumerate().filter(|(place, _)| *place != back).map(|(_, jewel)| jewel.letter()).collect()
}

/// A seat, and a bot for it.
#[derive(Deserialize)]
pub(crate) struct About {
    seat: Option<u8>,
    #[serde(default)]
    bot: String,
}

impl About {
    fn seat(&self) -> Result<Option<Seat>, Rejection> {
        self.seat.map(|number| Seat::new(number).ok_or(Rejection::NoSuchSeat)).transpose()
    }
}

/// Takes a seat back from the bot that played it meanwhile.
pub(crate) async fn come_back(State(state): State<AppState>, Asked { visit, form }: Asked<About>) -> Response {
    let back = async {
        let call = visit.call()?;
        let (caller, about) = call.with(&state, form).await?;
        let seat = match about.seat()? {
            Some(seat) => seat,
            None => state.service().look(call.table, &caller).await?.observer().seat().ok_or(Rejection::NoToken)?,
        };
        state.service().come_back(call.table, &caller, seat).await?;
        Ok(())
    };
    let back = back.await;
    finish(&state, visit, back).await
}

/// Lets a bot take a seat: a free one before the game, an absent player's during it.
pub(crate) async fn fill(State(state): State<AppState>, Asked { visit, form }: Asked<About>) -> Response {
    let filled = async {
        let call = visit.call()?;
        let (caller, about) = call.with(&state, form).await?;
        let caller = as_host(&state, call.table, caller).await?;
        let seat = about.seat()?.ok_or(Rejection::NoSuchSeat)?;
        state.service().fill(call.table, &caller, seat, &about.bot).await?;
        Ok(())
    };
    let filled = filled.await;
    finish(&state, visit, filled).await
}

/// Gets up, and goes home.
pub(crate) async fn leave(State(state): State<AppState>, Asked { visit, form }: Asked<About>) -> Response {
    let left = async {
        let call = visit.call()?;
        let (caller, about) = call.with(&state, form).await?;
        // One of several people at this device may get up.
        let caller = match (caller, about.seat()?) {
            (Caller::Visitor { visitor, .. }, Some(seat)) => Caller::Visitor { visitor, seat: Some(seat) },
            (caller, _) => caller,
        };
        Ok(state.service().leave(call.table, &caller).await?)
    };
    match left.await {
        Ok(()) if !visit.live => see_other("/"),
        left => finish(&state, visit, left).await,
    }
}

/// A short sign.
#[derive(Deserialize)]
pub(crate) struct Sign {
    #[serde(default)]
    reaction: String,
}

/// Gives a sign to the others.
pub(crate) async fn react(State(state): State<AppState>, Asked { visit, form }: Asked<Sign>) -> Response {
    let given = async {
        let call = visit.call()?;
        let (caller, sign) = call.with(&state, form).await?;
        let unknown = || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", "there is no such sign");
        let reaction = Reaction::named(&sign.reaction).ok_or_else(unknown)?;
        Ok(state.service().react(call.table, &caller, reaction).await?)
    };
    let given = given.await;
    finish(&state, visit, given).await
}
