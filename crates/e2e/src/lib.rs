//! What end-to-end tests are made of. Never shipped.

pub mod broken;
pub mod browser;
mod within;

pub use within::within;
