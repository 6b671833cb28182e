//! Heuristics for the other bidders: the chance of each to bid for a jewel, and the likely card.
//!
//! Hands are unknown, but the remaining cards of each seat are public. A rival is assumed to prefer cushions with few
//! cards and a valuable jewel, and to bid a higher card for a better jewel and against more cards.

use sultan_domain::{Cards, Cushion, MoneyCard, Seat, Ties};

use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::exp;
use crate::search::outlook::Outlook;

/// The decrease of a cushion's attraction with each card on it, as an exponent.
const CROWDING: f32 = 0.3;
/// The log ratio between the probabilities of a rival's highest and lowest card, for an average jewel.
const TILT: f32 = 1.0;
/// The increase of this log ratio for each multiple of the average value.
const TILT_BY_VALUE: f32 = 1.0;
/// The increase of this log ratio for each earlier card on the cushion.
const TILT_BY_CARDS: f32 = 0.3;

/// The chance that a card is at least as high as each value from 0 to 16.
type AtLeast = [f32; 17];

/// The rivals of one seat in one round.
pub(crate) struct Rivals<'a> {
    knowledge: &'a Knowledge,
    outlook: &'a Outlook,
    /// The attraction of each cushion for each seat, given the cards on it.
    attractions: [[f32; 3]; 5],
    /// The factor on the attraction for each additional card.
    crowding_factor: f32,
}

impl<'a> Rivals<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, outlook: &'a Outlook) -> Self {
        let public = &knowledge.public;
        let crowding_factor = exp(-CROWDING);
        let mut crowding = [1.0; 3];
        for bid in &public.placed {
            crowding[bid.cushion.index()] *= crowding_factor;
        }
        let mut attractions = [[0.0; 3]; 5];
        for seat in public.parameters.players.seats() {
            for ((jewel, attraction), crowding) in public.offer.iter().zip(&mut attractions[seat.index()]).zip(crowding)
            {
                *attraction = outlook.jewel_value(seat, jewel) * crowding;
            }
        }
        Self { knowledge, outlook, attractions, crowding_factor }
    }

    fn public(&self) -> &PublicState {
        &self.knowledge.public
    }

    /// The value of a cushion's jewel to a seat.
    pub(crate) fn jewel_value(&self, seat: Seat, cushion: Cushion) -> f32 {
        self.public().offer.jewel_on(cushion).map_or(0.0, |jewel| self.outlook.jewel_value(seat, jewel))
    }

    /// The chance to win a cushion with each card from 0 to 15, if it were placed now.
    pub(crate) fn wins(&self, cushion: Cushion) -> [f32; 16] {
        let public = self.public();
        let own = self.knowledge.seat;
        let mut wins = [1.0; 16];
        let mut earlier_bids = 0.0;
        for bid in public.placed.iter().filter(|bid| bid.cushion == cushion) {
            if bid.seat != own {
                let cards = self.card_distribution(bid.seat, cushion, earlier_bids);
                Self::reduce_by_rival(&mut wins, &cards, 1.0, self.wins_ties(bid.seat, true));
            }
            earlier_bids += 1.0;
        }
        for seat in public.parameters.players.seats().filter(|&seat| seat != own) {
            let bid_chance = self.bid_chance(seat, cushion, Some(cushion));
            if bid_chance > 0.0 {
                let cards = self.card_distribution(seat, cushion, earlier_bids + 1.0);
                Self::reduce_by_rival(&mut wins, &cards, bid_chance, self.wins_ties(seat, false));
            }
        }
        wins
    }

    /// Multiplies the chance to win with each card by the probability that a rival does not beat the card.
    fn reduce_by_rival(wins: &mut [f32; 16], cards: &AtLeast, bid_chance: f32, wins_ties: bool) {
        for (value, win) in wins.iter_mut().enumerate() {
            *win *= 1.0 - bid_chance * cards[value + usize::from(!wins_ties)];
        }
    }

    /// Whether a rival's card beats an equal one placed now.
    fn wins_ties(&self, rival: Seat, earlier: bool) -> bool {
        match self.public().parameters.ties {
            Ties::EarliestBid => earlier,
            Ties::FirstPlayer => rival == self.public().first,
        }
    }

    /// The chance that a seat places one of its remaining bids on a cushion, if the own card is placed on `own_cushion`.
    pub(crate) fn bid_chance(&self, seat: Seat, cushion: Cushion, own_cushion: Option<Cushion>) -> f32 {
        let public = self.public();
        let remaining_bids = (public.turn() + u8::from(own_cushion.is_some())..public.parameters.bids())
            .filter(|&turn| public.parameters.bidder(public.first, turn) == seat)
            .count();
        let open = public.open_cushions(seat);
        if remaining_bids == 0 || !open.has(cushion) {
            return 0.0;
        }
        let attraction = |other: Cushion| {
            self.attractions[seat.index()][other.index()]
                * if own_cushion == Some(other) { self.crowding_factor } else { 1.0 }
        };
        let all: f32 = open.iter().map(attraction).sum();
        let first = attraction(cushion) / all;
        if remaining_bids == 1 {
            return first;
        }
        // Two cards, on different cushions (RULES 4.3).
        let elsewhere = open.iter().filter(|&at| at != cushion);
        first + elsewhere.map(|at| attraction(at) / all * attraction(cushion) / (all - attraction(at))).sum::<f32>()
    }

    /// The distribution of a seat's card on a cushion with this number of earlier cards.
    fn card_distribution(&self, seat: Seat, cushion: Cushion, earlier_bids: f32) -> AtLeast {
        let value_above_mean = self.jewel_value(seat, cushion) / self.outlook.mean(seat) - 1.0;
        at_least(self.public().left[seat], TILT + TILT_BY_VALUE * value_above_mean + TILT_BY_CARDS * earlier_bids)
    }

    /// The chance of each other seat to win a cushion without a bid of the own seat.
    pub(crate) fn win_chances(&self, cushion: Cushion) -> [f32; 5] {
        let public = self.public();
        let mut bid_chances = [0.0; 5];
        for seat in public.parameters.players.seats().filter(|&seat| seat != self.knowledge.seat) {
            let placed = public.placed.iter().any(|bid| bid.seat == seat && bid.cushion == cushion);
            bid_chances[seat.index()] = if placed { 1.0 } else { self.bid_chance(seat, cushion, None) };
        }
        let any_bid = 1.0 - bid_chances.iter().map(|chance| 1.0 - chance).product::<f32>();
        let sum: f32 = bid_chances.iter().sum();
        bid_chances.map(|chance| if sum > 0.0 { any_bid * chance / sum } else { 0.0 })
    }

    /// The harm if other seats win a cushion's jewel, in own points.
    pub(crate) fn harm(&self, cushion: Cushion) -> f32 {
        let win_chances = self.win_chances(cushion);
        let own = self.knowledge.seat;
        let expected_harm =
            |seat: Seat| win_chances[seat.index()] * self.outlook.harm(own, seat) * self.jewel_value(seat, cushion);
        self.public().parameters.players.seats().map(expected_harm).sum()
    }

    /// The fraction of the rivals' remaining cards that a card beats; equal cards count half.
    pub(crate) fn rank(&self, card: MoneyCard) -> f32 {
        let public = self.public();
        let (mut twice_beaten, mut all) = (0, 0);
        for seat in public.parameters.players.seats().filter(|&seat| seat != self.knowledge.seat) {
            let left = public.left[seat];
            twice_beaten += 2 * left.below(card).len() + u32::from(left.count(card));
            all += left.len();
        }
        #[expect(clippy::cast_precision_loss, reason = "the number of cards fits")]
        let share = twice_beaten as f32 / (2 * all.max(1)) as f32;
        share
    }
}

