//! Finished rounds, packed: every copy of a game has all of them.

use sultan_domain::{Drawn, Offer};

use crate::placed::Placed;

/// A finished round in eight bytes. Its index in the list gives the number of the round.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FinishedRound {
    pub(crate) placed: Placed,
    drawn: u16,
    offer: u16,
}

impl FinishedRound {
    #[inline]
    pub(crate) const fn new(placed: Placed, drawn: Drawn, offer: Offer) -> Self {
        Self { placed, drawn: drawn.packed(), offer: offer.packed() }
    }

    pub(crate) fn drawn(self) -> Drawn {
        Drawn::unpacked(self.drawn)
    }

    pub(crate) fn offer(self) -> Offer {
        Offer::unpacked(self.offer)
    }
}
