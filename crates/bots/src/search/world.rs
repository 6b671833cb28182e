//! A world: a possible table with all its cards, which can be played on to try the consequences of an action.
//!
//! The bids of each seat are chosen according to its [`Character`], either by the [`Policy`] or by a level written by
//! hand.

use sultan_domain::{Bid, Bids, BySeat, Cards, Cushion, MoneyCard, Seat};
use sultan_rules::FastRng;

use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::net::layers::{Sums, WIDE};
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// A table with the cards of all seats. The hidden cards are imagined, unless all cards are visible (in training, and
/// after the game).
#[derive(Clone, Copy)]
pub struct World {
    /// The public information.
    pub public: PublicState,
    /// The cards in hand of each seat.
    pub hands: BySeat<Cards>,
    /// The cards placed in this round.
    pub bids: Bids,
}

/// Intermediate results that are the same for all bids of a round, computed once to save time.
#[derive(Clone, Copy)]
pub struct RoundContext {
    /// The result of [`Policy::trunk`] for each seat.
    pub trunks: BySeat<Sums>,
    /// The values of jewels and winning chances at the start of the round.
    pub outlook: Outlook,
}

impl World {
    /// The knowledge of a seat at this table.
    #[must_use]
    pub fn knowledge(&self, seat: Seat) -> Knowledge {
        let own = self.bids.into_iter().filter(|bid| bid.seat == seat).collect();
        Knowledge { public: self.public, seat, hand: self.hands[seat], own }
    }

    /// Computes the intermediate results that are the same for all bids of this round.
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
        self.hands[seat].remove(card);
        self.bids.push(Bid { seat, card, cushion });
        self.public.bid(cushion);
    }

    /// Makes all remaining bids of the round. Every seat bids according to its estimated character, or else like the
    /// nets.
    pub fn finish_bids(&mut self, policy: &dyn Policy, context: &RoundContext, rng: &mut FastRng) {
        let characters = self.public.characters.map(Option::unwrap_or_default);
        self.finish_with(policy, context, characters, rng);
    }

    /// Makes all remaining bids of the round. Each seat bids like its character in `characters`, which may differ from
    /// the estimated one.
    pub fn finish_with(
        &mut self,
        policy: &dyn Policy,
        context: &RoundContext,
        characters: [Character; 5],
        rng: &mut FastRng,
    ) {
        while !self.public.is_full() {
            let knowledge = self.knowledge(self.public.bidder());
            let character = characters[knowledge.seat.index()];
            let mix = policy.bids_as(character, &knowledge, &context.trunks[knowledge.seat], &context.outlook);
            let (card, cushion) = mix.pick(rng);
            self.bid(card, cushion);
        }
    }

    /// Tries every card of the next bidder on a cushion: places it, and calls `finish` to make the remaining bids of
    /// the round. Calls `visit` with each resulting table, with all cards placed but not revealed.
    pub fn after_each_card(
        &self,
        cushion: Cushion,
        finish: impl Fn(&mut Self),
        mut visit: impl FnMut(MoneyCard, &mut Self),
    ) {
        let seat = self.public.bidder();
        let (hand, turn) = (self.hands[seat], self.bids.len());
        let bids_again = self.public.bids_again(seat);
        let mut shared = *self;
        if !bids_again {
            // The other seats do not see the card, so their bids are the same for all cards. The round is finished once
            // with the lowest card, which is then replaced by each card.
            shared.bid(hand.nth_value(0).expect("the bidder has a card"), cushion);
            finish(&mut shared);
        }
        for card in hand.values() {
            let mut after = shared;
            if bids_again {
                // The seat's own next bid depends on its remaining cards, so the round is finished for each card.
                after.bid(card, cushion);
                finish(&mut after);
            } else {
                after.hands[seat] = hand;
                after.hands[seat].remove(card);
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
