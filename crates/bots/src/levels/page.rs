//! `page`: bids high cards on jewels with many points.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::knowledge::Knowledge;

/// The temperature of the softmax over scores: an action this many points worse is e times rarer. The scores of bids
/// differ by few points (from -0.9 to 3.5), so `page` makes many mistakes.
pub(crate) const TEMPERATURE: f32 = 0.5;

/// The factor on the points of a jewel if a card is already on its cushion.
const CONTESTED_FACTOR: f32 = 0.6;

/// For a jewel with more points than this, high cards score better than low ones; with fewer points, the reverse.
const HIGH_CARD_POINTS: f32 = 1.5;

/// The score of a bid: the jewel's points above [`HIGH_CARD_POINTS`], times the value of the card.
pub(crate) fn bid_score(knowledge: &Knowledge, card: MoneyCard, cushion: Cushion) -> f32 {
    let points = f32::from(knowledge.public.offer.jewel_on(cushion).unwrap_or_default().points());
    let is_contested = knowledge.public.placed.iter().any(|bid| bid.cushion == cushion);
    let factor = if is_contested { CONTESTED_FACTOR } else { 1.0 };
    (factor * points - HIGH_CARD_POINTS) * f32::from(card.value()) / f32::from(knowledge.public.parameters.highest_card)
}

/// The score of an offer: its points.
pub(crate) fn offer_score(offer: Offer) -> f32 {
    offer.iter().map(|jewel| f32::from(jewel.points())).sum()
}
