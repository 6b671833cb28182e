//! Bots that look for the game behind what they were given.

use sultan_bots::{Bot, Weighed};
use sultan_domain::{Recall, Seat, View};
use sultan_rules::Quick;

struct ByField;

impl Bot for ByField {
    fn name(&self) -> &'static str {
        "by field"
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let View { game, .. } = view;
        drop(game);
        Vec::new()
    }
}

struct ByMethod;

impl Bot for ByMethod {
    fn name(&self) -> &'static str {
        "by method"
    }

    fn weigh(&self, view: &View, recall: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        view.game();
        recall.hand(Seat::default());
        Vec::new()
    }
}

fn main() {}
