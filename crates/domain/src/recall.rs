//! Perfect memory: what a seat or a spectator was shown once, whether or not it still lies on the table.
//!
//! [`crate::View`] is what lies on the table now; `Recall` is what memory could hold (RULES 7.9). Bots may use it.

use crate::{CardsInOrder, Collection, RoundTold, Seat, Seen};

/// All finished rounds an observer has seen, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    rounds: Vec<RoundTold>,
}

impl Recall {
    /// Remembers these finished rounds. They may be few, or none: then only the view helps.
    #[must_use]
    pub const fn of(rounds: Vec<RoundTold>) -> Self {
        Self { rounds }
    }

    /// Adds one step.
    pub fn see(&mut self, seen: &Seen) {
        match seen {
            Seen::RoundSettled { told } => self.rounds.push(*told),
            Seen::HandsTaken { .. }
            | Seen::JewelsDrawn { .. }
            | Seen::Offered { .. }
            | Seen::BidPlaced { .. }
            | Seen::OwnBidPlaced { .. }
            | Seen::GameEnded { .. } => {}
        }
    }

    /// The finished rounds.
    #[must_use]
    pub fn rounds(&self) -> &[RoundTold] {
        &self.rounds
    }

    /// The jewels a seat took in these rounds.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.rounds.iter().fold(Collection::NONE, |sum, round| sum.with(round.won_by(seat)))
    }

    /// The cards a seat played in these rounds, in order.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        self.rounds.iter().flat_map(|round| round.played_by(seat)).collect()
    }
}
