//! What tests, benches and fuzz targets share. Never shipped.

pub mod fuzz;
pub mod measured;
mod playout;

pub use playout::{Input, Moment, Script, action_space, played_on, random_moments, random_record, recall};
