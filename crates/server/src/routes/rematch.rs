//! `/api/v1/tables/{id}/rematch`: another game of the same players.

use axum::extract::State;
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sultan_domain::{ClientSeed, Commitment, TableId};
use sultan_table::SeatChange;
use utoipa::ToSchema;

use crate::error::{Problem, WebError};
use crate::extract::{JsonBody, TableRequest};
use crate::response::json;
use crate::state::AppState;

/// A player's name and seed in the rematch; all fields are optional.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Rematch)]
pub(crate) struct RematchBody {
    /// The name; by default the same as before.
    name: Option<String>,
    /// The player's seed: up to 255 bytes.
    #[schema(value_type = Option<String>)]
    client_seed: Option<ClientSeed>,
    /// A commitment from `POST /commitments`, requested before the seed was chosen.
    #[schema(value_type = Option<String>)]
    commitment: Option<Commitment>,
}

/// The table of the rematch.
#[derive(Serialize, ToSchema)]
#[schema(as = RematchTable)]
pub(crate) struct TableBody {
    /// The new table. The tokens of the old table are valid there, too.
    #[schema(value_type = String)]
    table: TableId,
}

/// Request a rematch
///
/// Opens a table for the same people and bots; the first player is the next one to the left. Repeated requests, also by
/// other players, return the same table. The other players agree with `PUT …/seats/{n}` on that table.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/rematch",
    tag = "tables",
    params(("id" = String, Path, description = "The table")),
    request_body = RematchBody,
    responses(
        (status = 201, description = "The new table", body = TableBody),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 409, description = "The game is not over, or no such commitment", body = Problem),
        (status = 422, description = "Not a name or seed", body = Problem),
        (status = 429, description = "Too many requests", body = Problem),
        (status = 503, description = "The server has reached its limit of tables", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn rematch(
    State(state): State<AppState>,
    request: TableRequest,
    extensions: Extensions,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RematchBody>,
) -> Result<Response, WebError> {
    let (caller, body) = request.caller_and_body(&state, body).await?;
    state.limit_opening(&extensions, &headers)?;
    let change = SeatChange { name: body.name, colour: None, client_seed: body.client_seed };
    let table = state.service().rematch(request.table, &caller, change, body.commitment).await?;
    Ok(json(StatusCode::CREATED, &TableBody { table }))
}
