//! The bot levels: one row for each in [`LEVELS`], one file for each in `levels/`.
//!
//! `random` to `jeweller` are written by hand: they do a fixed amount of work, a few microseconds for each decision, and
//! never ask whether their time is up. `vizier` and `sultan` ask their nets and look ahead with them, `vizier` seldom,
//! `sultan` always. `mcts` is a tree search without nets, for comparison.

mod by_hand;
pub(crate) mod jeweller;
mod mcts;
pub(crate) mod merchant;
pub(crate) mod page;
mod random;
mod sultan;
mod vizier;

pub(crate) use by_hand::known_to_nets;
pub(crate) use jeweller::{Bidding, GRUDGE, Thought};
pub use mcts::Mcts;
pub use random::Random;
pub use sultan::Sultan;
pub use vizier::Vizier;

use by_hand::{JEWELLER, MERCHANT, PAGE};

use crate::{Bot, Nets};

/// A bot level: everything the rest of the program needs to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The name by which programs, stored games and the command line know it.
    pub name: &'static str,
    /// Makes a bot of this level as it is shipped.
    pub new: fn() -> Box<dyn Bot>,
    /// Makes a bot of this level with other nets, under the given name. `None` if the level has no nets.
    pub with_nets: Option<WithNets>,
    /// How long a decision takes compared with `random`, roughly. Tests play fewer games with slow levels.
    pub cost: u64,
    /// Where people can pick it from a list.
    pub offered: Offered,
}

/// Makes a bot that plays with these nets under this name.
pub type WithNets = fn(Nets, &'static str) -> Box<dyn Bot>;

/// Where people can pick a level from a list. By its name, every level can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// On the pages and in the terminal.
    Everywhere,
    /// In the terminal only.
    InTerminal,
    /// Nowhere.
    Nowhere,
}

/// All levels, from the weakest to the strongest; those that are not offered come last.
pub const LEVELS: &[Level] = &[
    Level { name: "random", new: || Box::new(Random), with_nets: None, cost: 1, offered: Offered::InTerminal },
    Level { name: "page", new: || Box::new(PAGE), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level { name: "merchant", new: || Box::new(MERCHANT), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level { name: "jeweller", new: || Box::new(JEWELLER), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level {
        name: "vizier",
        new: || Box::<Vizier>::default(),
        with_nets: Some(|nets, name| Box::new(Vizier::with(nets, name))),
        cost: 10,
        offered: Offered::Everywhere,
    },
    Level {
        name: "sultan",
        new: || Box::<Sultan>::default(),
        with_nets: Some(|nets, name| Box::new(Sultan::with(nets, name))),
        cost: 100,
        offered: Offered::Everywhere,
    },
    Level { name: "mcts", new: || Box::<Mcts>::default(), with_nets: None, cost: 100, offered: Offered::Nowhere },
];

/// The level that acts for absent players unless somebody chose another.
pub const DEFAULT_STAND_IN: &str = "jeweller";

/// The level that is proposed as an opponent to somebody who has not chosen one yet.
pub const DEFAULT_OPPONENT: &str = "merchant";

/// The names of all levels, in the order of [`LEVELS`].
pub const NAMES: [&str; LEVELS.len()] = {
    let mut names = [""; LEVELS.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = LEVELS[place].name;
        place += 1;
    }
    names
};

impl Level {
    /// The level with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        LEVELS.iter().copied().find(|level| level.name == name)
    }

    /// The names of the levels that pages offer, the gentlest first.
    pub fn on_pages() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().filter(|level| level.offered == Offered::Everywhere).map(|level| level.name)
    }

    /// The names of the levels that the terminal offers, the gentlest first.
    pub fn in_terminal() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().filter(|level| level.offered != Offered::Nowhere).map(|level| level.name)
    }
}

/// A bot of the level with this name, as it is shipped.
#[must_use]
pub fn by_name(name: &str) -> Option<Box<dyn Bot>> {
    Level::find(name).map(|level| (level.new)())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_makes_a_bot_of_its_name() {
        for level in LEVELS {
            assert_eq!((level.new)().name(), level.name);
            assert_eq!(by_name(level.name).map(|bot| bot.name()), Some(level.name));
        }
        assert!(by_name("Random").is_none());
    }

    #[test]
    fn level_names_are_unique_and_defaults_are_offered_everywhere() {
        for (place, name) in NAMES.iter().enumerate() {
            assert!(!NAMES[..place].contains(name), "{name}");
        }
        for default in [DEFAULT_STAND_IN, DEFAULT_OPPONENT] {
            assert!(Level::on_pages().any(|name| name == default));
        }
    }

    #[test]
    fn the_terminal_offers_every_level_of_the_pages_and_random() {
        assert!(Level::on_pages().all(|level| Level::in_terminal().any(|other| other == level)));
        assert_eq!(Level::in_terminal().next(), Some("random"));
        assert!(Level::on_pages().all(|level| level != "random"));
        assert!(Level::in_terminal().all(|level| level != "mcts"));
    }
}
