//! Bots: players made of code.
//!
//! A [`Bot`] decides from a `View` and a `Recall`: what its seat sees and may remember. No bot can be handed a real game.
//!
//! - `bot`: the trait, and the contract that every bot keeps.
//! - `levels`: the table [`LEVELS`] and one file for each level.
//! - [`search`]: what the levels think with; `sultan-analysis` (finished games, the coach) and `sultan-lab` (arena,
//!   training, solver) build on it.

mod bot;
mod levels;
pub mod search;

pub use bot::{Bot, Weighed, pick};
pub use levels::{
    DEFAULT_OPPONENT, DEFAULT_STAND_IN, LEVELS, Level, Mcts, NAMES, Offered, Random, Sultan, Vizier, WithNets, by_name,
};
pub use search::net::weights::{BadNets, Nets};
