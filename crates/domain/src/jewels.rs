//! Counts of jewels per colour: the jewels in a pouch, in a collection, or in a draw.
//!
//! All five counts are packed into one word, because simulated games add, remove and compare them in every round.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};

use crate::{ByJewel, Jewel};

/// Jewels won by one seat.
pub type Collection = Jewels;

/// A number of jewels of each colour: the jewels in the pouch, in a collection, or in one draw.
///
/// One byte per colour in a single word, white lowest, so that adding, removing and comparing take a few instructions.
/// A value has at most [`Jewels::MAX_COUNT`] jewels in all, so no byte ever has its top bit set. The comparisons use
/// that bit to detect a borrow.
///
/// ```
/// use sultan_domain::{Jewel, Jewels};
/// let mut pouch = Jewels::new([2, 0, 0, 0, 1]).expect("three jewels");
/// assert!(pouch.remove(Jewel::Blue));
/// assert!(!pouch.remove(Jewel::Blue));
/// assert_eq!(pouch.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Jewels(u64);

/// The lowest bit of each of the five bytes.
const LOW_BITS: u64 = 0x01_0101_0101;
/// The highest bit of each of the five bytes.
const TOP_BITS: u64 = 0x80_8080_8080;
/// All bits of the five bytes. (`TOP_BITS - LOW_BITS` is 127 in each byte.)
const ALL_BITS: u64 = 0xff_ffff_ffff;

/// Running totals of a [`Jewels`]: finds a jewel by its index in the order `W`, `R`, `Y`, `G`, `B` without a loop.
///
/// One byte per colour: the number of jewels of this colour and of all colours before it, plus 127. With 127 added, the
/// byte has its top bit set exactly if its total is above zero.
#[derive(Clone, Copy)]
pub(crate) struct RunningTotals(u64);

impl RunningTotals {
    /// The top bit of the byte that counts the `index`-th jewel's colour in a [`Jewels`]: bit 7 for white, 15 for red,
    /// …; 64 for an index beyond the last jewel.
    #[inline]
    const fn colour_bit(self, index: u32) -> u32 {
        // 127 plus a total minus `index` has the top bit set exactly if the total is greater than `index`. The first
        // such byte is the colour's.
        (self.0.wrapping_sub(LOW_BITS * index as u64) & TOP_BITS).trailing_zeros()
    }

    /// Eight times the colour number (1 for white to 5 for blue) of the `index`-th jewel; zero for an index beyond
    /// the last jewel.
    ///
    /// Callers divide by eight once, after they have combined several of these.
    #[inline]
    pub(crate) const fn colour_number_times_8(self, index: u32) -> u32 {
        // Without such a jewel `colour_bit` is 64, and the mask turns 65 into zero.
        (self.colour_bit(index) + 1) & 0x38
    }

    /// Removes the `index`-th jewel, which must exist. Returns the value that
    /// [`RunningTotals::colour_number_times_8`] has for the jewel before its removal.
    #[inline]
    pub(crate) const fn take_colour_number_times_8(&mut self, index: u32) -> u32 {
        let bit = self.colour_bit(index);
        // Subtracts one from the totals of this colour and of all later colours. The shift also moves bits beyond the
        // five bytes; they cannot affect lower bytes, and `counts` clears them.
        self.0 = self.0.wrapping_sub(LOW_BITS << (bit & 0x38));
        // 8 for white, 16 for red, and so on.
        bit + 1
    }

    /// The counts that have these running totals.
    #[inline]
    pub(crate) const fn counts(self) -> Jewels {
        // Removes the 127 that was added to each total.
        let totals = self.0.wrapping_sub(TOP_BITS - LOW_BITS);
        // Each total minus the total of the colour before it.
        Jewels(totals.wrapping_sub(totals << 8) & ALL_BITS)
    }
}

impl Jewels {
    /// No jewels.
    pub const NONE: Self = Self(0);

    /// The greatest number of jewels of all colours together.
    pub const MAX_COUNT: u32 = 127;

