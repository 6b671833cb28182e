//! Counts everything that was shown, weighs every card against every cushion, and grudges the leader each jewel.

use sultan_domain::{Action, Cushion, Legal, MoneyCard, Offer, Recall, View};
use sultan_rules::Quick;

use super::mix;
use crate::bot::even;
use crate::known::Known;
use crate::net::brain::BidMix;
use crate::net::math::exp;
use crate::outlook::Outlook;
use crate::rivals::Rivals;
use crate::{Bot, Weighed};

/// The tuned hand-written level: counts everything that was shown, collects sets, and grudges the leader each jewel.
#[derive(Clone, Copy, Debug)]
pub struct Jeweller;

/// How much of what others lose counts as won.
pub(crate) const GRUDGE: f32 = 0.7;
/// How much more a card is worth for each round of the stage to come.
const PATIENCE: f32 = 0.1;
/// So many points less make an action e times as rare.
const TEMPERATURE: f32 = 0.2;

impl Bot for Jeweller {
    fn name(&self) -> &'static str {
        "jeweller"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let Some(known) = Known::new(view, recall, chance) else { return even(view) };
        think(&known, view.legal())
    }
}

/// Weighs the legal actions of a seat that knows this.
pub(crate) fn think(known: &Known, legal: Legal) -> Vec<Weighed> {
    let outlook = Outlook::new(&known.public);
    let thought = Thought::new(known, &outlook);
    let scored = |action| match action {
        Action::Bid { card, cushion } => (action, thought.bid(card, cushion).score),
        Action::Offer(offer) => (action, offered(known, offer)),
    };
    let scored: Vec<(Action, f32)> = legal.iter().map(scored).collect();
    mix(&scored, TEMPERATURE, &outlook, known.seat)
}

/// How often the jeweller would make each bid.
pub(crate) fn bids(known: &Known, outlook: &Outlook) -> BidMix {
    let thought = Thought::new(known, outlook);
    let mut mix = BidMix { hand: known.hand, open: known.public.open_cushions(known.seat), shares: [[0.0; 16]; 3] };
    let mut best = f32::NEG_INFINITY;
    for cushion in mix.open.iter() {
        for card in known.hand.values() {
            let score = thought.bid(card, cushion).score;
            mix.shares[cushion.index()][usize::from(card.value())] = score;
            best = best.max(score);
        }
    }
    let mut sum = 0.0;
    for cushion in mix.open.iter() {
        for card in known.hand.values() {
            let share = &mut mix.shares[cushion.index()][usize::from(card.value())];
            *share = exp((*share - best) / TEMPERATURE);
            sum += *share;
        }
    }
    mix.shares.iter_mut().flatten().for_each(|share| *share /= sum);
    mix
}

/// What an offer brings: the best own bid, less what the others may take.
fn offered(known: &Known, offer: Offer) -> f32 {
    let mut known = *known;
    known.public.make_offer(offer);
    let outlook = Outlook::new(&known.public);
    let thought = Thought::new(&known, &outlook);
    let cushions = || Cushion::first(known.public.numbers.cushions);
    let best = cushions()
        .flat_map(|cushion| known.hand.values().map(move |card| (card, cushion)))
        .map(|(card, cushion)| thought.bid(card, cushion).score)
        .fold(f32::NEG_INFINITY, f32::max);
    best - cushions().map(|cushion| thought.taken[cushion.index()]).sum::<f32>()
}

/// One round in the jeweller's eyes.
pub(crate) struct Thought<'a> {
    known: &'a Known,
    rivals: Rivals<'a>,
    mean: f32,
    /// The chances to win each cushion with each card.
    wins: [[f32; 16]; 3],
    /// What it would hurt if the others took each cushion's jewel.
    taken: [f32; 3],
}

/// A bid in the jeweller's eyes.
pub(crate) struct Bidding {
    /// The chance that the card takes the jewel.
    pub(crate) win: f32,
    /// What the jewel is worth, in points, and what it would hurt if others took it.
    pub(crate) worth: f32,
    pub(crate) taken: f32,
    /// What the card is worth in later rounds.
    pub(crate) price: f32,
    /// What the bid brings.
    pub(crate) score: f32,
}

impl<'a> Thought<'a> {
    pub(crate) fn new(known: &'a Known, outlook: &'a Outlook) -> Self {
        let rivals = Rivals::new(known, outlook);
        let (mut wins, mut taken) = ([[0.0; 16]; 3], [0.0; 3]);
        if !known.public.offer.is_empty() {
            for cushion in known.public.open_cushions(known.seat).iter() {
                wins[cushion.index()] = rivals.wins(cushion);
                taken[cushion.index()] = GRUDGE * rivals.harm(cushion);
            }
        }
        Self { known, rivals, mean: outlook.mean(known.seat), wins, taken }
    }

    pub(crate) fn bid(&self, card: MoneyCard, cushion: Cushion) -> Bidding {
        let win = self.wins[cushion.index()][usize::from(card.value())];
        let worth = self.rivals.worth(self.known.seat, cushion);
        let taken = self.taken[cushion.index()];
        let price = self.price(card);
        Bidding { win, worth, taken, price, score: win * (worth + taken) - price }
    }

    /// What a card is worth in the later rounds of the stage. All cards of a hand are played within it, so that this only
    /// matters as far as one is dearer than another.
    pub(crate) fn price(&self, card: MoneyCard) -> f32 {
        let numbers = &self.known.public.numbers;
        let rounds = numbers.rounds_per_stage - 1 - self.known.public.round_index % numbers.rounds_per_stage;
        let rank = self.rivals.rank(card);
        (1.0 + PATIENCE * f32::from(rounds)) * self.mean * rank * rank
    }
}
