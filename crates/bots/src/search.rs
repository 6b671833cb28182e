//! The building blocks of the bots, also used by `sultan-analysis` and `sultan-lab`.
//!
//! No function here has access to a real game: the starting point is always the knowledge of one seat.
//!
//! | topic | type |
//! |---|---|
//! | the knowledge of a seat | [`Knowledge`], made from a `View` and a `Recall`; [`PublicState`] is its public part |
//! | values of jewels, winning chances | [`Outlook`], estimated by simple formulas |
//! | the probabilities of a seat's bids | [`BidMix`], computed by a [`Policy`] (nets) or a hand-written [`Character`] |
//! | the hidden cards of other seats | [`Belief`], inferred from their bids in the [`PublicHistory`] |
//! | a possible table with all its cards | [`World`]: the public information, and cards for every seat |
//! | the consequences of an action | [`Search`], which imagines tables and plays each of them to the end of the round |
//!
//! [`net`] contains the nets (small neural networks), [`math`] arithmetic with the same results on every machine.

pub(crate) mod belief;
pub(crate) mod character;
pub(crate) mod knowledge;
pub(crate) mod lookahead;
pub mod math;
pub(crate) mod mix;
pub mod net;
pub(crate) mod outlook;
pub(crate) mod policy;
pub(crate) mod rivals;
pub(crate) mod world;

pub use belief::{Belief, Guess, PublicHistory};
pub use character::Character;
pub use knowledge::{Knowledge, PublicState};
pub use lookahead::{EvaluatedOption, ImaginedTable, Search, shifted_to_better, temperature};
pub use mix::{BidMix, ByBid};
pub use outlook::Outlook;
pub use policy::{Policy, policy};
pub use world::{RoundContext, World};
