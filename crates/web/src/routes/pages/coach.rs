//! `/t/{id}/hint` and `/t/{id}/holds`: asks the coach of a table.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use maud::Markup;
use serde::Deserialize;
use sultan_domain::TableId;
use sultan_table::{Caller, PlayingView, Rejection, Sight};

use super::visit::{Asked, Visit};
use crate::error::WebError;
use crate::html::coach;
use crate::html::layout::answer;
use crate::html::table::Look;
use crate::state::AppState;

/// Nothing but the wish.
#[derive(Deserialize)]
pub(crate) struct Wish {}

/// What the coach would do: a page, or for the script what stands in its dialog.
pub(crate) async fn hint(State(state): State<AppState>, Asked { visit, form }: Asked<Wish>) -> Response {
    let said = async {
        let (table, caller) = asker(&state, &visit, form).await?;
        let advice = state.service().advice(table, &caller).await?;
        let playing = playing(&state, table, &caller).await?;
        let look = Look { text: visit.guest.text, playing: &playing, query: "" };
        Ok((visit.guest.text.say("coach-title"), coach::said(look, &advice)))
    };
    let said = said.await;
    shown(visit, said)
}

/// What the others may still hold.
pub(crate) async fn holds(State(state): State<AppState>, Asked { visit, form }: Asked<Wish>) -> Response {
    let said = async {
        let (table, caller) = asker(&state, &visit, form).await?;
        let holds = state.service().holds(table, &caller).await?;
        let playing = playing(&state, table, &caller).await?;
        let look = Look { text: visit.guest.text, playing: &playing, query: "" };
        Ok((visit.guest.text.say("coach-holds"), coach::holds(look, &holds)))
    };
    let said = said.await;
    shown(visit, said)
}

async fn asker(state: &AppState, visit: &Visit, form: Result<Wish, WebError>) -> Result<(TableId, Caller), WebError> {
    let call = visit.call()?;
    let (caller, Wish {}) = call.with(state, form).await?;
    Ok((call.table, caller))
}

async fn playing(state: &AppState, table: TableId, caller: &Caller) -> Result<Box<PlayingView>, WebError> {
    match state.service().look(table, caller).await?.view() {
        Sight::Playing(playing) => Ok(playing),
        Sight::Waiting(_) => Err(Rejection::NotStarted.into()),
    }
}

fn shown(visit: Visit, said: Result<(String, Markup), WebError>) -> Response {
    match said {
        Ok((_, said)) if visit.live => answer(StatusCode::OK, &visit.headers, said),
        Ok((heading, said)) => {
            let back =
                visit.call().map_or_else(|_| "/".to_owned(), |call| format!("/t/{}{}", call.table, visit.query()));
            answer(StatusCode::OK, &visit.headers, coach::page_of(&visit.guest, &heading, &said, &back))
        }
        Err(error) => visit.refuse(error),
    }
}
