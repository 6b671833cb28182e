//! The legal actions of a position, each once. They are computed on demand, without allocating a list.

use crate::{Action, Cards, Chance, CushionSet, Jewels, Offer};

/// The legal actions of the seat to act, each once.
///
/// The jewels of an offer may be in any order. Only the order `W`, `R`, `Y`, `G`, `B` is listed here.
/// Offers are sorted by their jewels; bids by card, then by cushion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legal {
    /// No action: the game is over, or it is not this observer's turn.
    Nothing,
    /// Offers of all drawn jewels but one, which is put back.
    Offers {
        /// The drawn jewels.
        drawn: Jewels,
    },
    /// Bids of any of these cards on any of these cushions.
    Bids {
        /// The hand.
        hand: Cards,
        /// The number of different values in the hand.
        value_count: u32,
        /// The cushions on which the seat has no card yet.
        cushions: CushionSet,
    },
}

impl Legal {
    /// Bids of any of these cards on any of these cushions.
    #[must_use]
    pub const fn bids(hand: Cards, cushions: CushionSet) -> Self {
        Self::Bids { hand, value_count: hand.value_count(), cushions }
    }

    /// The number of actions.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Offers { drawn } => drawn.colours().len(),
            Self::Bids { value_count, cushions, .. } => value_count * cushions.len(),
        }
    }

    /// Whether no action is legal.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The `nth` action, counted from 0; `None` beyond the last.
    #[must_use]
    #[inline]
    pub fn nth(self, nth: u32) -> Option<Action> {
        match self {
            Self::Nothing => None,
            // Backwards: the first offer in the order of jewels is the offer that puts back the last colour.
            Self::Offers { drawn } => offer_without_nth_colour(drawn, drawn.colours().len().checked_sub(nth + 1)?),
            Self::Bids { hand, cushions, .. } => {
                // Without cushions no bid exists, and `max` avoids a division by zero.
                let cushion_count = cushions.len().max(1);
                nth_bid(hand, cushions, nth / cushion_count, nth % cushion_count)
            }
        }
    }

    /// A random action, each with the same probability; `None` if no action is legal.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "inlined between `Game::legal` and `Game::play`, the kind of action is checked only once"
    )]
    pub fn pick(self, rng: &mut impl Chance) -> Option<Action> {
        match self {
            Self::Nothing => None,
            Self::Offers { drawn } => offer_without_nth_colour(drawn, rng.below(drawn.colours().len())),
            Self::Bids { hand, value_count, cushions } => {
                let (value_index, cushion_index) = rng.below_both(value_count, cushions.len());
                nth_bid(hand, cushions, value_index, cushion_index)
            }
        }
    }

    /// All actions, in order.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        (0..self.len()).filter_map(move |nth| self.nth(nth))
    }
}

/// The offer that puts back a jewel of the `nth` colour among the drawn jewels, in the order `W`, `R`, `Y`, `G`, `B`.
#[inline]
fn offer_without_nth_colour(drawn: Jewels, nth: u32) -> Option<Action> {
    Offer::in_order(drawn.without_nth_colour(nth)?).map(Action::Offer)
}

/// A bid: the card with index `value_index` among the different values of the hand, on the cushion with index
/// `cushion_index` among `cushions`.
#[inline]
fn nth_bid(hand: Cards, cushions: CushionSet, value_index: u32, cushion_index: u32) -> Option<Action> {
    Some(Action::Bid { card: hand.nth_value(value_index)?, cushion: cushions.nth(cushion_index)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cushion, MoneyCard};

    /// The actions as text. Also asserts that `len`, `is_empty` and `nth` agree with `iter`.
    fn listed(legal: Legal) -> Vec<String> {
        let texts: Vec<String> = legal.iter().map(|action| action.to_string()).collect();
        assert_eq!((texts.len(), texts.is_empty()), (legal.len() as usize, legal.is_empty()));
        assert_eq!(legal.nth(legal.len()), None);
        texts
    }

    #[test]
    fn offers_are_listed_in_order_once_per_colour_put_back() {
        let offers = |drawn: &str| listed(Legal::Offers { drawn: drawn.parse().unwrap() });
        assert_eq!(offers("WRYG"), ["WRY", "WRG", "WYG", "RYG"]);
        assert_eq!(offers("B2W2"), ["WWB", "WBB"]);
        assert_eq!(offers("B4"), ["BBB"]);
        assert_eq!(offers("YYR"), ["RY", "YY"]);
    }

    #[test]
    fn bids_are_listed_by_card_then_cushion_each_once() {
        let hand: Cards = [5, 9, 5].into_iter().filter_map(MoneyCard::new).collect();
        let cushions = CushionSet::first(3);
        assert_eq!(listed(Legal::bids(hand, cushions)), ["5@1", "5@2", "5@3", "9@1", "9@2", "9@3"]);
        let cushions = cushions.without(Cushion::new(2).unwrap());
        assert_eq!(listed(Legal::bids(hand, cushions)), ["5@1", "5@3", "9@1", "9@3"]);
        assert_eq!(listed(Legal::bids(Cards::NONE, cushions)), [""; 0]);
        assert_eq!(listed(Legal::Nothing), [""; 0]);
    }

    #[test]
    fn pick_can_return_every_legal_action() {
        /// A generator that returns the digits of a number, each in the base that is the requested bound. Counting the
        /// number up therefore produces all combinations of random numbers.
        struct Digits {
            number: u32,
        }
        impl Chance for Digits {
            fn below(&mut self, bound: u32) -> u32 {
                let digit = self.number % bound;
                self.number /= bound;
                digit
            }
        }
        let offers = Legal::Offers { drawn: "WRYB".parse().unwrap() };
        let bids = Legal::bids(Cards::full(12, 2), CushionSet::first(3));
        for legal in [offers, bids] {
            for action in legal.iter() {
                assert!((0..legal.len()).any(|number| legal.pick(&mut Digits { number }) == Some(action)));
            }
        }
        assert_eq!(Legal::Nothing.pick(&mut Digits { number: 0 }), None);
    }
}
