//! What tests, benches and fuzz targets share. Never shipped.

pub mod fuzz;
pub mod paths;
mod playout;

pub use playout::{Input, Moment, Script, action_space, random_moments, random_record, recall};
