//! Who may come for a jewel, and with what card.
//!
//! Nobody's hand is known, only which cards each seat has left. A rival is taken to go where the jewel is worth most to
//! it and few cards lie, and to bring a higher card for a better jewel and against more cards.

use sultan_domain::{Cards, Cushion, Seat, Ties};

use super::worth::Worths;
use crate::known::{Known, Public};

/// How rivals are taken to bid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// How much likelier a rival is to go for a jewel that is worth more to it: the power of the worth.
    pub(super) greed: f64,
    /// How much a card on a cushion keeps the next one away.
    pub(super) shyness: f64,
    /// How much the highest card of a rival is likelier than its lowest, for a jewel of average worth.
    pub(super) boldness: f64,
    /// The same, for each time the average that a jewel is worth more.
    pub(super) zeal: f64,
    /// The same, for each card that lay there before.
    pub(super) spite: f64,
}

/// The chance that a card is at least as high as each value from 0 to 16.
type AtLeast = [f64; 17];

/// The rivals of one seat in one round.
pub(super) struct Rivals<'a> {
    known: &'a Known,
    habits: &'a Habits,
    /// What a jewel out of the pouch is worth to each seat on average.
    means: [f64; 5],
    /// The worth of each cushion's jewel to each seat.
    on: [[f64; 3]; 5],
}

impl<'a> Rivals<'a> {
    pub(super) fn new(known: &'a Known, worths: &Worths, habits: &'a Habits) -> Self {
        let public = &known.public;
        let (mut means, mut on) = ([1.0; 5], [[0.0; 3]; 5]);
        for seat in public.numbers.players.seats() {
            means[seat.index()] = worths.mean(public, seat).max(1.0);
            for (jewel, worth) in public.offer.iter().zip(&mut on[seat.index()]) {
                *worth = worths.of[seat][jewel];
            }
        }
        Self { known, habits, means, on }
    }

    fn public(&self) -> &Public {
        &self.known.public
    }

    /// What the jewel on a cushion is worth to a seat.
    pub(super) fn worth(&self, seat: Seat, cushion: Cushion) -> f64 {
        self.on[seat.index()][cushion.index()]
    }

    /// What a jewel out of the pouch is worth to a seat on average.
    pub(super) fn mean(&self, seat: Seat) -> f64 {
        self.means[seat.index()]
    }

    fn bids_on(&self, cushion: Cushion) -> f64 {
        f64::from(u8::try_from(self.public().placed.iter().filter(|bid| bid.cushion == cushion).count()).unwrap_or(0))
    }

    /// The chances to take the jewel of a cushion with each card from 0 to 15, if it were placed there now.
    pub(super) fn wins(&self, cushion: Cushion) -> [f64; 16] {
        let public = self.public();
        let own = self.known.seat;
        let mut wins = [1.0; 16];
        let mut before = 0.0;
        for bid in public.placed.iter().filter(|bid| bid.cushion == cushion) {
            if bid.seat != own {
                let cards = self.cards(bid.seat, cushion, before);
                Self::lessen(&mut wins, &cards, 1.0, self.wins_ties(bid.seat, true));
            }
            before += 1.0;
        }
        for seat in public.numbers.players.seats().filter(|&seat| seat != own) {
            let comes = self.comes(seat, cushion, Some(cushion));
            if comes > 0.0 {
                let cards = self.cards(seat, cushion, before + 1.0);
                Self::lessen(&mut wins, &cards, comes, self.wins_ties(seat, false));
            }
        }
        wins
    }

    fn lessen(wins: &mut [f64; 16], cards: &AtLeast, comes: f64, wins_ties: bool) {
        for (value, win) in wins.iter_mut().enumerate() {
            *win *= 1.0 - comes * cards[value + usize::from(!wins_ties)];
        }
    }

    /// Whether a rival's card beats an equal one placed now.
    fn wins_ties(&self, rival: Seat, earlier: bool) -> bool {
        match self.public().numbers.ties {
            Ties::EarliestBid => earlier,
            Ties::FirstPlayer => rival == self.public().first,
        }
    }

