//! Money cards, and cards held as a set (a hand) or in an order (a deck).

mod deck;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tinyvec::ArrayVec;

use crate::bits::clear_lowest_bits;

pub use deck::PackedDeck;

/// The most cards one seat can own: the values 1 to 15 twice.
pub const MAX_CARDS: usize = 30;

/// Cards in an order: a deck from the top, or the cards a seat has played.
pub type CardsInOrder = ArrayVec<[MoneyCard; MAX_CARDS]>;

/// One money card, by its value from 1 to 15 (RULES 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoneyCard(u8);

impl MoneyCard {
    /// The highest value.
    pub const HIGHEST: u8 = 15;

    /// The card with this value, if it exists.
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

    /// The card of the lowest set bit of a [`Cards`].
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 bits")]
    const fn from_lowest_bit(bits: u32) -> Self {
        Self((bits.trailing_zeros() / 2) as u8)
    }

    /// The bits of a [`Cards`] with this card only.
    #[inline]
    const fn unit(self) -> u32 {
        // The shift is always in range; `wrapping_shl` avoids the check.
        1_u32.wrapping_shl(2 * self.0 as u32)
    }
}

/// The lowest card: the padding of fixed-size lists.
impl Default for MoneyCard {
    fn default() -> Self {
        Self(1)
    }
}

/// A set of money cards in which each value may be up to twice (two players have each value twice, RULES 2.3).
///
/// Two bits per value for the number of cards. Bits 2v and 2v + 1 belong to value v. They are never both set, so the
/// number of set bits is the number of different values.
///
/// ```
/// use sultan_domain::{Cards, MoneyCard};
/// let seven = MoneyCard::new(7).expect("a card");
/// let mut hand: Cards = [seven, seven].into_iter().collect();
/// assert!(hand.take(seven) && hand.take(seven) && !hand.take(seven));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cards(u32);

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
            let mut row = [MoneyCard(MoneyCard::HIGHEST); MAX_CARDS];
            let mut index = 0;
            while index < copies * MoneyCard::HIGHEST as usize {
                row[index] = MoneyCard((index / copies) as u8 + 1);
                index += 1;
            }
            row
        }
        const ONCE: [MoneyCard; MAX_CARDS] = all_cards(1);
        const TWICE: [MoneyCard; MAX_CARDS] = all_cards(2);
        let (row, copies) = if copies < 2 { (ONCE, copies) } else { (TWICE, 2) };
        CardsInOrder::from_array_len(row, usize::from(highest.min(MoneyCard::HIGHEST) * copies))
    }

    /// A set of these cards, with no value more than twice. Collect untrusted cards from an iterator instead, or use
    /// [`Cards::put`]: both leave out a third card of a value.
    #[must_use]
    #[inline]
    pub fn of(cards: &[MoneyCard]) -> Self {
        let set = Self(cards.iter().fold(0, |sum, card| sum + card.unit()));
        debug_assert!(set.is_sound() && set.len() as usize == cards.len(), "a value occurs more than twice");
        set
    }

    /// Whether no value occurs three times.
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
        // Adds neighbours: two values in four bits, then four in eight, then all in the highest eight.
        let twos = (self.0 & 0x3333_3333) + (self.0 >> 2 & 0x3333_3333);
        let fours = (twos + (twos >> 4)) & 0x0f0f_0f0f;
        fours.wrapping_mul(0x0101_0101) >> 24
    }

    /// Whether it is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one card; returns `false` for a third card of one value.
    #[inline]
    pub fn put(&mut self, card: MoneyCard) -> bool {
        let fits = self.count(card) < 2;
        if fits {
            self.0 += card.unit();
        }
        fits
    }

    /// Removes one card; returns whether there was one.
    #[inline]
    pub fn take(&mut self, card: MoneyCard) -> bool {
        let unit = card.unit();
        let present = self.0 & (3 * unit) != 0;
        if present {
            self.0 -= unit;
        }
        present
    }

    /// These cards without `other`; `None` if `other` has more of a value.
    #[must_use]
    pub fn without(self, other: Self) -> Option<Self> {
        other.iter().try_fold(self, |mut left, card| left.take(card).then_some(left))
    }

    /// The cards lower than this one.
    #[must_use]
    #[inline]
    pub const fn below(self, card: MoneyCard) -> Self {
        Self(self.0 & (card.unit() - 1))
    }

    /// The cards in rising order, duplicates included.
    pub fn iter(self) -> impl Iterator<Item = MoneyCard> {
        self.values().flat_map(move |card| std::iter::repeat_n(card, usize::from(self.count(card))))
    }

    /// The values in rising order, each once.
    pub fn values(self) -> impl Iterator<Item = MoneyCard> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = MoneyCard::from_lowest_bit(left);
            (left != 0).then(|| {
                left &= left - 1;
                lowest
            })
        })
    }

    /// The number of different values.
    #[must_use]
    #[inline]
    pub const fn values_len(self) -> u32 {
        // Each value in the set has exactly one of its two bits set: the lower for one card, the upper for two.
        self.0.count_ones()
    }

    /// The `index`-th different value in rising order.
    #[must_use]
    #[inline]
    pub fn nth_value(self, index: u32) -> Option<MoneyCard> {
        let left = clear_lowest_bits(self.0, index);
        (left != 0).then(|| MoneyCard::from_lowest_bit(left))
    }
}

