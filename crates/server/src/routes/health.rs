//! `/healthz` and `/readyz`: health checks.

use std::time::Duration;

use axum::extract::State;

use crate::error::{Problem, WebError};
use crate::state::AppState;

/// Time limit for the answer of the database.
const READY_TIMEOUT: Duration = Duration::from_secs(2);

/// Check that the program runs
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operating",
    responses((status = 200, description = "It runs", body = String, content_type = "text/plain"))
)]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Check that the database answers
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operating",
    responses(
        (status = 200, description = "The database answers", body = String, content_type = "text/plain"),
        (status = 503, description = "The database is down", body = Problem),
    )
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<&'static str, WebError> {
    tokio::time::timeout(READY_TIMEOUT, state.service().ready()).await.map_err(|_| WebError::not_ready())??;
    Ok("ready\n")
}
