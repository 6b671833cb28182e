//! A table as one observer may see it: the view of the game, the people in the seats, and data of the table.
//!
//! `wire` reads the JSON form, and `write` writes it. The view of the game alone is a [`View`].

mod attendance;
mod options;
mod wire;
mod write;

use std::sync::Arc;

use serde::Serialize;

use crate::{BySeat, Commitment, Person, Players, Seat, TableId, Variant, View, ViewPhase};

pub use attendance::Attendance;
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

    /// The absent players, and whether somebody watches.
    #[must_use]
    pub fn attendance(&self) -> Attendance {
        match self {
            Self::Waiting(waiting) => waiting.attendance,
            Self::Playing(playing) => playing.attendance,
        }
    }

    /// The same view with this attendance.
    #[must_use]
    pub fn with_attendance(mut self, attendance: Attendance) -> Self {
        match &mut self {
            Self::Waiting(waiting) => waiting.attendance = attendance,
            Self::Playing(playing) => playing.attendance = attendance,
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
    /// The absent players, and whether somebody watches. Not in the JSON: they change without a new version of the table.
    #[serde(skip)]
    pub attendance: Attendance,
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
    pub clock: TurnClock,
    pub info: TableInfo,
    /// Whether this is a position in the replay of a finished game, in which no seat can act. Not in the JSON.
    pub replayed: bool,
    /// The absent players, and whether somebody watches. Not in the JSON: they change without a new version of the table.
    pub attendance: Attendance,
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
        self.clock.deadline.as_deref().filter(|_| self.view.to_act == Some(seat))
    }

    /// Whether the game is over or abandoned.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.info.ended || self.view.phase == ViewPhase::Over
    }
}

/// The times that matter for the seat to act, and the actions of players whose time had run out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnClock {
    /// The time at which the time limit of the seat to act runs out (RFC 3339), if the table has a time limit.
    pub deadline: Option<String>,
    /// The time from which the host may let a bot play for the player to act (RFC 3339). Not in the JSON.
    pub stand_in_from: Option<String>,
    /// The name of the bot that acts for absent players, and when time runs out. The JSON has it only in a seat whose
    /// time ran out, so it may be empty in a view that was read from JSON.
    pub stand_in: String,
    /// For each seat, the number of actions before its last action, if a bot played this action because the player's
    /// time had run out. With an even pace, only the observer's own entry: the others would tell how long a player
    /// thought.
    pub timed_out: BySeat<Option<u16>>,
}

/// The data of a table, besides the game and the people, that are the same for every observer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent of each other")]
#[expect(missing_docs, reason = "names and types suffice")]
pub struct TableInfo {
    pub table: TableId,
    /// The commitment to the server's seed.
    pub commitment: Commitment,
    pub host: Seat,
    /// Whether all players left before the end.
    pub ended: bool,
    /// Whether the only person at the table has paused the game. The JSON has this field only if it is true.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
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
