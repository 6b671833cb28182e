//! A table as one observer may see it: the view of the game, the people in the seats, and data of the table.
//!
//! `wire` reads the JSON form, and `write` writes it. The view of the game alone is a [`View`].

mod absent;
mod options;
mod wire;
mod write;

use std::sync::Arc;

use serde::Serialize;

use crate::{Commitment, Person, Players, Seat, TableId, Variant, View, ViewPhase};

pub use absent::AbsentSeats;
pub use options::{SeatPlan, TableOptions};
pub use wire::{SeatJson, ViewJson};
pub use write::SharedJson;

/// A table as one observer may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableView {
    /// The game has not started: the table waits for players.
    Waiting(WaitingTable),
    /// The game has started. It may be over.
    Playing(Box<PlayingTable>),
}

impl TableView {
    /// The observer's seat.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Self::Waiting(waiting) => waiting.seat,
            Self::Playing(playing) => playing.view.observer.seat(),
        }
    }

    /// The game, once it has started.
    #[must_use]
    pub fn playing(&self) -> Option<&PlayingTable> {
        match self {
            Self::Playing(playing) => Some(playing),
            Self::Waiting(_) => None,
        }
    }

    /// Whether the game is over or abandoned.
    #[must_use]
    pub fn is_over(&self) -> bool {
        match self {
            Self::Waiting(waiting) => waiting.ended,
            Self::Playing(playing) => playing.is_over(),
        }
    }

    /// The seats of absent players.
    #[must_use]
    pub fn absent(&self) -> AbsentSeats {
        match self {
            Self::Waiting(waiting) => waiting.absent,
            Self::Playing(playing) => playing.absent,
        }
    }

    /// The same view with these seats absent.
    #[must_use]
    pub fn with_absent(mut self, absent: AbsentSeats) -> Self {
        match &mut self {
            Self::Waiting(waiting) => waiting.absent = absent,
            Self::Playing(playing) => playing.absent = absent,
        }
        self
    }
}

/// A table that waits for players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "phase", rename = "waiting")]
#[expect(missing_docs, reason = "names and types suffice")]
pub struct WaitingTable {
    pub table: TableId,
    pub players: Players,
    /// The parameters that differ from the published game. Only in the JSON of a variant.
    #[serde(rename = "parameters", skip_serializing_if = "Variant::is_published")]
    pub variant: Variant,
    /// The observer's seat.
    pub seat: Option<Seat>,
    /// The commitment to the server's seed.
    pub commitment: Commitment,
    pub host: Seat,
    pub seats: Vec<WaitingSeat>,
    pub options: TableOptions,
    /// Whether all players have left.
    pub ended: bool,
    /// The seats of absent players. Not in the JSON: absence changes without a new version of the table.
    #[serde(skip)]
    pub absent: AbsentSeats,
}

/// A seat of a table that waits for players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "names and types suffice")]
pub struct WaitingSeat {
    pub seat: Seat,
    #[serde(flatten)]
    pub person: Person,
    /// Whether the game can start as far as this seat is concerned. False for a free seat, and in a rematch for a seat
    /// that is kept for a player who has not agreed yet.
    pub ready: bool,
}

/// A table whose game has started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "names and types suffice")]
pub struct PlayingTable {
    pub view: View,
    /// The occupants, one per seat.
    pub people: Arc<[Person]>,
    /// The time at which the time limit of the seat to act runs out (RFC 3339), if the table has a time limit.
    pub deadline: Option<String>,
    pub info: TableInfo,
    /// Whether this is a position in the replay of a finished game, in which no seat can act. Not in the JSON.
    pub replayed: bool,
    /// The seats of absent players. Not in the JSON: absence changes without a new version of the table.
    pub absent: AbsentSeats,
}

impl PlayingTable {
    /// The occupant of a seat.
    ///
    /// # Panics
    /// If the table has no such seat.
    #[must_use]
    pub fn person(&self, seat: Seat) -> &Person {
        &self.people[seat.index()]
    }

    /// The deadline of a seat; `None` unless it is the seat to act and the table has a time limit.
    #[must_use]
    pub fn deadline_of(&self, seat: Seat) -> Option<&str> {
        self.deadline.as_deref().filter(|_| self.view.to_act == Some(seat))
    }

    /// Whether the game is over or abandoned.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.info.ended || self.view.phase == ViewPhase::Over
    }
}

/// The data of a table, besides the game and the people, that are the same for every observer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "names and types suffice")]
pub struct TableInfo {
    pub table: TableId,
    /// The commitment to the server's seed.
    pub commitment: Commitment,
    pub host: Seat,
    /// Whether all players left before the end.
    pub ended: bool,
    /// The table at which the rematch of this game is played.
    pub rematch: Option<TableId>,
    /// Whether this is a guided first game: the game explains itself, and its decks and draws are fixed. The JSON has
    /// this field only if it is true.
    #[serde(skip_serializing_if = "is_false")]
    pub guided: bool,
    /// Whether the table has a coach (hints for the players). The JSON has this field only if it is true.
    #[serde(skip_serializing_if = "is_false")]
    pub coach: bool,
    /// The position of another game that this game continues. The JSON has this field only for such a game (a branch).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchOrigin>,
}

/// The position of another game that a branch continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Branch))]
pub struct BranchOrigin {
    /// The other game's table.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub table: TableId,
    /// The number of actions before the position.
    #[cfg_attr(feature = "schema", schema(value_type = u32))]
    pub at: usize,
    /// Whether the cards that the player could not see were dealt again at random.
    pub imagined: bool,
}

/// For `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
const fn is_false(value: &bool) -> bool {
    !*value
}
