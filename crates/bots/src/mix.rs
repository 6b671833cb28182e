//! A mixed bid: how often a seat makes each of the bids it may make.

use sultan_domain::{Cards, Cushion, CushionSet, MoneyCard};
use sultan_rules::Quick;

use crate::math::unit;

/// Numbers for each card on each cushion.
pub(crate) type ByBid = [[f32; 16]; Cushion::MOST as usize];

/// The bids a seat may make, each with a probability.
#[derive(Clone, Copy)]
pub(crate) struct BidMix {
    pub(crate) hand: Cards,
    pub(crate) open: CushionSet,
    pub(crate) shares: ByBid,
}

impl BidMix {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (MoneyCard, Cushion, f32)> + '_ {
        let all = self.hand.values().flat_map(|card| self.open.iter().map(move |cushion| (card, cushion)));
        all.map(|(card, cushion)| (card, cushion, self.share(card, cushion)))
    }

    pub(crate) fn share(&self, card: MoneyCard, cushion: Cushion) -> f32 {
        self.shares[cushion.index()][usize::from(card.value())]
    }

    /// Picks a bid, each as likely as its share.
    pub(crate) fn pick(&self, chance: &mut Quick) -> (MoneyCard, Cushion) {
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
