//! The record of a round: its draw, offer, bids and winners.

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Action, Bid, Cushion, Drawn, Jewel, Jewels, MoneyCard, Offer, Round, Seat, Stage};

/// The bids of a round in the order they were placed.
pub type Bids = ArrayVec<[Bid; 5]>;

/// For each cushion, the seat that won its jewel; `None` if the jewel returned to the pouch.
pub type Winners = ArrayVec<[Option<Seat>; Cushion::MAX_COUNT as usize]>;

/// A round, finished or unfinished. A finished round is public.
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
    /// The jewels on the cushions, once the offer is made.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<Jewel>>, required))]
    pub offer: Option<Offer>,
    /// The drawn jewel that was put back into the pouch, once the offer is made.
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
    /// The jewels that a seat won in this round; no jewels in an unfinished round.
    #[must_use]
    pub fn won_by(&self, seat: Seat) -> Jewels {
        let (Some(offer), Some(winners)) = (self.offer, self.winners) else {
            return Jewels::NONE;
        };
        let jewels_and_winners = offer.iter().zip(winners);
        jewels_and_winners.filter(|&(_, winner)| winner == Some(seat)).map(|(jewel, _)| jewel).collect()
    }

    /// The bid that won the jewel on a cushion; `None` if no seat won the jewel, or if the round is unfinished.
    #[must_use]
    pub fn winning_bid(&self, cushion: Cushion) -> Option<Bid> {
        let winner = self.winners?.get(cushion.index()).copied().flatten()?;
        // The winner has only one card on this cushion (RULES 4.2, 4.3).
        self.bids.into_iter().find(|bid| bid.cushion == cushion && bid.seat == winner)
    }

    /// The actions of this round so far, with their seats.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, Action)> + use<> {
        let offer = self.offer.map(|offer| (self.first_seat, Action::Offer(offer)));
        let bids = self.bids.into_iter().map(|Bid { seat, card, cushion }| (seat, Action::Bid { card, cushion }));
        offer.into_iter().chain(bids)
    }

    /// The cards that a seat played in this round, in order.
    pub fn played_by(&self, seat: Seat) -> impl Iterator<Item = MoneyCard> {
        self.bids.into_iter().filter(move |bid| bid.seat == seat).map(|bid| bid.card)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of two players. Seat 1 is the first player and wins two jewels; cushion 2 gets no bid.
    const ROUND_JSON: &str = concat!(
        r#"{"stage":2,"round":3,"first_seat":1,"drawn":["R","R","Y","B"],"offer":["R","Y","R"],"put_back":"B","#,
        r#""bids":[{"seat":1,"card":12,"cushion":1},{"seat":0,"card":7,"cushion":1},"#,
        r#"{"seat":1,"card":2,"cushion":3},{"seat":0,"card":1,"cushion":3}],"winners":[1,null,1]}"#,
    );

    fn example_round() -> RoundRecord {
        serde_json::from_str(ROUND_JSON).unwrap()
    }

    fn seat(number: u8) -> Seat {
        Seat::new(number).unwrap()
    }

    #[test]
    fn round_json_round_trips_byte_for_byte() {
        assert_eq!(serde_json::to_string(&example_round()).unwrap(), ROUND_JSON);
    }

    #[test]
    fn won_by_returns_the_jewels_of_a_finished_round() {
        let round = example_round();
        assert_eq!(round.won_by(seat(1)), "R2".parse().unwrap());
        assert_eq!((round.won_by(seat(0)), round.won_by(seat(2))), (Jewels::NONE, Jewels::NONE));
        let unfinished = RoundRecord { winners: None, ..round };
        assert_eq!(unfinished.won_by(seat(1)), Jewels::NONE, "no seat has won before the cards are revealed");
        assert_eq!(RoundRecord { offer: None, ..round }.won_by(seat(1)), Jewels::NONE);
    }

    #[test]
    fn winning_bid_is_the_bid_of_the_winner_on_that_cushion() {
        let round = example_round();
        let winning_card = |number| round.winning_bid(Cushion::new(number).unwrap()).map(|bid| bid.card.value());
        assert_eq!([1, 2, 3].map(winning_card), [Some(12), None, Some(2)]);
        let unfinished = RoundRecord { winners: None, ..round };
        assert_eq!(unfinished.winning_bid(Cushion::new(1).unwrap()), None);
    }

    #[test]
    fn played_by_returns_the_cards_of_a_seat_in_order() {
        let round = example_round();
        let played = |number: u8| round.played_by(seat(number)).map(MoneyCard::value).collect::<Vec<_>>();
        assert_eq!((played(0), played(1), played(2)), (vec![7, 1], vec![12, 2], vec![]));
    }

    #[test]
    fn actions_of_a_round_are_its_offer_and_its_bids() {
        let actions = |round: RoundRecord| {
            round.actions().map(|(seat, action)| format!("{seat}:{action}")).collect::<Vec<String>>()
        };
        assert_eq!(actions(example_round()), ["1:RYR", "1:12@1", "0:7@1", "1:2@3", "0:1@3"]);
        assert!(actions(RoundRecord { offer: None, bids: Bids::new(), ..example_round() }).is_empty());
    }
}
