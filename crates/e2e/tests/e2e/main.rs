//! Tests that need a browser, several nodes on a real Postgres server, a terminal, or more than a few seconds.
//!
//! A test whose required program is not installed is skipped with a message; with `CI=true` it fails.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod browser;
mod crowd;
mod faults;
mod hosting;
mod kills;
mod ladder;
mod machine;
mod play;
mod verify_in_page;

/// The program under test: `sultan`, built by this package.
const SULTAN: &str = env!("CARGO_BIN_EXE_sultan-e2e");
