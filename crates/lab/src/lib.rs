//! Research with bots, not used by running tables.
//!
//! - [`arena`]: games between bots, reproducible from a seed on any number of threads; results, ratings.
//! - [`train`](mod@train): trains the nets of `vizier` and `sultan`, and nets that beat a given bot.
//! - [`solve`](mod@solve): exact solutions of toy games.

pub mod arena;
pub mod solve;
pub mod train;
