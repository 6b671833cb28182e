//! Prior probabilities of bids, before the search has tried any: like a jeweller's probabilities, but more random.

use sultan_domain::{Bids, MoneyCard};

use super::tree::{ARMS, Tree};
use crate::levels::RoundModel;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::exp;
use crate::search::outlook::Outlook;

/// The temperature of the softmax over scores: a bid this many points worse is e times rarer.
const TEMPERATURE: f32 = 0.6;
/// The weight of the uniform distribution in the probabilities of a face-down card, because opponents may not play like
/// jewellers.
const UNIFORM_WEIGHT: f32 = 0.3;

/// The prior weight of each bid of the next bidder, indexed by [`Tree::arm_index`], for all cards it may have.
pub(super) fn priors(public: &PublicState) -> [f32; ARMS] {
    let seat = public.bidder();
    // The seat's hand is unknown: it may contain any of the seat's unrevealed cards.
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

/// The probability of each card to be the card placed face down at this turn, by value of the card.
///
/// Bayes' rule: a card is the likelier, the more probable its owner's bid would have been with it in hand. The other
/// cards in hand are unknown, so each of them is assumed to have the average prior weight of the owner's cards.
#[expect(clippy::cast_precision_loss, reason = "a seat has few cards")]
pub(super) fn face_down_probabilities(public: &PublicState, turn: usize) -> [f32; 16] {
    let bid = public.placed[turn];
    let mut public_before = *public;
    public_before.placed.truncate(turn);
    let priors = priors(&public_before);
    let (unrevealed, open) = (public.left[bid.seat], public_before.open_cushions(bid.seat));
    let weight_on_all_cushions =
        |card: MoneyCard| open.iter().map(|cushion| priors[Tree::arm_index(card, cushion)]).sum::<f32>();
    let value_count = unrevealed.value_count().max(1) as f32;
    let mean_weight = unrevealed.values().map(weight_on_all_cushions).sum::<f32>() / value_count;
    let weight_of_other_cards = mean_weight * public.out_of_deck(bid.seat).saturating_sub(1) as f32;
    let mut probabilities = [0.0; 16];
    for card in unrevealed.values() {
        probabilities[usize::from(card.value())] =
            priors[Tree::arm_index(card, bid.cushion)] / (weight_on_all_cushions(card) + weight_of_other_cards);
    }
    let sum = probabilities.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    probabilities.map(|probability| UNIFORM_WEIGHT / value_count + (1.0 - UNIFORM_WEIGHT) * probability / sum)
}
