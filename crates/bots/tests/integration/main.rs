//! The contract of all bots, and the results of the nets.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod indistinguishable;
mod inputs;
mod legal;
mod nets;
