//! `/t/{id}`: the page of a table, and its forms.

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
use crate::html::curtain::{curtain, seat_links};
use crate::html::end::{end, is_end};
use crate::html::problem::sentence;
use crate::html::table::{PageContext, table};
use crate::post::{Fields, RejectedForm};

/// The table as the caller sees it.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let caller = page.request.caller_or_spectator(&state).await?;
    table_page(&state, &page, caller, None).await
}

/// The page, with the reason of a rejected request, if any.
async fn table_page(
    state: &AppState,
    page: &PageRequest,
    caller: Caller,
    error: Option<&WebError>,
) -> Result<Response, WebError> {
    let viewer = Viewer::with(state, page, caller).await?;
    let snapshot = state.service().observe(page.request.table, &viewer.caller).await?;
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
        // The curtain is rendered from the public view.
        let (version, playing) = page_request::playing(state, page.request.table, &Caller::Spectator).await?;
        curtain(&display, PageContext { playing: &playing, query: "", ..context }, seat, version)
    } else if is_end(&playing) {
        end(&display, context, &viewer.own, version)
    } else {
        let alert = error.map(|error| sentence(display.text, error));
        let links = (viewer.own.len() > 1 && context.own_seat().is_none()).then(|| seat_links(context, &viewer.own));
        table(&display, context, version, alert.as_deref(), links.as_ref())
    };
    Ok(page.browser.page_with(error.map_or(StatusCode::OK, WebError::status), html))
}

/// Runs a form of a seated caller. Redirects to the table, or returns the table's page with the reason of the
/// rejection.
async fn submit<T>(
    state: &AppState,
    PageForm { page, form }: PageForm<T>,
    run: impl AsyncFnOnce(&PageRequest, Caller, T) -> Result<(), WebError>,
) -> Result<Response, WebError> {
    let result = match page.request.caller_and_body(state, form).await {
        Ok((caller, form)) => run(&page, caller, form).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(()) => Ok(page.done()),
        Err(error) if page.browser.is_script() => Err(error),
        Err(error) => {
            // A caller without the right to act may still see the table.
            let caller = page.request.caller.clone().unwrap_or(Caller::Spectator);
            table_page(state, &page, caller, Some(&error)).await
        }
    }
}

/// A choice at the table: a card and a cushion, the position of the drawn jewel to put back, or an offer in the order
/// of the cushions.
#[derive(Deserialize)]
pub(crate) struct ActionForm {
    card: Option<String>,
    cushion: Option<String>,
    back: Option<usize>,
    offer: Option<String>,
    #[serde(default)]
    at: Option<u16>,
}

/// Plays the action in the form.
pub(crate) async fn act(State(state): State<AppState>, form: PageForm<ActionForm>) -> Result<Response, WebError> {
    let act = async |page: &PageRequest, caller: Caller, choice: ActionForm| {
        let table = page.request.table;
        let action = match choice {
            ActionForm { offer: Some(offer), .. } if !offer.is_empty() => offer,
            ActionForm { back: Some(back), .. } => {
                drawn_without(&state.service().observe(table, &caller).await?.view(), back)
            }
            ActionForm { card: Some(card), cushion: Some(cushion), .. } => format!("{card}@{cushion}"),
            // The service rejects it as no action, after all errors with precedence.
            _ => String::new(),
        };
        // No game has this number of actions.
        let at = choice.at.unwrap_or(u16::MAX);
        state.service().act_as_text(table, &caller, &action, at).await?;
        Ok(())
    };
    submit(&state, form, act).await
}

/// The drawn jewels without one, in the order they were drawn.
fn drawn_without(view: &TableView, back: usize) -> String {
    let TableView::Playing(playing) = view else { return String::new() };
    let drawn: Vec<Jewel> = playing.view.drawn.iter().collect();
    if back >= drawn.len() {
        return String::new();
    }
    drawn.iter().enumerate().filter(|(index, _)| *index != back).map(|(_, jewel)| jewel.letter()).collect()
}

/// A seat, and a bot for it.
#[derive(Deserialize)]
pub(crate) struct SeatForm {
    seat: Option<u8>,
    #[serde(default)]
    bot: String,
}

impl SeatForm {
    fn seat(&self) -> Result<Option<Seat>, Rejection> {
        self.seat.map(|number| Seat::new(number).ok_or(Rejection::NoSuchSeat)).transpose()
    }
}

/// Takes a seat back from its stand-in bot.
pub(crate) async fn come_back(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    let come_back = async |page: &PageRequest, caller: Caller, form: SeatForm| {
        let table = page.request.table;
        let seat = match form.seat()? {
            Some(seat) => seat,
            None => state.service().observe(table, &caller).await?.observer().seat().ok_or(Rejection::NoToken)?,
        };
        state.service().end_stand_in(table, &caller, seat).await?;
        Ok(())
    };
    submit(&state, form, come_back).await
}

/// Puts a bot into a seat: a free one before the game, an absent player's during it.
pub(crate) async fn fill(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    let fill = async |page: &PageRequest, caller: Caller, form: SeatForm| {
        let caller = as_host(&state, page.request.table, caller).await?;
        let seat = form.seat()?.ok_or(Rejection::NoSuchSeat)?;
        state.service().put_bot_in_seat(page.request.table, &caller, seat, &form.bot).await?;
        Ok(())
    };
    submit(&state, form, fill).await
}

/// Leaves the seat and redirects to the home page.
pub(crate) async fn leave(State(state): State<AppState>, form: PageForm<SeatForm>) -> Result<Response, WebError> {
    let leave = async |page: &PageRequest, caller: Caller, form: SeatForm| {
        // The form may name one of several seats of this browser.
        let caller = match (caller, form.seat()?) {
            (Caller::Visitor { visitor, .. }, Some(seat)) => Caller::Visitor { visitor, seat: Some(seat) },
            (caller, _) => caller,
        };
        Ok(state.service().leave(page.request.table, &caller).await?)
    };
    let response = submit(&state, form, leave).await?;
    Ok(if response.status() == StatusCode::SEE_OTHER { see_other("/") } else { response })
}

/// A reaction.
#[derive(Deserialize)]
pub(crate) struct ReactionForm {
    #[serde(default)]
    reaction: String,
}

/// Sends a reaction to the other players.
pub(crate) async fn react(State(state): State<AppState>, form: PageForm<ReactionForm>) -> Result<Response, WebError> {
    let react = async |page: &PageRequest, caller: Caller, form: ReactionForm| {
        let unknown = || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", "there is no such sign");
        let reaction = Reaction::from_code(&form.reaction).ok_or_else(unknown)?;
        Ok(state.service().react(page.request.table, &caller, reaction).await?)
    };
    submit(&state, form, react).await
}
