//! Building blocks of the end-to-end tests. Never shipped.

pub mod browser;
pub mod fault_injection;
pub mod faulty_node;
pub mod games;
pub mod kills;
mod time_limit;

pub use time_limit::run_with_limit;
