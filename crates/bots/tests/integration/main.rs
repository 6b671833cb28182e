//! What every bot must keep to, and what the nets think.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod alike;
mod given;
mod legal;
mod nets;
