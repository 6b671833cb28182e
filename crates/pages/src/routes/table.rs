//! `/t/{id}`: the page of a table, and the forms for actions and reactions. A rejected form shows the page again with the
//! reason.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::{Jewel, TableId, TableView};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Reaction};

use super::end::waiting_rematch;
use super::lobby;
use super::page_request::{self, PageForm, PageRequest};
use super::viewer::Viewer;
use crate::html::curtain::{curtain, seat_links};
use crate::html::end::{EndReader, end};
use crate::html::problem::sentence;
use crate::html::table::{PageContext, table};
use crate::post::{Fields, RejectedForm};

/// The page of the table, as the caller sees it.
pub(crate) async fn show(State(state): State<AppState>, page: PageRequest) -> Result<Response, WebError> {
    let caller = page.request.caller_or_spectator(&state).await?;
    table_page(&state, &page, caller, None).await
}

/// The lobby, the table, the curtain or the end page, with the reason if a form was rejected.
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
            // No form of the lobby has the name "table": only the reason is shown, above all forms.
            let rejected = error.map(|error| RejectedForm::new("table", Fields::default(), display.text, error));
            return Ok(lobby::page(state, &page.browser, version, &waiting, rejected).await?);
        }
        TableView::Playing(playing) => playing,
    };
    let context = PageContext { text: display.text, playing: &playing, query: &page.query() };
    let html = if let Some(seat) = viewer.curtain(&playing) {
        // The curtain is rendered from the public view.
        let (version, playing) = page_request::playing(state, page.request.table, &Caller::Spectator).await?;
        curtain(&display, PageContext { playing: &playing, query: "", ..context }, seat, version)
    } else if playing.is_over() {
        let rematch = waiting_rematch(state, &playing).await;
        let reader = EndReader { own_seats: &viewer.own_seats, rematch: rematch.as_ref() };
        end(&display, context, reader, version)
    } else {
        let alert = error.map(|error| sentence(display.text, error));
        let needs_seat_links = viewer.own_seats.len() > 1 && context.own_seat().is_none();
        let links = needs_seat_links.then(|| seat_links(context, &viewer.own_seats));
        table(&display, context, version, alert.as_deref(), links.as_ref())
    };
    Ok(page.browser.page_with(error.map_or(StatusCode::OK, WebError::status), html))
}

/// Executes a form of a caller with a seat. Redirects to the table, or shows the table's page with the reason why the
/// form was rejected.
pub(super) async fn submit<T>(
    state: &AppState,
    PageForm { page, form }: PageForm<T>,
    execute: impl AsyncFnOnce(TableId, Caller, T) -> Result<(), WebError>,
) -> Result<Response, WebError> {
    let result = match page.request.caller_and_body(state, form).await {
        Ok((caller, form)) => execute(page.request.table, caller, form).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(()) => Ok(page.accepted()),
        // The layer around all pages turns the error into a sentence for the script.
        Err(error) if page.browser.is_from_script() => Err(error),
        Err(error) => {
            // A caller with an invalid token or cookie still sees the table, as a spectator.
            let caller = page.request.caller.clone().unwrap_or(Caller::Spectator);
            table_page(state, &page, caller, Some(&error)).await
        }
    }
}

/// An action of a player: either a bid or one of two ways to choose an offer.
#[derive(Deserialize)]
pub(crate) struct ActionForm {
    /// The card of a bid.
    card: Option<String>,
    /// The cushion of a bid.
    cushion: Option<String>,
    /// The index of the drawn jewel that is put back into the pouch. The other jewels are the offer.
    back: Option<usize>,
    /// The letters of the offered jewels, in the order of the cushions.
    offer: Option<String>,
    /// The number of actions that the page shows. The service rejects an action if the game has moved on.
    at: Option<u16>,
}

/// Plays the action in the form.
pub(crate) async fn act(State(state): State<AppState>, form: PageForm<ActionForm>) -> Result<Response, WebError> {
    submit(&state, form, async |table, caller, form| {
        let action = match form {
            ActionForm { offer: Some(offer), .. } if !offer.is_empty() => offer,
            ActionForm { back: Some(back), .. } => {
                offer_without(&state.service().observe(table, &caller).await?.view(), back)
            }
            ActionForm { card: Some(card), cushion: Some(cushion), .. } => format!("{card}@{cushion}"),
            // The service rejects an empty action, but first reports errors that have precedence.
            _ => String::new(),
        };
        // Without a position, the action is rejected as outdated: no game has `u16::MAX` actions.
        let at = form.at.unwrap_or(u16::MAX);
        state.service().act_as_text(table, &caller, &action, at).await?;
        Ok(())
    })
    .await
}

/// The offer in text form if the drawn jewel with the index `back` is put back. Empty, which is no valid offer, if
/// there is no such jewel.
fn offer_without(view: &TableView, back: usize) -> String {
    let mut drawn: Vec<Jewel> = view.playing().into_iter().flat_map(|playing| playing.view.drawn.iter()).collect();
    if back >= drawn.len() {
        return String::new();
    }
    drawn.remove(back);
    drawn.into_iter().map(Jewel::letter).collect()
}

/// A reaction, for example applause.
#[derive(Deserialize)]
pub(crate) struct ReactionForm {
    #[serde(default)]
    reaction: String,
}

/// Sends a reaction to the other players.
pub(crate) async fn react(State(state): State<AppState>, form: PageForm<ReactionForm>) -> Result<Response, WebError> {
    submit(&state, form, async |table, caller, form| {
        let unknown =
            || WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", "there is no such reaction");
        let reaction = Reaction::from_code(&form.reaction).ok_or_else(unknown)?;
        Ok(state.service().react(table, &caller, reaction).await?)
    })
    .await
}
