//! The [`Bot`] trait and the contract that every level keeps.

use sultan_domain::{Action, Chance, Legal, Recall, View};
use sultan_rules::Quick;

/// A player made of code.
///
/// The signature is the guard: a bot gets what its seat sees and may remember, never a game. With the same view,
/// memory and chance it answers the same, unless it is stopped early.
pub trait Bot: Send + Sync {
    /// The name by which it is asked for.
    fn name(&self) -> &'static str;

    /// Weighs the legal actions: how often it means to play each, and what it thinks of it. All legal actions are
    /// there, each once; the shares add up to 1. Empty only where there is nothing to do.
    ///
    /// A bot that thinks long asks `stop` now and then, and answers at once when it says so.
    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed>;

    /// Chooses one of the legal actions; none only where there is none.
    fn choose(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Action> {
        pick(&self.weigh(view, recall, chance, stop), chance)
    }
}

/// One legal action in a bot's eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// The action.
    pub action: Action,
    /// How often the bot means to play it, from 0 to 1.
    pub share: f64,
    /// The chance to win the game with it, as the bot sees it.
    pub win: f64,
}

/// Picks an action, each as likely as its share.
pub fn pick(weighed: &[Weighed], chance: &mut Quick) -> Option<Action> {
    const STEPS: u32 = 1 << 24;
    let mut at = f64::from(chance.below(STEPS)) / f64::from(STEPS) * weighed.iter().map(|one| one.share).sum::<f64>();
    for one in weighed {
        if at < one.share {
            return Some(one.action);
        }
        at -= one.share;
    }
    // Sums of shares are rounded: what is left over belongs to the last that is played at all.
    weighed.iter().rfind(|one| one.share > 0.0).or(weighed.last()).map(|one| one.action)
}

/// All legal actions, each as often as the others, and everybody as likely to win: where nothing is known.
pub(crate) fn even(view: &View) -> Vec<Weighed> {
    let legal = view.legal();
    let share = 1.0 / f64::from(legal.len().max(1));
    let win = 1.0 / f64::from(view.parameters.players.count());
    legal.iter().map(|action| Weighed { action, share, win }).collect()
}

/// The same in the order of the legal actions.
pub(crate) fn in_order(legal: Legal, weighed: &[Weighed]) -> Vec<Weighed> {
    let find = |action| weighed.iter().find(|one| one.action == action).copied();
    legal.iter().filter_map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pick_follows_the_given_probabilities() {
        let shares = [0.0, 0.25, 0.0, 0.75, 0.0];
        let weighed: Vec<Weighed> = ["1@1", "2@1", "3@1", "4@1", "5@1"]
            .iter()
            .zip(shares)
            .map(|(action, share)| Weighed { action: action.parse().unwrap(), share, win: 0.5 })
            .collect();
        let mut chance = Quick::new(1);
        let picked: Vec<Action> = (0..4000).filter_map(|_| pick(&weighed, &mut chance)).collect();
        for (one, share) in weighed.iter().zip(shares) {
            let count = u32::try_from(picked.iter().filter(|&&action| action == one.action).count()).unwrap();
            assert!((f64::from(count) - 4000.0 * share).abs() < 120.0, "{:?}: {count}", one.action);
        }
        assert_eq!(pick(&[], &mut chance), None);
    }
}
