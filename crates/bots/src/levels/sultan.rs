//! `sultan`: looks ahead with its nets before every action.
//!
//! It samples hands and characters of the other seats ([`Belief`](crate::search::Belief)), plays the round out for
//! every action, and judges the position after it. It does not simply play the best action: it shifts the nets' mix
//! towards better actions, because a player who always plays the best action is predictable.

use sultan_domain::{Recall, View};
use sultan_rules::Quick;

use crate::bot::in_order;
use crate::levels::known_to_nets;
use crate::search::lookahead::{Evaluation, Search};
use crate::search::net::weights::Nets;
use crate::{Bot, Weighed};

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
    pub const fn with(nets: Nets) -> Self {
        Self { nets: Some(nets) }
    }
}

impl Bot for Sultan {
    fn name(&self) -> &'static str {
        "sultan"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let known = match known_to_nets(view, recall, chance) {
            Ok(known) => known,
            Err(without_nets) => return without_nets,
        };
        let nets = Nets::of(self.nets.as_ref(), view.parameters.players);
        let mut search = Search::new(&nets.brain, &known, recall, stop);
        let evaluation = think(&mut search, chance);
        in_order(view.legal(), &evaluation.weighed(&nets.brain, &known))
    }
}

/// Samples hands until [`GUESSES`] or the time limit is reached, and evaluates some tables for each.
fn think(search: &mut Search, chance: &mut Quick) -> Evaluation {
    let mut evaluation = Evaluation::new(search.policy, search.known);
    for _ in 0..GUESSES {
        for belief in &mut search.beliefs {
            if (search.stop)() {
                return evaluation;
            }
            belief.guess(&search.history, chance);
        }
        if !search.evaluate(WORLDS, chance, &mut evaluation) {
            break;
        }
    }
    evaluation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::jeweller::tests::moments;
    use crate::search::known::Known;
    use crate::search::outlook::Outlook;
    use crate::search::policy::Policy;
    use std::cell::Cell;
    use sultan_domain::{Action, Players};

    fn weigh(moment: &(View, Recall), stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        Sultan::default().weigh(&moment.0, &moment.1, &mut Quick::new(3), stop)
    }

    /// Checks that the nets' mix is played if there is no time, with the nets' winning chance.
    fn check_policy_mix(moment: &(View, Recall)) {
        let known = Known::new(&moment.0, &moment.1, &mut Quick::new(3)).unwrap();
        let brain = &Nets::shipped(known.public.parameters.players).brain;
        let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
        let now = brain.worth(&known.public, known.seat, known.round_hand(), &mut brain.appraisal());
        for one in &weigh(moment, &|| true) {
            assert!((one.win - f64::from(now.win)).abs() < 1e-9);
            if let Action::Bid { card, cushion } = one.action {
                let share = brain.bids(&known, &trunk, &Outlook::new(&known.public)).share(card, cushion);
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
            let asked = Cell::new(0);
            let weighed = |times: u32| {
                asked.set(0);
                weigh(moment, &|| asked.replace(asked.get() + 1) >= times)
            };
            let all: Vec<Vec<Weighed>> = (0..60).map(weighed).collect();
            let changes = all.windows(2).filter(|two| two[0] != two[1]).count();
            // Evaluating a table calls `stop` once per cushion or offer, of which there are at least two.
            assert!((1..=30).contains(&changes), "{changes}");
        }
    }
}
