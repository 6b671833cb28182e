//! `/api/v1/commitments`: commitments to server seeds, requested before a table is opened.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use sultan_domain::Commitment;
use utoipa::ToSchema;

use crate::error::{Problem, WebError};
use crate::response::json;
use crate::state::AppState;

/// A commitment.
#[derive(Serialize, ToSchema)]
#[schema(as = Promise)]
pub(crate) struct CommitmentBody {
    /// SHA-256 of the server's seed.
    #[schema(value_type = String, example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    commitment: Commitment,
}

/// Request a commitment
///
/// Optional: lets a host see the commitment before choosing a seed. It can be used for one table, within ten minutes.
#[utoipa::path(
    post,
    path = "/api/v1/commitments",
    operation_id = "promise",
    tag = "tables",
    responses(
        (status = 201, description = "The commitment", body = CommitmentBody),
        (status = 429, description = "Too many requests", body = Problem),
    )
)]
pub(crate) async fn new_commitment(State(state): State<AppState>, request: Request) -> Result<Response, WebError> {
    state.limit_opening(request.extensions(), request.headers())?;
    let commitment = state.service().new_commitment().await?;
    Ok(json(StatusCode::CREATED, &CommitmentBody { commitment }))
}
