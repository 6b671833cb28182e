//! The characters a seat may be taken for: the levels written by hand, the nets, or no plan at all.
//!
//! The levels written by hand ([`levels`](crate::levels)) all ask the same two questions, what is a jewel worth
//! (`outlook`) and who may come for it (`rivals`), and differ in how much of the answer they see. Their bids are computed
//! here, because the nets and `sultan` also need to know how another seat would bid if it were one of them.

use sultan_domain::{Action, Legal, Offer, Seat};

use crate::Weighed;
use crate::levels::{Thought, jeweller, merchant, page};
use crate::search::known::Known;
use crate::search::math::exp;
use crate::search::mix::{BidMix, ByBid};
use crate::search::outlook::Outlook;

/// How a seat bids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Character {
    /// As the nets do, which stands for all who think for themselves.
    #[default]
    Nets,
    /// As the jeweller does.
    Jeweller,
    /// As the merchant does.
    Merchant,
    /// As the page does.
    Page,
    /// At random.
    Random,
}

impl Character {
    pub(crate) const ALL: [Self; 5] = [Self::Nets, Self::Jeweller, Self::Merchant, Self::Page, Self::Random];

    /// How often it would make each bid. The nets are not asked here: they bid at random.
    pub fn bids(self, known: &Known, outlook: &Outlook) -> BidMix {
        let (hand, open) = (known.hand, known.public.open_cushions(known.seat));
        let mut mix = BidMix { hand, open, shares: self.scores(known, outlook) };
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

    /// Weighs the legal actions of a seat that knows this.
    #[must_use]
    pub fn weigh(self, known: &Known, legal: Legal) -> Vec<Weighed> {
        let outlook = Outlook::new(&known.public);
        let scores = self.scores(known, &outlook);
        let scored = |action| match action {
            Action::Bid { card, cushion } => (action, scores[cushion.index()][usize::from(card.value())]),
            Action::Offer(offer) => (action, self.offer(known, offer)),
        };
        let scored: Vec<(Action, f32)> = legal.iter().map(scored).collect();
        mix(&scored, self.temperature(), &outlook, known.seat)
    }

    /// What each bid brings in its eyes, in points.
    fn scores(self, known: &Known, outlook: &Outlook) -> ByBid {
        let mut scores = [[0.0; 16]; 3];
        if matches!(self, Self::Nets | Self::Random) || known.public.offer.is_empty() {
            return scores;
        }
        let thought = (self == Self::Jeweller).then(|| Thought::new(known, outlook));
        for cushion in known.public.open_cushions(known.seat).iter() {
            for card in known.hand.values() {
                scores[cushion.index()][usize::from(card.value())] = match (self, &thought) {
                    (_, Some(thought)) => thought.bid(card, cushion).score,
                    (Self::Merchant, _) => merchant::bid(known, card, cushion),
                    _ => page::bid(known, card, cushion),
                };
            }
        }
        scores
    }

    /// What an offer brings in its eyes, in points.
    fn offer(self, known: &Known, offer: Offer) -> f32 {
        match self {
            Self::Jeweller => jeweller::offer(known, offer),
            Self::Merchant => merchant::offer(known, offer),
            Self::Page => page::offer(offer),
            Self::Nets | Self::Random => 0.0,
        }
    }

    /// So many points less make an action e times as rare.
    const fn temperature(self) -> f32 {
        match self {
            Self::Jeweller => jeweller::TEMPERATURE,
            Self::Merchant => merchant::TEMPERATURE,
            Self::Page => page::TEMPERATURE,
            Self::Nets | Self::Random => 1.0,
        }
    }
}

/// Mixes actions by how good they are: `temperature` points less make an action e times as rare.
///
/// `win` is the chance to win the game as of now; an action that is better than the mix raises it.
fn mix(scored: &[(Action, f32)], temperature: f32, outlook: &Outlook, seat: Seat) -> Vec<Weighed> {
    let best = scored.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scored.iter().map(|&(_, score)| exp((score - best) / temperature)).collect();
    let sum: f32 = weights.iter().sum();
    // The shares must add up to more digits than the rest needs.
    let exact: f64 = weights.iter().copied().map(f64::from).sum();
    let mean: f32 = scored.iter().zip(&weights).map(|(&(_, score), weight)| score * weight / sum).sum();
    let weighed = |(&(action, score), weight): (&(Action, f32), f32)| Weighed {
        action,
        share: f64::from(weight) / exact,
        win: outlook.chance_with(seat, score - mean).min(1.0).into(),
    };
    scored.iter().zip(weights).map(weighed).collect()
}