    /// The given number of each colour; `None` for more than [`Jewels::MAX_COUNT`] in all.
    #[must_use]
    pub const fn new(counts: [u8; 5]) -> Option<Self> {
        let mut packed = 0;
        let mut total = 0;
        let mut colour = 0;
        while colour < 5 {
            packed |= (counts[colour] as u64) << (8 * colour);
            total += counts[colour] as u32;
            colour += 1;
        }
        if total > Self::MAX_COUNT { None } else { Some(Self(packed)) }
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

    /// Whether the number of jewels is zero.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each colour has at least as many jewels as in `other`.
    #[must_use]
    #[inline]
    pub const fn has_all(self, other: Self) -> bool {
        // Sets the top bit of each byte before the subtraction. The bit is cleared exactly if the byte had to borrow.
        ((self.0 | TOP_BITS) - other.0) & TOP_BITS == TOP_BITS
    }

    /// These jewels and `other`. Together they must be at most [`Jewels::MAX_COUNT`]: more could overflow a byte into
    /// the count of the next colour.
    #[must_use]
    #[inline]
    pub fn with(self, other: Self) -> Self {
        debug_assert!(self.len() + other.len() <= Self::MAX_COUNT, "too many jewels");
        Self(self.0 + other.0)
    }

    /// These jewels without `other`; `None` if `other` has more jewels of a colour.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Option<Self> {
        if self.has_all(other) { Some(Self(self.0 - other.0)) } else { None }
    }

    /// The single jewel that remains if `other` is removed; `None` if `other` cannot be removed or if not exactly one
    /// jewel remains.
    #[must_use]
    #[inline]
    #[expect(
        clippy::manual_is_power_of_two,
        reason = "`is_power_of_two` counts bits, which takes twice as long on x86-64 processors without `popcnt`"
    )]
    pub const fn single_remainder(self, other: Self) -> Option<Self> {
        // If exactly one jewel remains, the difference of the words is the word of that jewel: one low bit. No other
        // counts have such a difference: they differ by at most 127 per byte, too little to reach the next byte's bit.
        let difference = self.0.wrapping_sub(other.0);
        let is_one_jewel = difference != 0 && difference & (difference - 1) == 0 && difference & !LOW_BITS == 0;
        if is_one_jewel { Some(Self(difference)) } else { None }
    }

    /// Adds one jewel; there must be fewer than [`Jewels::MAX_COUNT`].
    #[inline]
    pub fn add(&mut self, jewel: Jewel) {
        *self = self.with(Self::one(jewel));
    }

    /// Removes one jewel of this colour. Returns `false` if the colour has none.
    #[inline]
    pub fn remove(&mut self, jewel: Jewel) -> bool {
        let remaining = self.without(Self::one(jewel));
        *self = remaining.unwrap_or(*self);
        remaining.is_some()
    }

    /// The colour of the `index`-th jewel, counted from 0 in the order `W`, `R`, `Y`, `G`, `B`; `None` beyond the last.
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
        // The multiplication adds to each byte all bytes below it.
        RunningTotals((self.0.wrapping_mul(LOW_BITS) & ALL_BITS) + (TOP_BITS - LOW_BITS))
    }

    /// One jewel of the colour whose number (from 1) is in the lowest four bits; no jewel for zero.
    #[inline]
    pub(crate) const fn from_colour_number(colour: u16) -> Self {
        // The last shift moves number 1 to the lowest byte, and for number 0 removes the only bit.
        Self((1 << (8 * (colour & 7))) >> 8)
    }

    /// These jewels without `other`, which the caller has checked to be among them.
    #[inline]
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    /// The first jewel in the order `W`, `R`, `Y`, `G`, `B`; `None` without jewels.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Option<Jewel> {
        if self.0 == 0 { None } else { Some(Jewel::from_bit(self.0.trailing_zeros())) }
    }

    /// One jewel of each different colour.
    #[must_use]
    #[inline]
    pub const fn colours(self) -> Self {
        // Adding 127 sets the top bit of each byte that is not zero. The shift moves it to the lowest bit: one jewel.
        Self(((self.0 + (TOP_BITS - LOW_BITS)) & TOP_BITS) >> 7)
    }

    /// These jewels without one jewel of the `nth` colour among them, counted from 0 in the order `W`, `R`, `Y`, `G`,
    /// `B`. `None` if they have fewer colours.
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

/// Collects at most [`Jewels::MAX_COUNT`] jewels.
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

/// The JSON object from which [`Jewels`] are read.
#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
struct CountsJson {
    w: u8,
    r: u8,
    y: u8,
    g: u8,
    b: u8,
}

