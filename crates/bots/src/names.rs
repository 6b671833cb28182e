//! Which bots there are.

use crate::{Bot, Jeweller, Mcts, Merchant, Page, Random, Sultan, Vizier};

/// The names of all bots.
pub const NAMES: [&str; 7] = ["random", "page", "merchant", "jeweller", "vizier", "sultan", "mcts"];

/// The bot with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<Box<dyn Bot>> {
    match name {
        "random" => Some(Box::new(Random)),
        "page" => Some(Box::new(Page)),
        "merchant" => Some(Box::new(Merchant)),
        "jeweller" => Some(Box::new(Jeweller)),
        "vizier" => Some(Box::<Vizier>::default()),
        "sultan" => Some(Box::<Sultan>::default()),
        "mcts" => Some(Box::<Mcts>::default()),
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
