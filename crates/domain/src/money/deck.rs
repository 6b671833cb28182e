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
        let mut bytes = std::array::from_fn(|place| cards.as_inner()[place].value());
        for byte in bytes.iter_mut().skip(cards.len()) {
            *byte = 0;
        }
        for (byte, card) in bytes.iter_mut().zip(cards.iter().skip(HALF)) {
            *byte |= card.value() << 4;
        }
        Self { bytes }
    }

    /// The cards from this index on, counted from the top.
    #[must_use]
    pub fn cards_from(&self, place: usize) -> CardsInOrder {
        let (first, second) = (self.bytes.iter().map(|byte| byte & 15), self.bytes.iter().map(|byte| byte >> 4));
        first.chain(second).skip(place).map_while(MoneyCard::new).collect()
    }

    /// `count` cards from this index on, which must exist, as a set.
    #[must_use]
    #[inline]
    pub fn hand(&self, place: usize, count: usize) -> Cards {
        // Shifting uses the lowest five bits of twice the byte, so its upper half has no effect.
        let add = |sum: u32, byte: u8| sum + 1_u32.wrapping_shl(2 * u32::from(byte));
        let first_half = self.bytes.get(place..place + count);
        // The usual hand, for which the compiler needs no loop.
        if let Some(five) = first_half.and_then(|bytes| bytes.as_array::<5>()) {
            return Cards(five.iter().copied().fold(0, add));
        }
        let of_half = |place| if place < HALF { self.bytes[place] } else { self.bytes[place - HALF] >> 4 };
        Cards((place..place + count).map(of_half).fold(0, add))
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
        fn a_packed_deck_agrees_with_a_list(highest in 1_u8..=15, copies in 1_u8..=2, turn in 0_usize..30) {
            let mut cards = Cards::full_in_order(highest, copies);
            let turn = turn % cards.len();
            cards.rotate_left(turn);
            let deck = PackedDeck::new(&cards);
            for place in 0..=cards.len() {
                prop_assert_eq!(&deck.cards_from(place)[..], &cards[place..]);
                for count in 0..=cards.len() - place {
                    prop_assert_eq!(deck.hand(place, count), cards[place..place + count].iter().copied().collect());
                }
            }
            prop_assert_eq!(format!("{deck:?}"), "PackedDeck(hidden)");
        }
    }
}
