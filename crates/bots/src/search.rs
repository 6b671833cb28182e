//! The parts that bots search with. `sultan-analysis` and `sultan-lab` build on them too.
//!
//! Nothing here can see a real game: everything starts from what one seat knows.
//!
//! | question | answer |
//! |---|---|
//! | What does a seat know? | [`Known`], made from a `View` and a `Recall`; [`Public`] is the part that everybody knows |
//! | What is a jewel worth, and who is ahead? | [`Outlook`], rules of thumb |
//! | How may a seat bid? | [`BidMix`]; a [`Character`] computes one by hand, a [`Policy`] with nets where there are any |
//! | What may the others hold? | [`Belief`], from how they bid in the [`PublicHistory`] |
//! | What may the whole table look like? | [`World`]: what everybody knows, and cards for every seat |
//! | Where does an action lead? | [`Search`], which imagines tables and plays the round out at each |
//!
//! [`net`] has the nets themselves and [`math`] arithmetic that gives the same bits on every machine.

pub(crate) mod belief;
pub(crate) mod character;
pub(crate) mod known;
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
pub use known::{Known, Public};
pub use lookahead::{Found, Imagined, Search, calm, shifted};
pub use mix::{BidMix, ByBid};
pub use outlook::Outlook;
pub use policy::{Policy, policy};
pub use world::{Common, World};
