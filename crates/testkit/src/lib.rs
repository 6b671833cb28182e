//! Helpers shared by tests, benches and fuzz targets. Never shipped.

mod alike;
pub mod binary;
mod edit;
pub mod fuzz;
pub mod measured;
mod must;
mod other_world;
mod playout;
mod verdict;
mod watched;

// Helpers for stores, tables and servers.
#[cfg(feature = "tables")]
mod backend;
#[cfg(feature = "tables")]
mod fake_time;
#[cfg(feature = "tables")]
mod house;
#[cfg(feature = "tables")]
pub mod http;
#[cfg(feature = "tables")]
mod meddled;
#[cfg(feature = "tables")]
mod postgres;
#[cfg(feature = "site")]
pub mod recorded;
#[cfg(feature = "site")]
pub mod served;
#[cfg(feature = "tables")]
pub mod server;
#[cfg(feature = "site")]
pub mod site;
#[cfg(feature = "tables")]
mod skip;
#[cfg(feature = "tables")]
pub mod socket;
#[cfg(feature = "tables")]
pub mod store_story;
#[cfg(feature = "tls")]
pub mod tls;

pub use alike::{alike, other_card};
pub use edit::{Edit, edited};
pub use must::{everything_is_tested, must_be_there};
pub use other_world::other_world;
pub use playout::{
    Input, Moment, Script, action_space, after, played_on, random_moments, random_record, random_record_with, recall,
};
pub use sultan_rules::{Chance, Quick};
pub use verdict::faults;
pub use watched::{Watched, people};

#[cfg(feature = "tables")]
pub use backend::{Backend, folder_for_databases};
#[cfg(feature = "tables")]
pub use fake_time::{FakeTime, counted};
#[cfg(feature = "tables")]
pub use house::{House, Player, in_time, is_over, nothing_new, told_now, value};
#[cfg(feature = "tables")]
pub use meddled::{Held, Meddled, Meddler};
#[cfg(feature = "tables")]
pub use postgres::{Postgres, Stop, loopback};
#[cfg(feature = "tables")]
pub use skip::postgres_or_skip;
