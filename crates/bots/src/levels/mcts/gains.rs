//! Rates the end of an imagined round: each seat's winning chance.

use sultan_domain::{Bids, BySeat, Collection, Jewel, Parameters, Seat};
use sultan_rules::outcome;

use crate::levels::{HARM_WEIGHT, RoundModel};
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::net::SeatValue;
use crate::search::outlook::Outlook;
use crate::search::world::World;

/// Rates games at the end of the current round.
///
/// Before the last round, the effect of a round is small, so winning chances are taken as linear in the points of all
/// seats.
pub(super) struct Gains {
    parameters: Parameters,
    collections: BySeat<Collection>,
    /// The number of cards placed before the search began: their cost is already paid.
    placed: usize,
    /// The value of a jewel of each colour, by seat.
    jewel_values: [[f32; 5]; 5],
    /// The value of each card in later rounds of the stage, by seat.
    prices: [[f32; 16]; 5],
    /// Each seat's winning chance before the round.
    chances: [f32; 5],
    /// The effect of a point for one seat (second index) on the winning chance of another (first index).
    slopes: [[f32; 5]; 5],
    /// Whether this is the last round.
    last: bool,
}

impl Gains {
    pub(super) fn new(public: &PublicState) -> Self {
        let parameters = public.parameters;
        let outlook = Outlook::new(public);
        let mut gains = Self {
            parameters,
            collections: public.collections,
            placed: public.placed.len(),
            jewel_values: [[0.0; 5]; 5],
            prices: [[0.0; 16]; 5],
            chances: [0.0; 5],
            slopes: [[0.0; 5]; 5],
            last: public.round_index + 1 == parameters.rounds(),
        };
        for seat in parameters.players.seats() {
            let at = seat.index();
            gains.chances[at] = outlook.chance_with(seat, 0.0);
            gains.jewel_values[at] = Jewel::ALL.map(|jewel| outlook.jewel_value(seat, jewel));
            gains.prices[at] = prices(public, &outlook, seat);
            for other in parameters.players.seats() {
                let effect = if other == seat { 1.0 } else { -HARM_WEIGHT * outlook.harm(seat, other) };
                gains.slopes[at][other.index()] = outlook.slope(seat) * effect;
            }
        }
        gains
    }

    /// Each seat's winning chance after the bids were settled.
    pub(super) fn rate(&self, world: &World) -> [f32; 5] {
        if self.last {
            return self.shares(&world.public);
        }
        let mut gains = [0.0; 5];
        for seat in self.parameters.players.seats() {
            let won = world.public.collections[seat].without(self.collections[seat]).unwrap_or_default();
            if !won.is_empty() {
                let jewel_values = Jewel::ALL.iter().zip(&self.jewel_values[seat.index()]);
                gains[seat.index()] =
                    jewel_values.map(|(&jewel, jewel_value)| f32::from(won.count(jewel)) * jewel_value).sum();
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
    fn shares(&self, public: &PublicState) -> [f32; 5] {
        let outcome = outcome(&self.parameters, |seat| public.collections[seat]);
        let mut shares = [0.0; 5];
        for seat in self.parameters.players.seats() {
            shares[seat.index()] = SeatValue::of_outcome(&outcome, seat).win;
        }
        shares
    }
}

/// The value of each card that a seat may have, in later rounds.
fn prices(public: &PublicState, outlook: &Outlook, seat: Seat) -> [f32; 16] {
    let hand = public.left[seat];
    let knowledge = Knowledge { public: *public, seat, hand, own: Bids::new() };
    let model = RoundModel::new(&knowledge, outlook);
    let mut prices = [0.0; 16];
    for card in hand.values() {
        prices[usize::from(card.value())] = model.price(card);
    }
    prices
}
