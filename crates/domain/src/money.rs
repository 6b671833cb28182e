//! Money cards, sets of cards (a hand), and ordered cards (a deck).

mod deck;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tinyvec::ArrayVec;

use crate::bits::clear_lowest_bits;

pub use deck::PackedDeck;

/// The greatest number of cards in a deck: the values 1 to 15 twice.
pub const MAX_CARDS: usize = 30;

/// Cards in an order: a deck from the top, or the cards that a seat has played.
pub type CardsInOrder = ArrayVec<[MoneyCard; MAX_CARDS]>;

/// One money card, by its value from 1 to 15 (RULES 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoneyCard(u8);

impl MoneyCard {
    /// The highest value.
    pub const HIGHEST: u8 = 15;

    /// The card with this value; `None` unless the value is 1 to 15.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= Self::HIGHEST { Some(Self(value)) } else { None }
    }

    /// The value, from 1 to 15.
    #[must_use]
    #[inline]
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The card to which the lowest set bit of a packed [`Cards`] belongs.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 bits")]
    const fn from_lowest_bit(bits: u32) -> Self {
        Self((bits.trailing_zeros() / 2) as u8)
    }

    /// The packed [`Cards`] that contain only this card.
    #[inline]
    const fn bits(self) -> u32 {
        // The shift is at most 30, so it never wraps; `wrapping_shl` saves the overflow check.
        1_u32.wrapping_shl(2 * self.0 as u32)
    }
}

/// The card 1. `ArrayVec` needs a default to fill the unused entries of its array.
impl Default for MoneyCard {
    fn default() -> Self {
        Self(1)
    }
}

/// A set of money cards in which each value may be up to twice (two players have each value twice, RULES 2.3).
///
/// Packed into two bits per value, which hold the number of its cards: bits 2v and 2v + 1 belong to value v. The number
/// is at most two, so the two bits are never both set, and the number of set bits is the number of different values.
///
/// ```
/// use sultan_domain::{Cards, MoneyCard};
/// let seven = MoneyCard::new(7).expect("a card");
/// let mut hand: Cards = [seven, seven].into_iter().collect();
/// assert!(hand.remove(seven) && hand.remove(seven) && !hand.remove(seven));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cards(u32);

/// The lower of the two bits of each value.
const LOW_BITS: u32 = 0x5555_5555;

impl Cards {
    /// No cards.
    pub const NONE: Self = Self(0);

    /// The values 1 to `highest`, each `copies` times (at most twice).
    #[must_use]
    pub fn full(highest: u8, copies: u8) -> Self {
        (1..=highest.min(MoneyCard::HIGHEST))
            .fold(Self::NONE, |cards, value| Self(cards.0 | u32::from(copies.min(2)) << (2 * value)))
    }

    /// The cards of a full set from 1 to `highest`, each `copies` times (at most twice), in rising order.
    #[must_use]
    #[inline]
    pub fn full_in_order(highest: u8, copies: u8) -> CardsInOrder {
        #[expect(clippy::cast_possible_truncation, reason = "at most 30 cards")]
        const fn all_cards(copies: usize) -> [MoneyCard; MAX_CARDS] {
            let mut cards = [MoneyCard(MoneyCard::HIGHEST); MAX_CARDS];
            let mut index = 0;
            while index < copies * MoneyCard::HIGHEST as usize {
                cards[index] = MoneyCard((index / copies) as u8 + 1);
                index += 1;
            }
            cards
        }
        // Copying a constant array and shortening it is faster than a loop over the values.
        const EACH_ONCE: [MoneyCard; MAX_CARDS] = all_cards(1);
        const EACH_TWICE: [MoneyCard; MAX_CARDS] = all_cards(2);
        let (cards, copies) = if copies < 2 { (EACH_ONCE, copies) } else { (EACH_TWICE, 2) };
        CardsInOrder::from_array_len(cards, usize::from(highest.min(MoneyCard::HIGHEST) * copies))
    }

    /// A set of these cards. The caller makes sure that no value occurs more than twice. For untrusted cards use
    /// [`Cards::add`] or collect from an iterator: both leave out a third card of a value.
    #[must_use]
    #[inline]
    pub fn of(cards: &[MoneyCard]) -> Self {
        let set = Self(cards.iter().fold(0, |sum, card| sum + card.bits()));
        debug_assert!(set.is_sound() && set.len() as usize == cards.len(), "a value occurs more than twice");
        set
    }

    /// Whether no value has both of its bits set, which would mean three cards.
    const fn is_sound(self) -> bool {
        self.0 & (self.0 >> 1) & LOW_BITS == 0
    }

