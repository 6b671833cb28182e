//! `page`: bids high cards on jewels with many points.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::knowledge::Knowledge;

/// The temperature of the softmax over scores: an action this many points worse is e times rarer. High, for many
/// mistakes.
pub(crate) const TEMPERATURE: f32 = 0.5;

/// Factor on the points of a jewel whose cushion already has a card.
const CROWDED: f32 = 0.6;

/// For a jewel with fewer points than this, low cards score better than high ones.
const PLAIN: f32 = 1.5;

/// The score of a bid: the jewel's points, weighted with the value of the card.
pub(crate) fn bid(knowledge: &Knowledge, card: MoneyCard, cushion: Cushion) -> f32 {
    let points = f32::from(knowledge.public.offer.jewel_on(cushion).unwrap_or_default().points());
    let has_card = knowledge.public.placed.iter().any(|bid| bid.cushion == cushion);
    let crowd = if has_card { CROWDED } else { 1.0 };
    (crowd * points - PLAIN) * f32::from(card.value()) / f32::from(knowledge.public.parameters.highest_card)
}

/// The score of an offer: its points.
pub(crate) fn offer(offer: Offer) -> f32 {
    offer.iter().map(|jewel| f32::from(jewel.points())).sum()
}
