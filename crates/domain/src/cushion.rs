//! Cushions: the places on the board for the jewels of a round and the bids for them.

use std::ops::{Index, IndexMut};

/// One value for each cushion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCushion<T>(pub [T; Cushion::MAX_COUNT as usize]);

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
    /// The greatest number of cushions that a board can have.
    pub const MAX_COUNT: u8 = 3;

    const ALL: [Self; Self::MAX_COUNT as usize] = [Self::First, Self::Second, Self::Third];

    /// The cushion with this number, counted from 1; `None` if no board has it.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::MAX_COUNT { Some(Self::ALL[number as usize - 1]) } else { None }
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
    /// One bit per cushion, the first cushion lowest.
    bits: u8,
    /// The number of set bits, stored because every random bid needs it.
    len: u8,
}

impl CushionSet {
    /// The first `count` cushions, or all if fewer exist.
    #[must_use]
    #[inline]
    pub const fn first(count: u8) -> Self {
        let len = if count < Cushion::MAX_COUNT { count } else { Cushion::MAX_COUNT };
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

    /// Whether the set is empty.
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
        /// The cushions of each set in rising order, padded with `None`. The index of a set is its `bits`.
        const LISTS: [[Option<Cushion>; 4]; 8] = {
            let mut lists = [[None; 4]; 8];
            let mut bits = 0;
            while bits < lists.len() {
                let (mut index, mut len) = (0, 0);
                while index < Cushion::MAX_COUNT {
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
    fn every_cushion_set_counts_and_lists_its_cushions() {
        // Each of the eight sets is made from all cushions by removing the absent cushions.
        for bits in 0..8 {
            let is_in_set = |cushion: &Cushion| bits >> cushion.index() & 1 == 1;
            let absent = Cushion::first(3).filter(|cushion| !is_in_set(cushion));
            let set = absent.fold(CushionSet::first(3), CushionSet::without);
            let expected: Vec<_> = Cushion::first(3).filter(is_in_set).collect();
            assert!(set.iter().eq(expected.iter().copied()));
            assert!(Cushion::first(3).all(|cushion| set.has(cushion) == is_in_set(&cushion)));
            assert_eq!((set.len() as usize, set.is_empty()), (expected.len(), expected.is_empty()));
            for nth in 0..5 {
                assert_eq!(set.nth(nth), expected.get(nth as usize).copied());
            }
        }
    }

    #[test]
    fn first_cushions_are_at_most_three() {
        for count in 0..=255 {
            assert!(CushionSet::first(count).iter().eq(Cushion::first(count)), "{count}");
            assert_eq!(Cushion::first(count).count(), usize::from(count.min(3)));
        }
    }

    #[test]
    fn removing_an_absent_cushion_has_no_effect() {
        let without_second = CushionSet::first(3).without(Cushion::new(2).unwrap());
        assert_eq!((without_second.bits, without_second.len), (0b101, 2));
        assert_eq!(without_second.without(Cushion::new(2).unwrap()), without_second);
    }
}
