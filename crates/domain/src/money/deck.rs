//! A deck packed into fifteen bytes. A simulation copies games very often, and a game contains one deck per seat.

use std::fmt;

use super::{Cards, CardsInOrder, MAX_CARDS, MoneyCard};

/// The number of cards in the first half of the longest deck.
const HALF: usize = MAX_CARDS / 2;

/// A deck from the top, two cards per byte. `Debug` is redacted.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedDeck {
    /// Byte `i` has the value of card `i` in its lower four bits and the value of card `i + HALF` in its upper four
    /// bits; zero if the deck has no such card.
    bytes: [u8; HALF],
}

impl PackedDeck {
    /// Packs these cards.
    #[must_use]
    #[inline]
    pub fn new(cards: &CardsInOrder) -> Self {
        // A deck of 15 cards, as with three to five players, fits into the lower bits: they are copied without a loop.
        let mut bytes = std::array::from_fn(|index| cards.as_inner()[index].value());
        // The unused entries of the list are not zero, but the default card.
        for byte in bytes.iter_mut().skip(cards.len()) {
            *byte = 0;
        }
        for (byte, card) in bytes.iter_mut().zip(cards.iter().skip(HALF)) {
            *byte |= card.value() << 4;
        }
        Self { bytes }
    }

    /// The cards from index `start` on, counted from the top.
    #[must_use]
    pub fn cards_from(&self, start: usize) -> CardsInOrder {
        let first_half = self.bytes.iter().map(|byte| byte & 15);
        let second_half = self.bytes.iter().map(|byte| byte >> 4);
        first_half.chain(second_half).skip(start).map_while(MoneyCard::new).collect()
    }

    /// The `count` cards from index `start` on, which must exist, as a set.
    #[must_use]
    #[inline]
    pub fn hand(&self, start: usize, count: usize) -> Cards {
        // `wrapping_shl` uses only the lowest five bits of twice the byte, so the card in
        // the upper four bits has no effect.
        let add_card = |cards: u32, byte: u8| cards + 1_u32.wrapping_shl(2 * u32::from(byte));
        let in_first_half = self.bytes.get(start..start + count);
        // With three to five players a hand has five cards. For a fixed number the compiler unrolls the loop.
        if let Some(five) = in_first_half.and_then(|bytes| bytes.as_array::<5>()) {
            return Cards(five.iter().copied().fold(0, add_card));
        }
        // The lower four bits of a byte for the first half; the upper four for the second.
        let value_at = |index| if index < HALF { self.bytes[index] } else { self.bytes[index - HALF] >> 4 };
        Cards((start..start + count).map(value_at).fold(0, add_card))
    }
}

impl fmt::Debug for PackedDeck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackedDeck(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_deck_agrees_with_a_list(highest in 1_u8..=15, copies in 1_u8..=2, rotation in 0_usize..30) {
            // Rotated, so that the cards are not in rising order.
            let mut cards = Cards::full_in_order(highest, copies);
            let rotation = rotation % cards.len();
            cards.rotate_left(rotation);
            let deck = PackedDeck::new(&cards);
            for start in 0..=cards.len() {
                prop_assert_eq!(&deck.cards_from(start)[..], &cards[start..]);
                for count in 0..=cards.len() - start {
                    prop_assert_eq!(deck.hand(start, count), cards[start..start + count].iter().copied().collect());
                }
            }
            prop_assert_eq!(format!("{deck:?}"), "PackedDeck(hidden)");
        }
    }
}