impl<'de> Deserialize<'de> for Jewels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let CountsJson { w, r, y, g, b } = CountsJson::deserialize(deserializer)?;
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
        fn len_and_comparison_agree_with_unpacked_counts(jewels in small_counts(), other in small_counts()) {
            let (counts, other_counts) = (jewels.counts(), other.counts());
            prop_assert_eq!(jewels.len(), counts.0.iter().map(|&count| u32::from(count)).sum::<u32>());
            prop_assert_eq!(jewels.is_empty(), counts == ByJewel([0; 5]));
            let has_all = Jewel::ALL.iter().all(|&jewel| counts[jewel] >= other_counts[jewel]);
            prop_assert_eq!(jewels.has_all(other), has_all);
            prop_assert_eq!(jewels.without(other).is_some(), has_all);
            prop_assert_eq!(jewels.with(other).without(other), Some(jewels));
        }

        #[test]
        fn single_remainder_is_the_only_jewel_left(jewels in small_counts(), other in small_counts()) {
            let remaining = jewels.without(other);
            prop_assert_eq!(jewels.single_remainder(other), remaining.filter(|remaining| remaining.len() == 1));
            prop_assert_eq!(jewels.single_remainder(jewels), None, "no jewel remains");
            for jewel in Jewel::ALL {
                let with_one = jewels.with(Jewels::one(jewel));
                prop_assert_eq!(with_one.single_remainder(jewels), Some(Jewels::one(jewel)));
                for second in Jewel::ALL {
                    let with_two = with_one.with(Jewels::one(second));
                    prop_assert_eq!(with_two.single_remainder(jewels), None, "two jewels remain");
                }
            }
        }

        #[test]
        fn colours_agree_with_unpacked_counts(jewels in small_counts()) {
            let counts = jewels.counts();
            let colours: Vec<Jewel> = Jewel::ALL.into_iter().filter(|&jewel| counts[jewel] > 0).collect();
            prop_assert_eq!(jewels.colours(), colours.iter().copied().collect());
            for nth in 0..6 {
                let expected = colours.get(nth as usize).and_then(|&jewel| jewels.without(Jewels::one(jewel)));
                prop_assert_eq!(jewels.without_nth_colour(nth), expected);
            }
            prop_assert_eq!(jewels.lowest(), colours.first().copied());
        }

        #[test]
        fn nth_jewel_follows_the_order_of_colours(jewels in small_counts()) {
            let in_order: Vec<_> = jewels.iter().collect();
            prop_assert_eq!(in_order.iter().copied().collect::<Jewels>(), jewels);
            for index in 0..=jewels.len() {
                prop_assert_eq!(jewels.nth(index), in_order.get(index as usize).copied());
            }
        }
    }

    #[test]
    fn more_than_127_jewels_are_rejected() {
        assert!(Jewels::new([127, 0, 0, 0, 0]).is_some());
        assert_eq!(Jewels::new([100, 27, 0, 0, 1]), None);
        assert_eq!(Jewels::new([255; 5]), None);
        // The last byte is the blue one: its highest possible count must not affect other bits.
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
    fn jewels_are_added_and_removed_one_by_one() {
        let mut jewels = Jewels::NONE;
        jewels.add(Jewel::Green);
        jewels.add(Jewel::Green);
        jewels.add(Jewel::White);
        assert_eq!(jewels, Jewels::new([1, 0, 0, 2, 0]).unwrap());
        assert_eq!((jewels.count(Jewel::Green), jewels.count(Jewel::Blue)), (2, 0));
        assert!(!jewels.remove(Jewel::Blue) && jewels.remove(Jewel::White) && !jewels.remove(Jewel::White));
        assert_eq!(jewels, Jewels::new([0, 0, 0, 2, 0]).unwrap());
        assert!(!jewels.is_empty() && Jewels::NONE.is_empty());
        assert_eq!((Jewels::NONE.lowest(), Jewels::NONE.nth(0)), (None, None));
    }

    #[test]
    #[should_panic(expected = "too many jewels")]
    fn adding_a_jewel_beyond_127_panics_in_debug_builds() {
        Jewels::new([127, 0, 0, 0, 0]).unwrap().add(Jewel::Blue);
    }
}
