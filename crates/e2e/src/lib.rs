//! Building blocks of the end-to-end tests. Never shipped.

pub mod broken;
pub mod browser;
pub mod games;
pub mod kills;
pub mod storm;
mod within;

pub use within::within;
