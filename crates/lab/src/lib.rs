//! Research with bots: everything that no table needs.
//!
//! - [`arena`]: whole games between bots, the same ones from the same seed on any number of threads; results, ratings.
//! - [`train`](mod@train): makes the nets that `vizier` and `sultan` play with, and nets that learn to beat one bot.
//! - [`solve`](mod@solve): exact solutions of toy games.

pub mod arena;
pub mod solve;
pub mod train;
