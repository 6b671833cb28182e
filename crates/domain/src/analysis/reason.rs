//! Why one option is better than another, for programs; `sultan-text` says it in words.

use serde::{Deserialize, Serialize};

use crate::{Jewel, MoneyCard, Seat};

/// Why something else was better. `take` is always a chance from 0 to 1 that a bid takes its jewel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// A lower card on the same cushion takes the jewel about as often.
    WastedHighCard {
        /// The jewel.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// Its chance.
        take: f64,
        /// The card that was better.
        better: MoneyCard,
        /// Its chance.
        better_take: f64,
    },
    /// A higher card on the same cushion takes the jewel clearly more often.
    CardTooLow {
        /// The jewel.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// Its chance.
        take: f64,
        /// The card that was better.
        better: MoneyCard,
        /// Its chance.
        better_take: f64,
    },
    /// Hardly anything could be won anyway, and a lower card would have lost as well.
    CostlyDiscard {
        /// The card played.
        card: MoneyCard,
        /// The card that was better.
        better: MoneyCard,
        /// The chance of what was played.
        take: f64,
    },
    /// The bid hardly ever wins, and another one may.
    HopelessBid {
        /// The jewel bid for.
        jewel: Jewel,
        /// Its chance.
        take: f64,
        /// The jewel to bid for.
        better: Jewel,
        /// The card to bid.
        card: MoneyCard,
        /// Its chance.
        better_take: f64,
    },
    /// Another jewel would have added to a set.
    MissedSet {
        /// The jewel that adds.
        jewel: Jewel,
        /// How many there would have been.
        count: u8,
        /// The bonus for so many.
        bonus: u16,
        /// The chance to take it.
        take: f64,
    },
    /// A jewel was left to the seat that leads.
    FedTheLeader {
        /// Who leads.
        leader: Seat,
        /// The jewel.
        jewel: Jewel,
        /// How often the leader takes it after what was done.
        take: f64,
        /// How often after what was better.
        better_take: f64,
    },
    /// Another cushion was better.
    BetterCushion {
        /// The jewel bid for.
        jewel: Jewel,
        /// Its chance.
        take: f64,
        /// The jewel to bid for.
        better: Jewel,
        /// The card to bid.
        card: MoneyCard,
        /// Its chance.
        better_take: f64,
    },
    /// A lower card takes another jewel about as often, or more often.
    CheaperElsewhere {
        /// The jewel bid for.
        jewel: Jewel,
        /// The card played.
        card: MoneyCard,
        /// Its chance.
        take: f64,
        /// The jewel to bid for.
        better: Jewel,
        /// The card to bid.
        better_card: MoneyCard,
        /// Its chance.
        better_take: f64,
    },
    /// Another card was better, where nothing of the above says why.
    BetterCard {
        /// The card played.
        card: MoneyCard,
        /// The card that was better.
        better: MoneyCard,
    },
    /// A jewel was put back that would have added to an own set.
    PutBackOwnSet {
        /// The jewel.
        jewel: Jewel,
        /// How many there would have been.
        count: u8,
        /// The jewel to put back.
        better: Jewel,
    },
    /// A jewel was offered that adds to the leader's set.
    OfferedToLeader {
        /// Who leads.
        leader: Seat,
        /// The jewel.
        jewel: Jewel,
        /// How many the leader would have.
        count: u8,
    },
    /// Another jewel was better to put back, where nothing of the above says why.
    BetterOffer {
        /// What was put back.
        jewel: Jewel,
        /// The jewel to put back.
        better: Jewel,
    },
}
