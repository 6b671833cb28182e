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

// What `vizier` and `sultan` look ahead with: their nets, and what they believe of the others.
mod belief;
mod mind;
mod net;

// The players.
mod levels;

// What is done with them.
pub mod analysis;
pub mod arena;
pub mod solve;
pub mod train;

pub use bot::{Bot, Weighed, pick};
pub use levels::{
    DEFAULT_OPPONENT, DEFAULT_STAND_IN, Jeweller, LEVELS, Level, Mcts, Merchant, NAMES, Offered, Page, Random, Sultan,
    Vizier, WithNets, by_name,
};
pub use net::weights::{BadNets, Nets};
