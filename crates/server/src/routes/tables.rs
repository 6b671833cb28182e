//! `/api/v1/tables`: opening, listing and viewing tables.

use axum::extract::State;
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sultan_domain::{
    BadParameters, ClientSeed, Commitment, PlayerColour, Players, Screens, Seat, SeatPlan, TableId, TableOptions,
    Variant, ViewJson,
};
use sultan_table::{NewPlayer, NewTable, OpenedTable, Rejection};
use utoipa::ToSchema;

use crate::error::{Problem, WebError};
use crate::extract::{Browser, JsonBody, TableRequest};
use crate::response::{json, view};
use crate::state::AppState;

/// A table to be opened. All fields but `players` are optional.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewTable)]
pub(crate) struct NewTableBody {
    /// The number of players.
    #[schema(value_type = u8, minimum = 2, maximum = 5, example = 4)]
    players: Players,
    /// Parameters that differ from the published game.
    #[schema(value_type = Option<Object>, example = json!({"stages":1}))]
    parameters: Option<serde_json::Value>,
    /// The seats; unlisted seats are for people.
    seats: Option<Vec<SeatBody>>,
    /// Whether won jewels are hidden (`closed`, the default).
    screens: Option<Screens>,
    /// The first player of the first round; random by default.
    #[schema(value_type = Option<u8>, maximum = 4)]
    first_seat: Option<Seat>,
    /// Time limit per action in seconds; by default there is no limit.
    seconds_per_action: Option<u32>,
    /// Whether the table is listed publicly.
    public: Option<bool>,
    /// Whether thinking times are hidden (even pace).
    even_pace: Option<bool>,
    /// The bot that acts for absent players.
    #[schema(example = "jeweller")]
    stand_in: Option<String>,
    /// Whether it is a guided first game: you against two bots, always with the same deal. `players` must be 3, and
    /// only `name` and `colour` can be chosen.
    guided: Option<bool>,
    /// Whether players may request hints on the table's page.
    coach: Option<bool>,
    /// The host's name.
    #[schema(example = "Ana")]
    name: Option<String>,
    /// The host's colour; by default the first free colour.
    colour: Option<PlayerColour>,
    /// A commitment from `POST /commitments`.
    #[schema(value_type = Option<String>)]
    commitment: Option<Commitment>,
    /// The host's seed: up to 255 bytes.
    #[schema(value_type = Option<String>)]
    client_seed: Option<ClientSeed>,
}

/// The occupant of a seat: `{"human":true}` or `{"bot":"merchant"}`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SeatWish)]
pub(crate) struct SeatBody {
    /// The seat is for a person.
    human: Option<bool>,
    /// The bot in the seat.
    #[schema(example = "merchant")]
    bot: Option<String>,
}

impl SeatBody {
    fn into_plan(self) -> Result<SeatPlan, Rejection> {
        match (self.human, self.bot) {
            (Some(true), None) => Ok(SeatPlan::Human),
            (None | Some(false), Some(bot)) => Ok(SeatPlan::Bot(bot)),
            _ => Err(Rejection::BadTable("a seat is {\"human\":true} or {\"bot\":\"NAME\"}")),
        }
    }
}

impl NewTableBody {
    fn into_new_table(self, Browser(visitor): Browser) -> Result<NewTable, Rejection> {
        let seats = self.seats.unwrap_or_default().into_iter().map(SeatBody::into_plan);
        // All errors of parameters have the same code, whether a name is unknown or a value is out of range.
        let variant = |json| serde_json::from_value::<Variant>(json).map_err(|_| BadParameters::Unreadable);
        let defaults = NewTable::plain(self.players);
        Ok(NewTable {
            variant: self.parameters.map(variant).transpose()?.unwrap_or_default(),
            seats: seats.collect::<Result<_, _>>()?,
            options: TableOptions {
                screens: self.screens.unwrap_or_default(),
                first_seat: self.first_seat,
                seconds_per_action: self.seconds_per_action,
                public: self.public.unwrap_or_default(),
                even_pace: self.even_pace.unwrap_or_default(),
                stand_in: self.stand_in.unwrap_or(defaults.options.stand_in),
                rematch_of: None,
                guided: self.guided.unwrap_or_default(),
                coach: self.coach.unwrap_or_default(),
            },
            commitment: self.commitment,
            host: NewPlayer {
                name: self.name.unwrap_or_default(),
                colour: self.colour,
                client_seed: self.client_seed.unwrap_or_default(),
                visitor,
            },
            ..defaults
        })
    }
}

/// A newly opened table.
#[derive(Serialize, ToSchema)]
#[schema(as = Opened)]
pub(crate) struct OpenedBody {
    /// The table's id.
    #[schema(value_type = String, example = "0a1b2c3d4e5f")]
    table: TableId,
    /// The commitment to the server's seed.
    #[schema(value_type = String)]
    commitment: Commitment,
    /// The token of the host's seat: 64 hexadecimal digits. Its holder plays for the host.
    token: String,
    /// The host's seat.
    #[schema(value_type = u8)]
    seat: Seat,
}

/// Open a table
///
/// The caller becomes the host and gets the first seat for people. The game starts when the last such seat is taken.
#[utoipa::path(
    post,
    path = "/api/v1/tables",
    tag = "tables",
    request_body = NewTableBody,
    responses(
        (status = 201, description = "The new table", body = OpenedBody),
        (status = 400, description = "Not JSON", body = Problem),
        (status = 409, description = "The commitment is unknown, used or too old", body = Problem),
        (status = 413, description = "The body is too long", body = Problem),
        (status = 415, description = "Not sent as JSON", body = Problem),
        (status = 422, description = "Invalid options", body = Problem),
        (status = 429, description = "Too many requests", body = Problem),
        (status = 503, description = "The server has reached its limit of tables", body = Problem),
    )
)]
pub(crate) async fn open(
    State(state): State<AppState>,
    extensions: Extensions,
    headers: HeaderMap,
    browser: Browser,
    JsonBody(body): JsonBody<NewTableBody>,
) -> Result<Response, WebError> {
    let new_table = body?.into_new_table(browser)?;
    state.limit_opening(&extensions, &headers)?;
    let opened = state.service().open(new_table).await.map_err(WebError::on_opening)?;
    let OpenedTable { table, commitment, token, seat } = opened;
    Ok(json(StatusCode::CREATED, &OpenedBody { table, commitment, token: token.reveal(), seat }))
}

/// The public tables.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tables {
    tables: Vec<sultan_table::OpenTable>,
}

/// Find tables
///
/// The public tables. Tables that wait for players are first.
#[utoipa::path(
    get,
    path = "/api/v1/tables",
    tag = "tables",
    responses((status = 200, description = "The tables", body = Tables))
)]
pub(crate) async fn list(State(state): State<AppState>) -> Result<Response, WebError> {
    let tables = state.service().public_tables().await?;
    Ok(json(StatusCode::OK, &Tables { tables }))
}

/// View a table
///
/// With a seat's token, the view of that seat; without a token, the view of a spectator.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}",
    tag = "playing",
    params(
        ("id" = String, Path, description = "The table"),
        ("seat" = Option<u8>, Query, description = "The seat to use, for browsers that have several"),
    ),
    responses(
        (status = 200, description = "The view", body = ViewJson),
        (status = 401, description = "The token is malformed", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    ),
    security((), ("token" = []), ("browser" = []))
)]
pub(crate) async fn look(State(state): State<AppState>, request: TableRequest) -> Result<Response, WebError> {
    let caller = request.caller_or_spectator(&state).await?;
    let snapshot = state.service().observe(request.table, &caller).await?;
    Ok(view(&snapshot))
}
