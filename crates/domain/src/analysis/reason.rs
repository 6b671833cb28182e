//! Reasons why one option is better than another; `sultan-text` has the sentences.

use serde::{Deserialize, Serialize};

use crate::{Jewel, MoneyCard, Seat};

/// Why another option was better. `take` is always a chance from 0 to 1 that a bid takes its jewel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// A lower card on the same cushion takes the jewel about as often.
    WastedHighCard {
        /// The jewel.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
        /// The better card.
        better: MoneyCard,
        /// The chance that the better bid takes its jewel.
        better_take: f64,
    },
    /// A higher card on the same cushion takes the jewel clearly more often.
    CardTooLow {
        /// The jewel.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
        /// The better card.
        better: MoneyCard,
        /// The chance that the better bid takes its jewel.
        better_take: f64,
    },
    /// Hardly anything could be won anyway, and a lower card would have lost as well.
    CostlyDiscard {
        /// The card played.
        card: MoneyCard,
        /// The better card.
        better: MoneyCard,
        /// The winning chance of the chosen action.
        take: f64,
    },
    /// The bid rarely wins; another bid may.
    HopelessBid {
        /// The jewel bid for.
        jewel: Jewel,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
        /// The jewel of the better bid.
        better: Jewel,
        /// The card of the better bid.
        card: MoneyCard,
        /// The chance that the better bid takes its jewel.
        better_take: f64,
    },
    /// Another jewel would have added to a set.
    MissedSet {
        /// The jewel that adds to the set.
        jewel: Jewel,
        /// The number of jewels of its colour, this jewel included.
        count: u8,
        /// The bonus for that number.
        bonus: u16,
        /// The chance to take the jewel.
        take: f64,
    },
    /// A jewel was left to the seat that leads.
    #[serde(rename = "fed-the-leader")]
    LeftToLeader {
        /// The leader.
        leader: Seat,
        /// The jewel.
        jewel: Jewel,
        /// Probability that the leader takes it after the chosen action.
        take: f64,
        /// The same after the better action.
        better_take: f64,
    },
    /// Another cushion was better.
    BetterCushion {
        /// The jewel bid for.
        jewel: Jewel,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
        /// The jewel of the better bid.
        better: Jewel,
        /// The card of the better bid.
        card: MoneyCard,
        /// The chance that the better bid takes its jewel.
        better_take: f64,
    },
    /// A lower card takes another jewel about as often, or more often.
    CheaperElsewhere {
        /// The jewel bid for.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
        /// The jewel of the better bid.
        better: Jewel,
        /// The card of the better bid.
        better_card: MoneyCard,
        /// The chance that the better bid takes its jewel.
        better_take: f64,
    },
    /// Another card was better, for no other listed reason.
    BetterCard {
        /// The card played.
        card: MoneyCard,
        /// The better card.
        better: MoneyCard,
    },
    /// A jewel was put back that would have added to an own set.
    PutBackOwnSet {
        /// The jewel.
        jewel: Jewel,
        /// The number of jewels of its colour, this jewel included.
        count: u8,
        /// The better jewel to put back.
        better: Jewel,
    },
    /// A jewel was offered that adds to the leader's set.
    OfferedToLeader {
        /// The leader.
        leader: Seat,
        /// The jewel.
        jewel: Jewel,
        /// The leader's number of jewels of its colour, this jewel included.
        count: u8,
    },
    /// Another jewel was better to put back, for no other listed reason.
    BetterOffer {
        /// The jewel put back.
        jewel: Jewel,
        /// The better jewel to put back.
        better: Jewel,
    },
}
