//! Finished rounds, packed: every copy of a game has all of them.

use sultan_domain::{Drawn, Offer, Parameters, Seat};

use crate::game::Board;
use crate::placed::Placed;
use crate::resolve::leads;

/// A finished round in sixteen bytes. Which round it is follows from its place in the list.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FinishedRound {
    pub(crate) placed: Placed,
    drawn: u32,
    offer: u32,
}

impl FinishedRound {
    #[inline]
    pub(crate) const fn new(placed: Placed, drawn: Drawn, offer: Offer) -> Self {
        Self { placed, drawn: drawn.packed(), offer: offer.packed() }
    }

    /// What lay on the board at the end of the round, which had this first player.
    pub(crate) fn board(self, parameters: &Parameters, first: Seat) -> Board {
        let turn = parameters.bids();
        let leads = leads(parameters, first, &self.placed.bids(parameters.players, first, turn));
        let (drawn, offer) = (Drawn::unpacked(self.drawn), Offer::unpacked(self.offer));
        Board { drawn, offer, placed: self.placed, turn, leads }
    }
}
