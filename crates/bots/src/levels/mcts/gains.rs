//! Rates the end of an imagined round: each seat's chance to win the game.

use sultan_domain::{Bids, BySeat, Collection, Jewel, Parameters, Seat};
use sultan_rules::outcome;

use crate::levels::{GRUDGE, Thought};
use crate::search::known::{Known, Public};
use crate::search::net::Worth;
use crate::search::outlook::Outlook;
use crate::search::world::World;

/// Rates games that have come to the end of the round under way.
///
/// Until the last round, what the round brings is small: chances to win are taken to rise and fall evenly with the
/// points of all seats.
pub(super) struct Gains {
    parameters: Parameters,
    collections: BySeat<Collection>,
    /// How many cards lay there when the search began: what they cost is past.
    placed: usize,
    /// What a jewel of each colour adds, by seat.
    worths: [[f32; 5]; 5],
    /// What each card would be worth in the later rounds of the stage, by seat.
    prices: [[f32; 16]; 5],
    /// The chance of each seat to win, before the round.
    chances: [f32; 5],
    /// What a point of each seat (second) does to the chance of each (first).
    slopes: [[f32; 5]; 5],
    /// Whether this is the last round.
    last: bool,
}

impl Gains {
    pub(super) fn new(public: &Public) -> Self {
        let parameters = public.parameters;
        let outlook = Outlook::new(public);
        let mut gains = Self {
            parameters,
            collections: public.collections,
            placed: public.placed.len(),
            worths: [[0.0; 5]; 5],
            prices: [[0.0; 16]; 5],
            chances: [0.0; 5],
            slopes: [[0.0; 5]; 5],
            last: public.round_index + 1 == parameters.rounds(),
        };
        for seat in parameters.players.seats() {
            let at = seat.index();
            gains.chances[at] = outlook.chance_with(seat, 0.0);
            gains.worths[at] = Jewel::ALL.map(|jewel| outlook.worth(seat, jewel));
            gains.prices[at] = prices(public, &outlook, seat);
            for other in parameters.players.seats() {
                let effect = if other == seat { 1.0 } else { -GRUDGE * outlook.harm(seat, other) };
                gains.slopes[at][other.index()] = outlook.slope(seat) * effect;
            }
        }
        gains
    }

    /// Each seat's chance to win in a game whose bids have been settled.
    pub(super) fn rate(&self, world: &World) -> [f32; 5] {
        if self.last {
            return self.shares(&world.public);
        }
        let mut gains = [0.0; 5];
        for seat in self.parameters.players.seats() {
            let won = world.public.collections[seat].without(self.collections[seat]).unwrap_or_default();
            if !won.is_empty() {
                let worths = Jewel::ALL.iter().zip(&self.worths[seat.index()]);
                gains[seat.index()] = worths.map(|(&jewel, worth)| f32::from(won.count(jewel)) * worth).sum();
            }
        }
        for bid in &world.bids[self.placed..] {
            gains[bid.seat.index()] -= self.prices[bid.seat.index()][usize::from(bid.card.value())];
        }
        std::array::from_fn(|at| {
            let change: f32 = self.slopes[at].iter().zip(gains).map(|(slope, gain)| slope * gain).sum();
            self.chances[at] + change
        })
    }

    /// Each seat's share of the win, once the game is over.
    fn shares(&self, public: &Public) -> [f32; 5] {
        let outcome = outcome(&self.parameters, |seat| public.collections[seat]);
        let mut shares = [0.0; 5];
        for seat in self.parameters.players.seats() {
            shares[seat.index()] = Worth::of_outcome(&outcome, seat).win;
        }
        shares
    }
}

/// What each card that a seat may have would be worth to it in later rounds.
fn prices(public: &Public, outlook: &Outlook, seat: Seat) -> [f32; 16] {
    let hand = public.left[seat];
    let known = Known { public: *public, seat, hand, own: Bids::new() };
    let thought = Thought::new(&known, outlook);
    let mut prices = [0.0; 16];
    for card in hand.values() {
        prices[usize::from(card.value())] = thought.price(card);
    }
    prices
}
