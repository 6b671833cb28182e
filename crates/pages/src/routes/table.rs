//! `/t/{id}`: a table, and what is done at it by forms.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::{Jewel, Seat, TableView};
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Reaction, Rejection};

use super::lobby;
use super::page_request::{self, PageForm, PageRequest};
use super::seats::as_host;
use super::viewer::Viewer;
use crate::errors::PageError;
use crate::html::curtain::{curtain, wait};
use crate::html::end::{end, is_end};
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
    let (version, display) = (snapshot.version(), page.browser.display());
    let playing = match snapshot.view() {
        TableView::Waiting(waiting) => {
            let rejected = error.map(|error| RejectedForm::new("table", Fields::default(), display.text, error));
            return Ok(lobby::page(state, &page.browser, version, &waiting, rejected).await?);
        }
        TableView::Playing(playing) => playing,
    };
    let context = PageContext { text: display.text, playing: &playing, query: &page.query() };
    let html = if let Some(seat) = viewer.curtain(&playing, page.request.seat) {
        // The curtain is made of nothing but what everybody may see.
        let (version, playing) = page_request::playing(state, page.request.table, &Caller::Nobody).await?;
        curtain(&display, PageContext { playing: &playing, query: "", ..context }, seat, version)
    } else if is_end(&playing) {
        end(&display, context, &viewer.own, version)
    } else {
        let alert = error.map(|error| sentence(display.text, error));
        let wait = (viewer.own.len() > 1 && context.own().is_none()).then(|| wait(context, &viewer.own));
        table(&display, context, version, alert.as_deref(), wait.as_ref())
    };
    Ok(page.browser.page_with(error.map_or(StatusCode::OK, WebError::status), html))
}

/// Does what a form of somebody seated asks for: then back to the table, or the table's page with the reason why not.
async fn submit<T>(
    state: &AppState,
    PageForm { page, form }: PageForm<T>,
    run: impl AsyncFnOnce(&PageRequest, Caller, T) -> Result<(), WebError>,
) -> Result<Response, PageError> {
    let done = match page.request.seated_with(state, form).await {
        Ok((caller, form)) => run(&page, caller, form).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => Ok(page.done()),
        Err(error) if page.browser.is_script() => Err(error.into()),
        Err(error) => {
            // Whoever may not ask for something may still look.
            let caller = page.request.caller.clone().unwrap_or(Caller::Nobody);
            shown(state, &page, caller, Some(&error)).await
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
pub(crate) async fn act(State(state): State<AppState>, form: PageForm<Choice>) -> Result<Response, PageError> {
    let act = async |page: &PageRequest, caller: Caller, choice: Choice| {
        let table = page.request.table;
        let action = match choice {
            Choice { offer: Some(offer), .. } if !offer.is_empty() => offer,
            Choice { back: Some(back), .. } => all_but(&state.service().look(table, &caller).await?.view(), back),
            Choice { card: Some(card), cushion: Some(cushion), .. } => format!("{card}@{cushion}"),
            // The service rejects it as no action, after all errors that come first.
            _ => String::new(),
        };
        // No game has so many actions.
        let at = choice.at.unwrap_or(u16::MAX);
        state.service().act_as_text(table, &caller, &action, at).await?;
        Ok(())
    };
    submit(&state, form, act).await
}

/// The drawn jewels without one, in the order they were drawn.
fn all_but(view: &TableView, back: usize) -> String {
    let TableView::Playing(playing) = view else { return String::new() };
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
pub(crate) async fn come_back(State(state): State<AppState>, form: PageForm<About>) -> Result<Response, PageError> {
    let come_back = async |page: &PageRequest, caller: Caller, about: About| {
        let table = page.request.table;
        let seat = match about.seat()? {
            Some(seat) => seat,
            None => state.service().look(table, &caller).await?.observer().seat().ok_or(Rejection::NoToken)?,
        };
        state.service().come_back(table, &caller, seat).await?;
        Ok(())
    };
    submit(&state, form, come_back).await
}

/// Lets a bot take a seat: a free one before the game, an absent player's during it.
pub(crate) async fn fill(State(state): State<AppState>, form: PageForm<About>) -> Result<Response, PageError> {
    let fill = async |page: &PageRequest, caller: Caller, about: About| {
        let caller = as_host(&state, page.request.table, caller).await?;
        let seat = about.seat()?.ok_or(Rejection::NoSuchSeat)?;
        state.service().fill(page.request.table, &caller, seat, &about.bot).await?;
        Ok(())
    };
    submit(&state, form, fill).await
}

/// Gets up, and goes home.
pub(crate) async fn leave(State(state): State<AppState>, form: PageForm<About>) -> Result<Response, PageError> {
    let leave = async |page: &PageRequest, caller: Caller, about: About| {
        // One of several people at this device may get up.
        let caller = match (caller, about.seat()?) {
            (Caller::Visitor { visitor, .. }, Some(seat)) => Caller::Visitor { visitor, seat: Some(seat) },
            (caller, _) => caller,
        };
        Ok(state.service().leave(page.request.table, &caller).await?)
    };
    let response = submit(&state, form, leave).await?;
    Ok(if response.status() == StatusCode::SEE_OTHER { see_other("/") } else { response })
}

/// A short sign.
#[derive(Deserialize)]
pub(crate) struct Sign {
    #[serde(default)]
    reaction: String,
}

/// Gives a sign to the others.
pub(crate) async fn react(State(state): State<AppState>, form: PageForm<Sign>) -> Result<Response, PageError> {
    let react = async |page: &PageRequest, caller: Caller, sign: Sign| {
        let unknown = || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", "there is no such sign");
        let reaction = Reaction::named(&sign.reaction).ok_or_else(unknown)?;
        Ok(state.service().react(page.request.table, &caller, reaction).await?)
    };
    submit(&state, form, react).await
}
