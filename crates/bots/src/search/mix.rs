//! The probability of each possible bid of a seat. (Game theory calls this a mixed strategy, hence the name.)

use sultan_domain::{Cards, Cushion, CushionSet, MoneyCard};
use sultan_rules::FastRng;

use crate::search::math::{exp, item_at, random_unit};

/// A number for each bid: indexed by cushion, then by the value of the card.
pub type ByBid = [[f32; 16]; Cushion::MAX_COUNT as usize];

/// The possible bids of a seat with their probabilities.
#[derive(Clone, Copy)]
pub struct BidMix {
    /// The cards that may be placed.
    pub hand: Cards,
    /// The cushions they may be placed on.
    pub open: CushionSet,
    /// The probability of each bid. The probabilities of all possible bids add up to 1.
    pub shares: ByBid,
}

impl BidMix {
    /// Turns scores into probabilities (softmax): a bid with a score lower by `temperature` is e times rarer.
    pub(crate) fn from_scores(hand: Cards, open: CushionSet, scores: ByBid, temperature: f32) -> Self {
        let mut mix = Self { hand, open, shares: scores };
        let highest = mix.iter().map(|(_, _, score)| score).fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for cushion in open.iter() {
            for card in hand.values() {
                let share = &mut mix.shares[cushion.index()][usize::from(card.value())];
                *share = exp((*share - highest) / temperature);
                sum += *share;
            }
        }
        mix.shares.iter_mut().flatten().for_each(|share| *share /= sum);
        mix
    }

    /// All bids with their probabilities.
    pub fn iter(&self) -> impl Iterator<Item = (MoneyCard, Cushion, f32)> + '_ {
        let all = self.hand.values().flat_map(|card| self.open.iter().map(move |cushion| (card, cushion)));
        all.map(|(card, cushion)| (card, cushion, self.share(card, cushion)))
    }

    /// The probability of a bid.
    #[must_use]
    pub fn share(&self, card: MoneyCard, cushion: Cushion) -> f32 {
        self.shares[cushion.index()][usize::from(card.value())]
    }

    /// Picks a random bid according to the probabilities.
    pub fn pick(&self, rng: &mut FastRng) -> (MoneyCard, Cushion) {
        let shares = self.iter().map(|(card, cushion, share)| ((card, cushion), share));
        item_at(shares, random_unit(rng)).unwrap_or_default()
    }
}
