//! A whole table in a bot's head: what all know, and cards for everybody.

use sultan_domain::{Bid, Bids, BySeat, Cards, Cushion, MoneyCard, Seat};
use sultan_rules::Quick;

use crate::known::{Known, Public};
use crate::net::brain::Brain;
use crate::net::layers::{Sums, WIDE};

/// A table with cards for everybody, as they are or as they may be.
#[derive(Clone, Copy)]
pub(crate) struct World {
    pub(crate) public: Public,
    pub(crate) hands: BySeat<Cards>,
    /// The cards placed in this round.
    pub(crate) bids: Bids,
}

impl World {
    /// What one seat knows of it.
    pub(crate) fn known(&self, seat: Seat) -> Known {
        let own = self.bids.into_iter().filter(|bid| bid.seat == seat).collect();
        Known { public: self.public, seat, hand: self.hands[seat], own }
    }

    /// What the bids of each seat in this round have in common.
    pub(crate) fn trunks(&self, brain: &Brain) -> BySeat<Sums> {
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        for seat in self.public.numbers.players.seats() {
            trunks[seat] = brain.trunk(&self.public, seat, self.known(seat).round_hand());
        }
        trunks
    }

    /// The next bidder places a card.
    pub(crate) fn bid(&mut self, card: MoneyCard, cushion: Cushion) {
        let seat = self.public.bidder();
        self.hands[seat].take(card);
        self.bids.push(Bid { seat, card, cushion });
        self.public.bid(cushion);
    }

    /// All bids that are still to come, as the nets would make them.
    pub(crate) fn finish_bids(&mut self, brain: &Brain, trunks: &BySeat<Sums>, chance: &mut Quick) {
        while !self.public.is_full() {
            let known = self.known(self.public.bidder());
            let (card, cushion) = brain.bids(&known, &trunks[known.seat]).pick(chance);
            self.bid(card, cushion);
        }
    }

    /// Turns all cards up.
    pub(crate) fn settle(&mut self) {
        self.public.settle(&self.bids);
        self.bids.clear();
    }
}