    /// The number of cards of one value.
    #[must_use]
    #[inline]
    pub const fn count(self, card: MoneyCard) -> u8 {
        (self.0.wrapping_shr(2 * card.0 as u32) & 3) as u8
    }

    /// Whether it contains a card of this value.
    #[must_use]
    #[inline]
    pub const fn has(self, card: MoneyCard) -> bool {
        self.count(card) > 0
    }

    /// The total number of cards.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        // Adds the counts of neighbouring values: of two values in four bits each, then of four values in eight bits.
        // The multiplication adds the four bytes in the highest byte.
        let pairs = (self.0 & 0x3333_3333) + (self.0 >> 2 & 0x3333_3333);
        let fours = (pairs + (pairs >> 4)) & 0x0f0f_0f0f;
        fours.wrapping_mul(0x0101_0101) >> 24
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one card. Returns `false` and adds no card if the set already has two of its value.
    #[inline]
    pub fn add(&mut self, card: MoneyCard) -> bool {
        let has_room = self.count(card) < 2;
        if has_room {
            self.0 += card.bits();
        }
        has_room
    }

    /// Removes one card of this value. Returns `false` if the set has none.
    #[inline]
    pub fn remove(&mut self, card: MoneyCard) -> bool {
        let bits = card.bits();
        // Three times the lower bit is both bits of the value.
        let is_present = self.0 & (3 * bits) != 0;
        if is_present {
            self.0 -= bits;
        }
        is_present
    }

    /// These cards without `other`; `None` if `other` has more cards of a value.
    #[must_use]
    pub fn without(self, other: Self) -> Option<Self> {
        other.iter().try_fold(self, |mut remaining, card| remaining.remove(card).then_some(remaining))
    }

    /// The cards with lower values than this card.
    #[must_use]
    #[inline]
    pub const fn below(self, card: MoneyCard) -> Self {
        Self(self.0 & (card.bits() - 1))
    }

    /// The cards in rising order, duplicates included.
    pub fn iter(self) -> impl Iterator<Item = MoneyCard> {
        self.values().flat_map(move |card| std::iter::repeat_n(card, usize::from(self.count(card))))
    }

    /// The values in rising order, each once.
    pub fn values(self) -> impl Iterator<Item = MoneyCard> {
        let mut remaining_bits = self.0;
        std::iter::from_fn(move || {
            let lowest = MoneyCard::from_lowest_bit(remaining_bits);
            (remaining_bits != 0).then(|| {
                // Clears the lowest set bit.
                remaining_bits &= remaining_bits - 1;
                lowest
            })
        })
    }

    /// The number of different values.
    #[must_use]
    #[inline]
    pub const fn value_count(self) -> u32 {
        // Each value in the set has exactly one of its two bits set: the lower for one card, the upper for two.
        self.0.count_ones()
    }

    /// The `index`-th different value in rising order, counted from 0; `None` beyond the last.
    #[must_use]
    #[inline]
    pub fn nth_value(self, index: u32) -> Option<MoneyCard> {
        let remaining_bits = clear_lowest_bits(self.0, index);
        (remaining_bits != 0).then(|| MoneyCard::from_lowest_bit(remaining_bits))
    }
}

/// Collects at most two cards of each value, and leaves out the rest.
impl FromIterator<MoneyCard> for Cards {
    fn from_iter<I: IntoIterator<Item = MoneyCard>>(cards: I) -> Self {
        let mut set = Self::NONE;
        for card in cards {
            set.add(card);
        }
        set
    }
}

