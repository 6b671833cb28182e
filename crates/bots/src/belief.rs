//! What the others may hold, judged by how they bid.
//!
//! Every other seat has cards that nobody else has seen. Hands that it may hold are drawn at random and weighed by how
//! likely the nets would have bid with them as the seat did, in this stage's finished rounds and in this round.

use sultan_domain::{Bids, Cards, Cushion, Recall, RoundTold, Seat};
use sultan_rules::{Quick, shuffle};

use crate::known::{Known, Public};
use crate::heuristic::jeweller_bids;
use crate::net::brain::{BidMix, Brain, even};
use crate::net::layers::{Sums, WIDE};
use crate::net::math::{exp, ln, sigmoid};
use crate::outlook::Outlook;

/// What one seat may hold.
#[derive(Clone, Copy)]
pub(crate) struct Guess {
    /// The hand.
    pub(crate) hand: Cards,
    /// The cards it has placed in this round.
    pub(crate) bids: Bids,
    /// What its bids in this round have in common.
    pub(crate) trunk: Sums,
    /// Whether it is taken to bid as the jeweller does.
    pub(crate) jeweller: bool,
    /// As a logarithm, until all guesses are there.
    weight: f32,
}

/// What one seat may hold, and how likely.
pub(crate) struct Belief {
    guesses: Vec<Guess>,
    sum: f32,
}

/// A finished round: what all knew when the offer was made, and what was bid.
pub(crate) struct Past {
    public: Public,
    outlook: Outlook,
    told: RoundTold,
}

/// The finished rounds, where all of them are remembered.
pub(crate) fn rounds_so_far(public: &Public, recall: &Recall) -> Vec<Past> {
    let numbers = public.numbers;
    if recall.rounds().len() != usize::from(public.round_index) {
        return Vec::new();
    }
    let first = recall.rounds().first().map_or(public.first, |told| told.first_seat);
    let mut then = Public::start(numbers, first);
    let mut rounds = Vec::new();
    for told in recall.rounds() {
        then.drawn = told.drawn;
        then.pouch = then.pouch.without(told.drawn.jewels()).unwrap_or_default();
        then.make_offer(told.offer.unwrap_or_default());
        rounds.push(Past { public: then, outlook: Outlook::new(&then), told: *told });
        then.settle(&told.bids);
    }
    rounds
}


impl Belief {
    /// Draws so many hands that a seat may hold. Where only one is possible, only its face-down cards are drawn.
    pub(crate) fn new(brain: &Brain, table: (&Public, &Outlook), past: &[Past], seat: Seat, chance: &mut Quick, count: usize) -> Self {
        let public = table.0;
        let out = public.out_of_deck(seat) as usize;
        let left = public.left[seat];
        let sure = left.len() as usize == out;
        let mut pile: Vec<_> = left.iter().collect();
        let hides = public.placed.iter().any(|bid| bid.seat == seat);
        let count = if sure && !hides { 1 } else { count };
        let mut guesses: Vec<Guess> = Vec::with_capacity(count);
        let stage_start = usize::from(public.round_index - public.round_index % public.numbers.rounds_per_stage);
        let jeweller = jeweller_chance(brain, past, stage_start, seat);
        let this_stage = &past[stage_start.min(past.len())..];
        let count = if past.is_empty() || jeweller < 0.01 || jeweller > 0.99 { count } else { count.max(2) };
        for _ in 0..count {
            if !sure {
                shuffle(&mut pile, chance);
            }
            let cards = Cards::of(&pile[..out.min(pile.len())]);
            let as_jeweller = even(chance) < jeweller;
            let mut guess = Guess::new(brain, table, seat, (cards, as_jeweller), chance);
            if !sure || count > 1 {
                guess.weight += remembered(brain, this_stage, seat, cards, as_jeweller);
            }
            guesses.push(guess);
        }
        let most = guesses.iter().map(|guess| guess.weight).fold(f32::NEG_INFINITY, f32::max);
        guesses.iter_mut().for_each(|guess| guess.weight = exp(guess.weight - most));
        let sum = guesses.iter().map(|guess| guess.weight).sum();
        Self { guesses, sum }
    }

