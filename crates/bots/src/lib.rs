//! Bots: computer players.
//!
//! A [`Bot`] decides from the `View` and `Recall` of its seat. It cannot get a real game.
//!
//! - `bot`: the trait and its contract.
//! - `levels`: the table [`LEVELS`] and one file for each level.
//! - [`search`]: the building blocks of the levels, also used by `sultan-analysis` (finished games, the coach) and
//!   `sultan-lab` (arena, training, solver).
//! - `parallel`: [`run_in_order`], the threads of these two crates.

mod bot;
mod levels;
mod parallel;
pub mod search;

pub use bot::{Bot, WeighedAction, pick};
pub use levels::{
    DEFAULT_OPPONENT, DEFAULT_STAND_IN, LEVELS, Level, Mcts, NAMES, Offered, Random, Sultan, Vizier, by_name,
};
pub use parallel::run_in_order;
pub use search::net::weights::{BadNets, Nets};
