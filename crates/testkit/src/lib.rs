//! What tests, benches and fuzz targets share. Never shipped.

mod budget;
mod edit;
pub mod fuzz;
pub mod http;
pub mod kills;
pub mod measured;
mod other_world;
mod playout;
pub mod server;
mod watched;

pub use budget::affordable;
pub use edit::{Edit, edited};
pub use other_world::other_world;
pub use playout::{Input, Moment, Script, action_space, played_on, random_moments, random_record, recall};
pub use watched::{Watched, people};