/// Collects cards; more than two of one value do not fit and are left out.
impl FromIterator<MoneyCard> for Cards {
    fn from_iter<I: IntoIterator<Item = MoneyCard>>(cards: I) -> Self {
        let mut set = Self::NONE;
        for card in cards {
            set.put(card);
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
            if !set.put(card) {
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
            let list: Vec<MoneyCard> = counts
                .iter()
                .zip(1..)
                .flat_map(|(&n, value)| std::iter::repeat_n(MoneyCard::new(value).unwrap(), n))
                .collect();
            let set: Cards = list.iter().rev().copied().collect();
            prop_assert_eq!(Cards::of(&list), set);
            let mut values = list.clone();
            values.dedup();
            prop_assert_eq!(set.len() as usize, list.len());
            prop_assert_eq!(set.values_len() as usize, values.len());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), list.clone());
            prop_assert_eq!(set.values().collect::<Vec<_>>(), values.clone());
            for index in 0..=values.len() {
                prop_assert_eq!(set.nth_value(u32::try_from(index).unwrap()), values.get(index).copied());
            }
            let json = serde_json::to_string(&set).unwrap();
            prop_assert_eq!(&json, &serde_json::to_string(&list).unwrap());
            prop_assert_eq!(serde_json::from_str::<Cards>(&json).unwrap(), set);
            prop_assert_eq!(set.without(set), Some(Cards::NONE));
        }
    }

    #[test]
    fn rule_1_2_values_are_1_to_15() {
        assert_eq!(MoneyCard::new(0), None);
        assert_eq!(MoneyCard::new(16), None);
        assert_eq!(Cards::full(15, 1).len(), 15);
        for (highest, copies) in [(15, 1), (12, 2), (3, 1), (15, 2), (1, 0), (0, 2), (200, 9)] {
            let full = Cards::full(highest, copies);
            let (values, times) = (1..=highest.min(15), usize::from(copies.min(2)));
            let listed = values.flat_map(|value| std::iter::repeat_n(value, times));
            assert!(full.iter().map(MoneyCard::value).eq(listed), "{highest} {copies}");
            assert!(full.iter().eq(Cards::full_in_order(highest, copies)));
        }
        assert!(serde_json::from_str::<MoneyCard>("16").is_err());
        assert!(serde_json::from_str::<Cards>("[3,3,3]").is_err());
    }

    fn card(value: u8) -> MoneyCard {
        MoneyCard::new(value).unwrap()
    }

    #[test]
    fn below_returns_cards_of_lower_value() {
        let set: Cards = [3, 7, 7, 8, 15].into_iter().map(card).collect();
        for (limit, below) in [(1, vec![]), (3, vec![]), (4, vec![3]), (7, vec![3]), (8, vec![3, 7, 7])] {
            assert!(set.below(card(limit)).iter().map(MoneyCard::value).eq(below), "{limit}");
        }
        assert!(set.below(card(15)).iter().map(MoneyCard::value).eq([3, 7, 7, 8]));
        assert_eq!(Cards::full(15, 2).below(card(15)), Cards::full(14, 2));
    }

    #[test]
    fn difference_respects_card_counts() {
        let set: Cards = [3, 7, 7, 15].into_iter().map(card).collect();
        let without = |values: &[u8]| set.without(values.iter().copied().map(card).collect());
        assert_eq!(without(&[7]).map(|left| left.iter().map(MoneyCard::value).collect()), Some(vec![3, 7, 15]));
        assert_eq!(without(&[7, 7, 15]).map(|left| left.iter().map(MoneyCard::value).collect()), Some(vec![3]));
        assert_eq!(without(&[]), Some(set));
        assert_eq!((without(&[3, 3]), without(&[8]), without(&[1, 3])), (None, None, None));
        assert_eq!([1, 3, 7, 15].map(|value| set.count(card(value))), [0, 1, 2, 1]);
        assert_eq!([1, 3, 7, 15].map(|value| set.has(card(value))), [false, true, true, true]);
        assert!(!set.is_empty() && Cards::NONE.is_empty());
        assert_eq!((card(12).to_string(), card(12).value(), MoneyCard::default().value()), ("12".to_owned(), 12, 1));
    }

    #[test]
    fn take_returns_false_for_an_absent_card() {
        let mut set: Cards = [7, 7].into_iter().map(card).collect();
        assert!(!set.take(card(6)) && !set.take(card(8)) && set.take(card(7)));
        assert!(set.iter().eq([card(7)]));
        assert!(set.put(card(7)) && !set.put(card(7)) && set.put(card(1)));
        assert!(set.iter().eq([1, 7, 7].map(card)));
    }

    #[test]
    #[should_panic(expected = "a value occurs more than twice")]
    fn set_of_three_cards_of_one_value_panics() {
        _ = Cards::of(&[card(7); 3]);
    }

    #[test]
    fn put_rejects_a_third_card_of_one_value() {
        let card = MoneyCard::new(15).unwrap();
        let mut set = Cards::full(15, 2);
        assert!(!set.put(card));
        assert_eq!(set.len(), 30);
        assert_eq!(Cards::full(3, 1).without(Cards::full(4, 1)), None);
    }
}
