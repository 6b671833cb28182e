//! `merchant`: weighs the worth of a jewel against the price of the card, and looks at nobody else.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::known::Known;

/// So many points less make an action e times as rare.
pub(crate) const TEMPERATURE: f32 = 0.5;
/// What the highest card is worth, in points.
const PRICE: f32 = 4.0;
/// What a jewel more of a colour is worth for each jewel of it already there, before it brings a bonus.
const PROGRESS: f32 = 0.5;

/// What an offer brings: the worth of its jewels.
pub(crate) fn offer(known: &Known, offer: Offer) -> f32 {
    offer.iter().map(|jewel| worth(known, jewel)).sum()
}

/// What a jewel is worth now: its points, the bonus it brings, and a little for a set that grows.
fn worth(known: &Known, jewel: sultan_domain::Jewel) -> f32 {
    let have = known.public.collections[known.seat].count(jewel);
    let more = known.public.next_bonus(known.seat, jewel);
    f32::from(jewel.points()) + f32::from(more) + PROGRESS * f32::from(have)
}

/// The chance to win a cushion times what its jewel is worth, less what the card is.
pub(crate) fn bid(known: &Known, card: MoneyCard, cushion: Cushion) -> f32 {
    let parameters = &known.public.parameters;
    let rank = (f32::from(card.value()) - 0.5) / f32::from(parameters.highest_card);
    let there = known.public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    let to_come = parameters.bids() - known.public.turn() - 1;
    // Any card may lie there, and each card to come may go to any cushion.
    let comes = 1.0 / f32::from(parameters.cushions);
    let power = |base: f32, times: usize| (0..times).fold(1.0, |product, _| product * base);
    let win = power(rank, there) * power(1.0 - comes * (1.0 - rank), to_come.into());
    let jewel = known.public.offer.on(cushion).unwrap_or_default();
    win * worth(known, jewel) - PRICE * rank
}
