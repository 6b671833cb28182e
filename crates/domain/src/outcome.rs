//! The result of a game: the score and rank of each seat.

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Collection, Seat};

/// One seat's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Place {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub seat: Seat,
    /// The jewels that the seat won.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, u8>))]
    pub jewels: Collection,
    /// Points for the jewels themselves (RULES 5.2).
    pub jewel_points: u16,
    /// Bonus points (RULES 5.3, 5.4).
    pub bonus: u16,
    /// Jewel points and bonus together.
    pub points: u16,
    /// The number of jewels: the tie-breaker (RULES 5.5).
    pub count: u16,
    /// The rank, from 1. Seats with equal points and jewels share a rank (RULES 5.5).
    pub rank: u8,
}

/// One place per seat, in the order of the seats.
pub type Places = ArrayVec<[Place; 5]>;

/// The result of a game, seat by seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome {
    /// One place per seat, in the order of the seats.
    pub places: Places,
}

impl Outcome {
    /// The seats that share first place: one, or several in a draw.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        self.places.into_iter().filter(|place| place.rank == 1).map(|place| place.seat)
    }

    /// All places, the best first. Places with the same rank are in the order of their seats.
    #[must_use]
    pub fn by_rank(&self) -> Vec<Place> {
        let mut places = self.places.to_vec();
        places.sort_by_key(|place| (place.rank, place.seat));
        places
    }

    /// A seat's share of the win: 1 for a single winner, 1/n for each of n winners, 0 for all other seats.
    #[must_use]
    pub fn share(&self, seat: Seat) -> f64 {
        let winner_count = self.winners().fold(0.0, |count, _| count + 1.0);
        if self.winners().any(|winner| winner == seat) { 1.0 / winner_count } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result with these ranks, seat by seat.
    fn outcome_with_ranks(ranks: &[u8]) -> Outcome {
        let seats = (0..).map_while(Seat::new);
        Outcome { places: seats.zip(ranks).map(|(seat, &rank)| Place { seat, rank, ..Place::default() }).collect() }
    }

    #[test]
    fn rule_5_5_players_tied_for_first_share_the_win() {
        let winners = |ranks: &[u8]| outcome_with_ranks(ranks).winners().map(Seat::number).collect::<Vec<_>>();
        let shares = |ranks: &[u8]| {
            let outcome = outcome_with_ranks(ranks);
            outcome.places.iter().map(|place| outcome.share(place.seat)).collect::<Vec<_>>()
        };
        assert_eq!((winners(&[2, 1, 3, 4]), shares(&[2, 1, 3, 4])), (vec![1], vec![0.0, 1.0, 0.0, 0.0]));
        assert_eq!((winners(&[1, 3, 1]), shares(&[1, 3, 1])), (vec![0, 2], vec![0.5, 0.0, 0.5]));
        assert_eq!(shares(&[1; 5]), [0.2; 5]);
        assert!(winners(&[]).is_empty());
    }

    #[test]
    fn places_are_sorted_by_rank_and_then_by_seat() {
        let places = outcome_with_ranks(&[3, 1, 4, 1]).by_rank();
        let seats: Vec<u8> = places.iter().map(|place| place.seat.number()).collect();
        assert_eq!(seats, [1, 3, 0, 2]);
    }

    #[test]
    fn json_is_a_list_of_places() {
        let json = r#"[{"seat":0,"jewels":{"W":1,"R":0,"Y":0,"G":0,"B":0},"jewel_points":1,"bonus":0,"points":1,"count":1,"rank":1}]"#;
        let read: Outcome = serde_json::from_str(json).unwrap();
        assert_eq!((read.places.len(), read.places[0].points), (1, 1));
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
    }
}
