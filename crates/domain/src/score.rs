//! Points, bonus and ranks (RULES 5.2–5.5). No other module computes scores.

use serde::Serialize;

use crate::{Collection, Jewel, Jewels, Outcome, Parameters, Place, Places, Seat};

/// The score of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ColourScore {
    /// The colour.
    pub jewel: Jewel,
    /// The number of jewels.
    pub count: u8,
    /// Points for the jewels themselves (RULES 5.2).
    pub points: u16,
    /// Bonus for this number of one colour (RULES 5.3, 5.4).
    pub bonus: u16,
}

impl ColourScore {
    /// Points and bonus together.
    #[must_use]
    pub const fn total(self) -> u16 {
        self.points + self.bonus
    }
}

impl Parameters {
    /// The score of a collection, colour by colour.
    #[must_use]
    #[inline]
    pub fn score(&self, jewels: Jewels) -> [ColourScore; 5] {
        Jewel::ALL.map(|jewel| {
            let count = jewels.count(jewel);
            ColourScore { jewel, count, points: jewel.points() * u16::from(count), bonus: self.bonus(count) }
        })
    }

    /// Points and bonus of a collection together.
    #[must_use]
    pub fn points(&self, jewels: Jewels) -> u16 {
        self.score(jewels).into_iter().map(ColourScore::total).sum()
    }
}

/// One seat's score. Its rank is 1 until [`outcome`] compares it with the other seats.
#[must_use]
#[inline]
pub fn place(parameters: &Parameters, seat: Seat, jewels: Jewels) -> Place {
    let (mut jewel_points, mut bonus) = (0, 0);
    for colour in parameters.score(jewels) {
        jewel_points += colour.points;
        bonus += colour.bonus;
    }
    let count = u16::try_from(jewels.len()).unwrap_or(u16::MAX);
    Place { seat, jewels, jewel_points, bonus, points: jewel_points + bonus, count, rank: 1 }
}

/// The result of a game that ended with these collections (RULES 5.5).
#[must_use]
#[inline]
pub fn outcome(parameters: &Parameters, collection: impl Fn(Seat) -> Collection) -> Outcome {
    let mut places = Places::new();
    for seat in parameters.players.seats() {
        places.push(place(parameters, seat, collection(seat)));
    }
    // A rank is one plus the number of better seats: equal seats share a rank, and the ranks after a shared rank are
    // skipped. More points are better; with equal points, more jewels. Each two seats are compared once.
    let rank_key = |place: &Place| u32::from(place.points) << 16 | u32::from(place.count);
    for later in 1..places.len() {
        for earlier in 0..later {
            let (later_key, earlier_key) = (rank_key(&places[later]), rank_key(&places[earlier]));
            places[later].rank += u8::from(earlier_key > later_key);
            places[earlier].rank += u8::from(later_key > earlier_key);
        }
    }
    Outcome { places }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Players;

    fn parameters(players: u8) -> Parameters {
        Parameters::of(Players::new(players).unwrap())
    }

    fn jewels(text: &str) -> Jewels {
        text.parse().unwrap()
    }

    /// The ranks of seats with these collections, seat by seat. Only the first `players` collections are used.
    fn ranks(players: u8, collections: [&str; 5]) -> Vec<u8> {
        let outcome = outcome(&parameters(players), |seat| jewels(collections[seat.index()]));
        outcome.places.iter().map(|place| place.rank).collect()
    }

    #[test]
    fn rule_1_5_bonus_cards_are_no_limit() {
        let all_jewels = place(&parameters(4), Seat::default(), jewels("W12R11Y10G9B8"));
        assert_eq!(all_jewels.bonus, 5 * 20, "every bonus counts, however many bonus cards are left");
    }

    #[test]
    fn rule_5_2_points_per_jewel() {
        assert_eq!(Jewel::ALL.map(Jewel::points), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn rule_5_3_bonus_with_three_to_five_players() {
        for players in [3, 4, 5] {
            let bonuses: Vec<u16> = (0..=12).map(|count| parameters(players).bonus(count)).collect();
            assert_eq!(bonuses, [0, 0, 0, 2, 5, 10, 20, 20, 20, 20, 20, 20, 20]);
        }
    }

    #[test]
    fn rule_5_4_bonus_with_two_players() {
        let bonuses: Vec<u16> = (0..=12).map(|count| parameters(2).bonus(count)).collect();
        assert_eq!(bonuses, [0, 0, 0, 0, 2, 5, 10, 20, 20, 20, 20, 20, 20]);
    }

    #[test]
    fn rule_5_6_example_scores_30_points_or_23_with_two_players() {
        let with_four = place(&parameters(4), Seat::default(), jewels("W3R5B1"));
        assert_eq!((with_four.jewel_points, with_four.bonus, with_four.points, with_four.count), (18, 12, 30, 9));
        let with_two = place(&parameters(2), Seat::default(), jewels("W3R5B1"));
        assert_eq!((with_two.jewel_points, with_two.bonus, with_two.points), (18, 5, 23));
        assert_eq!([2, 3, 4, 5].map(|players| parameters(players).points(jewels("W3R5B1"))), [23, 30, 30, 30]);
        let red = ColourScore { jewel: Jewel::Red, count: 5, points: 10, bonus: 10 };
        assert_eq!((parameters(4).score(jewels("W3R5B1"))[1], red.total()), (red, 20));
    }

    #[test]
    fn rule_5_5_most_points_then_most_jewels_then_a_shared_place() {
        assert_eq!(ranks(4, ["B2", "B1", "B1W1", "", ""]), [1, 3, 2, 4]);
        // All have five points. Two jewels beat one, and equal numbers of jewels share a place.
        assert_eq!(ranks(3, ["B1", "R1Y1", "W1G1", "", ""]), [3, 1, 1]);
        assert_eq!(ranks(4, [""; 5]), [1; 4]);
    }

    #[test]
    fn rule_5_5_places_other_than_the_first_are_shared_too() {
        assert_eq!(ranks(5, ["B5", "R1Y1", "W1G1", "W1", "W1"]), [1, 2, 2, 4, 4]);
        assert_eq!(ranks(4, ["W1", "B5", "W1", "W1", ""]), [2, 1, 2, 2]);
        let shared = outcome(&parameters(3), |seat| jewels(["B1", "B1", "W1"][seat.index()]));
        assert_eq!(shared.winners().map(Seat::number).collect::<Vec<_>>(), [0, 1]);
    }
}
