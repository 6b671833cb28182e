//! `page`: bids high cards on jewels with many points, and that is the whole plan.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::known::Known;

/// So many points less make an action e times as rare: a child's mind wanders.
pub(crate) const TEMPERATURE: f32 = 0.5;

/// What is left of the wish for a jewel where somebody else's card lies already, whatever card that may be.
const CROWDED: f32 = 0.6;

/// For a jewel of fewer points than this it had rather play a low card.
const PLAIN: f32 = 1.5;

/// What a bid brings: a high card and a pretty jewel.
pub(crate) fn bid(known: &Known, card: MoneyCard, cushion: Cushion) -> f32 {
    let points = f32::from(known.public.offer.on(cushion).unwrap_or_default().points());
    let there = known.public.placed.iter().any(|bid| bid.cushion == cushion);
    let crowd = if there { CROWDED } else { 1.0 };
    (crowd * points - PLAIN) * f32::from(card.value()) / f32::from(known.public.parameters.highest_card)
}

/// What an offer brings: many points.
pub(crate) fn offer(offer: Offer) -> f32 {
    offer.iter().map(|jewel| f32::from(jewel.points())).sum()
}
