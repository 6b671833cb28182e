//! Bots: computer players.
//!
//! A [`Bot`] decides from the `View` of its seat (the table as that seat sees it now) and the `Recall` (all finished
//! rounds as that seat saw them). It never gets the real game with its hidden cards.
//!
//! - `bot`: the trait and its contract.
//! - `levels`: the table [`LEVELS`] and one file for each level.
//! - [`search`]: the building blocks of the levels, also used by `sultan-analysis` (finished games, the coach) and
//!   `sultan-lab` (arena, training, solver).
//! - `parallel`: [`run_in_order`], which runs the work of these two crates on several threads.

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
