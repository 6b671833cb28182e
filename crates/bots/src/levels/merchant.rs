//! `merchant`: compares the value of a jewel with the price of the card, and ignores its opponents' needs.

use sultan_domain::{Cushion, Jewel, MoneyCard, Offer};

use crate::search::knowledge::Knowledge;

/// The temperature of the softmax over scores: an action this many points worse is e times rarer.
pub(crate) const TEMPERATURE: f32 = 0.5;
/// The price of the highest card, in points. Lower cards are cheaper in proportion to their value.
const HIGHEST_CARD_PRICE: f32 = 4.0;
/// The value, in points, that a jewel gains for each jewel of its colour that the seat has already won. Added to the
/// bonus, because a growing set may earn more bonuses later.
const VALUE_PER_OWNED_JEWEL: f32 = 0.5;

/// The score of an offer: the value of its jewels.
pub(crate) fn offer_score(knowledge: &Knowledge, offer: Offer) -> f32 {
    offer.iter().map(|jewel| jewel_value(knowledge, jewel)).sum()
}

/// The value of a jewel in points: its own points, the bonus it adds now, and [`VALUE_PER_OWNED_JEWEL`].
fn jewel_value(knowledge: &Knowledge, jewel: Jewel) -> f32 {
    let owned = knowledge.public.collections[knowledge.seat].count(jewel);
    let added_bonus = knowledge.public.next_bonus(knowledge.seat, jewel);
    f32::from(jewel.points()) + f32::from(added_bonus) + VALUE_PER_OWNED_JEWEL * f32::from(owned)
}

/// The score of a bid: the chance to win the jewel on the cushion times the value of the jewel, minus the price of the
/// card.
///
/// The chance assumes that every card of another player has a random value, and that every later card is placed on a
/// random cushion. So the card must beat each card already on the cushion, with the probability `beats_one`, and each
/// later card that is placed on the same cushion.
pub(crate) fn bid_score(knowledge: &Knowledge, card: MoneyCard, cushion: Cushion) -> f32 {
    let parameters = &knowledge.public.parameters;
    // An equal card counts half.
    let beats_one = (f32::from(card.value()) - 0.5) / f32::from(parameters.highest_card);
    let cards_on_cushion = knowledge.public.placed.iter().filter(|bid| bid.cushion == cushion).count();
    let later_cards = parameters.bids_per_round() - knowledge.public.turn() - 1;
    let same_cushion = 1.0 / f32::from(parameters.cushions);
    let power = |base: f32, exponent: usize| (0..exponent).fold(1.0, |product, _| product * base);
    let win_chance =
        power(beats_one, cards_on_cushion) * power(1.0 - same_cushion * (1.0 - beats_one), later_cards.into());
    let jewel = knowledge.public.offer.jewel_on(cushion).unwrap_or_default();
    win_chance * jewel_value(knowledge, jewel) - HIGHEST_CARD_PRICE * beats_one
}
