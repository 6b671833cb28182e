//! `/t/{id}/analysis`: what happened in a finished game, and why.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sultan_table::{Caller, Rejection, Sight};

use super::visit::Visit;
use crate::error::WebError;
use crate::html::analysis::{analysis, body};
use crate::html::layout::answer;
use crate::html::table::Look;
use crate::state::AppState;

/// The page, or for the script its main part. Whoever asks first has it worked out.
pub(crate) async fn show(State(state): State<AppState>, visit: Visit) -> Response {
    match shown(&state, &visit).await {
        Ok(page) => page,
        Err(error) => visit.refuse(error),
    }
}

async fn shown(state: &AppState, visit: &Visit) -> Result<Response, WebError> {
    let table = visit.call()?.table;
    let studied = state.service().analysis(table).await.map_err(WebError::secret_until_over)?;
    let sight = state.service().look(table, &Caller::Nobody).await?.view();
    let Sight::Playing(playing) = &sight else { return Err(Rejection::NotStarted.into()) };
    let look = Look { text: visit.guest.text, playing, query: "" };
    let page = if visit.live { body(look, &studied) } else { analysis(&visit.guest, look, &studied) };
    Ok(answer(StatusCode::OK, &visit.headers, page))
}
