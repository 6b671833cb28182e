//! Players made of code, and the arena in which they meet.
//!
//! A [`Bot`] is asked with a `View` and a `Recall`: what its seat sees and may remember. No bot can be handed a real
//! game. [`arena`] plays whole games between bots, the same ones from the same seed whatever the number of threads.
//! [`train`](mod@train) makes the nets of [`Vizier`] and [`Sultan`]. [`solve`](mod@solve) solves toy games exactly.

// What a bot is, and what it thinks with.
mod bot;
mod character;
mod known;
mod math;
mod mix;
mod outlook;
mod rivals;
mod world;

// The levels, from the weakest on: `random`, those of `heuristic`, `vizier` and `sultan`. These two ask their nets
// (`net`) and look ahead with them (`mind`) and with what they believe of the others (`belief`): `vizier` seldom,
// `sultan` always. `mcts` is there for comparison.
mod belief;
mod heuristic;
mod mcts;
mod mind;
mod net;
mod random;
mod sultan;
mod vizier;

// Which there are.
mod names;

// What is done with them.
pub mod analysis;
pub mod arena;
pub mod solve;
pub mod train;

pub use bot::{Bot, Weighed, pick};
pub use heuristic::{Jeweller, Merchant, Page};
pub use mcts::Mcts;
pub use names::{NAMES, by_name};
pub use net::weights::{BadNets, Nets};
pub use random::Random;
pub use sultan::Sultan;
pub use vizier::Vizier;
