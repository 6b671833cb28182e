//! Models of how a seat plays: like a level written by hand, like the nets, or at random.
//!
//! The levels written by hand ([`levels`](crate::levels)) score each bid. This module turns the scores into
//! probabilities, for these levels, and for `vizier` and `sultan`, which recognise and predict the bids of other seats.

use sultan_domain::{Action, Legal, Offer, Seat};

use crate::WeighedAction;
use crate::levels::{RoundModel, jeweller, merchant, page};
use crate::search::knowledge::Knowledge;
use crate::search::math::exp;
use crate::search::mix::{BidMix, ByBid};
use crate::search::outlook::Outlook;

/// A model of how a seat plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Character {
    /// Plays like the nets. Assumed for every seat that does not play like a level below.
    #[default]
    Nets,
    /// Plays like the level `jeweller`.
    Jeweller,
    /// Plays like the level `merchant`.
    Merchant,
    /// Plays like the level `page`.
    Page,
    /// Plays like the level `random`.
    Random,
}

impl Character {
    /// All characters, in the order of their numbers (`as usize`).
    pub(crate) const ALL: [Self; 5] = [Self::Nets, Self::Jeweller, Self::Merchant, Self::Page, Self::Random];

    /// The probabilities of the next bid of a seat with this knowledge. All bids of `Nets` get the same probability,
    /// because the nets themselves are in a [`Policy`](crate::search::Policy).
    #[must_use]
    pub fn bids(self, knowledge: &Knowledge, outlook: &Outlook) -> BidMix {
        let open = knowledge.public.open_cushions(knowledge.seat);
        BidMix::from_scores(knowledge.hand, open, self.bid_scores(knowledge, outlook), self.temperature())
    }

    /// Weighs the legal actions of a seat with this knowledge.
    #[must_use]
    pub fn weigh(self, knowledge: &Knowledge, legal: Legal) -> Vec<WeighedAction> {
        let outlook = Outlook::new(&knowledge.public);
        let bid_scores = self.bid_scores(knowledge, &outlook);
        let with_score = |action| match action {
            Action::Bid { card, cushion } => (action, bid_scores[cushion.index()][usize::from(card.value())]),
            Action::Offer(offer) => (action, self.offer_score(knowledge, offer)),
        };
        let scored: Vec<(Action, f32)> = legal.iter().map(with_score).collect();
        weigh_by_score(&scored, self.temperature(), &outlook, knowledge.seat)
    }

    /// The score of each bid, in points. All scores are 0 for `Nets` and `Random`, and before the offer.
    fn bid_scores(self, knowledge: &Knowledge, outlook: &Outlook) -> ByBid {
        let mut scores = [[0.0; 16]; 3];
        if matches!(self, Self::Nets | Self::Random) || knowledge.public.offer.is_empty() {
            return scores;
        }
        let model = (self == Self::Jeweller).then(|| RoundModel::new(knowledge, outlook));
        for cushion in knowledge.public.open_cushions(knowledge.seat).iter() {
            for card in knowledge.hand.values() {
                scores[cushion.index()][usize::from(card.value())] = match (self, &model) {
                    (_, Some(model)) => model.bid(card, cushion).score,
                    (Self::Merchant, _) => merchant::bid_score(knowledge, card, cushion),
                    _ => page::bid_score(knowledge, card, cushion),
                };
            }
        }
        scores
    }

    /// The score of an offer, in points; 0 for `Nets` and `Random`.
    fn offer_score(self, knowledge: &Knowledge, offer: Offer) -> f32 {
        match self {
            Self::Jeweller => jeweller::offer_score(knowledge, offer),
            Self::Merchant => merchant::offer_score(knowledge, offer),
            Self::Page => page::offer_score(offer),
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

/// Weighs actions by their scores: an action `temperature` points worse is e times rarer.
///
/// The winning chance of an action is that of the seat before the action, adjusted by the difference between the score
/// of the action and the mean score.
fn weigh_by_score(scored: &[(Action, f32)], temperature: f32, outlook: &Outlook, seat: Seat) -> Vec<WeighedAction> {
    let highest = scored.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scored.iter().map(|&(_, score)| exp((score - highest) / temperature)).collect();
    let sum: f32 = weights.iter().sum();
    // The shares must add up to 1 more precisely than `f32` allows.
    let precise_sum: f64 = weights.iter().copied().map(f64::from).sum();
    let mean_score: f32 = scored.iter().zip(&weights).map(|(&(_, score), weight)| score * weight / sum).sum();
    let weighed = |(&(action, score), weight): (&(Action, f32), f32)| WeighedAction {
        action,
        share: f64::from(weight) / precise_sum,
        win: outlook.win_chance_with(seat, score - mean_score).min(1.0).into(),
    };
    scored.iter().zip(weights).map(weighed).collect()
}
