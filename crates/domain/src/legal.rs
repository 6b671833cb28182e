//! The legal actions of a position, each once, without allocating a list.

use crate::{Action, Cards, Chance, CushionSet, Jewels, Offer};

/// The legal actions of the seat to act, each once.
///
/// For an offer only the order `W`, `R`, `Y`, `G`, `B` of each choice of jewels is listed; other orders are legal too.
/// Offers are sorted by jewels, bids by card, then cushion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legal {
    /// No action: the game is over, or it is not this observer's turn.
    Nothing,
    /// Offers: one of these drawn jewels is put back.
    Offers {
        /// The jewels drawn.
        drawn: Jewels,
    },
    /// Bids: any of these cards on any of these cushions.
    Bids {
        /// The hand.
        hand: Cards,
        /// The number of different values in it.
        values: u32,
        /// The cushions without an own card.
        cushions: CushionSet,
    },
}

impl Legal {
    /// Any of these cards on any of these cushions.
    #[must_use]
    pub const fn bids(hand: Cards, cushions: CushionSet) -> Self {
        Self::Bids { hand, values: hand.values_len(), cushions }
    }

    /// The number of actions.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Offers { drawn } => drawn.colours().len(),
            Self::Bids { values, cushions, .. } => values * cushions.len(),
        }
    }

    /// Whether there is no legal action.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The `nth` action, counted from 0.
    #[must_use]
    #[inline]
    pub fn nth(self, nth: u32) -> Option<Action> {
        match self {
            Self::Nothing => None,
            // Putting the highest colour back leaves the lowest offer.
            Self::Offers { drawn } => offer_without_colour(drawn, drawn.colours().len().checked_sub(nth + 1)?),
            Self::Bids { hand, cushions, .. } => {
                let cushion_count = cushions.len().max(1);
                bid(hand, cushions, nth / cushion_count, nth % cushion_count)
            }
        }
    }

    /// A uniformly random action.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "inlining lets the compiler drop the other kind of action, which halves the cost"
    )]
    pub fn pick(self, chance: &mut impl Chance) -> Option<Action> {
        match self {
            Self::Nothing => None,
            Self::Offers { drawn } => offer_without_colour(drawn, chance.below(drawn.colours().len())),
            Self::Bids { hand, values, cushions } => {
                let (card, cushion) = chance.below_both(values, cushions.len());
                bid(hand, cushions, card, cushion)
            }
        }
    }

    /// All actions, in order.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        (0..self.len()).filter_map(move |nth| self.nth(nth))
    }
}

/// The offer that puts back the `nth` different colour of the drawn jewels, in the order `W`, `R`, `Y`, `G`, `B`.
#[inline]
fn offer_without_colour(drawn: Jewels, nth: u32) -> Option<Action> {
    Offer::in_order(drawn.without_nth_colour(nth)?).map(Action::Offer)
}

#[inline]
fn bid(hand: Cards, cushions: CushionSet, card: u32, cushion: u32) -> Option<Action> {
    Some(Action::Bid { card: hand.nth_value(card)?, cushion: cushions.nth(cushion)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cushion, MoneyCard};

    fn texts(legal: Legal) -> Vec<String> {
        let listed: Vec<String> = legal.iter().map(|action| action.to_string()).collect();
        assert_eq!(listed.len(), legal.len() as usize);
        assert_eq!(legal.nth(legal.len()), None);
        listed
    }

    #[test]
    fn offers_are_listed_in_order_once_per_choice() {
        let offers = |text: &str| texts(Legal::Offers { drawn: text.parse().unwrap() });
        assert_eq!(offers("WRYG"), ["WRY", "WRG", "WYG", "RYG"]);
        assert_eq!(offers("B2W2"), ["WWB", "WBB"]);
        assert_eq!(offers("B4"), ["BBB"]);
        assert_eq!(offers("YYR"), ["RY", "YY"]);
    }

    #[test]
    fn bids_are_listed_by_card_then_cushion_each_once() {
        let hand: Cards = [5, 9, 5].into_iter().filter_map(MoneyCard::new).collect();
        let cushions = CushionSet::first(3);
        assert_eq!(texts(Legal::bids(hand, cushions)), ["5@1", "5@2", "5@3", "9@1", "9@2", "9@3"]);
        let cushions = cushions.without(Cushion::new(2).unwrap());
        assert_eq!(texts(Legal::bids(hand, cushions)), ["5@1", "5@3", "9@1", "9@3"]);
        assert_eq!(texts(Legal::bids(Cards::NONE, cushions)), [""; 0]);
        assert_eq!(texts(Legal::Nothing), [""; 0]);
    }

    #[test]
    fn pick_can_return_every_legal_action() {
        struct Digits(u32);
        impl Chance for Digits {
            fn below(&mut self, n: u32) -> u32 {
                let digit = self.0 % n;
                self.0 /= n;
                digit
            }
        }
        let offers = Legal::Offers { drawn: "WRYB".parse().unwrap() };
        let bids = Legal::bids(Cards::full(12, 2), CushionSet::first(3));
        for legal in [offers, bids] {
            for wanted in legal.iter() {
                assert!((0..legal.len()).any(|n| legal.pick(&mut Digits(n)) == Some(wanted)));
            }
        }
        assert_eq!(Legal::Nothing.pick(&mut Digits(0)), None);
    }
}
