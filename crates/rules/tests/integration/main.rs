//! The rules: each by its number, and what holds in every game.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod chance;
mod contradictions;
mod index;
mod playthroughs;
mod properties;
mod rules;
mod secrecy;
mod sight;
mod view;
