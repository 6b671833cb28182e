//! A bot that wants a game besides what its seat sees and remembers.

use sultan_bots::{Bot, Weighed};
use sultan_domain::{Action, Recall, View};
use sultan_rules::{Game, Quick};

struct Cheat;

impl Bot for Cheat {
    fn name(&self) -> &'static str {
        "cheat"
    }

    fn weigh(&self, _: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        Vec::new()
    }

    fn choose(&self, _: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool, _: &Game) -> Option<Action> {
        None
    }
}

fn main() {}