    /// The chance that a seat places one of its cards to come on a cushion, once the own card lies at `mine`.
    pub(super) fn comes(&self, seat: Seat, cushion: Cushion, mine: Option<Cushion>) -> f64 {
        let public = self.public();
        let to_come = (public.turn() + u8::from(mine.is_some())..public.numbers.bids())
            .filter(|&turn| public.numbers.bidder(public.first, turn) == seat)
            .count();
        let open = public.open_cushions(seat);
        if to_come == 0 || !open.has(cushion) {
            return 0.0;
        }
        let pull = |at: Cushion| {
            let cards = self.bids_on(at) + f64::from(u8::from(mine == Some(at)));
            self.worth(seat, at).powf(self.habits.greed) * (-self.habits.shyness * cards).exp()
        };
        let all: f64 = open.iter().map(pull).sum();
        let first = pull(cushion) / all;
        if to_come == 1 {
            return first;
        }
        // Two cards, which lie apart (RULES 4.3).
        let elsewhere = open.iter().filter(|&at| at != cushion);
        first + elsewhere.map(|at| pull(at) / all * pull(cushion) / (all - pull(at))).sum::<f64>()
    }

    /// What card a seat may have placed, or may place, on a cushion where so many cards lay before.
    fn cards(&self, seat: Seat, cushion: Cushion, before: f64) -> AtLeast {
        let habits = self.habits;
        let better = self.worth(seat, cushion) / self.mean(seat) - 1.0;
        at_least(self.public().left[seat], habits.boldness + habits.zeal * better + habits.spite * before)
    }

    /// The chance that each seat but the own takes a cushion's jewel if the own cards stay away from it.
    pub(super) fn takers(&self, cushion: Cushion) -> [f64; 5] {
        let public = self.public();
        let mut there = [0.0; 5];
        for seat in public.numbers.players.seats().filter(|&seat| seat != self.known.seat) {
            let placed = public.placed.iter().any(|bid| bid.seat == seat && bid.cushion == cushion);
            there[seat.index()] = if placed { 1.0 } else { self.comes(seat, cushion, None) };
        }
        let somebody = 1.0 - there.iter().map(|there| 1.0 - there).product::<f64>();
        let sum: f64 = there.iter().sum();
        there.map(|there| if sum > 0.0 { somebody * there / sum } else { 0.0 })
    }

    /// How many of the cards that the rivals have left a card beats, from 0 to 1; an equal one counts half.
    pub(super) fn rank(&self, value: u8) -> f64 {
        let rivals = self.public().numbers.players.seats().filter(|&seat| seat != self.known.seat);
        let (mut beaten, mut all) = (0.0, 0.0);
        for card in rivals.flat_map(|seat| self.public().left[seat].iter()) {
            all += 1.0;
            beaten += if card.value() < value { 1.0 } else { 0.5 * f64::from(u8::from(card.value() == value)) };
        }
        if all > 0.0 { beaten / all } else { 0.0 }
    }
}

/// What one of these cards is: the highest is likelier than the lowest by the power of `tilt`, the others in between.
fn at_least(cards: Cards, tilt: f64) -> AtLeast {
    let mut at_least = [0.0; 17];
    let steps = f64::from(cards.len().max(2) - 1);
    let (mut weight, mut sum) = (1.0, 0.0);
    let ratio = (tilt / steps).exp();
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
    fn a_tilt_makes_higher_cards_likelier() {
        let cards = Cards::full(4, 1);
        let even = at_least(cards, 0.0);
        for (chance, expected) in even.iter().zip([1.0, 1.0, 0.75, 0.5, 0.25, 0.0]) {
            assert!((chance - expected).abs() < 1e-9);
        }
        let bold = at_least(cards, 2.0);
        assert!((bold[1] - 1.0).abs() < 1e-9 && bold[4] > 0.4 && bold[5] == 0.0);
        assert!(at_least(Cards::NONE, 1.0).iter().all(|&chance| chance == 0.0));
    }
}
