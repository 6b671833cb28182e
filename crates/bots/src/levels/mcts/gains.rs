//! Estimates each seat's winning chance at the end of an imagined round.

use sultan_domain::{Bids, Jewel, Seat};
use sultan_rules::outcome;

use crate::levels::{HARM_WEIGHT, RoundModel};
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::net::SeatValue;
use crate::search::outlook::Outlook;
use crate::search::world::World;

/// Estimates winning chances at the end of the round that is being searched.
///
/// Before the last round, a single round has a small effect on the winning chances, so they are approximated as linear
/// functions of the points that each seat gains.
pub(super) struct Gains {
    /// The public information when the search began. The cost of cards placed before the search is already paid.
    public: PublicState,
    /// The value of a jewel of each colour, by seat.
    jewel_values: [[f32; 5]; 5],
    /// The value of each card in later rounds of the stage, by seat.
    prices: [[f32; 16]; 5],
    /// Each seat's winning chance before the round.
    win_chances: [f32; 5],
    /// The effect of a point for one seat (second index) on the winning chance of the same or another (first index).
    slopes: [[f32; 5]; 5],
}

impl Gains {
    pub(super) fn new(public: &PublicState) -> Self {
        let outlook = Outlook::new(public);
        let mut gains = Self {
            public: *public,
            jewel_values: [[0.0; 5]; 5],
            prices: [[0.0; 16]; 5],
            win_chances: [0.0; 5],
            slopes: [[0.0; 5]; 5],
        };
        for seat in public.parameters.players.seats() {
            let index = seat.index();
            gains.win_chances[index] = outlook.win_chance_with(seat, 0.0);
            gains.jewel_values[index] = Jewel::ALL.map(|jewel| outlook.jewel_value(seat, jewel));
            gains.prices[index] = prices(public, &outlook, seat);
            for other in public.parameters.players.seats() {
                let effect = if other == seat { 1.0 } else { -HARM_WEIGHT * outlook.harm(seat, other) };
                gains.slopes[index][other.index()] = outlook.slope(seat) * effect;
            }
        }
        gains
    }

    /// Each seat's winning chance after the round was settled; its share of the win if the game is over.
    pub(super) fn win_chances(&self, world: &World) -> [f32; 5] {
        let parameters = &self.public.parameters;
        if world.public.is_over() {
            let outcome = outcome(parameters, |seat| world.public.collections[seat]);
            let mut shares_of_win = [0.0; 5];
            for seat in parameters.players.seats() {
                shares_of_win[seat.index()] = SeatValue::of_outcome(&outcome, seat).win;
            }
            return shares_of_win;
        }
        let mut gains = [0.0; 5];
        for seat in parameters.players.seats() {
            let won = world.public.collections[seat].without(self.public.collections[seat]).unwrap_or_default();
            if !won.is_empty() {
                let jewel_values = Jewel::ALL.iter().zip(&self.jewel_values[seat.index()]);
                gains[seat.index()] =
                    jewel_values.map(|(&jewel, jewel_value)| f32::from(won.count(jewel)) * jewel_value).sum();
            }
        }
        // Only the cards placed during the search cost anything.
        for bid in &world.bids[self.public.placed.len()..] {
            gains[bid.seat.index()] -= self.prices[bid.seat.index()][usize::from(bid.card.value())];
        }
        std::array::from_fn(|index| {
            let change: f32 = self.slopes[index].iter().zip(gains).map(|(slope, gain)| slope * gain).sum();
            self.win_chances[index] + change
        })
    }
}

/// The value, in later rounds of the stage, of each card that a seat may have, by value of the card.
fn prices(public: &PublicState, outlook: &Outlook, seat: Seat) -> [f32; 16] {
    // The seat's hand is unknown: it may contain any of the seat's unrevealed cards.
    let hand = public.left[seat];
    let knowledge = Knowledge { public: *public, seat, hand, own: Bids::new() };
    let model = RoundModel::new(&knowledge, outlook);
    let mut prices = [0.0; 16];
    for card in hand.values() {
        prices[usize::from(card.value())] = model.price(card);
    }
    prices
}
