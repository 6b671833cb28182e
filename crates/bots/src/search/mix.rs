//! A mixed bid: the probability of each bid that a seat may make.

use sultan_domain::{Cards, Cushion, CushionSet, MoneyCard};
use sultan_rules::Quick;

use crate::search::math::unit;

/// Parameters for each card on each cushion.
pub type ByBid = [[f32; 16]; Cushion::MOST as usize];

/// The bids a seat may make, each with a probability.
#[derive(Clone, Copy)]
pub struct BidMix {
    /// The cards that may be placed.
    pub hand: Cards,
    /// The cushions they may be placed on.
    pub open: CushionSet,
    /// How often each bid is made; together 1.
    pub shares: ByBid,
}

impl BidMix {
    /// All bids with their shares.
    pub fn iter(&self) -> impl Iterator<Item = (MoneyCard, Cushion, f32)> + '_ {
        let all = self.hand.values().flat_map(|card| self.open.iter().map(move |cushion| (card, cushion)));
        all.map(|(card, cushion)| (card, cushion, self.share(card, cushion)))
    }

    /// How often a bid is made.
    #[must_use]
    pub fn share(&self, card: MoneyCard, cushion: Cushion) -> f32 {
        self.shares[cushion.index()][usize::from(card.value())]
    }

    /// Picks a bid, each as likely as its share.
    pub fn pick(&self, chance: &mut Quick) -> (MoneyCard, Cushion) {
        let mut at = unit(chance);
        let mut last = (MoneyCard::default(), Cushion::default());
        for (card, cushion, share) in self.iter() {
            last = (card, cushion);
            if at < share {
                break;
            }
            at -= share;
        }
        last
    }
}
