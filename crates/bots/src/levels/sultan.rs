//! `sultan`: looks ahead with its nets before every action.
//!
//! It samples hands and characters of the other seats ([`Belief`](crate::search::Belief)), plays the round out for
//! every action, and judges the position after it. It does not simply play the best action: it shifts the nets' mix
//! towards better actions, because a player who always plays the best action is predictable.

use sultan_domain::{Recall, View};
use sultan_rules::Quick;

use crate::bot::in_legal_order;
use crate::levels::known_to_nets;
use crate::search::lookahead::{Evaluation, Search};
use crate::search::net::weights::Nets;
use crate::{Bot, WeighedAction};

/// Looks ahead before every action, and mixes its actions to stay unpredictable.
#[derive(Debug, Default)]
pub struct Sultan {
    nets: Option<Nets>,
}

/// The number of sampled hands per other seat.
const GUESSES: usize = 32;
/// The number of imagined tables per sample.
const WORLDS: usize = 2;

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

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let knowledge = match known_to_nets(view, recall, rng) {
            Ok(knowledge) => knowledge,
            Err(without_nets) => return without_nets,
        };
        let nets = Nets::own_or_shipped(self.nets.as_ref(), view.parameters.players);
        let mut search = Search::new(&nets.net_set, &knowledge, recall, stop);
        let evaluation = sample_and_evaluate(&mut search, rng);
        in_legal_order(view.legal(), &evaluation.weighed(&nets.net_set, &knowledge))
    }
}

/// Samples hands until [`GUESSES`] or the time limit is reached, and evaluates some tables for each.
fn sample_and_evaluate(search: &mut Search, rng: &mut Quick) -> Evaluation {
    let mut evaluation = Evaluation::new(search.policy, search.knowledge);
    for _ in 0..GUESSES {
        for belief in &mut search.beliefs {
            if (search.stop)() {
                return evaluation;
            }
            belief.guess(&search.history, rng);
        }
        if !search.evaluate(WORLDS, rng, &mut evaluation) {
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

    fn weigh(moment: &(View, Recall), stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        Sultan::default().weigh(&moment.0, &moment.1, &mut Quick::new(3), stop)
    }

    /// Checks that the nets' mix is played if there is no time, with the nets' winning chance.
    fn check_policy_mix(moment: &(View, Recall)) {
        let knowledge = Knowledge::new(&moment.0, &moment.1, &mut Quick::new(3)).unwrap();
        let net_set = &Nets::shipped(knowledge.public.parameters.players).net_set;
        let trunk = net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        let now =
            net_set.seat_value(&knowledge.public, knowledge.seat, knowledge.round_hand(), &mut net_set.appraisal());
        for one in &weigh(moment, &|| true) {
            assert!((one.win - f64::from(now.win)).abs() < 1e-9);
            if let Action::Bid { card, cushion } = one.action {
                let share = net_set.bids(&knowledge, &trunk, &Outlook::new(&knowledge.public)).share(card, cushion);
                assert!((one.share - f64::from(share)).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn without_time_the_policy_mix_is_played() {
        for players in Players::ALL {
            moments(players, 5).iter().step_by(7).for_each(check_policy_mix);
        }
    }

    #[test]
    fn incompletely_evaluated_table_is_ignored() {
        for moment in moments(Players::ALL[3], 5).iter().step_by(7) {
            let calls = Cell::new(0);
            let weighed = |times: u32| {
                calls.set(0);
                weigh(moment, &|| calls.replace(calls.get() + 1) >= times)
            };
            let all: Vec<Vec<WeighedAction>> = (0..60).map(weighed).collect();
            let changes = all.windows(2).filter(|two| two[0] != two[1]).count();
            // Evaluating a table calls `stop` once per cushion or offer, of which there are at least two.
            assert!((1..=30).contains(&changes), "{changes}");
        }
    }
}
