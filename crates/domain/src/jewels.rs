//! Counts of jewels per colour: a pouch, a collection, a draw.
//!
//! Packed into one word, because the rules add, take and compare them all the time.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};

use crate::{ByJewel, Jewel};

/// Jewels won by one seat.
pub type Collection = Jewels;

/// A number of jewels of each colour: a pouch, a collection, or the jewels of one draw.
///
/// One byte per colour in a single word, so that adding, taking and comparing are a few instructions. At most
/// [`Jewels::MOST`] jewels in all, so that no byte's top bit is ever set; the comparisons use that bit.
///
/// ```
/// use sultan_domain::{Jewel, Jewels};
/// let mut pouch = Jewels::new([2, 0, 0, 0, 1]).expect("three jewels");
/// assert!(pouch.take(Jewel::Blue));
/// assert!(!pouch.take(Jewel::Blue));
/// assert_eq!(pouch.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Jewels(u64);

const LOW_BITS: u64 = 0x01_0101_0101;
const TOP_BITS: u64 = 0x80_8080_8080;
const ALL_BITS: u64 = 0xff_ffff_ffff;

/// Running totals, from white on: each byte is the number of jewels of its colour and all colours before it, plus 127.
#[derive(Clone, Copy)]
pub(crate) struct RunningTotals(u64);

impl RunningTotals {
    /// The top bit, in a [`Jewels`], of the colour of the `index`-th jewel in the row `W`, `R`, `Y`, `G`, `B`.
    #[inline]
    const fn colour_bit(self, index: u32) -> u32 {
        // 127 plus a total minus `index` has the top bit exactly if the total is greater than `index`. The first such
        // byte is the colour.
        (self.0.wrapping_sub(LOW_BITS * index as u64) & TOP_BITS).trailing_zeros()
    }

    /// Eight times the number (from 1) of the colour of the `index`-th jewel; zero if there are fewer jewels.
    #[inline]
    pub(crate) const fn eightfold_colour(self, index: u32) -> u32 {
        // If no bit is found, `colour_bit` returns 64, which the mask removes.
        (self.colour_bit(index) + 1) & 0x38
    }

    /// Removes the `index`-th jewel, which must exist, and returns eight times the number of its colour.
    #[inline]
    pub(crate) const fn take(&mut self, index: u32) -> u32 {
        let bit = self.colour_bit(index);
        // Bits shifted beyond the five bytes do no harm: they have no effect on lower bytes, and `counts` removes them.
        self.0 = self.0.wrapping_sub(LOW_BITS << (bit & 0x38));
        bit + 1
    }

    /// The counts that have these running totals.
    #[inline]
    pub(crate) const fn counts(self) -> Jewels {
        let counts = self.0.wrapping_sub(TOP_BITS - LOW_BITS);
        Jewels(counts.wrapping_sub(counts << 8) & ALL_BITS)
    }
}

impl Jewels {
    /// No jewels.
    pub const NONE: Self = Self(0);

    /// The most jewels one value can hold.
    pub const MOST: u32 = 127;

    /// The given number of each colour; `None` if more than [`Jewels::MOST`] in all.
    #[must_use]
    pub const fn new(counts: [u8; 5]) -> Option<Self> {
        let mut packed = 0;
        let mut total = 0;
        let mut i = 0;
        while i < 5 {
            packed |= (counts[i] as u64) << (8 * i);
            total += counts[i] as u32;
            i += 1;
        }
        if total > Self::MOST { None } else { Some(Self(packed)) }
    }

    /// One jewel.
    #[must_use]
    #[inline]
    pub const fn one(jewel: Jewel) -> Self {
        Self(1 << (8 * jewel as u32))
    }

    /// The number of jewels of one colour.
    #[must_use]
    #[inline]
    pub const fn count(self, jewel: Jewel) -> u8 {
        (self.0 >> (8 * jewel as u32)).to_le_bytes()[0]
    }

    /// The number of jewels of each colour.
    #[must_use]
    pub fn counts(self) -> ByJewel<u8> {
        ByJewel(Jewel::ALL.map(|jewel| self.count(jewel)))
    }

    /// The total number of jewels.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        // The fifth byte of the product is the sum of all five.
        ((self.0.wrapping_mul(LOW_BITS) >> 32) & 0xff) as u32
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every jewel of `other` is here too.
    #[must_use]
    #[inline]
    pub const fn has_all(self, other: Self) -> bool {
        // With its top bit lent to it, a byte keeps that bit unless it had to borrow.
        ((self.0 | TOP_BITS) - other.0) & TOP_BITS == TOP_BITS
    }

