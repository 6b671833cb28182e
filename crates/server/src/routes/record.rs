//! `/api/v1/tables/{id}/record`: the record of a finished game.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use sultan_domain::RecordJson;

use crate::error::{Problem, WebError};
use crate::extract::TableRequest;
use crate::response::json;
use crate::state::AppState;

/// Get the record
///
/// Public once the game is over. It contains the server's seed, so `sultan verify` can check the deal.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/record",
    tag = "playing",
    params(("id" = String, Path, description = "The table")),
    responses(
        (status = 200, description = "The record", body = RecordJson),
        (status = 403, description = "The game is not over", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(crate) async fn record(State(state): State<AppState>, request: TableRequest) -> Result<Response, WebError> {
    let record = state.service().record(request.table).await.map_err(WebError::secret_until_over)?;
    Ok(json(StatusCode::OK, &record))
}
