//! The nets: values of tables, probabilities of bids and offers.
//!
//! Read `facts` (the inputs), `layers` (the arithmetic), `brain` (the three nets and their outputs) and `weights` (the
//! shipped nets and their file format). Training is in `sultan-lab`.

pub(crate) mod brain;
pub(crate) mod facts;
pub(crate) mod layers;
pub(crate) mod weights;

pub use brain::{Appraisal, BidTrace, Brain, FIRST_HINT, JEWELLER_SCORE, OfferMix, OfferTrace, Worth};
pub use facts::{FactSet, Facts, SharedFacts, shared_facts};
pub use layers::{Activations, NARROW, Net, OUT, Shape, Sums, WIDE, add};
