//! A whole deck, packed: every copy of a game has one for each seat.

use std::fmt;

use super::{Cards, CardsInOrder, MAX_CARDS, MoneyCard};

/// Cards in the first half of a deck.
const HALF: usize = MAX_CARDS / 2;

/// A deck from the top, two cards per byte. `Debug` is redacted.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedDeck {
    /// The lower four bits are the values of the first half, the upper four the values of the second half; zero for no
    /// card.
    bytes: [u8; HALF],
}

impl PackedDeck {
    /// These cards, packed.
    #[must_use]
    #[inline]
    pub fn new(cards: &CardsInOrder) -> Self {
        // The usual deck fits into the first half, which is copied at once.
        let mut bytes = std::array::from_fn(|index| cards.as_inner()[index].value());
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
        let (first, second) = (self.bytes.iter().map(|byte| byte & 15), self.bytes.iter().map(|byte| byte >> 4));
        first.chain(second).skip(start).map_while(MoneyCard::new).collect()
    }

    /// The `count` cards from index `start` on, which must exist, as a set.
    #[must_use]
    #[inline]
    pub fn hand(&self, start: usize, count: usize) -> Cards {
        // Shifting uses the lowest five bits of twice the byte, so its upper half has no effect.
        let add = |sum: u32, byte: u8| sum + 1_u32.wrapping_shl(2 * u32::from(byte));
        let first_half = self.bytes.get(start..start + count);
        // The usual hand, for which the compiler needs no loop.
        if let Some(five) = first_half.and_then(|bytes| bytes.as_array::<5>()) {
            return Cards(five.iter().copied().fold(0, add));
        }
        let value_at = |index| if index < HALF { self.bytes[index] } else { self.bytes[index - HALF] >> 4 };
        Cards((start..start + count).map(value_at).fold(0, add))
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
        fn a_packed_deck_agrees_with_a_list(highest in 1_u8..=15, copies in 1_u8..=2, rotation in 0_usize..30) {
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
