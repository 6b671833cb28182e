//! Judges finished games, and advises players during one.
//!
//! Every decision is judged by what its seat knew: `consider` gets a `View` and a `Recall`, as a bot does, so nothing
//! hidden can play a part. `docs/analysis.md` explains the method, the numbers and how far they can be trusted.
//!
//! - `run`: [`analyse`], a whole game on several threads.
//! - `consider`: one decision and all its options. `ends` counts out the last round, `playout` plays games on.
//! - `why`: the reason why one option is better than another.
//! - `open`: everybody's chance to win with all cards open.
//! - `split`: luck and skill, from the changes of these chances.
//! - `coach`: [`hint`] and [`may_hold`], for a game that is still being played.
//! - `spread`: means and their standard errors.

mod coach;
mod consider;
mod ends;
mod open;
mod playout;
mod run;
mod split;
mod spread;
mod why;

pub use coach::{hint, may_hold};
pub use run::{AnalysisError, Plan, Watch, analyse};

use sultan_rules::Quick;

/// A source of chance of its own for everything that is looked at, so that no number depends on what was looked at
/// before.
const fn chance_for(seed: u64, what: u64) -> Quick {
    // The last steps of SplitMix64: neighbouring numbers become unlike.
    let mut mixed = seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Quick::new(mixed ^ (mixed >> 31))
}
