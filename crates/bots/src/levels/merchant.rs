//! `merchant`: weighs the worth of a jewel against the price of the card, and looks at nobody else.

use sultan_domain::{Cushion, MoneyCard, Offer, Recall, View};
use sultan_rules::Quick;

use crate::bot::even;
use crate::search::character::Character;
use crate::search::known::Known;
use crate::{Bot, Weighed};

/// A value-minded bidder: pays for a jewel what it is worth to it now, and never minds who leads.
#[derive(Clone, Copy, Debug)]
pub struct Merchant;

/// So many points less make an action e times as rare.
pub(crate) const TEMPERATURE: f32 = 0.5;
/// What the highest card is worth, in points.
const PRICE: f32 = 4.0;
/// What a jewel more of a colour is worth for each jewel of it already there, before it brings a bonus.
const PROGRESS: f32 = 0.5;

impl Bot for Merchant {
    fn name(&self) -> &'static str {
        "merchant"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let Some(known) = Known::new(view, recall, chance) else { return even(view) };
        Character::Merchant.weigh(&known, view.legal())
    }
}

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
