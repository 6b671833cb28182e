//! `random`: plays any legal action, each with the same probability.

use sultan_domain::{Action, Recall, View};
use sultan_rules::Quick;

use crate::bot::even;
use crate::{Bot, WeighedAction};

/// Plays each legal action with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Bot for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        even(view)
    }

    fn choose(&self, view: &View, _: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Option<Action> {
        view.legal().pick(chance)
    }
}
