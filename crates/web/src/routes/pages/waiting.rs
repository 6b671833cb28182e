//! `/t/{id}`: a table that waits for players.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use sultan_table::Sight;

use super::{PageError, lobby};
use crate::error::WebError;
use crate::extract::Call;
use crate::guest::Guest;
use crate::state::AppState;

/// The lobby.
pub(crate) async fn show(
    State(state): State<AppState>,
    guest: Guest,
    headers: HeaderMap,
    call: Result<Call, WebError>,
) -> Result<Response, PageError> {
    let shown = async {
        let call = call?;
        let caller = call.or_spectator(&state).await?;
        match state.service().sight(call.table, &caller).await? {
            (version, Sight::Waiting(waiting)) => {
                Ok(lobby::page(&state, &guest, &headers, (version, &waiting), None).await?)
            }
            (_, Sight::Playing(_)) => Err(WebError::no_such_path()),
        }
    };
    match shown.await {
        Ok(response) => Ok(response),
        Err(error) => Err(PageError::new(guest, headers, error)),
    }
}
