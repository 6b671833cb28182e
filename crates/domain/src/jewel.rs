//! The five colours of jewels.
//!
//! The module `jewels` counts jewels per colour; the jewels on the cushions are an [`crate::Offer`].

use std::fmt;
use std::ops::Index;

use serde::{Deserialize, Serialize};

/// One value for each colour of jewel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByJewel<T>(pub [T; 5]);

impl<T> Index<Jewel> for ByJewel<T> {
    type Output = T;
    fn index(&self, jewel: Jewel) -> &T {
        &self.0[jewel as usize]
    }
}

/// A colour of jewel, from the most common to the rarest (RULES 1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[repr(u8)]
pub enum Jewel {
    /// White, `W`: twelve in the pouch.
    #[default]
    #[serde(rename = "W")]
    White,
    /// Red, `R`: eleven in the pouch.
    #[serde(rename = "R")]
    Red,
    /// Yellow, `Y`: ten in the pouch.
    #[serde(rename = "Y")]
    Yellow,
    /// Green, `G`: nine in the pouch.
    #[serde(rename = "G")]
    Green,
    /// Blue, `B`: eight in the pouch.
    #[serde(rename = "B")]
    Blue,
}

impl Jewel {
    /// All colours in the order `W`, `R`, `Y`, `G`, `B`.
    pub const ALL: [Self; 5] = [Self::White, Self::Red, Self::Yellow, Self::Green, Self::Blue];

    /// The colour to which the bit with this index in a packed [`crate::Jewels`] belongs: eight bits per colour, white
    /// lowest.
    #[inline]
    pub(crate) const fn from_bit(bit_index: u32) -> Self {
        // An array of eight and a mask, so that the compiler needs no bounds check; the last three entries are unused.
        const COLOURS: [Jewel; 8] =
            [Jewel::White, Jewel::Red, Jewel::Yellow, Jewel::Green, Jewel::Blue, Jewel::Blue, Jewel::Blue, Jewel::Blue];
        COLOURS[((bit_index / 8) & 7) as usize]
    }

    /// The letter that stands for the colour in text and JSON.
    #[must_use]
    pub const fn letter(self) -> char {
        ['W', 'R', 'Y', 'G', 'B'][self as usize]
    }

    /// The points of one jewel (RULES 5.2).
    #[must_use]
    #[inline]
    pub const fn points(self) -> u16 {
        self as u16 + 1
    }

    /// The colour with this letter; `None` for any other character.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|jewel| jewel.letter() == letter)
    }

    /// The colour's English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["white", "red", "yellow", "green", "blue"][self as usize]
    }
}

impl fmt::Display for Jewel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_colour_has_its_letter_name_and_points() {
        let actual = Jewel::ALL.map(|jewel| (jewel.letter(), jewel.name(), jewel.points()));
        let expected = [('W', "white", 1), ('R', "red", 2), ('Y', "yellow", 3), ('G', "green", 4), ('B', "blue", 5)];
        assert_eq!(actual, expected);
    }

    #[test]
    fn letters_are_parsed_and_used_in_json() {
        for jewel in Jewel::ALL {
            assert_eq!(Jewel::from_letter(jewel.letter()), Some(jewel));
            assert_eq!(serde_json::to_string(&jewel).unwrap(), format!("\"{jewel}\""));
        }
        assert_eq!((Jewel::from_letter('w'), Jewel::from_letter('X')), (None, None));
    }

    #[test]
    fn by_jewel_is_indexed_by_colour() {
        for jewel in Jewel::ALL {
            assert_eq!(ByJewel([10, 20, 30, 40, 50])[jewel], 10 * jewel.points());
        }
    }
}
