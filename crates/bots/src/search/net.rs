//! The nets: small neural networks that estimate the value of a table and the probabilities of bids and offers.
//!
//! Read `features` (the inputs), `layers` (the arithmetic), `net_set` (the three nets and their outputs) and `weights`
//! (the shipped nets and their file format) in this order. Training is in `sultan-lab`.

pub(crate) mod features;
pub(crate) mod layers;
pub(crate) mod net_set;
pub(crate) mod weights;

pub use features::{FeatureSet, Features, SharedFeatures, shared_features};
pub use layers::{Activations, NARROW, Net, OUT, Shape, Sums, WIDE, add};
pub use net_set::{Appraisal, BidTrace, FIRST_HINT, JEWELLER_SCORE, NetSet, OfferMix, OfferTrace, SeatValue};
