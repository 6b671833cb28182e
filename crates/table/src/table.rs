//! A table: its options, its seats and its game.
//!
//! A [`Table`] changes only through [`Table::apply`], which takes one stored event at a time: the same function
//! rebuilds a table from its history and changes the live one. The fields are private to `state`, so the decisions in
//! `seating`, `actions` and `opening` cannot bypass it.

mod actions;
mod occupant;
mod opening;
mod play;
mod seating;
mod state;
mod status;

pub(crate) use occupant::{Occupant, Occupants};
pub use opening::MAX_SECONDS_PER_ACTION;
pub(crate) use opening::opening_record;
pub(crate) use play::{Play, Position};
pub(crate) use state::Table;
