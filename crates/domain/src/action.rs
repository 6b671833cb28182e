//! The actions of a seat: offers and bids. The module `notation` parses their text forms.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Cushion, MoneyCard, Offer, Seat};

/// An action of the seat to act. In text `RYB` (an offer) or `12@2` (a bid).
///
/// ```
/// use sultan_domain::Action;
/// let action: Action = "12@2".parse()?;
/// assert_eq!(action.to_string(), "12@2");
/// # Ok::<(), sultan_domain::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Put these jewels on the cushions; the remaining jewel returns to the pouch (RULES 4.1).
    Offer(Offer),
    /// Put a hand card face down on a cushion (RULES 4.2, 4.3).
    Bid {
        /// The card.
        card: MoneyCard,
        /// The cushion to place it on.
        cushion: Cushion,
    },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offer(offer) => offer.fmt(f),
            Self::Bid { card, cushion } => write!(f, "{card}@{cushion}"),
        }
    }
}

/// A bid with its card: visible to its owner, and to all observers once the cards of the round are revealed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Bid {
    /// The bidder.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub seat: Seat,
    /// The card.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub card: MoneyCard,
    /// The cushion on which the card was placed.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub cushion: Cushion,
}

/// A bid as other seats see it before the cards are revealed: it has no field for the card (RULES 4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaceDownBid {
    /// The bidder.
    pub seat: Seat,
    /// The cushion on which the card was placed.
    pub cushion: Cushion,
}

impl Bid {
    /// The bid as other seats see it.
    #[must_use]
    pub const fn face_down(self) -> FaceDownBid {
        FaceDownBid { seat: self.seat, cushion: self.cushion }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_down_bid_keeps_seat_and_cushion_but_hides_the_card() {
        let (seat, cushion) = (Seat::new(3).unwrap(), Cushion::new(2).unwrap());
        let bid = Bid { seat, card: MoneyCard::new(9).unwrap(), cushion };
        assert_eq!(bid.face_down(), FaceDownBid { seat, cushion });
        assert_eq!(serde_json::to_string(&bid).unwrap(), r#"{"seat":3,"card":9,"cushion":2}"#);
        assert_eq!(serde_json::to_string(&bid.face_down()).unwrap(), r#"{"seat":3,"cushion":2}"#);
        // RULES 4.2: a player cannot pass.
        assert!(serde_json::from_str::<Action>("\"pass\"").is_err());
    }
}
