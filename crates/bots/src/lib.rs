//! Players made of code, and the arena in which they meet.
//!
//! A [`Bot`] is asked with a `View` and a `Recall`: what its seat sees and may remember. No bot can be handed a real
//! game. [`arena`] plays whole games between bots, the same ones from the same seed whatever the number of threads.
//! [`train`](mod@train) makes the nets of [`Vizier`] and [`Sultan`]. [`solve`](mod@solve) solves toy games exactly.

pub mod analysis;
pub mod arena;
mod belief;
mod bot;
mod heuristic;
mod known;
mod mcts;
mod net;
mod outlook;
mod random;
mod rivals;
pub mod solve;
mod sultan;
pub mod train;
mod vizier;
mod world;

pub use bot::{Bot, NAMES, Weighed, by_name, pick};
pub use heuristic::{Jeweller, Merchant, Page};
pub use mcts::Mcts;
pub use net::weights::{BadNets, Nets};
pub use random::Random;
pub use sultan::Sultan;
pub use vizier::Vizier;