    /// These jewels and `other`: together at most [`Jewels::MOST`], or counts would run into each other.
    #[must_use]
    #[inline]
    pub fn with(self, other: Self) -> Self {
        debug_assert!(self.len() + other.len() <= Self::MOST, "too many jewels");
        Self(self.0 + other.0)
    }

    /// These jewels without `other`; `None` if `other` has more of a colour.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Option<Self> {
        if self.has_all(other) { Some(Self(self.0 - other.0)) } else { None }
    }

    /// The jewel that these have more than `other`; `None` unless they differ by exactly this one jewel.
    #[must_use]
    #[inline]
    #[expect(
        clippy::manual_is_power_of_two,
        reason = "the plain x86-64 has no instruction for that, and it costs twice"
    )]
    pub const fn one_more_than(self, other: Self) -> Option<Self> {
        // Bytes never carry, so that the words differ by one jewel's word just when the counts differ by one jewel.
        let difference = self.0.wrapping_sub(other.0);
        let is_one_jewel = difference != 0 && difference & (difference - 1) == 0 && difference & !LOW_BITS == 0;
        if is_one_jewel { Some(Self(difference)) } else { None }
    }

    /// Adds one jewel; there must be fewer than [`Jewels::MOST`].
    #[inline]
    pub fn put(&mut self, jewel: Jewel) {
        *self = self.with(Self::one(jewel));
    }

    /// Removes one jewel; returns whether there was one.
    #[inline]
    pub fn take(&mut self, jewel: Jewel) -> bool {
        let left = self.without(Self::one(jewel));
        *self = left.unwrap_or(*self);
        left.is_some()
    }

    /// The colour of the `index`-th jewel in the order `W`, `R`, `Y`, `G`, `B`.
    #[must_use]
    #[inline]
    pub const fn nth(self, index: u32) -> Option<Jewel> {
        if index >= self.len() {
            return None;
        }
        Some(Jewel::from_bit(self.running_totals().colour_bit(index)))
    }

    /// The running totals of these counts.
    #[inline]
    pub(crate) const fn running_totals(self) -> RunningTotals {
        RunningTotals((self.0.wrapping_mul(LOW_BITS) & ALL_BITS) + (TOP_BITS - LOW_BITS))
    }

    /// One jewel of the colour whose number (from 1) is in the lowest four bits; no jewel for zero.
    #[inline]
    pub(crate) const fn from_colour_number(colour: u16) -> Self {
        Self((1 << (8 * (colour & 7))) >> 8)
    }

    /// These jewels without `other`, which must all be here.
    #[inline]
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// The first jewel in the order `W`, `R`, `Y`, `G`, `B`.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Option<Jewel> {
        if self.0 == 0 { None } else { Some(Jewel::from_bit(self.0.trailing_zeros())) }
    }

    /// One jewel of each different colour.
    #[must_use]
    #[inline]
    pub const fn colours(self) -> Self {
        // The top bit of each byte that is not zero.
        Self(((self.0 + (TOP_BITS - LOW_BITS)) & TOP_BITS) >> 7)
    }

    /// These jewels without one of the `nth` different colour, in the order `W`, `R`, `Y`, `G`, `B`; `None` if there are
    /// fewer colours.
    #[inline]
    pub(crate) const fn without_nth_colour(self, nth: u32) -> Option<Self> {
        let bit = self.colours().running_totals().colour_bit(nth);
        if bit < u64::BITS { Some(Self(self.0 - (1 << (bit & 0x38)))) } else { None }
    }

    /// All jewels in the order `W`, `R`, `Y`, `G`, `B`.
    pub fn iter(self) -> impl Iterator<Item = Jewel> {
        Jewel::ALL.into_iter().flat_map(move |jewel| std::iter::repeat_n(jewel, usize::from(self.count(jewel))))
    }
}

/// Collects at most [`Jewels::MOST`] jewels.
impl FromIterator<Jewel> for Jewels {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Jewel>>(jewels: I) -> Self {
        jewels.into_iter().fold(Self::NONE, |sum, jewel| sum.with(Self::one(jewel)))
    }
}

/// Writes `{"W":1,"R":0,"Y":0,"G":1,"B":0}`.
impl Serialize for Jewels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        for jewel in Jewel::ALL {
            map.serialize_entry(&jewel, &self.count(jewel))?;
        }
        map.end()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
struct Counts {
    w: u8,
    r: u8,
    y: u8,
    g: u8,
    b: u8,
}

