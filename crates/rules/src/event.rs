//! The whole truth of one step. What an observer sees of it is decided in `project`.

use std::fmt;

use sultan_domain::{Bid, BySeat, Cards, Drawn, Jewel, Offer, Outcome, Round, RoundTold, Seat, Stage};

/// The whole truth of one step. It cannot be serialised, and its `Debug` tells only what kind of step it was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Everybody took the cards of a stage in hand (RULES 3.2).
    HandsTaken {
        /// The stage that begins.
        stage: Stage,
        /// How many cards each took.
        cards: u8,
        /// All hands.
        hands: BySeat<Cards>,
    },
    /// The first player of a round drew its jewels (RULES 4.1).
    JewelsDrawn {
        /// The stage.
        stage: Stage,
        /// The round within the stage.
        round: Round,
        /// Who drew.
        first_seat: Seat,
        /// What was drawn.
        drawn: Drawn,
    },
    /// The first player put the jewels on the cushions (RULES 4.1).
    Offered {
        /// Who did.
        seat: Seat,
        /// What lies on the cushions.
        offer: Offer,
        /// What went back into the pouch.
        put_back: Jewel,
    },
    /// A card was placed face down (RULES 4.2, 4.3).
    BidPlaced {
        /// The bid.
        bid: Bid,
        /// Its place among all bids of the round, from 1.
        order: u8,
    },
    /// All cards were turned up and the cushions settled (RULES 4.5).
    RoundSettled {
        /// The whole round.
        told: RoundTold,
    },
    /// The game ended (RULES 5.1).
    GameEnded {
        /// The result.
        outcome: Outcome,
    },
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HandsTaken { .. } => "HandsTaken",
            Self::JewelsDrawn { .. } => "JewelsDrawn",
            Self::Offered { .. } => "Offered",
            Self::BidPlaced { .. } => "BidPlaced",
            Self::RoundSettled { .. } => "RoundSettled",
            Self::GameEnded { .. } => "GameEnded",
        })
    }
}
