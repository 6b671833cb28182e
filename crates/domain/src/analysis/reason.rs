//! The reasons why one option of a decision is better than another. `sultan-text` writes the sentences about them.

use serde::{Deserialize, Serialize};

use crate::{Jewel, MoneyCard, Seat};

/// Why a better option is better than the chosen action. In JSON the tag `code` names the reason.
///
/// `take` and `better_take` are always probabilities, from 0 to 1, that a seat takes a jewel.
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
    /// The bid has little chance to take a jewel, and a lower card would have the same use.
    CostlyDiscard {
        /// The card played.
        card: MoneyCard,
        /// The better card.
        better: MoneyCard,
        /// The chance that the chosen bid takes its jewel.
        take: f64,
    },
    /// The chosen bid has little chance to take its jewel, and a bid on another cushion has a better chance.
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
    /// Another jewel would have given more bonus, because the seat already has jewels of its colour.
    MissedSet {
        /// The jewel that would have given more bonus.
        jewel: Jewel,
        /// The seat's number of jewels of this colour, including this jewel.
        count: u8,
        /// The bonus for that number.
        bonus: u16,
        /// The chance that the better bid takes this jewel.
        take: f64,
    },
    /// The chosen bid makes it easier for the leading seat to take a jewel.
    #[serde(rename = "fed-the-leader")]
    LeftToLeader {
        /// The leading seat.
        leader: Seat,
        /// The jewel.
        jewel: Jewel,
        /// The chance that the leading seat takes the jewel after the chosen bid.
        take: f64,
        /// The chance that the leading seat takes the jewel after the better bid.
        better_take: f64,
    },
    /// A bid on another cushion was better, for no other listed reason.
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
    /// The seat put back a jewel of a colour of which it has other jewels.
    PutBackOwnSet {
        /// The jewel put back.
        jewel: Jewel,
        /// The seat's number of jewels of this colour, if it won this jewel.
        count: u8,
        /// The better jewel to put back.
        better: Jewel,
    },
    /// The seat offered a jewel of a colour of which the leading seat has other jewels.
    OfferedToLeader {
        /// The leading seat.
        leader: Seat,
        /// The offered jewel.
        jewel: Jewel,
        /// The leading seat's number of jewels of this colour, if it won this jewel.
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
