//! Finished rounds, packed into a few bytes: a simulation copies games very often, and a game contains all its rounds.

use sultan_domain::{Drawn, Offer};

use crate::placed::Placed;

/// A finished round in eight bytes. Its index in `Game::finished` is the index of the round.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FinishedRound {
    pub(crate) placed: Placed,
    /// The drawn jewels, packed with `JewelRow::to_packed`.
    drawn: u16,
    /// The jewels on the cushions, packed in the same way.
    offer: u16,
}

impl FinishedRound {
    #[inline]
    pub(crate) const fn new(placed: Placed, drawn: Drawn, offer: Offer) -> Self {
        Self { placed, drawn: drawn.to_packed(), offer: offer.to_packed() }
    }

    pub(crate) fn drawn(self) -> Drawn {
        Drawn::from_packed(self.drawn)
    }

    pub(crate) fn offer(self) -> Offer {
        Offer::from_packed(self.offer)
    }
}
