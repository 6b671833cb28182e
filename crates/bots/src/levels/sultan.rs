//! `sultan`: looks ahead with its nets before every action.
//!
//! It samples possible hidden cards and characters (models of play) of the other seats
//! ([`Belief`](crate::search::Belief)). At each table imagined from such a sample it plays the round to its end after
//! every action, and judges the result with the value net. It does not simply play the best action: it starts from the
//! probabilities of the bid net and shifts them towards better actions, because always playing the best action is
//! predictable.

use sultan_domain::{Recall, View};
use sultan_rules::FastRng;

use crate::levels::weigh_with_nets;
use crate::search::lookahead::{Evaluation, Search};
use crate::search::net::weights::Nets;
use crate::{Bot, WeighedAction};

/// Looks ahead before every action, and plays actions at random with their probabilities to stay unpredictable.
#[derive(Debug, Default)]
pub struct Sultan {
    nets: Option<Nets>,
}

/// The number of times that a hand of every other seat is sampled.
const GUESSES: usize = 32;
/// The number of tables imagined after each sampling, from all hands sampled so far.
const TABLES_PER_GUESS: usize = 2;

impl Sultan {
    /// Uses these nets instead of the shipped ones at tables with their number of players.
    #[must_use]
    pub const fn with_nets(nets: Nets) -> Self {
        Self { nets: Some(nets) }
    }
}

impl Bot for Sultan {
    fn name(&self) -> &'static str {
        "sultan"
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        weigh_with_nets(self.nets.as_ref(), view, recall, rng, |knowledge, net_set, rng| {
            let mut search = Search::new(net_set, &knowledge, recall, stop);
            sample_and_evaluate(&mut search, rng).weighed(net_set, &knowledge)
        })
    }
}

/// Alternates between sampling a hand of every other seat and evaluating the options at imagined tables, until there
/// are [`GUESSES`] hands per seat or the time limit is reached.
fn sample_and_evaluate(search: &mut Search, rng: &mut FastRng) -> Evaluation {
    let mut evaluation = Evaluation::new(search.policy, search.knowledge);
    for _ in 0..GUESSES {
        for belief in &mut search.beliefs {
            if (search.stop)() {
                return evaluation;
            }
            belief.guess(&search.history, rng);
        }
        if !search.evaluate(TABLES_PER_GUESS, rng, &mut evaluation) {
            break;
        }
    }
    evaluation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::jeweller::tests::moments;
    use crate::search::knowledge::Knowledge;
    use crate::search::outlook::Outlook;
    use crate::search::policy::Policy;
    use std::cell::Cell;
    use sultan_domain::{Action, Players};

    fn weigh((view, recall): &(View, Recall), stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        Sultan::default().weigh(view, recall, &mut FastRng::new(3), stop)
    }

    /// Checks that a stopped `sultan` weighs bids with the probabilities of the bid net, and every action with the
    /// winning chance estimated by the value net for the current table.
    fn check_weighed_by_nets_if_stopped(moment: &(View, Recall)) {
        let (view, recall) = moment;
        let knowledge = Knowledge::new(view, recall, &mut FastRng::new(3)).unwrap();
        let net_set = &Nets::shipped(knowledge.public.parameters.players).net_set;
        let trunk = net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        let value =
            net_set.seat_value(&knowledge.public, knowledge.seat, knowledge.round_hand(), &mut net_set.appraisal());
        for weighed in &weigh(moment, &|| true) {
            assert!((weighed.win - f64::from(value.win)).abs() < 1e-9);
            if let Action::Bid { card, cushion } = weighed.action {
                let share = net_set.bids(&knowledge, &trunk, &Outlook::new(&knowledge.public)).share(card, cushion);
                assert!((weighed.share - f64::from(share)).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn sultan_stopped_at_once_plays_with_the_probabilities_of_the_nets() {
        for players in Players::ALL {
            moments(players, 5).iter().step_by(7).for_each(check_weighed_by_nets_if_stopped);
        }
    }

    #[test]
    fn incompletely_evaluated_table_does_not_affect_the_result() {
        // A game of five jewellers.
        for moment in moments(Players::FIVE, 5).iter().step_by(7) {
            let calls = Cell::new(0);
            let stopped_after = |call_limit: u32| {
                calls.set(0);
                weigh(moment, &|| calls.replace(calls.get() + 1) >= call_limit)
            };
            let results: Vec<Vec<WeighedAction>> = (0..60).map(stopped_after).collect();
            let changes = results.windows(2).filter(|pair| pair[0] != pair[1]).count();
            // Evaluating one table calls `stop` at least twice (once per cushion or offer). Only a complete evaluation
            // may change the result, so it changes after at most every second call.
            assert!((1..=30).contains(&changes), "60 call limits gave {changes} changes");
        }
    }
}
