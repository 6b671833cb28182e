//! A complete game for `sultan replay --json`: decks, rounds, result.

use serde::{Deserialize, Serialize};

use crate::{CardsInOrder, Outcome, Players, RoundRecord, Seat};

/// A complete game, hidden information included, so it is made from a [`crate::Record`] only.
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
    /// Every round; the last may be under way.
    pub rounds: Vec<RoundRecord>,
    /// The result, once complete.
    #[serde(rename = "final")]
    pub outcome: Option<Outcome>,
}