    /// Picks a hand, each as likely as its weight.
    pub(crate) fn pick(&self, chance: &mut Quick) -> &Guess {
        let mut at = even(chance) * self.sum;
        for guess in &self.guesses {
            if at < guess.weight {
                return guess;
            }
            at -= guess.weight;
        }
        self.guesses.last().expect("a belief has at least one guess")
    }
}

impl Guess {
    /// These cards in hand or face down; which of them lie face down is drawn as likely as the nets would place them.
    fn new(brain: &Brain, (public, outlook): (&Public, &Outlook), seat: Seat, (cards, jeweller): (Cards, bool), chance: &mut Quick) -> Self {
        let trunk = if jeweller { [0.0; WIDE] } else { brain.trunk(public, seat, cards) };
        let mut guess = Self { hand: cards, bids: Bids::new(), trunk, jeweller, weight: 0.0 };
        for (turn, placed) in public.placed.iter().enumerate().filter(|(_, placed)| placed.seat == seat) {
            let mut then = *public;
            then.placed.truncate(turn);
            let known = Known { public: then, seat, hand: guess.hand, own: guess.bids };
            let mix = mix(brain, &known, &guess.trunk, outlook, jeweller);
            let on_it = |cushion: Cushion| mix.iter().filter(move |&(_, other, _)| other == cushion);
            let likely: f32 = on_it(placed.cushion).map(|(_, _, share)| share).sum();
            let mut at = even(chance) * likely;
            let mut card = mix.hand.nth_value(0).unwrap_or_default();
            for (other, _, share) in on_it(placed.cushion) {
                card = other;
                if at < share {
                    break;
                }
                at -= share;
            }
            guess.weight += ln(likely.max(1e-3));
            guess.hand.take(card);
            guess.bids.push(sultan_domain::Bid { seat, card, cushion: placed.cushion });
        }
        guess
    }
}

/// How likely a seat that has these cards after some rounds of a stage would have bid in them as it did.
fn remembered(brain: &Brain, past: &[Past], seat: Seat, cards: Cards, jeweller: bool) -> f32 {
    let mut hand = cards;
    let mut likely = 0.0;
    // From the last round back, the hand grows by what was played.
    for Past { public, outlook, told } in past.iter().rev() {
        for bid in told.bids.into_iter().filter(|bid| bid.seat == seat) {
            hand.put(bid.card);
        }
        let trunk = if jeweller { [0.0; WIDE] } else { brain.trunk(public, seat, hand) };
        let (mut known, mut then) = (Known { public: *public, seat, hand, own: Bids::new() }, *public);
        for bid in told.bids {
            if bid.seat == seat {
                known.public = then;
                let mix = mix(brain, &known, &trunk, outlook, jeweller);
                likely += ln(mix.share(bid.card, bid.cushion).max(1e-3));
                known.hand.take(bid.card);
                known.own.push(bid);
            }
            then.bid(bid.cushion);
        }
    }
    likely
}

fn mix(brain: &Brain, known: &Known, trunk: &Sums, outlook: &Outlook, jeweller: bool) -> BidMix {
    if jeweller { jeweller_bids(known, outlook) } else { brain.bids(known, trunk, outlook) }
}

/// How likely a seat bids as the jeweller does, by what it did in the stages before this one.
fn jeweller_chance(brain: &Brain, past: &[Past], stage_start: usize, seat: Seat) -> f32 {
    let Some(first) = past.first() else { return 0.0 };
    let per_stage = usize::from(first.public.numbers.rounds_per_stage);
    let prior = std::env::var("PRIOR").ok().and_then(|v| v.parse().ok()).unwrap_or(0.0_f32);
    let mut ratio = prior;
    for stage in past[..stage_start.min(past.len())].chunks(per_stage) {
        let likely = |jeweller| remembered(brain, stage, seat, Cards::NONE, jeweller);
        ratio += likely(true) - likely(false);
    }
    sigmoid(ratio)
}
