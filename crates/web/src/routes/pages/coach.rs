//! `/t/{id}/hint`: asks the coach of a table.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use sultan_table::{Refused, Sight};

use super::visit::{Asked, Visit};
use crate::error::WebError;
use crate::html::coach::{page_of, said};
use crate::html::layout::answer;
use crate::html::table::Look;
use crate::state::AppState;

/// Nothing but the wish.
#[derive(Deserialize)]
pub(crate) struct Wish {}

/// What the coach says: a page, or for the script what stands in its dialog.
pub(crate) async fn ask(State(state): State<AppState>, Asked { visit, form }: Asked<Wish>) -> Response {
    match asked(&state, &visit, form).await {
        Ok(page) => page,
        Err(error) => visit.refuse(error),
    }
}

async fn asked(state: &AppState, visit: &Visit, form: Result<Wish, WebError>) -> Result<Response, WebError> {
    let call = visit.call.as_ref().map_err(Clone::clone)?;
    let (caller, Wish {}) = call.with(state, form).await?;
    let advice = state.service().advice(call.table, &caller).await?;
    let (_, sight) = state.service().sight(call.table, &caller).await?;
    let Sight::Playing(playing) = &sight else { return Err(Refused::NotStarted.into()) };
    let back = format!("/t/{}{}", call.table, visit.query());
    let page = if visit.live {
        said(Look { text: visit.guest.text, playing, query: "" }, &advice)
    } else {
        page_of(&visit.guest, playing, &advice, &back)
    };
    Ok(answer(StatusCode::OK, &visit.headers, page))
}
