//! Tests of the rules by number, and of properties of all games.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod chance;
mod contradictions;
mod playthroughs;
mod properties;
mod rule_numbers;
mod rules;
mod secrecy;
mod view;
mod visibility;
