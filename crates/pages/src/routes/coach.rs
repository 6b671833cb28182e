//! `/t/{id}/hint` and `/t/{id}/holds`: questions to the coach of a table.

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

/// The coach's hint: a page, or the content of the dialog for the script.
pub(crate) async fn hint(state: State<AppState>, form: PageForm<IgnoredAny>) -> Result<Response, WebError> {
    show_answer(&state, form, "coach-title", Service::advice, |context, advice| coach::hint(context, &advice)).await
}

/// The cards that the other players may still hold.
pub(crate) async fn holds(state: State<AppState>, form: PageForm<IgnoredAny>) -> Result<Response, WebError> {
    show_answer(&state, form, "coach-holds", Service::may_hold, |context, cards| coach::possible_cards(context, &cards))
        .await
}

/// Asks the coach and renders its answer, with this heading if it is a page of its own.
async fn show_answer<T>(
    state: &AppState,
    PageForm { page, form }: PageForm<IgnoredAny>,
    heading: &str,
    ask: impl AsyncFnOnce(&Service, TableId, &Caller) -> Result<T, ServiceError>,
    render: impl FnOnce(PageContext<'_>, T) -> Markup,
) -> Result<Response, WebError> {
    let (caller, _) = page.request.caller_and_body(state, form).await?;
    let answer = ask(state.service(), page.request.table, &caller).await?;
    let (_, playing) = playing(state, page.request.table, &caller).await?;
    let display = page.browser.display();
    let answer = render(PageContext { text: display.text, playing: &playing, query: "" }, answer);
    Ok(page.browser.page(if page.browser.is_script() {
        answer
    } else {
        coach::answer_page(&display, &display.text.say(heading), &answer, &page.path())
    }))
}
