//! `merchant`: compares the value of a jewel with the price of the card, and ignores its opponents.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::knowledge::Knowledge;

/// The temperature of the softmax over scores: an action this many points worse is e times rarer.
pub(crate) const TEMPERATURE: f32 = 0.5;
/// The price of the highest card, in points.
const PRICE: f32 = 4.0;
/// The extra value of a jewel for each jewel of its colour already won, bonuses aside.
const PROGRESS: f32 = 0.5;

/// The score of an offer: the value of its jewels.
pub(crate) fn offer(knowledge: &Knowledge, offer: Offer) -> f32 {
    offer.iter().map(|jewel| jewel_value(knowledge, jewel)).sum()
}

/// The value of a jewel: its points, the bonus it adds, and a little for a growing set.
fn jewel_value(knowledge: &Knowledge, jewel: sultan_domain::Jewel) -> f32 {
    let have = knowledge.public.collections[knowledge.seat].count(jewel);
    let more = knowledge.public.next_bonus(knowledge.seat, jewel);
    f32::from(jewel.points()) + f32::from(more) + PROGRESS * f32::from(have)
}

/// The score of a bid: the chance to win the cushion times the value of its jewel, minus the price of the card.
pub(crate) fn bid(knowledge: &Knowledge, card: MoneyCard, cushion: Cushion) -> f32 {
    let parameters = &knowledge.public.parameters;
    let rank = (f32::from(card.value()) - 0.5) / f32::from(parameters.highest_card);
    let placed = knowledge.public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    let to_come = parameters.bids() - knowledge.public.turn() - 1;
    // Assumes that face-down cards are uniform, and that each later card is placed on a uniform cushion.
    let share = 1.0 / f32::from(parameters.cushions);
    let power = |base: f32, times: usize| (0..times).fold(1.0, |product, _| product * base);
    let win = power(rank, placed) * power(1.0 - share * (1.0 - rank), to_come.into());
    let jewel = knowledge.public.offer.jewel_on(cushion).unwrap_or_default();
    win * jewel_value(knowledge, jewel) - PRICE * rank
}
