//! Whatever needs a browser, several nodes on a real Postgres, a terminal, or more than a few seconds.
//!
//! Tests for which a program is missing say so and do nothing; with `CI=true` they fail.
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
