//! The bot levels: one row for each in [`LEVELS`], one file for each in `levels/`.
//!
//! `random` to `jeweller` are written by hand: they do a fixed amount of work, a few microseconds per decision, and
//! ignore the time limit. `vizier` and `sultan` use nets; `vizier` rarely looks ahead, `sultan` always does. `mcts` is
//! a tree search without nets, for comparison.

mod handwritten;
pub(crate) mod jeweller;
mod mcts;
pub(crate) mod merchant;
pub(crate) mod page;
mod random;
mod sultan;
mod vizier;

pub(crate) use handwritten::known_to_nets;
pub(crate) use jeweller::{BidEvaluation, HARM_WEIGHT, RoundModel};
pub use mcts::Mcts;
pub use random::Random;
pub use sultan::Sultan;
pub use vizier::Vizier;

use handwritten::{JEWELLER, MERCHANT, PAGE};

use crate::{Bot, Nets};

/// A bot level.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The name in programs, stored games and on the command line.
    pub name: &'static str,
    /// Makes a bot of this level with the shipped nets, if it uses any.
    pub new: fn() -> Box<dyn Bot>,
    /// Makes a bot of this level with other nets. `None` if the level has no nets.
    pub with_nets: Option<fn(Nets) -> Box<dyn Bot>>,
    /// The approximate time per decision, compared with `random`. Tests play fewer games with slow levels.
    pub cost: u64,
    /// The lists that offer it to people.
    pub offered: Offered,
}

/// The lists that offer a level to people. Every level can be requested by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// On the pages and in the terminal.
    Everywhere,
    /// In the terminal only.
    InTerminal,
    /// In no list.
    Nowhere,
}

/// All levels, from the weakest to the strongest; levels in no list are last.
pub const LEVELS: &[Level] = &[
    Level { name: "random", new: || Box::new(Random), with_nets: None, cost: 1, offered: Offered::InTerminal },
    Level { name: "page", new: || Box::new(PAGE), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level { name: "merchant", new: || Box::new(MERCHANT), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level { name: "jeweller", new: || Box::new(JEWELLER), with_nets: None, cost: 4, offered: Offered::Everywhere },
    Level {
        name: "vizier",
        new: || Box::<Vizier>::default(),
        with_nets: Some(|nets| Box::new(Vizier::with_nets(nets))),
        cost: 10,
        offered: Offered::Everywhere,
    },
    Level {
        name: "sultan",
        new: || Box::<Sultan>::default(),
        with_nets: Some(|nets| Box::new(Sultan::with_nets(nets))),
        cost: 100,
        offered: Offered::Everywhere,
    },
    Level { name: "mcts", new: || Box::<Mcts>::default(), with_nets: None, cost: 100, offered: Offered::Nowhere },
];

/// The default level that acts for absent players.
pub const DEFAULT_STAND_IN: &str = "jeweller";

/// The opponent suggested to new players.
pub const DEFAULT_OPPONENT: &str = "merchant";

/// The names of all levels, in the order of [`LEVELS`].
pub const NAMES: [&str; LEVELS.len()] = {
    let mut names = [""; LEVELS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = LEVELS[index].name;
        index += 1;
    }
    names
};

impl Level {
    /// The level with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        LEVELS.iter().copied().find(|level| level.name == name)
    }

    /// The names of the levels offered on pages, weakest first.
    pub fn on_pages() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().filter(|level| level.offered == Offered::Everywhere).map(|level| level.name)
    }

    /// The names of the levels offered in the terminal, weakest first.
    pub fn in_terminal() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().filter(|level| level.offered != Offered::Nowhere).map(|level| level.name)
    }
}

/// A bot of the level with this name and the shipped nets.
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
        for (index, name) in NAMES.iter().enumerate() {
            assert!(!NAMES[..index].contains(name), "{name}");
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
