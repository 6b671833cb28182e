//! A mixed bid: the probability of each possible bid.

use sultan_domain::{Cards, Cushion, CushionSet, MoneyCard};
use sultan_rules::Quick;

use crate::search::math::{item_at, random_unit};

/// A number for each card on each cushion.
pub type ByBid = [[f32; 16]; Cushion::MOST as usize];

/// The possible bids of a seat with their probabilities.
#[derive(Clone, Copy)]
pub struct BidMix {
    /// The cards that may be placed.
    pub hand: Cards,
    /// The cushions they may be placed on.
    pub open: CushionSet,
    /// The probability of each bid; in total 1.
    pub shares: ByBid,
}

impl BidMix {
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

    /// Picks a bid with its probability.
    pub fn pick(&self, rng: &mut Quick) -> (MoneyCard, Cushion) {
        let shares = self.iter().map(|(card, cushion, share)| ((card, cushion), share));
        item_at(shares, random_unit(rng)).unwrap_or_default()
    }
}
