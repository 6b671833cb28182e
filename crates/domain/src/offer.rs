//! The jewels of a round: those drawn, and those of them put on the cushions.

use std::fmt;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Cushion, Jewel, Jewels};

/// The jewels drawn for a round, in the order they left the pouch (RULES 4.1). Empty until they are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Drawn(ArrayVec<[Jewel; Drawn::MOST]>);

impl Drawn {
    /// The most jewels drawn at once.
    pub const MOST: usize = Cushion::MOST as usize + 1;

    /// These jewels, if they are not too many.
    #[must_use]
    pub fn new(jewels: &[Jewel]) -> Option<Self> {
        ArrayVec::try_from(jewels).ok().map(Self)
    }

    /// Adds a jewel; one too many is refused, and says so.
    #[inline]
    pub fn push(&mut self, jewel: Jewel) -> bool {
        self.0.try_push(jewel).is_none()
    }

    /// The jewels in the order they were drawn.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Jewel] {
        &self.0
    }

    /// The jewels, whatever their order.
    #[must_use]
    #[inline]
    pub fn jewels(&self) -> Jewels {
        self.0.iter().copied().collect()
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|jewel| jewel.fmt(f))
    }
}

/// The jewels on cushions 1, 2 and so on (RULES 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Offer(ArrayVec<[Jewel; Cushion::MOST as usize]>);

impl Offer {
    /// These jewels on the first cushions, if there are so many cushions.
    #[must_use]
    pub fn new(jewels: &[Jewel]) -> Option<Self> {
        ArrayVec::try_from(jewels).ok().map(Self)
    }

    /// These jewels in the order `W`, `R`, `Y`, `G`, `B`, if there are so many cushions.
    #[must_use]
    #[inline]
    pub fn in_order(mut jewels: Jewels) -> Option<Self> {
        let mut row = ArrayVec::new();
        while let Some(jewel) = jewels.at(0) {
            jewels.take(jewel);
            if row.try_push(jewel).is_some() {
                return None;
            }
        }
        Some(Self(row))
    }

    /// The jewels, cushion by cushion.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Jewel] {
        &self.0
    }

    /// The jewel on one cushion.
    #[must_use]
    #[inline]
    pub fn on(&self, cushion: Cushion) -> Option<Jewel> {
        self.0.get(cushion.index()).copied()
    }

    /// The jewels, whatever their cushions.
    #[must_use]
    #[inline]
    pub fn jewels(&self) -> Jewels {
        self.0.iter().copied().collect()
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|jewel| jewel.fmt(f))
    }
}
