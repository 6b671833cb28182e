//! `/api/v1/my`: the games of a browser.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::WebError;
use crate::extract::Browser;
use crate::response::json;
use crate::state::AppState;

/// A browser's games.
#[derive(Serialize, ToSchema)]
pub(crate) struct Games {
    games: Vec<sultan_table::OwnSeat>,
}

/// Find your own games
///
/// The games in which this browser has a seat, identified by its cookie, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/my/games",
    tag = "tables",
    responses((status = 200, description = "The games", body = Games)),
    security(("browser" = []))
)]
pub(crate) async fn games(State(state): State<AppState>, browser: Browser) -> Result<Response, WebError> {
    let games = match browser.0 {
        Some(visitor) => state.service().games_of(&visitor).await?,
        None => Vec::new(),
    };
    Ok(json(StatusCode::OK, &Games { games }))
}
