//! Prior probabilities of bids: those of a jeweller, but more random.

use sultan_domain::{Bids, MoneyCard};

use super::tree::{ARMS, Tree};
use crate::levels::RoundModel;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::exp;
use crate::search::outlook::Outlook;

/// The temperature of the softmax over scores: a bid this many points worse is e times rarer.
const TEMPERATURE: f32 = 0.6;
/// The weight of the uniform distribution when estimating a face-down card, so that the model is not trusted blindly.
const UNIFORM_WEIGHT: f32 = 0.3;

/// The prior weight of each bid of the next bidder, indexed by [`Tree::arm_index`], for all cards it may have.
pub(super) fn priors(public: &PublicState) -> [f32; ARMS] {
    let seat = public.bidder();
    let hand = public.left[seat];
    let knowledge = Knowledge { public: *public, seat, hand, own: Bids::new() };
    let outlook = Outlook::new(public);
    let model = RoundModel::new(&knowledge, &outlook);
    let mut priors = [0.0; ARMS];
    for cushion in public.open_cushions(seat).iter() {
        for card in hand.values() {
            priors[Tree::arm_index(card, cushion)] = exp(model.bid(card, cushion).score / TEMPERATURE);
        }
    }
    priors
}

/// The probability of each card to be the face-down bid with this index: the probability that its owner would have
/// played it from a hand in which all other cards are average.
#[expect(clippy::cast_precision_loss, reason = "a seat has few cards")]
pub(super) fn face_down_probabilities(public: &PublicState, turn: usize) -> [f32; 16] {
    let bid = public.placed[turn];
    let mut public_before = *public;
    public_before.placed.truncate(turn);
    let priors = priors(&public_before);
    let (left, open) = (public.left[bid.seat], public_before.open_cushions(bid.seat));
    let on_any_cushion =
        |card: MoneyCard| open.iter().map(|cushion| priors[Tree::arm_index(card, cushion)]).sum::<f32>();
    let values = left.values_len().max(1) as f32;
    let mean = left.values().map(on_any_cushion).sum::<f32>() / values;
    let beside = mean * public.out_of_deck(bid.seat).saturating_sub(1) as f32;
    let mut probabilities = [0.0; 16];
    for card in left.values() {
        probabilities[usize::from(card.value())] =
            priors[Tree::arm_index(card, bid.cushion)] / (on_any_cushion(card) + beside);
    }
    let sum = probabilities.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    probabilities.map(|probability| UNIFORM_WEIGHT / values + (1.0 - UNIFORM_WEIGHT) * probability / sum)
}