/// Writes the cards in rising order.
impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = Self::NONE;
        for card in Vec::<MoneyCard>::deserialize(deserializer)? {
            if !set.add(card) {
                return Err(de::Error::custom(format!("more than two cards {card}")));
            }
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn card_set_agrees_with_a_sorted_list(counts in proptest::array::uniform15(0_usize..=2)) {
            let sorted: Vec<MoneyCard> =
                (1..).zip(counts).flat_map(|(value, count)| std::iter::repeat_n(card(value), count)).collect();
            // The order in which cards are added does not matter.
            let set: Cards = sorted.iter().rev().copied().collect();
            prop_assert_eq!(Cards::of(&sorted), set);
            prop_assert_eq!(set.len() as usize, sorted.len());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), sorted.clone());
            let mut values = sorted.clone();
            values.dedup();
            prop_assert_eq!(set.value_count() as usize, values.len());
            prop_assert_eq!(set.values().collect::<Vec<_>>(), values.clone());
            for index in 0..=values.len() {
                prop_assert_eq!(set.nth_value(u32::try_from(index).unwrap()), values.get(index).copied());
            }
            let json = serde_json::to_string(&set).unwrap();
            prop_assert_eq!(&json, &serde_json::to_string(&sorted).unwrap());
            prop_assert_eq!(serde_json::from_str::<Cards>(&json).unwrap(), set);
            prop_assert_eq!(set.without(set), Some(Cards::NONE));
        }
    }

    fn card(value: u8) -> MoneyCard {
        MoneyCard::new(value).unwrap()
    }

    fn values_of(cards: Cards) -> Vec<u8> {
        cards.iter().map(MoneyCard::value).collect()
    }

    #[test]
    fn rule_1_2_values_are_1_to_15() {
        assert_eq!(MoneyCard::new(0), None);
        assert_eq!(MoneyCard::new(16), None);
        assert!(serde_json::from_str::<MoneyCard>("16").is_err());
        assert_eq!((card(12).to_string(), card(12).value(), MoneyCard::default().value()), ("12".to_owned(), 12, 1));
    }

    #[test]
    fn full_set_has_each_value_once_or_twice() {
        for (highest, copies) in [(15, 1), (12, 2), (3, 1), (15, 2), (1, 0), (0, 2), (200, 9)] {
            let full = Cards::full(highest, copies);
            // Values above 15 and a third copy do not exist.
            let (values, copies_of_each) = (1..=highest.min(15), usize::from(copies.min(2)));
            let expected = values.flat_map(|value| std::iter::repeat_n(value, copies_of_each));
            assert!(full.iter().map(MoneyCard::value).eq(expected), "{highest} {copies}");
            assert!(full.iter().eq(Cards::full_in_order(highest, copies)));
        }
    }

    #[test]
    fn below_returns_cards_of_lower_value() {
        let set: Cards = [3, 7, 7, 8, 15].into_iter().map(card).collect();
        for (limit, below) in [(1, vec![]), (3, vec![]), (4, vec![3]), (7, vec![3]), (8, vec![3, 7, 7])] {
            assert_eq!(values_of(set.below(card(limit))), below, "{limit}");
        }
        assert_eq!(values_of(set.below(card(15))), [3, 7, 7, 8]);
        assert_eq!(Cards::full(15, 2).below(card(15)), Cards::full(14, 2));
    }

    #[test]
    fn without_removes_as_many_cards_of_a_value_as_given() {
        let set: Cards = [3, 7, 7, 15].into_iter().map(card).collect();
        let without = |values: &[u8]| set.without(values.iter().copied().map(card).collect());
        assert_eq!(without(&[7]).map(values_of), Some(vec![3, 7, 15]));
        assert_eq!(without(&[7, 7, 15]).map(values_of), Some(vec![3]));
        assert_eq!(without(&[]), Some(set));
        assert_eq!((without(&[3, 3]), without(&[8]), without(&[1, 3])), (None, None, None));
        assert_eq!(Cards::full(3, 1).without(Cards::full(4, 1)), None);
    }

    #[test]
    fn count_and_has_look_at_one_value() {
        let set: Cards = [3, 7, 7, 15].into_iter().map(card).collect();
        assert_eq!([1, 3, 7, 15].map(|value| set.count(card(value))), [0, 1, 2, 1]);
        assert_eq!([1, 3, 7, 15].map(|value| set.has(card(value))), [false, true, true, true]);
        assert!(!set.is_empty() && Cards::NONE.is_empty());
    }

    #[test]
    fn remove_returns_false_for_an_absent_card() {
        let mut set: Cards = [7, 7].into_iter().map(card).collect();
        assert!(!set.remove(card(6)) && !set.remove(card(8)) && set.remove(card(7)));
        assert_eq!(values_of(set), [7]);
    }

    #[test]
    fn add_rejects_a_third_card_of_one_value() {
        let mut set: Cards = [7].into_iter().map(card).collect();
        assert!(set.add(card(7)) && !set.add(card(7)) && set.add(card(1)));
        assert_eq!(values_of(set), [1, 7, 7]);
        let mut full = Cards::full(15, 2);
        assert!(!full.add(card(15)));
        assert_eq!(full.len(), 30);
        assert!(serde_json::from_str::<Cards>("[3,3,3]").is_err());
    }

    #[test]
    #[should_panic(expected = "a value occurs more than twice")]
    fn set_of_three_cards_of_one_value_panics_in_debug_builds() {
        _ = Cards::of(&[card(7); 3]);
    }
}
