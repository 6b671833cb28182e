//! `/api/v1/tables/{id}/actions`: players act.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use sultan_domain::ViewJson;
use utoipa::ToSchema;

use crate::error::{Problem, WebError};
use crate::extract::{JsonBody, TableRequest};
use crate::response::view;
use crate::state::AppState;

/// A player's action.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Action)]
pub(crate) struct ActionBody {
    /// An offer lists the jewels on cushions 1, 2, (3) in order, a bid is `CARD@CUSHION`.
    #[schema(example = "12@2")]
    pub(crate) action: String,
    /// The number of actions so far: `at` in the view.
    #[schema(example = 17)]
    at: u64,
}

impl ActionBody {
    /// The number of actions before this one. A number that does not fit becomes `u16::MAX`, more than any game has.
    pub(crate) fn earlier_actions(&self) -> u16 {
        u16::try_from(self.at).unwrap_or(u16::MAX)
    }
}

/// Act
///
/// The response is sent once the action is stored. The request is idempotent: without a response, repeat it, and the
/// action is applied once.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/actions",
    tag = "playing",
    params(("id" = String, Path, description = "The table")),
    request_body = ActionBody,
    responses(
        (status = 200, description = "The action is played, perhaps by an earlier request: the seat's view", body = ViewJson),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 409, description = "A wrong `at`, another seat's turn, not started, or over", body = Problem),
        (status = 422, description = "The action is illegal: `rule` is the rule that it breaks", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn act(
    State(state): State<AppState>,
    request: TableRequest,
    JsonBody(body): JsonBody<ActionBody>,
) -> Result<Response, WebError> {
    let (caller, body) = request.caller_and_body(&state, body).await?;
    let acted = state.service().act_as_text(request.table, &caller, &body.action, body.earlier_actions()).await?;
    Ok(view(&acted))
}
