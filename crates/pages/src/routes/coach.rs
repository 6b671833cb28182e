//! `/t/{id}/hint` and `/t/{id}/holds`: questions to the coach of a table.

use axum::extract::State;
use axum::response::Response;
use maud::Markup;
use serde::de::IgnoredAny;
use sultan_server::AppState;
use sultan_table::Caller;

use super::page_request::{PageForm, PageRequest, playing};
use crate::errors::PageError;
use crate::html::coach;
use crate::html::table::PageContext;

/// The coach's hint: a page, or the content of the dialog for the script.
pub(crate) async fn hint(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<IgnoredAny>,
) -> Result<Response, PageError> {
    let (caller, _) = page.request.seated_with(&state, form).await?;
    let advice = state.service().advice(page.request.table, &caller).await?;
    answer(&state, &page, &caller, "coach-title", |context| coach::said(context, &advice)).await
}

/// The cards that the other players may still hold.
pub(crate) async fn holds(
    State(state): State<AppState>,
    PageForm { page, form }: PageForm<IgnoredAny>,
) -> Result<Response, PageError> {
    let (caller, _) = page.request.seated_with(&state, form).await?;
    let holds = state.service().may_hold(page.request.table, &caller).await?;
    answer(&state, &page, &caller, "coach-holds", |context| coach::holds(context, &holds)).await
}

async fn answer(
    state: &AppState,
    page: &PageRequest,
    caller: &Caller,
    heading: &str,
    say: impl FnOnce(PageContext<'_>) -> Markup,
) -> Result<Response, PageError> {
    let (_, playing) = playing(state, page.request.table, caller).await?;
    let display = page.browser.display();
    let said = say(PageContext { text: display.text, playing: &playing, query: "" });
    Ok(page.browser.page(if page.browser.is_script() {
        said
    } else {
        coach::page_of(&display, &display.text.say(heading), &said, &page.path())
    }))
}
