//! Cushions: the places for jewels and bids.

use std::ops::{Index, IndexMut};

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

/// A cushion, counted from 1 (RULES 1.3). An enum, so that the compiler can omit bounds checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cushion {
    /// The first.
    #[default]
    First,
    /// The second.
    Second,
    /// The third.
    Third,
}

impl Cushion {
    /// The most cushions a board has.
    pub const MOST: u8 = 3;

    const ALL: [Self; Self::MOST as usize] = [Self::First, Self::Second, Self::Third];

    /// The cushion with this number, counted from 1, if any board has it.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::MOST { Some(Self::ALL[number as usize - 1]) } else { None }
    }

    /// The first `count` cushions, or all if fewer exist.
    #[must_use]
    #[inline]
    pub fn first(count: u8) -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter().take(count.into())
    }

    /// The number, counted from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The index in a list of cushions, counted from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A set of cushions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CushionSet {
    /// The lowest bit for the first cushion, and so on.
    bits: u8,
    /// The number of set bits, kept because every bid needs it.
    len: u8,
}

impl CushionSet {
    /// The first `count` cushions, or all if fewer exist.
    #[must_use]
    #[inline]
    pub const fn first(count: u8) -> Self {
        let len = if count < Cushion::MOST { count } else { Cushion::MOST };
        Self { bits: (1 << len) - 1, len }
    }

    /// Whether a cushion is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, cushion: Cushion) -> bool {
        self.bits >> cushion.index() & 1 == 1
    }

    /// The set without one cushion.
    #[must_use]
    #[inline]
    pub const fn without(self, cushion: Cushion) -> Self {
        Self { bits: self.bits & !(1 << cushion.index()), len: self.len - self.has(cushion) as u8 }
    }

    /// The number of cushions.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.len as u32
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The cushions in rising order.
    pub fn iter(self) -> impl Iterator<Item = Cushion> {
        (0..self.len()).filter_map(move |nth| self.nth(nth))
    }

    /// The `nth` cushion of the set in rising order, counted from 0.
    #[must_use]
    #[inline]
    pub const fn nth(self, nth: u32) -> Option<Cushion> {
        /// The cushions of each set, padded with `None`.
        const LISTS: [[Option<Cushion>; 4]; 8] = {
            let mut lists = [[None; 4]; 8];
            let mut bits = 0;
            while bits < lists.len() {
                let (mut index, mut len) = (0, 0);
                while index < Cushion::MOST {
                    if bits >> index & 1 == 1 {
                        lists[bits][len] = Cushion::new(index + 1);
                        len += 1;
                    }
                    index += 1;
                }
                bits += 1;
            }
            lists
        };
        if nth < 4 { LISTS[(self.bits & 7) as usize][nth as usize] } else { None }
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
    fn by_cushion_keeps_one_value_per_cushion() {
        let mut values = ByCushion::<u8>::default();
        for cushion in Cushion::first(3) {
            values[cushion] = 10 * cushion.number();
        }
        assert_eq!(values.0, [10, 20, 30]);
        assert_eq!(Cushion::first(3).map(|cushion| values[cushion]).collect::<Vec<_>>(), [10, 20, 30]);
    }

    #[test]
    fn cushion_set_counts_and_lists_its_cushions() {
        for bits in 0..8 {
            let set = Cushion::first(3)
                .filter(|cushion| bits >> cushion.index() & 1 == 0)
                .fold(CushionSet::first(3), CushionSet::without);
            let listed: Vec<_> = set.iter().collect();
            assert!(listed.iter().copied().eq(Cushion::first(3).filter(|&cushion| set.has(cushion))));
            assert_eq!(set.len() as usize, listed.len());
            assert_eq!(set.is_empty(), listed.is_empty());
            for nth in 0..5 {
                assert_eq!(set.nth(nth), listed.get(nth as usize).copied());
            }
        }
        for count in 0..=255 {
            assert!(CushionSet::first(count).iter().eq(Cushion::first(count)), "{count}");
            assert_eq!(Cushion::first(count).count(), usize::from(count.min(3)));
        }
        let without_second = CushionSet::first(3).without(Cushion::new(2).unwrap());
        assert_eq!((without_second.bits, without_second.len), (0b101, 2));
        assert_eq!(without_second.without(Cushion::new(2).unwrap()), without_second);
    }
}