/// The distribution of a random card: the probabilities grow geometrically from the lowest to the highest card, by a
/// total factor of `exp(tilt)`.
fn at_least(cards: Cards, tilt: f32) -> AtLeast {
    let mut at_least = [0.0; 17];
    #[expect(clippy::cast_precision_loss, reason = "a seat has few cards")]
    let steps = (cards.len().max(2) - 1) as f32;
    let (mut weight, mut sum) = (1.0, 0.0);
    let ratio = exp(tilt / steps);
    for card in cards.iter() {
        at_least[usize::from(card.value())] += weight;
        sum += weight;
        weight *= ratio;
    }
    for value in (0..16).rev() {
        at_least[value] += at_least[value + 1];
    }
    at_least.map(|chance| if sum > 0.0 { chance / sum } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tilt_raises_the_probability_of_high_cards() {
        let cards = Cards::full(4, 1);
        let uniform = at_least(cards, 0.0);
        for (chance, expected) in uniform.iter().zip([1.0, 1.0, 0.75, 0.5, 0.25, 0.0]) {
            assert!((chance - expected).abs() < 1e-6);
        }
        let tilted = at_least(cards, 2.0);
        assert!((tilted[1] - 1.0).abs() < 1e-6 && tilted[4] > 0.4 && tilted[5] == 0.0);
        assert!(at_least(Cards::NONE, 1.0).iter().all(|&chance| chance == 0.0));
    }
}