impl<'de> Deserialize<'de> for Jewels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Counts { w, r, y, g, b } = Counts::deserialize(deserializer)?;
        Self::new([w, r, y, g, b]).ok_or_else(|| de::Error::custom("more jewels than there can be"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small_counts() -> impl Strategy<Value = Jewels> {
        proptest::array::uniform5(0_u8..=12).prop_map(|counts| Jewels::new(counts).unwrap())
    }

    proptest! {
        #[test]
        fn packed_jewels_agree_with_plain_counts(a in small_counts(), b in small_counts()) {
            let (counts_a, counts_b) = (a.counts(), b.counts());
            prop_assert_eq!(a.len(), counts_a.0.iter().map(|&n| u32::from(n)).sum::<u32>());
            prop_assert_eq!(a.is_empty(), counts_a == ByJewel([0; 5]));
            let fits = Jewel::ALL.iter().all(|&j| counts_a[j] >= counts_b[j]);
            prop_assert_eq!(a.has_all(b), fits);
            prop_assert_eq!(a.with(b).without(b), Some(a));
            prop_assert_eq!(a.without(b).is_some(), fits);
            prop_assert_eq!(a.one_more_than(b), a.without(b).filter(|more| more.len() == 1));
            prop_assert_eq!(a.one_more_than(a), None);
            for jewel in Jewel::ALL {
                let with_one = a.with(Jewels::one(jewel));
                prop_assert_eq!(with_one.one_more_than(a), Some(Jewels::one(jewel)));
                for other in Jewel::ALL {
                    prop_assert_eq!(with_one.with(Jewels::one(other)).one_more_than(a), None);
                }
            }
            prop_assert_eq!(a.iter().collect::<Jewels>(), a);
            let colours: Vec<Jewel> = Jewel::ALL.into_iter().filter(|&jewel| counts_a[jewel] > 0).collect();
            prop_assert_eq!(a.colours(), colours.iter().copied().collect());
            for nth in 0..6 {
                let wanted = colours.get(nth as usize).and_then(|&jewel| a.without(Jewels::one(jewel)));
                prop_assert_eq!(a.without_nth_colour(nth), wanted);
            }
            prop_assert_eq!(a.lowest(), colours.first().copied());
        }

        #[test]
        fn nth_jewel_follows_the_order_of_colours(jewels in small_counts()) {
            let row: Vec<_> = jewels.iter().collect();
            for index in 0..=jewels.len() {
                prop_assert_eq!(jewels.nth(index), row.get(index as usize).copied());
            }
        }
    }

    #[test]
    fn more_than_127_jewels_are_rejected() {
        assert!(Jewels::new([127, 0, 0, 0, 0]).is_some());
        assert_eq!(Jewels::new([100, 27, 0, 0, 1]), None);
        assert_eq!(Jewels::new([255; 5]), None);
        let full = Jewels::new([0, 0, 0, 0, 127]).unwrap();
        assert_eq!(full.nth(126), Some(Jewel::Blue));
        assert_eq!(full.nth(127), None);
    }

    #[test]
    fn json_is_one_number_per_letter() {
        let jewels = Jewels::new([3, 5, 0, 0, 1]).unwrap();
        let json = r#"{"W":3,"R":5,"Y":0,"G":0,"B":1}"#;
        assert_eq!(serde_json::to_string(&jewels).unwrap(), json);
        assert_eq!(serde_json::from_str::<Jewels>(json).unwrap(), jewels);
        assert!(serde_json::from_str::<Jewels>(r#"{"W":3}"#).is_err());
        assert!(serde_json::from_str::<Jewels>(r#"{"W":255,"R":255,"Y":0,"G":0,"B":1}"#).is_err());
    }

    #[test]
    fn jewels_are_put_in_and_taken_out_one_by_one() {
        let mut jewels = Jewels::NONE;
        jewels.put(Jewel::Green);
        jewels.put(Jewel::Green);
        jewels.put(Jewel::White);
        assert_eq!(jewels, Jewels::new([1, 0, 0, 2, 0]).unwrap());
        assert_eq!((jewels.count(Jewel::Green), jewels.count(Jewel::Blue)), (2, 0));
        assert!(!jewels.take(Jewel::Blue) && jewels.take(Jewel::White) && !jewels.take(Jewel::White));
        assert_eq!(jewels, Jewels::new([0, 0, 0, 2, 0]).unwrap());
        assert!(!jewels.is_empty() && Jewels::NONE.is_empty());
        assert_eq!((Jewels::NONE.lowest(), Jewels::NONE.nth(0)), (None, None));
    }

    #[test]
    #[should_panic(expected = "too many jewels")]
    fn putting_in_a_jewel_beyond_127_panics() {
        Jewels::new([127, 0, 0, 0, 0]).unwrap().put(Jewel::Blue);
    }
}
