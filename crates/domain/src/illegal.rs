//! The reasons to reject an action: one variant and one stable code per rule.
//!
//! An error contains only information that the acting seat can see: its own action, the turn, the board.

use thiserror::Error;

use crate::{Cushion, Jewel, MoneyCard, Seat};

/// Why an action is rejected. A rejected action does not change the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The game is over (RULES 5.1).
    #[error("the game is over")]
    GameOver,
    /// A seat that the table does not have (RULES 2.1).
    #[error("no seat {0} at this table")]
    NoSuchSeat(Seat),
    /// It is another seat's turn (RULES 4.1-4.3).
    #[error("it is the turn of seat {to_act}")]
    NotYourTurn {
        /// The seat to act.
        to_act: Seat,
    },
    /// The jewels of the round have not been drawn yet (RULES 4.1).
    #[error("the jewels of this round have not been drawn yet")]
    DrawDue,
    /// A bid, but an offer is due (RULES 4.1).
    #[error("the jewels must be on the cushions before the bidding")]
    OfferDue,
    /// An offer, but a bid is due (RULES 4.2/4.3).
    #[error("the jewels are already on the cushions: a bid is due")]
    BidDue,
    /// An offer that does not have one jewel for each cushion (RULES 4.1).
    #[error("each of the {needed} cushions needs one jewel, but {offered} are offered")]
    WrongNumberOfJewels {
        /// The number of offered jewels.
        offered: u8,
        /// The number of cushions.
        needed: u8,
    },
    /// An offer with more jewels of this colour than were drawn (RULES 4.1).
    #[error("fewer {} jewels were drawn", .0.name())]
    JewelNotDrawn(Jewel),
    /// A cushion that this board does not have (RULES 1.3).
    #[error("this board has no cushion {0}")]
    NoSuchCushion(Cushion),
    /// A card that is not in the hand (RULES 4.2/4.3).
    #[error("card {0} is not in hand")]
    CardNotInHand(MoneyCard),
    /// A second own card on one cushion (RULES 4.3).
    #[error("you already have a card on cushion {0}")]
    OwnCardThere(Cushion),
}

impl Illegal {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::GameOver => "game/over",
            Self::NoSuchSeat(_) => "seat/not-at-table",
            Self::NotYourTurn { .. } => "turn/not-yours",
            Self::DrawDue => "draw/due",
            Self::OfferDue => "offer/due",
            Self::BidDue => "bid/due",
            Self::WrongNumberOfJewels { .. } => "offer/wrong-number",
            Self::JewelNotDrawn(_) => "offer/jewel-not-drawn",
            Self::NoSuchCushion(_) => "bid/no-such-cushion",
            Self::CardNotInHand(_) => "bid/card-not-in-hand",
            Self::OwnCardThere(_) => "bid/own-card-there",
        }
    }

    /// The number of the broken rule in `docs/rules.md`. A range (`4.1-4.3`) if several rules are broken together;
    /// alternatives (`4.2/4.3`) if the rule depends on the number of players.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::GameOver => "5.1",
            Self::NoSuchSeat(_) => "2.1",
            Self::DrawDue | Self::OfferDue | Self::WrongNumberOfJewels { .. } | Self::JewelNotDrawn(_) => "4.1",
            Self::NotYourTurn { .. } => "4.1-4.3",
            Self::BidDue | Self::CardNotInHand(_) => "4.2/4.3",
            Self::NoSuchCushion(_) => "1.3",
            Self::OwnCardThere(_) => "4.3",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_illegal_action_has_a_code_a_rule_and_a_message() {
        let seat = Seat::new(3).unwrap();
        let (card, cushion) = (MoneyCard::new(7).unwrap(), Cushion::new(2).unwrap());
        let number = Illegal::WrongNumberOfJewels { offered: 2, needed: 3 };
        let all = [
            (Illegal::GameOver, "game/over", "5.1", "the game is over"),
            (Illegal::NoSuchSeat(seat), "seat/not-at-table", "2.1", "no seat 3 at this table"),
            (Illegal::NotYourTurn { to_act: seat }, "turn/not-yours", "4.1-4.3", "it is the turn of seat 3"),
            (Illegal::DrawDue, "draw/due", "4.1", "the jewels of this round have not been drawn yet"),
            (Illegal::OfferDue, "offer/due", "4.1", "the jewels must be on the cushions before the bidding"),
            (Illegal::BidDue, "bid/due", "4.2/4.3", "the jewels are already on the cushions: a bid is due"),
            (number, "offer/wrong-number", "4.1", "each of the 3 cushions needs one jewel, but 2 are offered"),
            (Illegal::JewelNotDrawn(Jewel::Green), "offer/jewel-not-drawn", "4.1", "fewer green jewels were drawn"),
            (Illegal::NoSuchCushion(cushion), "bid/no-such-cushion", "1.3", "this board has no cushion 2"),
            (Illegal::CardNotInHand(card), "bid/card-not-in-hand", "4.2/4.3", "card 7 is not in hand"),
            (Illegal::OwnCardThere(cushion), "bid/own-card-there", "4.3", "you already have a card on cushion 2"),
        ];
        for (illegal, code, rule, text) in all {
            assert_eq!((illegal.code(), illegal.rule(), illegal.to_string().as_str()), (code, rule, text));
        }
        // The doc comments of the variants cite the same rules in the same order.
        let declarations = include_str!("illegal.rs").split("impl Illegal").next().unwrap();
        let cited_rules = declarations.split("(RULES ").skip(1).filter_map(|after| after.split(')').next());
        assert!(cited_rules.eq(all.map(|(_, _, rule, _)| rule)));
    }
}
