//! The [`Bot`] trait and its contract.

use serde::Serialize;
use sultan_domain::{Action, Chance, Recall, View};
use sultan_rules::FastRng;

/// A computer player.
///
/// The method signatures guarantee that a bot cannot cheat. A bot gets only the view of its seat (the table as that
/// seat sees it now) and the recall (all finished rounds as that seat saw them), never the game with its hidden cards.
/// The same view, recall and random numbers give the same result, unless `stop` ends the decision early.
pub trait Bot: Send + Sync {
    /// The level's name.
    fn name(&self) -> &'static str;

    /// Returns every legal action once, with its probability and winning chance. The probabilities add up to 1. The
    /// list is empty only if no action is legal.
    ///
    /// `stop` returns whether the time limit is reached. A slow bot calls `stop` regularly, and returns soon after the
    /// first `true`.
    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction>;

    /// Chooses a legal action; `None` only if no action is legal.
    fn choose(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Option<Action> {
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

/// Picks a random action, each with the probability `share`.
pub fn pick(weighed: &[WeighedAction], rng: &mut FastRng) -> Option<Action> {
    /// The number of different random points.
    const STEPS: u32 = 1 << 24;
    let share_sum = weighed.iter().map(|option| option.share).sum::<f64>();
    // A random point between 0 and the sum of all shares, in which the shares follow one another.
    let mut position = f64::from(rng.below(STEPS)) / f64::from(STEPS) * share_sum;
    for option in weighed {
        if position < option.share {
            return Some(option.action);
        }
        position -= option.share;
    }
    // The subtractions are rounded, so the point may be beyond the last share: pick the last possible action.
    weighed.iter().rfind(|option| option.share > 0.0).or(weighed.last()).map(|option| option.action)
}

/// All legal actions with the same probability, and an equal winning chance for every player. Used by `random`, and by
/// the other bots if view and recall contradict each other.
pub(crate) fn uniform(view: &View) -> Vec<WeighedAction> {
    let legal = view.legal();
    let share = 1.0 / f64::from(legal.len().max(1));
    let win = 1.0 / f64::from(view.parameters.players.count());
    legal.iter().map(|action| WeighedAction { action, share, win }).collect()
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
        let mut rng = FastRng::new(1);
        let picked: Vec<Action> = (0..4000).filter_map(|_| pick(&weighed, &mut rng)).collect();
        for (option, share) in weighed.iter().zip(shares) {
            let count = u32::try_from(picked.iter().filter(|&&action| action == option.action).count()).unwrap();
            let expected = 4000.0 * share;
            // 120 is more than four standard deviations.
            assert!((f64::from(count) - expected).abs() < 120.0, "{:?}: picked {count} times", option.action);
        }
        assert_eq!(pick(&[], &mut rng), None);
    }
}
