//! How a game ended: points, and places that equals share.

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Collection, Seat};

/// One seat's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The seat.
    pub seat: Seat,
    /// What it collected.
    pub jewels: Collection,
    /// Points for the jewels themselves (RULES 5.2).
    pub jewel_points: u16,
    /// Bonus points (RULES 5.3, 5.4).
    pub bonus: u16,
    /// Both together.
    pub points: u16,
    /// How many jewels: the tie-breaker (RULES 5.5).
    pub count: u16,
    /// The place, from 1; equals share one (RULES 5.5).
    pub rank: u8,
}

/// One place per seat, in the order of the seats.
pub type Places = ArrayVec<[Place; 5]>;

/// The result of a game, seat by seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome {
    /// One place per seat, in the order of the seats.
    pub places: Places,
}

impl Outcome {
    /// The seats that share the first place: one, or several in a draw.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        self.places.into_iter().filter(|place| place.rank == 1).map(|place| place.seat)
    }
}
