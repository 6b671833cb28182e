//! One step of a game as one observer may know it.
//!
//! Made from the full truth in one place only, `sultan-rules`' `project`. A hidden fact has no field here to sit in.

use serde::{Deserialize, Serialize};

use crate::{Bid, Cards, Drawn, FaceDownBid, Jewel, Offer, Outcome, Round, RoundTold, Seat, Stage};

/// One step of a game as one observer may know it (RULES 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "seen", rename_all = "kebab-case")]
pub enum Seen {
    /// Everybody took the cards of a stage in hand (RULES 3.2).
    HandsTaken {
        /// The stage that begins.
        stage: Stage,
        /// How many cards each took.
        cards: u8,
        /// The observer's own; none for a spectator.
        hand: Cards,
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
    /// Another seat placed a card face down (RULES 4.4).
    BidPlaced {
        /// Who bid, and where.
        #[serde(flatten)]
        bid: FaceDownBid,
        /// Its place among all bids of the round, from 1.
        order: u8,
    },
    /// The observer's own seat placed a card.
    OwnBidPlaced {
        /// The bid.
        #[serde(flatten)]
        bid: Bid,
        /// Its place among all bids of the round, from 1.
        order: u8,
    },
    /// All cards were turned up and the cushions settled (RULES 4.5).
    RoundSettled {
        /// The whole round.
        told: RoundTold,
    },
    /// The game ended: all is open (RULES 7.10).
    GameEnded {
        /// The result.
        outcome: Outcome,
    },
}
