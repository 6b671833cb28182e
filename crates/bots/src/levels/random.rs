//! `random`: plays any legal action, each with the same probability.

use sultan_domain::{Action, Recall, View};
use sultan_rules::FastRng;

use crate::bot::uniform;
use crate::{Bot, WeighedAction};

/// Plays each legal action with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Bot for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut FastRng, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        uniform(view)
    }

    fn choose(&self, view: &View, _: &Recall, rng: &mut FastRng, _: &dyn Fn() -> bool) -> Option<Action> {
        // Faster than the default method, which lists all actions.
        view.legal().pick(rng)
    }
}
