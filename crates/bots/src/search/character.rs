//! Models of a seat's play: the levels written by hand, the nets, or random play.
//!
//! The levels written by hand ([`levels`](crate::levels)) all score a bid by the value of the jewel (`outlook`) and the
//! competition for it (`rivals`), in different detail. Their bids are computed here, because `vizier` and `sultan` also
//! use them to model other seats.

use sultan_domain::{Action, Legal, Offer, Seat};

use crate::WeighedAction;
use crate::levels::{RoundModel, jeweller, merchant, page};
use crate::search::knowledge::Knowledge;
use crate::search::math::exp;
use crate::search::mix::{BidMix, ByBid};
use crate::search::outlook::Outlook;

/// A model of a seat's bids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Character {
    /// Like the nets: the model of all players who do not play like a level written by hand.
    #[default]
    Nets,
    /// Like the jeweller.
    Jeweller,
    /// Like the merchant.
    Merchant,
    /// Like the page.
    Page,
    /// At random.
    Random,
}

impl Character {
    pub(crate) const ALL: [Self; 5] = [Self::Nets, Self::Jeweller, Self::Merchant, Self::Page, Self::Random];

    /// The probabilities of its bids. Uniform for `Nets`, which need a [`Policy`](crate::search::Policy).
    pub fn bids(self, knowledge: &Knowledge, outlook: &Outlook) -> BidMix {
        let (hand, open) = (knowledge.hand, knowledge.public.open_cushions(knowledge.seat));
        let mut mix = BidMix { hand, open, shares: self.scores(knowledge, outlook) };
        let best = mix.iter().map(|(_, _, score)| score).fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for cushion in open.iter() {
            for card in hand.values() {
                let share = &mut mix.shares[cushion.index()][usize::from(card.value())];
                *share = exp((*share - best) / self.temperature());
                sum += *share;
            }
        }
        mix.shares.iter_mut().flatten().for_each(|share| *share /= sum);
        mix
    }

    /// Weighs the legal actions of a seat with this knowledge.
    #[must_use]
    pub fn weigh(self, knowledge: &Knowledge, legal: Legal) -> Vec<WeighedAction> {
        let outlook = Outlook::new(&knowledge.public);
        let scores = self.scores(knowledge, &outlook);
        let scored = |action| match action {
            Action::Bid { card, cushion } => (action, scores[cushion.index()][usize::from(card.value())]),
            Action::Offer(offer) => (action, self.offer(knowledge, offer)),
        };
        let scored: Vec<(Action, f32)> = legal.iter().map(scored).collect();
        mix(&scored, self.temperature(), &outlook, knowledge.seat)
    }

    /// The score of each bid, in points.
    fn scores(self, knowledge: &Knowledge, outlook: &Outlook) -> ByBid {
        let mut scores = [[0.0; 16]; 3];
        if matches!(self, Self::Nets | Self::Random) || knowledge.public.offer.is_empty() {
            return scores;
        }
        let model = (self == Self::Jeweller).then(|| RoundModel::new(knowledge, outlook));
        for cushion in knowledge.public.open_cushions(knowledge.seat).iter() {
            for card in knowledge.hand.values() {
                scores[cushion.index()][usize::from(card.value())] = match (self, &model) {
                    (_, Some(model)) => model.bid(card, cushion).score,
                    (Self::Merchant, _) => merchant::bid(knowledge, card, cushion),
                    _ => page::bid(knowledge, card, cushion),
                };
            }
        }
        scores
    }

    /// The score of an offer, in points.
    fn offer(self, knowledge: &Knowledge, offer: Offer) -> f32 {
        match self {
            Self::Jeweller => jeweller::offer(knowledge, offer),
            Self::Merchant => merchant::offer(knowledge, offer),
            Self::Page => page::offer(offer),
            Self::Nets | Self::Random => 0.0,
        }
    }

    /// The temperature of the softmax over scores: an action this many points worse is e times rarer.
    const fn temperature(self) -> f32 {
        match self {
            Self::Jeweller => jeweller::TEMPERATURE,
            Self::Merchant => merchant::TEMPERATURE,
            Self::Page => page::TEMPERATURE,
            Self::Nets | Self::Random => 1.0,
        }
    }
}

/// Turns scores into probabilities: an action `temperature` points worse is e times rarer.
///
/// `win` is the winning chance before the action, adjusted by the difference between its score and the average.
fn mix(scored: &[(Action, f32)], temperature: f32, outlook: &Outlook, seat: Seat) -> Vec<WeighedAction> {
    let best = scored.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scored.iter().map(|&(_, score)| exp((score - best) / temperature)).collect();
    let sum: f32 = weights.iter().sum();
    // The shares must add up to 1 more precisely than `f32` allows.
    let exact: f64 = weights.iter().copied().map(f64::from).sum();
    let mean: f32 = scored.iter().zip(&weights).map(|(&(_, score), weight)| score * weight / sum).sum();
    let weighed = |(&(action, score), weight): (&(Action, f32), f32)| WeighedAction {
        action,
        share: f64::from(weight) / exact,
        win: outlook.chance_with(seat, score - mean).min(1.0).into(),
    };
    scored.iter().zip(weights).map(weighed).collect()
}
