//! The contract of all bots, and the results of the nets.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod alike;
mod given;
mod legal;
mod nets;
