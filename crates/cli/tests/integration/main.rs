//! Tests of the `sultan` program as a process.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod analyze;
mod arena;
mod cli;
mod documents;
mod engine;
mod examples;
mod manual;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod settings;
mod train;
