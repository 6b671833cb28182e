//! A whole table in a bot's head: everything public, and cards for every seat.
//!
//! Bids of the other seats come from a [`Policy`] or from a [`Character`].

use sultan_domain::{Bid, Bids, BySeat, Cards, Cushion, MoneyCard, Seat};
use sultan_rules::Quick;

use crate::search::character::Character;
use crate::search::known::{Known, Public};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// A table with cards for everybody, as they are or as they may be.
#[derive(Clone, Copy)]
pub struct World {
    /// What everybody knows.
    pub public: Public,
    /// The cards in hand of each seat.
    pub hands: BySeat<Cards>,
    /// The cards placed in this round.
    pub bids: Bids,
}

/// What the bids of a round have in common, computed once.
#[derive(Clone, Copy)]
pub struct Common {
    /// What the bids of each seat have in common; see [`Policy::trunk`].
    pub trunks: BySeat<Sums>,
    /// What jewels are worth, and who is ahead.
    pub outlook: Outlook,
}

impl World {
    /// What one seat knows of it.
    #[must_use]
    pub fn known(&self, seat: Seat) -> Known {
        let own = self.bids.into_iter().filter(|bid| bid.seat == seat).collect();
        Known { public: self.public, seat, hand: self.hands[seat], own }
    }

    /// What the bids of this round have in common.
    #[must_use]
    pub fn common(&self, policy: &dyn Policy) -> Common {
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        for seat in self.public.parameters.players.seats() {
            trunks[seat] = policy.trunk(&self.public, seat, self.known(seat).round_hand());
        }
        Common { trunks, outlook: Outlook::new(&self.public) }
    }

    /// The next bidder places a card.
    pub fn bid(&mut self, card: MoneyCard, cushion: Cushion) {
        let seat = self.public.bidder();
        self.hands[seat].take(card);
        self.bids.push(Bid { seat, card, cushion });
        self.public.bid(cushion);
    }

    /// All bids that are still to come, as the seats are taken to make them.
    pub fn finish_bids(&mut self, policy: &dyn Policy, common: &Common, chance: &mut Quick) {
        let them = self.public.characters.map(Option::unwrap_or_default);
        self.finish_with(policy, common, them, chance);
    }

    /// All bids that are still to come, as these characters make them.
    pub fn finish_with(&mut self, policy: &dyn Policy, common: &Common, them: [Character; 5], chance: &mut Quick) {
        while !self.public.is_full() {
            let known = self.known(self.public.bidder());
            let them = them[known.seat.index()];
            let mix = policy.bids_as(them, &known, &common.trunks[known.seat], &common.outlook);
            let (card, cushion) = mix.pick(chance);
            self.bid(card, cushion);
        }
    }

    /// Lets the next bidder place each of its cards on a cushion and plays the round out: `then` is handed every table
    /// that this leads to, with all cards placed but none turned up.
    pub fn after_each_card(
        &self,
        cushion: Cushion,
        finish: impl Fn(&mut Self),
        mut then: impl FnMut(MoneyCard, &mut Self),
    ) {
        let seat = self.public.bidder();
        let (hand, turn) = (self.hands[seat], self.bids.len());
        let again = self.public.bids_again(seat);
        let mut continued = *self;
        if !again {
            // Nobody sees the card, so that one continuation does for all of them.
            continued.bid(hand.nth_value(0).expect("the bidder has a card"), cushion);
            finish(&mut continued);
        }
        for card in hand.values() {
            let mut after = continued;
            if again {
                // What the seat places next depends on the card that is gone: every card needs its own continuation.
                after.bid(card, cushion);
                finish(&mut after);
            } else {
                after.hands[seat] = hand;
                after.hands[seat].take(card);
                after.bids[turn].card = card;
            }
            then(card, &mut after);
        }
    }

    /// Turns all cards up.
    pub fn settle(&mut self) {
        self.public.settle(&self.bids);
        self.bids.clear();
    }
}
