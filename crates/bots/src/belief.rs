//! What the others may hold, judged by how they bid.
//!
//! Every other seat has cards that nobody else has seen. Hands that it may hold are drawn at random and weighed by how
//! likely the nets would have bid with them as the seat did, in this stage's finished rounds and in this round.

use sultan_domain::{Bids, Cards, Cushion, Numbers, Recall, RoundTold, Seat};
use sultan_rules::{Quick, shuffle};

use crate::known::{Known, Public};
use crate::net::brain::{Brain, even};
use crate::net::layers::Sums;
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
    weight: f32,
}

/// What one seat may hold, and how likely.
pub(crate) struct Belief {
    guesses: Vec<Guess>,
    sum: f32,
}

/// A finished round of this stage: what all knew when the offer was made, and what was bid.
pub(crate) struct Past {
    public: Public,
    outlook: Outlook,
    told: RoundTold,
}

/// The finished rounds of this stage, where all rounds of the game are remembered.
pub(crate) fn stage_so_far(public: &Public, recall: &Recall) -> Vec<Past> {
    let numbers = public.numbers;
    if recall.rounds().len() != usize::from(public.round_index) {
        return Vec::new();
    }
    let stage_start = public.round_index - public.round_index % numbers.rounds_per_stage;
    let first = recall.rounds().first().map_or(public.first, |told| told.first_seat);
    let mut then = Public::start(numbers, first);
    let mut rounds = Vec::new();
    for told in recall.rounds() {
        then.drawn = told.drawn;
        then.pouch = then.pouch.without(told.drawn.jewels()).unwrap_or_default();
        then.make_offer(told.offer.unwrap_or_default());
        if then.round_index >= stage_start {
            rounds.push(Past { public: then, outlook: Outlook::new(&then), told: *told });
        }
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
        let mut guesses = Vec::with_capacity(count);
        let mut sum = 0.0;
        for _ in 0..count {
            if !sure {
                shuffle(&mut pile, chance);
            }
            let cards = Cards::of(&pile[..out.min(pile.len())]);
            let mut guess = Guess::new(brain, table, seat, cards, chance);
            if !sure {
                guess.weight *= remembered(brain, past, seat, cards);
            }
            sum += guess.weight;
            guesses.push(guess);
        }
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
    fn new(brain: &Brain, (public, outlook): (&Public, &Outlook), seat: Seat, cards: Cards, chance: &mut Quick) -> Self {
        let trunk = brain.trunk(public, seat, cards);
        let mut guess = Self { hand: cards, bids: Bids::new(), trunk, weight: 1.0 };
        for (turn, placed) in public.placed.iter().enumerate().filter(|(_, placed)| placed.seat == seat) {
            let mut then = *public;
            then.placed.truncate(turn);
            let known = Known { public: then, seat, hand: guess.hand, own: guess.bids };
            let mix = brain.bids(&known, &guess.trunk, outlook);
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
            guess.weight *= likely;
            guess.hand.take(card);
            guess.bids.push(sultan_domain::Bid { seat, card, cushion: placed.cushion });
        }
        guess
    }
}

/// How likely the nets would have bid in this stage's finished rounds as a seat did that now has these cards.
fn remembered(brain: &Brain, past: &[Past], seat: Seat, cards: Cards) -> f32 {
    let mut hand = cards;
    let mut likely = 1.0;
    // From the last round back, the hand grows by what was played.
    for Past { public, outlook, told } in past.iter().rev() {
        let own: Bids = told.bids.into_iter().filter(|bid| bid.seat == seat).collect();
        for bid in own {
            hand.put(bid.card);
        }
        let trunk = brain.trunk(public, seat, hand);
        let (mut known, mut then) = (Known { public: *public, seat, hand, own: Bids::new() }, *public);
        for bid in told.bids {
            if bid.seat == seat {
                known.public = then;
                likely *= brain.bids(&known, &trunk, outlook).share(bid.card, bid.cushion).max(1e-3);
                known.hand.take(bid.card);
                known.own.push(bid);
            }
            then.bid(bid.cushion);
        }
    }
    likely
}

/// How many cards a seat places in a round that are still to come after this turn.
pub(crate) fn bids_again(numbers: &Numbers, public: &Public, seat: Seat) -> bool {
    (public.turn() + 1..numbers.bids()).any(|turn| numbers.bidder(public.first, turn) == seat)
}
