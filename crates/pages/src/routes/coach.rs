//! `/t/{id}/hint` and `/t/{id}/holds`: requests to the coach of a table, a bot that gives advice to players.

use axum::extract::State;
use axum::response::Response;
use maud::Markup;
use serde::de::IgnoredAny;
use sultan_domain::TableId;
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Service, ServiceError};

use super::page_request::{PageForm, playing};
use crate::html::coach;
use crate::html::table::PageContext;

/// `/t/{id}/hint`: the actions that the coach recommends.
pub(crate) async fn hint(state: State<AppState>, form: PageForm<IgnoredAny>) -> Result<Response, WebError> {
    show_answer(&state, form, "coach-title", Service::advice, coach::hint).await
}

/// `/t/{id}/holds`: the cards that the other players may still hold.
pub(crate) async fn possible_cards(state: State<AppState>, form: PageForm<IgnoredAny>) -> Result<Response, WebError> {
    show_answer(&state, form, "coach-holds", Service::may_hold, |context, hands| coach::possible_cards(context, hands))
        .await
}

/// Asks the coach and renders the answer: for the page's script as the content of a dialog, else as a page with the
/// heading that has this message key. The fields of the form are ignored.
async fn show_answer<T>(
    state: &AppState,
    PageForm { page, form }: PageForm<IgnoredAny>,
    heading_key: &str,
    ask: impl AsyncFnOnce(&Service, TableId, &Caller) -> Result<T, ServiceError>,
    render: impl FnOnce(PageContext<'_>, &T) -> Markup,
) -> Result<Response, WebError> {
    let (caller, _) = page.request.caller_and_body(state, form).await?;
    let answer = ask(state.service(), page.request.table, &caller).await?;
    let (_, playing) = playing(state, page.request.table, &caller).await?;
    let display = page.browser.display();
    let answer = render(PageContext { text: display.text, playing: &playing, query: "" }, &answer);
    Ok(page.browser.page(if page.browser.is_from_script() {
        answer
    } else {
        coach::answer_page(&display, &display.text.say(heading_key), &answer, &page.path())
    }))
}
