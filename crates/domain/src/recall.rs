//! Perfect memory: all information once shown to an observer, even if no longer visible.
//!
//! [`crate::View`] is the visible state now; `Recall` holds the finished rounds (RULES 7.9). Bots may use it.

use crate::{CardsInOrder, Collection, MAX_CARDS, Parameters, RoundRecord, Seat};

/// All finished rounds an observer has seen, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    rounds: Vec<RoundRecord>,
}

impl Recall {
    /// Remembers the finished ones of these rounds, in any order. There may be gaps. `None` if a round appears twice,
    /// or if there are more rounds than in any game.
    #[must_use]
    pub fn of(mut rounds: Vec<RoundRecord>) -> Option<Self> {
        rounds.retain(|round| round.winners.is_some());
        let stage_and_round = |round: &RoundRecord| (round.stage.0, round.round.0);
        rounds.sort_by_key(stage_and_round);
        let twice = rounds.windows(2).any(|two| stage_and_round(&two[0]) == stage_and_round(&two[1]));
        (!twice && rounds.len() <= usize::from(Parameters::MOST_ROUNDS)).then_some(Self { rounds })
    }

    /// Remembers a round that has just been finished.
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

    /// Whether these are exactly the rounds before the round with this index (from 0 over the whole game), without
    /// gaps.
    #[must_use]
    pub fn is_complete_before(&self, parameters: &Parameters, round_index: u8) -> bool {
        let indices = self.rounds.iter().map(|round| parameters.round_index(round.stage, round.round));
        indices.eq((0..round_index).map(Some))
    }

    /// The jewels a seat took in these rounds.
    #[must_use]
    pub fn collection(&self, seat: Seat) -> Collection {
        self.rounds.iter().fold(Collection::NONE, |sum, round| sum.with(round.won_by(seat)))
    }

    /// The cards a seat played in these rounds, in order; no more than a seat can own.
    #[must_use]
    pub fn played(&self, seat: Seat) -> CardsInOrder {
        self.rounds.iter().flat_map(|round| round.played_by(seat)).take(MAX_CARDS).collect()
    }
}

/// Remembers finished rounds in their order.
impl FromIterator<RoundRecord> for Recall {
    fn from_iter<I: IntoIterator<Item = RoundRecord>>(rounds: I) -> Self {
        Self { rounds: rounds.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(stage: u8, round: u8) -> RoundRecord {
        let json = format!(
            r#"{{"stage":{stage},"round":{round},"first_seat":0,"drawn":["W","W","W","W"],"offer":["W","W","W"],"put_back":"W",
                "bids":[{{"seat":0,"card":1,"cushion":1}},{{"seat":0,"card":1,"cushion":1}},{{"seat":0,"card":1,"cushion":1}}],
                "winners":[0,0,0]}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn untrusted_recall_with_duplicate_or_too_many_rounds_is_rejected() {
        let rounds: Vec<RoundRecord> =
            (0..Parameters::MOST_ROUNDS).map(|index| round(index / 8 + 1, index % 8 + 1)).collect();
        let recall = Recall::of(rounds.clone()).unwrap();
        assert_eq!(Recall::of(rounds.iter().rev().copied().collect()), Some(recall.clone()));
        assert_eq!(recall.collection(Seat::default()).len(), 72);
        assert_eq!(recall.played(Seat::default()).len(), MAX_CARDS);
        assert_eq!(Recall::of([rounds.clone(), vec![round(4, 1)]].concat()), None);
        assert_eq!(Recall::of(vec![round(1, 1), round(1, 1)]), None);
        let mut unfinished = round(1, 1);
        unfinished.winners = None;
        assert_eq!(Recall::of(vec![unfinished]).unwrap().rounds().len(), 0);
    }

    #[test]
    fn pushed_rounds_are_kept_in_order() {
        let mut recall = Recall::default();
        recall.push(round(1, 1));
        recall.push(round(1, 2));
        assert_eq!(recall.rounds(), [round(1, 1), round(1, 2)]);
        assert_eq!(recall.collection(Seat::default()), "W6".parse().unwrap());
        assert_eq!(recall.played(Seat::default()).len(), 6);
        let other = Seat::new(1).unwrap();
        assert!(recall.collection(other).is_empty() && recall.played(other).is_empty());
    }

    #[test]
    fn recall_is_complete_if_it_has_exactly_the_finished_rounds() {
        let parameters = Parameters::of(crate::Players::new(2).unwrap());
        let recall_of = |rounds: &[(u8, u8)]| Recall::of(rounds.iter().map(|&(s, r)| round(s, r)).collect()).unwrap();
        assert!(
            Recall::default().is_complete_before(&parameters, 0)
                && !Recall::default().is_complete_before(&parameters, 1)
        );
        let five = recall_of(&[(1, 1), (1, 2), (1, 3), (1, 4), (2, 1)]);
        assert!(
            five.is_complete_before(&parameters, 5)
                && !five.is_complete_before(&parameters, 4)
                && !five.is_complete_before(&parameters, 6)
        );
        assert!(!recall_of(&[(1, 1), (1, 3)]).is_complete_before(&parameters, 2), "a gap");
        assert!(!recall_of(&[(1, 2), (1, 3)]).is_complete_before(&parameters, 2), "the first round is missing");
        assert!(
            !recall_of(&[(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]).is_complete_before(&parameters, 5),
            "a round that games of two players do not have"
        );
        assert!(!recall_of(&[(9, 9)]).is_complete_before(&parameters, 1), "a round that no game has");
    }
}
