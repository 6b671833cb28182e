//! A bot that wants a game instead of a view.

use sultan_bots::{Bot, Weighed};
use sultan_domain::Recall;
use sultan_rules::{Game, Quick};

struct Cheat;

impl Bot for Cheat {
    fn name(&self) -> &'static str {
        "cheat"
    }

    fn weigh(&self, _: &Game, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        Vec::new()
    }
}

fn main() {}
