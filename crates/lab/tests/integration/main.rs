//! Tests of the arena, the solver and training.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod arena;
mod solve;
mod training;
