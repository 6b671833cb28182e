//! Small nets: what a table is worth, where to bid, what to offer.
//!
//! Read `facts` (what they are told), `layers` (how they compute), `brain` (what they are asked), `weights` (the
//! shipped ones, and their file).

pub(crate) mod brain;
pub(crate) mod facts;
pub(crate) mod layers;
pub(crate) mod weights;
