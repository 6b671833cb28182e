//! Cushions: the places where jewels are shown and bid for.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One value for each cushion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCushion<T>(pub [T; Cushion::MOST as usize]);

impl<T> Index<Cushion> for ByCushion<T> {
    type Output = T;
    #[inline]
    fn index(&self, cushion: Cushion) -> &T {
        &self.0[cushion.index()]
    }
}

impl<T> IndexMut<Cushion> for ByCushion<T> {
    #[inline]
    fn index_mut(&mut self, cushion: Cushion) -> &mut T {
        &mut self.0[cushion.index()]
    }
}

/// A cushion, counted from 1 (RULES 1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cushion {
    index: u8,
}

impl Cushion {
    /// The most cushions a board has.
    pub const MOST: u8 = 3;

    /// The cushion with this number, counted from 1, if any board has it.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::MOST { Some(Self { index: number - 1 }) } else { None }
    }

    /// The first `count` cushions; all where there are not so many.
    #[must_use]
    #[inline]
    pub fn first(count: u8) -> impl DoubleEndedIterator<Item = Self> {
        (0..count.min(Self::MOST)).map(|index| Self { index })
    }

    /// The number, counted from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.index + 1
    }

    /// The place in a list of cushions, counted from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for Cushion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Cushion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Cushion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| de::Error::custom(format!("there is no cushion {number}")))
    }
}

/// A set of cushions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CushionSet(u8);

impl CushionSet {
    /// The first `count` cushions; all where there are not so many.
    #[must_use]
    #[inline]
    pub const fn first(count: u8) -> Self {
        let count = if count < Cushion::MOST { count } else { Cushion::MOST };
        Self((1 << count) - 1)
    }

    /// Whether a cushion is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, cushion: Cushion) -> bool {
        self.0 >> cushion.index & 1 == 1
    }

    /// The set without one cushion.
    #[must_use]
    #[inline]
    pub const fn without(self, cushion: Cushion) -> Self {
        Self(self.0 & !(1 << cushion.index))
    }

    /// How many cushions.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        // The number of ones in 0..8, two bits each.
        0b1110_1001_1001_0100 >> (2 * self.0 as u32) & 3
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cushions in rising order.
    pub fn iter(self) -> impl Iterator<Item = Cushion> {
        Cushion::first(Cushion::MOST).filter(move |&cushion| self.has(cushion))
    }

    /// The `nth` cushion of the set in rising order, counted from 0.
    #[must_use]
    #[inline]
    pub fn nth(self, nth: u32) -> Option<Cushion> {
        if nth >= self.len() {
            return None;
        }
        // The common case, that no cushion is left out, needs no counting.
        Some(Cushion { index: if self.0 & (self.0 + 1) == 0 { nth.to_le_bytes()[0] } else { self.nth_index(nth) } })
    }

    const fn nth_index(self, nth: u32) -> u8 {
        // For each set the indices of its cushions, two bits each.
        const INDICES: [u8; 8] = [0, 0, 0b01, 0b01_00, 0b10, 0b10_00, 0b10_01, 0b10_01_00];
        INDICES[(self.0 & 7) as usize] >> (2 * (nth & 3)) & 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_1_3_no_board_has_a_fourth_cushion() {
        assert_eq!(Cushion::new(0), None);
        assert_eq!(Cushion::new(4), None);
        assert_eq!(Cushion::new(3).map(Cushion::number), Some(3));
        assert!(serde_json::from_str::<Cushion>("0").is_err());
        assert_eq!(serde_json::to_string(&Cushion::new(2)).unwrap(), "2");
        assert_eq!(serde_json::from_str::<Cushion>("3").unwrap().to_string(), "3");
        assert_eq!(Cushion::first(3).map(Cushion::index).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn each_cushion_has_a_value_of_its_own() {
        let mut values = ByCushion::<u8>::default();
        for cushion in Cushion::first(3) {
            values[cushion] = 10 * cushion.number();
        }
        assert_eq!(values.0, [10, 20, 30]);
        assert_eq!(Cushion::first(3).map(|cushion| values[cushion]).collect::<Vec<_>>(), [10, 20, 30]);
    }

    #[test]
    fn every_set_counts_and_lists_its_cushions() {
        for bits in 0..8 {
            let set = CushionSet(bits);
            let listed: Vec<_> = set.iter().collect();
            assert_eq!(set.len() as usize, listed.len());
            assert_eq!(set.is_empty(), listed.is_empty());
            for nth in 0..4 {
                assert_eq!(set.nth(nth), listed.get(nth as usize).copied());
            }
        }
        for count in 0..=255 {
            assert!(CushionSet::first(count).iter().eq(Cushion::first(count)), "{count}");
            assert_eq!(Cushion::first(count).count(), usize::from(count.min(3)));
        }
        assert_eq!(CushionSet::first(3).without(Cushion { index: 1 }), CushionSet(0b101));
    }
}
