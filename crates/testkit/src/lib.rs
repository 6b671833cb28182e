//! Helpers shared by the tests, benches and fuzz targets of all crates. Not a part of the shipped program.

pub mod bench_games;
pub mod binary;
pub mod fuzz;
mod indistinguishable;
mod playout;
mod record_faults;
mod skip;
mod test_game;
mod text_edits;
mod view_text;

// Helpers for stores, tables and servers.
#[cfg(feature = "tables")]
mod backend;
#[cfg(feature = "tables")]
mod fake_time;
#[cfg(feature = "tables")]
mod faulty_store;
#[cfg(feature = "tables")]
pub mod http;
#[cfg(feature = "tables")]
mod postgres;
#[cfg(feature = "site")]
pub mod recorded;
#[cfg(feature = "tables")]
pub mod server;
#[cfg(feature = "site")]
pub mod site;
#[cfg(feature = "tables")]
pub mod socket;
#[cfg(feature = "tables")]
pub mod store_contract;
#[cfg(feature = "site")]
pub mod test_server;
#[cfg(feature = "tables")]
mod test_service;
#[cfg(feature = "tls")]
pub mod tls;

pub use indistinguishable::{indistinguishable_script, indistinguishable_seeds, with_other_card};
pub use playout::{
    Input, Moment, Script, action_space, play_action, play_to_end, random_moments, random_record, random_record_of,
    recall,
};
pub use record_faults::record_faults;
pub use skip::{is_ci, skip_or_fail};
pub use sultan_rules::{Chance, FastRng};
pub use test_game::{TestGame, sample_people};
pub use text_edits::{Edit, apply_edits};
pub use view_text::{round_text, view_text};

#[cfg(feature = "tables")]
pub use backend::{Backend, database_folder};
#[cfg(feature = "tables")]
pub use fake_time::{FakeTime, deterministic_bytes};
#[cfg(feature = "tables")]
pub use faulty_store::{FaultyStore, GatedStore, StoreOverrides};
#[cfg(feature = "tables")]
pub use postgres::{Postgres, StopMode, loopback_addresses, postgres_or_skip};
#[cfg(feature = "tables")]
pub use test_service::{Player, TestService, in_time, is_over, is_up_to_date, next_ready, parse_view};
