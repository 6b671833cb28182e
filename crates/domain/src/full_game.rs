//! A complete game with decks, rounds and result: the output of `sultan replay --json`.

use serde::{Deserialize, Serialize};

use crate::{CardsInOrder, Outcome, Players, RoundRecord, Seat};

/// A complete game. It contains hidden cards, so it is made only from a [`crate::Record`], which exists only after the
/// game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FullGame {
    /// The number of players.
    pub players: Players,
    /// The first player of the first round.
    pub first_seat: Seat,
    /// Whether the game was played to its end.
    pub complete: bool,
    /// Each seat's deck from the top, as it was dealt.
    pub decks: Vec<CardsInOrder>,
    /// All rounds in order. The last round may be unfinished.
    pub rounds: Vec<RoundRecord>,
    /// The result, once complete.
    #[serde(rename = "final")]
    pub outcome: Option<Outcome>,
}
