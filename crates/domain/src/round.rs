//! The public information of a round after its reveal.

use std::fmt;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Action, Bid, Cushion, Drawn, Jewel, Jewels, MoneyCard, Offer, Round, Seat, Stage};

/// The bids of a round in the order they were placed.
pub type Bids = ArrayVec<[Bid; 5]>;

/// The seat that won each cushion's jewel; `None` if it returned to the pouch.
pub type Winners = ArrayVec<[Option<Seat>; Cushion::MOST as usize]>;

/// A round, finished or not. A finished round is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Round))]
pub struct RoundRecord {
    /// The stage.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub stage: Stage,
    /// The round within the stage.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub round: Round,
    /// The round's first player.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub first_seat: Seat,
    /// The jewels drawn.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Jewel>))]
    pub drawn: Drawn,
    /// The jewels on the cushions, once offered.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<Jewel>>, required))]
    pub offer: Option<Offer>,
    /// The jewel put back into the pouch, once it is.
    #[cfg_attr(feature = "schema", schema(required))]
    pub put_back: Option<Jewel>,
    /// The bids placed, in order.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Bid>))]
    pub bids: Bids,
    /// The winners, once the round is finished.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<Option<u8>>>, required))]
    pub winners: Option<Winners>,
}

impl RoundRecord {
    /// The jewels that a seat took in this round.
    #[must_use]
    pub fn won_by(&self, seat: Seat) -> Jewels {
        let (Some(offer), Some(winners)) = (self.offer, self.winners) else {
            return Jewels::NONE;
        };
        let taken = offer.iter().zip(winners);
        taken.filter(|&(_, winner)| winner == Some(seat)).map(|(jewel, _)| jewel).collect()
    }

    /// The bid that took the jewel on a cushion. A seat has at most one card on each (RULES 4.2, 4.3).
    #[must_use]
    pub fn winning_bid(&self, cushion: Cushion) -> Option<Bid> {
        let winner = self.winners?.get(cushion.index()).copied().flatten()?;
        self.bids.into_iter().find(|bid| bid.cushion == cushion && bid.seat == winner)
    }

    /// The actions of this round so far, with their seats.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, Action)> + use<> {
        let offer = self.offer.map(|offer| (self.first_seat, Action::Offer(offer)));
        let bid = |Bid { seat, card, cushion }| (seat, Action::Bid { card, cushion });
        offer.into_iter().chain(self.bids.into_iter().map(bid))
    }

    /// The cards that a seat played in this round, in order.
    pub fn played_by(&self, seat: Seat) -> impl Iterator<Item = MoneyCard> {
        self.bids.into_iter().filter(move |bid| bid.seat == seat).map(|bid| bid.card)
    }
}

/// One line: `1.3 first 0, drawn WRYG, offer RYG back W: 0:12@1 1:7@3, won 0 - 1`.
impl fmt::Display for RoundRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} first {}, drawn {}", self.stage, self.round, self.first_seat, self.drawn)?;
        if let (Some(offer), Some(put_back)) = (self.offer, self.put_back) {
            write!(f, ", offer {offer} back {put_back}:")?;
        }
        for bid in self.bids {
            write!(f, " {}:{}@{}", bid.seat, bid.card, bid.cushion)?;
        }
        if let Some(winners) = self.winners {
            write!(f, ", won")?;
            for winner in winners {
                match winner {
                    Some(seat) => write!(f, " {seat}")?,
                    None => write!(f, " -")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players; seat 1 is first and takes two jewels, and the third gets no bid.
    const ROUND_JSON: &str = concat!(
        r#"{"stage":2,"round":3,"first_seat":1,"drawn":["R","R","Y","B"],"offer":["R","Y","R"],"put_back":"B","#,
        r#""bids":[{"seat":1,"card":12,"cushion":1},{"seat":0,"card":7,"cushion":1},"#,
        r#"{"seat":1,"card":2,"cushion":3},{"seat":0,"card":1,"cushion":3}],"winners":[1,null,1]}"#,
    );

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    #[test]
    fn round_record_gives_winners_and_cards() {
        let round: RoundRecord = serde_json::from_str(ROUND_JSON).unwrap();
        assert_eq!(round.won_by(seat(1)), "R2".parse().unwrap());
        assert_eq!((round.won_by(seat(0)), round.won_by(seat(2))), (Jewels::NONE, Jewels::NONE));
        let played = |number: u8| round.played_by(seat(number)).map(MoneyCard::value).collect::<Vec<_>>();
        assert_eq!((played(0), played(1), played(2)), (vec![7, 1], vec![12, 2], vec![]));
        let winning = |number| round.winning_bid(Cushion::new(number).unwrap()).map(|bid| bid.card.value());
        assert_eq!((winning(1), winning(2), winning(3)), (Some(12), None, Some(2)));
        let unrevealed = RoundRecord { winners: None, ..round };
        assert_eq!(unrevealed.winning_bid(Cushion::new(1).unwrap()), None);
        assert_eq!(unrevealed.won_by(seat(1)), Jewels::NONE, "no seat has won before the cards are revealed");
        assert_eq!(RoundRecord { offer: None, ..round }.won_by(seat(1)), Jewels::NONE);
    }

    #[test]
    fn actions_of_a_round_are_its_offer_and_its_bids() {
        let round: RoundRecord = serde_json::from_str(ROUND_JSON).unwrap();
        let text =
            |round: &RoundRecord| round.actions().map(|(seat, action)| format!("{seat}:{action}")).collect::<Vec<_>>();
        assert_eq!(text(&round), ["1:RYR", "1:12@1", "0:7@1", "1:2@3", "0:1@3"]);
        assert!(text(&RoundRecord { offer: None, bids: Bids::new(), ..round }).is_empty());
    }

    #[test]
    fn unfinished_round_is_formatted_on_one_line() {
        let round: RoundRecord = serde_json::from_str(ROUND_JSON).unwrap();
        let line = "2.3 first 1, drawn RRYB, offer RYR back B: 1:12@1 0:7@1 1:2@3 0:1@3, won 1 - 1";
        assert_eq!(round.to_string(), line);
        let offered = RoundRecord { bids: Bids::new(), winners: None, ..round };
        assert_eq!(offered.to_string(), "2.3 first 1, drawn RRYB, offer RYR back B:");
        let drawn = RoundRecord { offer: None, put_back: None, ..offered };
        assert_eq!(drawn.to_string(), "2.3 first 1, drawn RRYB");
        assert_eq!(serde_json::to_string(&round).unwrap(), ROUND_JSON);
    }
}
