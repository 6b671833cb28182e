//! Judges the decisions of finished games, separates luck from skill, and advises players during a game.
//!
//! Every decision is judged by the knowledge of its seat: like a bot, `consider` gets a `View` and a `Recall`, so
//! hidden information cannot affect the result. `docs/analysis.md` explains the method, the numbers and their accuracy.
//!
//! - `run`: [`analyse`] analyses a whole game on several threads.
//! - `consider`: evaluates all options of one decision. `ends` enumerates the last round, `playout` plays games to
//!   their end.
//! - `reason`: finds the reason why one option is better than another.
//! - `open`: estimates the winning chances of all seats with all cards open.
//! - `split`: computes luck and skill from the changes of these chances.
//! - `coach`: [`hint`] and [`may_hold`] advise a player during a game.
//! - `estimate`: computes means and their standard errors.

mod coach;
mod consider;
mod ends;
mod estimate;
mod open;
mod playout;
mod reason;
mod run;
mod split;

pub use coach::{hint, may_hold};
pub use run::{AnalysisError, Plan, Watch, analyse};

use sultan_rules::FastRng;

/// The random generator for one evaluation. Every evaluation has its own generator, selected by `number`, so that no
/// result depends on other evaluations.
const fn rng_for(seed: u64, number: u64) -> FastRng {
    // The final steps of SplitMix64, which make the generators of consecutive numbers independent.
    let mut mixed = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    FastRng::new(mixed ^ (mixed >> 31))
}
