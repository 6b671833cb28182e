//! The memory of an observer: all finished rounds, including information that is no longer visible.
//!
//! A [`crate::View`] has only the currently visible state. A [`Recall`] has the finished rounds, which a program in a
//! seat may remember (RULES 7.9).

use crate::{CardsInOrder, Collection, MAX_CARDS, Parameters, RoundRecord, Seat};

/// All finished rounds that an observer has seen, in order. Each was public when its cards were revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    rounds: Vec<RoundRecord>,
}

impl Recall {
    /// A memory of untrusted rounds in any order. Rounds may be missing; unfinished rounds are left out. `None` if a
    /// round appears twice, or for more rounds than a game can have.
    #[must_use]
    pub fn of(mut rounds: Vec<RoundRecord>) -> Option<Self> {
        rounds.retain(|round| round.winners.is_some());
        let stage_and_round = |round: &RoundRecord| (round.stage, round.round);
        rounds.sort_by_key(stage_and_round);
        let has_duplicate = rounds.windows(2).any(|pair| stage_and_round(&pair[0]) == stage_and_round(&pair[1]));
        (!has_duplicate && rounds.len() <= usize::from(Parameters::MAX_ROUNDS)).then_some(Self { rounds })
    }

    /// Adds a round that has just been finished.
    #[inline]
    pub fn push(&mut self, round: RoundRecord) {
        debug_assert!(round.winners.is_some(), "only a finished round is remembered");
        self.rounds.push(round);
    }

    /// The finished rounds.
    #[must_use]
    pub fn rounds(&self) -> &[RoundRecord] {
        &self.rounds
    }

    /// Whether the memory has exactly the rounds before the round with this index (counted from 0 over the whole game).
    #[must_use]
    pub fn is_complete_before(&self, parameters: &Parameters, round_index: u8) -> bool {
        let indices = self.rounds.iter().map(|round| parameters.round_index(round.stage, round.round));
        indices.eq((0..round_index).map(Some))
    }

    /// The jewels that a seat won in these rounds.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.rounds.iter().fold(Collection::NONE, |sum, round| sum.with(round.won_by(seat)))
    }

    /// The cards that a seat played in these rounds, in order. Untrusted rounds may have more cards than a deck; the
    /// rest is left out.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        self.rounds.iter().flat_map(|round| round.played_by(seat)).take(MAX_CARDS).collect()
    }
}

/// Collects finished rounds, which must be in order.
impl FromIterator<RoundRecord> for Recall {
    fn from_iter<I: IntoIterator<Item = RoundRecord>>(rounds: I) -> Self {
        Self { rounds: rounds.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A finished round in which seat 0 places three cards and wins three white jewels. It breaks rules, which a
    /// [`Recall`] does not check.
    fn round(stage: u8, round: u8) -> RoundRecord {
        let json = format!(
            r#"{{"stage":{stage},"round":{round},"first_seat":0,"drawn":["W","W","W","W"],"offer":["W","W","W"],"put_back":"W",
                "bids":[{{"seat":0,"card":1,"cushion":1}},{{"seat":0,"card":1,"cushion":1}},{{"seat":0,"card":1,"cushion":1}}],
                "winners":[0,0,0]}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn recall_of_duplicate_or_too_many_rounds_is_rejected() {
        let rounds: Vec<RoundRecord> =
            (0..Parameters::MAX_ROUNDS).map(|index| round(index / 8 + 1, index % 8 + 1)).collect();
        let recall = Recall::of(rounds.clone()).unwrap();
        // Three jewels in each of 24 rounds.
        assert_eq!(recall.collection(Seat::default()).len(), 72);
        assert_eq!(recall.played(Seat::default()).len(), MAX_CARDS, "72 cards are more than a deck has");
        // A 25th round, and a duplicate.
        assert_eq!(Recall::of([rounds, vec![round(4, 1)]].concat()), None);
        assert_eq!(Recall::of(vec![round(1, 1), round(1, 1)]), None);
    }

    #[test]
    fn recall_sorts_rounds_and_leaves_out_unfinished_rounds() {
        let unfinished = RoundRecord { winners: None, ..round(1, 3) };
        let recall = Recall::of(vec![round(2, 1), unfinished, round(1, 2)]).unwrap();
        assert_eq!(recall.rounds(), [round(1, 2), round(2, 1)]);
    }

    #[test]
    fn pushed_rounds_are_kept_in_order() {
        let mut recall = Recall::default();
        recall.push(round(1, 1));
        recall.push(round(1, 2));
        assert_eq!(recall.rounds(), [round(1, 1), round(1, 2)]);
        assert_eq!(recall.collection(Seat::default()), "W6".parse().unwrap());
        assert_eq!(recall.played(Seat::default()).len(), 6);
        let without_bids = Seat::new(1).unwrap();
        assert!(recall.collection(without_bids).is_empty() && recall.played(without_bids).is_empty());
    }

    #[test]
    fn recall_is_complete_if_it_has_exactly_the_finished_rounds() {
        // With two players a stage has four rounds.
        let parameters = Parameters::of(crate::Players::new(2).unwrap());
        let is_complete = |stages_and_rounds: &[(u8, u8)], round_index: u8| {
            let rounds = stages_and_rounds.iter().map(|&(stage, number)| round(stage, number)).collect();
            Recall::of(rounds).unwrap().is_complete_before(&parameters, round_index)
        };
        assert!(is_complete(&[], 0));
        assert!(!is_complete(&[], 1));
        let first_five = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1)];
        assert_eq!([4, 5, 6].map(|round_index| is_complete(&first_five, round_index)), [false, true, false]);
        assert!(!is_complete(&[(1, 1), (1, 3)], 2), "the second round is missing");
        assert!(!is_complete(&[(1, 2), (1, 3)], 2), "the first round is missing");
        let five_in_one_stage = [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)];
        assert!(!is_complete(&five_in_one_stage, 5), "a game of two players has no fifth round in a stage");
        assert!(!is_complete(&[(9, 9)], 1), "no game has a ninth stage");
    }
}
