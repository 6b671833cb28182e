//! A complete table for simulation: everything public, and cards for every seat.
//!
//! Bids of the other seats come from a [`Policy`] or from a [`Character`].

use sultan_domain::{Bid, Bids, BySeat, Cards, Cushion, MoneyCard, Seat};
use sultan_rules::Quick;

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// A table with cards for all seats, real or possible ones.
#[derive(Clone, Copy)]
pub struct World {
    /// The public information.
    pub public: PublicState,
    /// The cards in hand of each seat.
    pub hands: BySeat<Cards>,
    /// The cards placed in this round.
    pub bids: Bids,
}

/// Intermediate results shared by the bids of a round.
#[derive(Clone, Copy)]
pub struct RoundContext {
    /// The first-layer sums of each seat's bids; see [`Policy::trunk`].
    pub trunks: BySeat<Sums>,
    /// Values of jewels and winning chances.
    pub outlook: Outlook,
}

impl World {
    /// The knowledge of one seat.
    #[must_use]
    pub fn knowledge(&self, seat: Seat) -> Knowledge {
        let own = self.bids.into_iter().filter(|bid| bid.seat == seat).collect();
        Knowledge { public: self.public, seat, hand: self.hands[seat], own }
    }

    /// The intermediate results shared by the bids of this round.
    #[must_use]
    pub fn context(&self, policy: &dyn Policy) -> RoundContext {
        let mut trunks = BySeat([[0.0; WIDE]; 5]);
        for seat in self.public.parameters.players.seats() {
            trunks[seat] = policy.trunk(&self.public, seat, self.knowledge(seat).round_hand());
        }
        RoundContext { trunks, outlook: Outlook::new(&self.public) }
    }

    /// The next bidder places a card.
    pub fn bid(&mut self, card: MoneyCard, cushion: Cushion) {
        let seat = self.public.bidder();
        self.hands[seat].take(card);
        self.bids.push(Bid { seat, card, cushion });
        self.public.bid(cushion);
    }

    /// Makes all remaining bids, with the estimated characters.
    pub fn finish_bids(&mut self, policy: &dyn Policy, context: &RoundContext, rng: &mut Quick) {
        let characters = self.public.characters.map(Option::unwrap_or_default);
        self.finish_with(policy, context, characters, rng);
    }

    /// Makes all remaining bids, with these characters.
    pub fn finish_with(
        &mut self,
        policy: &dyn Policy,
        context: &RoundContext,
        characters: [Character; 5],
        rng: &mut Quick,
    ) {
        while !self.public.is_full() {
            let knowledge = self.knowledge(self.public.bidder());
            let characters = characters[knowledge.seat.index()];
            let mix = policy.bids_as(characters, &knowledge, &context.trunks[knowledge.seat], &context.outlook);
            let (card, cushion) = mix.pick(rng);
            self.bid(card, cushion);
        }
    }

    /// Lets the next bidder place each of its cards on a cushion and plays the round out. Calls `visit` with every
    /// resulting table, all cards placed but not revealed.
    pub fn after_each_card(
        &self,
        cushion: Cushion,
        finish: impl Fn(&mut Self),
        mut visit: impl FnMut(MoneyCard, &mut Self),
    ) {
        let seat = self.public.bidder();
        let (hand, turn) = (self.hands[seat], self.bids.len());
        let bids_again = self.public.bids_again(seat);
        let mut continued = *self;
        if !bids_again {
            // Other seats do not see the card, so one continuation is enough for all cards.
            continued.bid(hand.nth_value(0).expect("the bidder has a card"), cushion);
            finish(&mut continued);
        }
        for card in hand.values() {
            let mut after = continued;
            if bids_again {
                // The seat's next bid depends on its remaining cards, so every card needs its own continuation.
                after.bid(card, cushion);
                finish(&mut after);
            } else {
                after.hands[seat] = hand;
                after.hands[seat].take(card);
                after.bids[turn].card = card;
            }
            visit(card, &mut after);
        }
    }

    /// Reveals all cards and ends the round.
    pub fn settle(&mut self) {
        self.public.settle(&self.bids);
        self.bids.clear();
    }
}
