//! `/t/{id}`: a table, and what is done at it by forms.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use maud::Markup;
use serde::Deserialize;
use sultan_domain::{Jewel, PlayingTable, Seat, TableView};
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Reaction, Rejection};

use super::lobby::LobbyBrowser;
use super::page_request::{PageForm, PageRequest};
use super::seats::as_host;
use super::viewer::{Perspective, Viewer};
use crate::errors::PageError;
use crate::html::curtain::{curtain, wait};
use crate::html::end::{end, is_end};
use crate::html::layout::answer;
use crate::html::problem::sentence;
use crate::html::table::{PageContext, table};
use crate::post::{Fields, RejectedForm};

/// The table as whoever asks sees it.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, PageError> {
    let caller = page.request.or_spectator(&state).await?;
    shown(&state, &page, caller, None).await
}

/// The page, with why something was not done.
async fn shown(
    state: &AppState,
    page: &PageRequest,
    caller: Caller,
    error: Option<&WebError>,
) -> Result<Response, PageError> {
    let viewer = Viewer::with(state, page, caller).await?;
    let snapshot = state.service().look(page.request.table, &viewer.caller).await?;
    let (version, sight) = (snapshot.version(), snapshot.view());
    let text = page.display().text;
    let html = match &sight {
        TableView::Waiting(waiting) => {
            let rejected = error.map(|error| RejectedForm::new("table", Fields::default(), text, error));
            let visitor = page.request.visitor;
            let browser = LobbyBrowser { display: page.display(), headers: &page.headers, visitor };
            return Ok(browser.page(state, version, waiting, rejected).await?);
        }
        TableView::Playing(playing) => match viewer.perspective(playing, page.request.seat) {
            Perspective::Curtain(seat) => behind_curtain(state, page, seat).await?,
            Perspective::Seat(_) | Perspective::Public => {
                let alert = error.map(|error| sentence(text, error));
                in_sight(page, &viewer, version, playing, alert.as_deref())
            }
        },
    };
    Ok(answer(error.map_or(StatusCode::OK, WebError::status), &page.headers, html))
}

/// The table, or its end.
fn in_sight(page: &PageRequest, viewer: &Viewer, version: u32, playing: &PlayingTable, alert: Option<&str>) -> Markup {
    let look = PageContext { text: page.display().text, playing, query: &page.query() };
    if is_end(playing) {
        return end(page.display(), look, &viewer.own, version);
    }
    let wait = (viewer.own.len() > 1 && look.own().is_none()).then(|| wait(look, &viewer.own));
    table(page.display(), look, version, alert, wait.as_ref())
}

/// The curtain, made of nothing but what everybody may see.
async fn behind_curtain(state: &AppState, page: &PageRequest, seat: Seat) -> Result<Markup, WebError> {
    let snapshot = state.service().look(page.request.table, &Caller::Nobody).await?;
    let (version, sight) = (snapshot.version(), snapshot.view());
    let TableView::Playing(playing) = &sight else { return Err(Rejection::NotStarted.into()) };
    let look = PageContext { text: page.display().text, playing, query: "" };
    Ok(curtain(page.display(), look, seat, version))
}

/// The answer to a form: back to the table, or the table's page with the reason why not.
async fn finish(state: &AppState, page: &PageRequest, result: Result<(), WebError>) -> Result<Response, PageError> {
    match result {
        Ok(()) => Ok(page.done()),
        Err(error) if page.is_script => Err(error.into()),
        Err(error) => {
            // Whoever may not ask for something may still look.
            let caller = page.request.caller.clone().unwrap_or(Caller::Nobody);
            shown(state, page, caller, Some(&error)).await
        }
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
pub(crate) async fn act(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<Choice>,
) -> Result<Response, PageError> {
    let acted = async {
        let (caller, choice) = page.request.seated_with(&state, form).await?;
        let action = match choice {
            Choice { offer: Some(offer), .. } if !offer.is_empty() => offer,
            Choice { back: Some(back), .. } => {
                let sight = state.service().look(page.request.table, &caller).await?.view();
                all_but(&sight, back)
            }
            Choice { card: Some(card), cushion: Some(cushion), .. } => format!("{card}@{cushion}"),
            // The service rejects it as no action, after all errors that come first.
            _ => String::new(),
        };
        // No game has so many actions.
        let at = choice.at.unwrap_or(u16::MAX);
        state.service().act_as_text(page.request.table, &caller, &action, at).await?;
        Ok(())
    };
    let acted = acted.await;
    finish(&state, &page, acted).await
}

/// The drawn jewels without one, in the order they were drawn.
fn all_but(sight: &TableView, back: usize) -> String {
    let TableView::Playing(playing) = sight else { return String::new() };
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
pub(crate) async fn come_back(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<About>,
) -> Result<Response, PageError> {
    let back = async {
        let (caller, about) = page.request.seated_with(&state, form).await?;
        let seat = match about.seat()? {
            Some(seat) => seat,
            None => {
                state.service().look(page.request.table, &caller).await?.observer().seat().ok_or(Rejection::NoToken)?
            }
        };
        state.service().come_back(page.request.table, &caller, seat).await?;
        Ok(())
    };
    let back = back.await;
    finish(&state, &page, back).await
}

/// Lets a bot take a seat: a free one before the game, an absent player's during it.
pub(crate) async fn fill(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<About>,
) -> Result<Response, PageError> {
    let filled = async {
        let (caller, about) = page.request.seated_with(&state, form).await?;
        let caller = as_host(&state, page.request.table, caller).await?;
        let seat = about.seat()?.ok_or(Rejection::NoSuchSeat)?;
        state.service().fill(page.request.table, &caller, seat, &about.bot).await?;
        Ok(())
    };
    let filled = filled.await;
    finish(&state, &page, filled).await
}

/// Gets up, and goes home.
pub(crate) async fn leave(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<About>,
) -> Result<Response, PageError> {
    let left = async {
        let (caller, about) = page.request.seated_with(&state, form).await?;
        // One of several people at this device may get up.
        let caller = match (caller, about.seat()?) {
            (Caller::Visitor { visitor, .. }, Some(seat)) => Caller::Visitor { visitor, seat: Some(seat) },
            (caller, _) => caller,
        };
        Ok(state.service().leave(page.request.table, &caller).await?)
    };
    match left.await {
        Ok(()) if !page.is_script => Ok(see_other("/")),
        left => finish(&state, &page, left).await,
    }
}

/// A short sign.
#[derive(Deserialize)]
pub(crate) struct Sign {
    #[serde(default)]
    reaction: String,
}

/// Gives a sign to the others.
pub(crate) async fn react(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<Sign>,
) -> Result<Response, PageError> {
    let given = async {
        let (caller, sign) = page.request.seated_with(&state, form).await?;
        let unknown = || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", "there is no such sign");
        let reaction = Reaction::named(&sign.reaction).ok_or_else(unknown)?;
        Ok(state.service().react(page.request.table, &caller, reaction).await?)
    };
    let given = given.await;
    finish(&state, &page, given).await
}
