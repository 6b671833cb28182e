//! `/api/v1/tables/{id}/seats`: joining, leaving, and the host's control of seats.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sultan_domain::{Seat, ViewJson};
use sultan_table::{Caller, NewPlayer, SeatChange};
use utoipa::ToSchema;

use crate::error::{Problem, WebError};
use crate::extract::{Browser, JsonBody, SeatRequest, TableRequest};
use crate::response::{json, no_content, view};
use crate::state::AppState;

/// A seated player.
#[derive(Serialize, ToSchema)]
#[schema(as = Seated)]
pub(crate) struct SeatedBody {
    /// The seat.
    #[schema(value_type = u8)]
    seat: Seat,
    /// The seat's token: 64 hexadecimal digits. Its holder plays for this seat.
    token: String,
}

/// The bot for a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Bot)]
pub(crate) struct BotBody {
    /// The bot's name.
    #[schema(example = "merchant")]
    bot: String,
}

/// Sit down
///
/// Takes the lowest free seat for people. The game starts when the last such seat is taken.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seats",
    tag = "seats",
    params(("id" = String, Path, description = "The table")),
    request_body = SeatChange,
    responses(
        (status = 201, description = "The taken seat", body = SeatedBody),
        (status = 404, description = "No such table", body = Problem),
        (status = 409, description = "No seat is free, or the colour is taken", body = Problem),
        (status = 422, description = "Not a name, colour or seed", body = Problem),
    )
)]
pub(crate) async fn sit(
    State(state): State<AppState>,
    request: TableRequest,
    browser: Browser,
    JsonBody(body): JsonBody<SeatChange>,
) -> Result<Response, WebError> {
    let SeatChange { name, colour, client_seed } = match body {
        Ok(body) => body,
        Err(error) => {
            // If the table is unknown, that error takes precedence over the error of the body.
            state.service().observe(request.table, &Caller::Spectator).await?;
            return Err(error);
        }
    };
    let player = NewPlayer {
        name: name.unwrap_or_default(),
        colour,
        client_seed: client_seed.unwrap_or_default(),
        visitor: browser.0,
    };
    let seated = state.service().sit(request.table, player).await?;
    Ok(json(StatusCode::CREATED, &SeatedBody { seat: seated.seat, token: seated.token.reveal() }))
}

/// Change name, colour or seed
///
/// Before the start, with the seat's own token. Omitted fields are unchanged. In a rematch this also accepts the seat.
#[utoipa::path(
    put,
    path = "/api/v1/tables/{id}/seats/{n}",
    tag = "seats",
    params(("id" = String, Path, description = "The table"), ("n" = u8, Path, description = "The seat")),
    request_body = SeatChange,
    responses(
        (status = 200, description = "The seat's current view", body = ViewJson),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Not this seat's token", body = Problem),
        (status = 404, description = "No such table or seat", body = Problem),
        (status = 409, description = "The game has started, or the colour is taken", body = Problem),
        (status = 422, description = "Not a name, colour or seed", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn change(
    State(state): State<AppState>,
    SeatRequest { table: request, seat }: SeatRequest,
    JsonBody(body): JsonBody<SeatChange>,
) -> Result<Response, WebError> {
    let seat_and_change = seat.and_then(|seat| Ok((seat, body?)));
    let (caller, (seat, change)) = request.caller_and_body(&state, seat_and_change).await?;
    let changed = state.service().change_seat(request.table, &caller, seat, change).await?;
    Ok(view(&changed))
}

/// Free a seat before the start
///
/// With the seat's own token: leave. With the host's: remove a player or bot.
#[utoipa::path(
    delete,
    path = "/api/v1/tables/{id}/seats/{n}",
    tag = "seats",
    params(("id" = String, Path, description = "The table"), ("n" = u8, Path, description = "The seat")),
    responses(
        (status = 204, description = "Done"),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Neither the seat's nor the host's token", body = Problem),
        (status = 404, description = "No such table or seat", body = Problem),
        (status = 409, description = "The game has started, or the seat is empty", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn free(
    State(state): State<AppState>,
    SeatRequest { table: request, seat }: SeatRequest,
) -> Result<Response, WebError> {
    let (caller, seat) = request.caller_and_body(&state, seat).await?;
    let is_own_seat = state.service().observe(request.table, &caller).await?.observer().seat() == Some(seat);
    if is_own_seat {
        state.service().leave(request.table, &caller).await?;
    } else {
        state.service().free_seat(request.table, &caller, seat).await?;
    }
    Ok(no_content())
}

/// Let a bot take a seat
///
/// For the host: a free seat before the start, or the seat of an absent player. Every player may let a bot play the rest
/// of the game in the own seat.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seats/{n}/bot",
    tag = "seats",
    params(("id" = String, Path, description = "The table"), ("n" = u8, Path, description = "The seat")),
    request_body = BotBody,
    responses(
        (status = 200, description = "The host's current view", body = ViewJson),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Not the host's token", body = Problem),
        (status = 404, description = "No such table or seat", body = Problem),
        (status = 409, description = "The seat has a player who is not absent", body = Problem),
        (status = 422, description = "No such bot", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn fill(
    State(state): State<AppState>,
    SeatRequest { table: request, seat }: SeatRequest,
    JsonBody(body): JsonBody<BotBody>,
) -> Result<Response, WebError> {
    let seat_and_bot = seat.and_then(|seat| Ok((seat, body?.bot)));
    let (caller, (seat, bot)) = request.caller_and_body(&state, seat_and_bot).await?;
    let filled = state.service().put_bot_in_seat(request.table, &caller, seat, Some(&bot)).await?;
    Ok(view(&filled))
}

/// Take a seat back from a bot
///
/// For its player, or for the host.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/seats/{n}/return",
    tag = "seats",
    params(("id" = String, Path, description = "The table"), ("n" = u8, Path, description = "The seat")),
    responses(
        (status = 200, description = "The caller's current view", body = ViewJson),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Neither the seat's nor the host's token", body = Problem),
        (status = 404, description = "No such table or seat", body = Problem),
        (status = 409, description = "Not started, over, or a seat without a player", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn come_back(
    State(state): State<AppState>,
    SeatRequest { table: request, seat }: SeatRequest,
) -> Result<Response, WebError> {
    let (caller, seat) = request.caller_and_body(&state, seat).await?;
    let returned = state.service().end_stand_in(request.table, &caller, seat).await?;
    Ok(view(&returned))
}

/// Leave a table
///
/// Before the start the seat becomes free; later a bot acts for the player at once. When all players have left, the
/// game ends.
#[utoipa::path(
    post,
    path = "/api/v1/tables/{id}/leave",
    tag = "seats",
    params(("id" = String, Path, description = "The table")),
    responses(
        (status = 204, description = "Done"),
        (status = 401, description = "No token", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    ),
    security(("token" = []), ("browser" = []))
)]
pub(crate) async fn leave(State(state): State<AppState>, request: TableRequest) -> Result<Response, WebError> {
    let (caller, ()) = request.caller_and_body(&state, Ok(())).await?;
    state.service().leave(request.table, &caller).await?;
    Ok(no_content())
}
