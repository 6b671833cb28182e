//! The bids that are tried first: those of a jeweller, though not always its best.

use sultan_domain::{Bids, MoneyCard};

use super::tree::{ARMS, Tree};
use crate::levels::Thought;
use crate::search::known::{Known, Public};
use crate::search::math::exp;
use crate::search::outlook::Outlook;

/// So many points less make a bid e times as rare.
const TEMPERATURE: f32 = 0.6;
/// How much of a face-down card is taken to be whim: what it gives away must not be trusted blindly.
const WHIM: f32 = 0.3;

/// How likely the next bidder is to place each card on each cushion, by [`Tree::place`], among those it has.
pub(super) fn priors(public: &Public) -> [f32; ARMS] {
    let seat = public.bidder();
    let hand = public.left[seat];
    let known = Known { public: *public, seat, hand, own: Bids::new() };
    let outlook = Outlook::new(public);
    let thought = Thought::new(&known, &outlook);
    let mut priors = [0.0; ARMS];
    for cushion in public.open_cushions(seat).iter() {
        for card in hand.values() {
            priors[Tree::place(card, cushion)] = exp(thought.bid(card, cushion).score / TEMPERATURE);
        }
    }
    priors
}

/// How likely each card is to be the one that lies face down as the bid with this index: how likely its owner would
/// have been to play just this one, with the average of its others beside it.
#[expect(clippy::cast_precision_loss, reason = "a seat has few cards")]
pub(super) fn face_down(public: &Public, turn: usize) -> [f32; 16] {
    let bid = public.placed[turn];
    let mut then = *public;
    then.placed.truncate(turn);
    let priors = priors(&then);
    let (left, open) = (public.left[bid.seat], then.open_cushions(bid.seat));
    let anywhere = |card: MoneyCard| open.iter().map(|at| priors[Tree::place(card, at)]).sum::<f32>();
    let values = left.values_len().max(1) as f32;
    let mean = left.values().map(anywhere).sum::<f32>() / values;
    let beside = mean * public.out_of_deck(bid.seat).saturating_sub(1) as f32;
    let mut likely = [0.0; 16];
    for card in left.values() {
        likely[usize::from(card.value())] = priors[Tree::place(card, bid.cushion)] / (anywhere(card) + beside);
    }
    let sum = likely.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    likely.map(|likely| WHIM / values + (1.0 - WHIM) * likely / sum)
}
