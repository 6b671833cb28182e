//! What a bot is, and which there are.

use sultan_domain::{Action, Recall, View};
use sultan_rules::Quick;

use crate::Random;

/// A player made of code.
///
/// The signature is the guard: a bot gets what its seat sees and may remember, never a game. With the same view,
/// memory and chance it answers the same, unless it is stopped early.
pub trait Bot: Send + Sync {
    /// The name by which it is asked for.
    fn name(&self) -> &'static str;

    /// Chooses one of the legal actions; none only where there is none.
    ///
    /// A bot that thinks long asks `stop` now and then, and answers at once when it says so.
    fn choose(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Action>;
}

/// The names of all bots.
pub const NAMES: [&str; 1] = ["random"];

/// The bot with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<Box<dyn Bot>> {
    match name {
        "random" => Some(Box::new(Random)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_bot() {
        for name in NAMES {
            assert_eq!(by_name(name).map(|bot| bot.name()), Some(name));
        }
        assert!(by_name("Random").is_none());
    }
}
