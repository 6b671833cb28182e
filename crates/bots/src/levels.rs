//! The bot levels: each has one row in [`LEVELS`] and one file in `levels/`.
//!
//! The rules of `random`, `page`, `merchant` and `jeweller` are written by hand: they need a few microseconds per
//! decision, and ignore the time limit. `vizier` and `sultan` use nets (small neural networks); `vizier` rarely looks
//! ahead, `sultan` always does. `mcts` (Monte Carlo tree search) uses no nets, and exists for comparison only.

mod handwritten;
pub(crate) mod jeweller;
mod mcts;
pub(crate) mod merchant;
pub(crate) mod page;
mod random;
mod sultan;
mod vizier;

pub(crate) use handwritten::weigh_with_nets;
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
    /// Makes a bot of this level with other nets than the shipped ones. `None` if the level uses no nets.
    pub with_nets: Option<fn(Nets) -> Box<dyn Bot>>,
    /// The approximate time per decision, as a multiple of the time of `random`. Tests play fewer games with slow
    /// levels.
    pub cost: u64,
    /// The lists in which people can choose this level.
    pub offered: Offered,
}

/// The lists in which people can choose a level. The API and the command line accept the name of every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// On the pages and in the terminal.
    Everywhere,
    /// In the terminal only.
    InTerminal,
    /// In no list.
    Nowhere,
}

/// All levels, from the weakest to the strongest. Levels that are offered nowhere are last.
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

/// The level that plays for absent players, unless a table chooses another level.
pub const DEFAULT_STAND_IN: &str = "jeweller";

/// The level of the opponents that is preselected for a new table.
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
    /// The level with this name; `None` if there is no such level.
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

/// A bot of the level with this name and the shipped nets; `None` if there is no such level.
#[must_use]
pub fn by_name(name: &str) -> Option<Box<dyn Bot>> {
    Level::find(name).map(|level| (level.new)())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_makes_a_bot_with_the_name_of_the_level() {
        for level in LEVELS {
            assert_eq!((level.new)().name(), level.name);
            assert_eq!(by_name(level.name).map(|bot| bot.name()), Some(level.name));
        }
        // Names are case-sensitive.
        assert!(by_name("Random").is_none());
    }

    #[test]
    fn level_names_are_unique_and_defaults_are_offered_everywhere() {
        for (index, name) in NAMES.iter().enumerate() {
            assert!(!NAMES[..index].contains(name), "two levels have the name {name}");
        }
        for default in [DEFAULT_STAND_IN, DEFAULT_OPPONENT] {
            assert!(Level::on_pages().any(|name| name == default), "{default} is not offered on pages");
        }
    }

    #[test]
    fn the_terminal_offers_random_and_every_level_offered_on_pages() {
        assert!(Level::on_pages().all(|name| Level::in_terminal().any(|in_terminal| in_terminal == name)));
        assert_eq!(Level::in_terminal().next(), Some("random"));
        assert!(Level::on_pages().all(|name| name != "random"));
        assert!(Level::in_terminal().all(|name| name != "mcts"));
    }
}
