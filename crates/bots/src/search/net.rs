//! The nets: what a table is worth, where to bid, what to offer.
//!
//! Read `facts` (the inputs), `layers` (how a net computes), `brain` (the three nets and the questions they answer) and
//! `weights` (the shipped nets and their file format). How nets learn is in `sultan-lab`.

pub(crate) mod brain;
pub(crate) mod facts;
pub(crate) mod layers;
pub(crate) mod weights;

pub use brain::{
    Appraisal, BidThought, Brain, FIRST_HINT, JEWELLER_SCORE, OfferMix, OfferThought, Worth, offer_without,
};
pub use facts::{FactSet, Facts, SharedFacts, shared_facts};
pub use layers::{Activations, NARROW, Net, OUT, Shape, Sums, WIDE};
