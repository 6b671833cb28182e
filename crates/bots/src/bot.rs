//! The [`Bot`] trait and its contract.

use serde::Serialize;
use sultan_domain::{Action, Chance, Legal, Recall, View};
use sultan_rules::Quick;

/// A computer player.
///
/// The signatures guarantee fairness: a bot gets the view and recall of its seat, never a game. The same view, recall
/// and random numbers give the same result, unless the bot is stopped early.
pub trait Bot: Send + Sync {
    /// The level's name.
    fn name(&self) -> &'static str;

    /// Returns every legal action once, with its probability and winning chance. The probabilities add up to 1. Empty
    /// only if there is no legal action.
    ///
    /// A slow bot calls `stop` regularly, and returns soon after it returns `true`.
    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction>;

    /// Chooses a legal action; `None` only if there is no legal action.
    fn choose(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Action> {
        pick(&self.weigh(view, recall, rng, stop), rng)
    }
}

/// A bot's evaluation of one legal action.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeighedAction {
    /// The action.
    pub action: Action,
    /// The probability that the bot plays it.
    pub share: f64,
    /// The bot's estimate of the winning chance with it.
    pub win: f64,
}

/// Picks an action with the probability of its share.
pub fn pick(weighed: &[WeighedAction], rng: &mut Quick) -> Option<Action> {
    const STEPS: u32 = 1 << 24;
    let mut position =
        f64::from(rng.below(STEPS)) / f64::from(STEPS) * weighed.iter().map(|option| option.share).sum::<f64>();
    for option in weighed {
        if position < option.share {
            return Some(option.action);
        }
        position -= option.share;
    }
    // Shares are rounded: the remainder belongs to the last action with a positive share.
    weighed.iter().rfind(|option| option.share > 0.0).or(weighed.last()).map(|option| option.action)
}

/// All legal actions with the same probability, and the same winning chance for all seats: the fallback without
/// knowledge.
pub(crate) fn uniform(view: &View) -> Vec<WeighedAction> {
    let legal = view.legal();
    let share = 1.0 / f64::from(legal.len().max(1));
    let win = 1.0 / f64::from(view.parameters.players.count());
    legal.iter().map(|action| WeighedAction { action, share, win }).collect()
}

/// Sorts weighed actions in the order of the legal actions.
pub(crate) fn in_legal_order(legal: Legal, weighed: &[WeighedAction]) -> Vec<WeighedAction> {
    let find = |action| weighed.iter().find(|option| option.action == action).copied();
    legal.iter().filter_map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_picked_with_the_probability_of_their_share() {
        let shares = [0.0, 0.25, 0.0, 0.75, 0.0];
        let weighed: Vec<WeighedAction> = ["1@1", "2@1", "3@1", "4@1", "5@1"]
            .iter()
            .zip(shares)
            .map(|(action, share)| WeighedAction { action: action.parse().unwrap(), share, win: 0.5 })
            .collect();
        let mut rng = Quick::new(1);
        let picked: Vec<Action> = (0..4000).filter_map(|_| pick(&weighed, &mut rng)).collect();
        for (option, share) in weighed.iter().zip(shares) {
            let count = u32::try_from(picked.iter().filter(|&&action| action == option.action).count()).unwrap();
            assert!((f64::from(count) - 4000.0 * share).abs() < 120.0, "{:?}: {count}", option.action);
        }
        assert_eq!(pick(&[], &mut rng), None);
    }
}
