//! Lists of tables: the public tables, and the tables where a browser has a seat.

use std::sync::Arc;

use serde::Serialize;
use sultan_domain::{Observer, Players, Seat, TableId, TableOptions, TableView, Variant, WaitingSeat, WaitingTable};
use sultan_store::{StoreError, TableState};

use crate::ServiceError;
use crate::registry::{Registry, Snapshot};
use crate::request::Caller;
use crate::token::Visitor;
use crate::views::{self, rfc3339};

/// The maximum number of games in the list of a browser, and of tables of each state in the public list.
const MAX_LISTED_TABLES: u32 = 50;

/// A public table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenTable {
    /// The id of the table.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub table: TableId,
    /// Whether the game has started and can be watched.
    pub playing: bool,
    /// The number of players.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub players: Players,
    /// The parameters that differ from the published game; absent for the published game.
    #[serde(rename = "parameters", skip_serializing_if = "Variant::is_published")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub variant: Variant,
    /// The seats and their occupants.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<sultan_domain::SeatJson>))]
    pub seats: Vec<WaitingSeat>,
    /// The options of the table.
    pub options: TableOptions,
    /// When the table was opened or, if the game has started, when it started (RFC 3339).
    pub since: String,
}

/// A seat in a game that a browser is linked to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Game))]
pub struct OwnSeat {
    /// The table's id.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub table: TableId,
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub seat: Seat,
    /// `waiting`, `playing` or `over`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub state: &'static str,
    /// Whether it is this seat's turn.
    pub your_turn: bool,
    /// The names of all players.
    pub names: Vec<String>,
}

/// The public tables: first the tables that wait for players, then the tables in play.
pub(crate) async fn public_tables(registry: &Registry) -> Result<Vec<OpenTable>, ServiceError> {
    let mut tables = Vec::new();
    for state in [TableState::Waiting, TableState::Playing] {
        for listed in registry.node().store.public_tables(state, MAX_LISTED_TABLES).await? {
            let Some(snapshot) = snapshot_if_readable(registry, listed.table).await? else { continue };
            let table = snapshot.table();
            // The end of a game with an even pace is marked in the store's list with a delay.
            if table.is_over(Observer::Public) {
                continue;
            }
            let (playing, since) = (state == TableState::Playing, rfc3339(listed.changed_ms));
            let WaitingTable { table, players, variant, seats, options, .. } = views::waiting(table, Observer::Public);
            tables.push(OpenTable { table, playing, players, variant, seats, options, since });
        }
    }
    Ok(tables)
}

/// The games in which a browser has a seat, newest first.
pub(crate) async fn games_of(registry: &Registry, visitor: &Visitor) -> Result<Vec<OwnSeat>, ServiceError> {
    let mut games = Vec::new();
    for listed in registry.node().store.seats_of(visitor.hash(), MAX_LISTED_TABLES).await? {
        let Some(snapshot) = snapshot_if_readable(registry, listed.table).await? else { continue };
        let table = snapshot.table();
        // Another player may have the seat by now.
        if table.seat_of(&Caller::Visitor { visitor: *visitor, seat: Some(listed.seat) }).is_err() {
            continue;
        }
        let view = views::view(table, Observer::Seat(listed.seat));
        let (state, your_turn) = match &view {
            _ if view.is_over() => ("over", false),
            TableView::Waiting(_) => ("waiting", false),
            TableView::Playing(playing) => ("playing", playing.view.to_act == Some(listed.seat)),
        };
        let names = table.occupants().people().iter().map(|person| person.name.clone()).collect();
        games.push(OwnSeat { table: listed.table, seat: listed.seat, state, your_turn, names });
    }
    Ok(games)
}

/// The state of a listed table. `None` if the table was deleted or cannot be decoded: the list omits such a table
/// instead of failing.
async fn snapshot_if_readable(registry: &Registry, table: TableId) -> Result<Option<Arc<Snapshot>>, ServiceError> {
    match registry.snapshot(table).await {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(error @ (ServiceError::Rejected(_) | ServiceError::Store(StoreError::Unreadable { .. }))) => {
            tracing::warn!(%table, %error, "cannot read a listed table; omitting it from the list");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
