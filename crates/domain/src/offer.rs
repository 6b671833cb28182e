//! The jewels of a round: the jewels drawn, and the jewels on the cushions.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Chance, Cushion, Jewel, Jewels};

/// The jewels drawn for a round, in the order in which they were drawn (RULES 4.1). Empty until they are drawn.
pub type Drawn = JewelRow<{ Cushion::MAX_COUNT as usize + 1 }>;

/// The jewels on cushions 1, 2 and so on (RULES 4.1).
pub type Offer = JewelRow<{ Cushion::MAX_COUNT as usize }>;

/// A list of up to `MAX_COUNT` jewels; `MAX_COUNT` is at most four.
///
/// Stored twice, as a packed list and as a count per colour, because the rules often need the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JewelRow<const MAX_COUNT: usize> {
    /// Four bits per jewel, the first jewel lowest: the colour number (1 for white to 5 for blue), or zero for no
    /// jewel.
    order: u16,
    /// The number of jewels of each colour.
    jewels: Jewels,
}

impl<const MAX_COUNT: usize> JewelRow<MAX_COUNT> {
    /// The greatest number of jewels.
    pub const MAX_COUNT: usize = MAX_COUNT;

    /// A row of these jewels; `None` for more than [`JewelRow::MAX_COUNT`].
    #[must_use]
    pub fn new(jewels: &[Jewel]) -> Option<Self> {
        let mut row = Self::default();
        (jewels.len() <= MAX_COUNT).then(|| {
            for &jewel in jewels {
                row.push(jewel);
            }
            row
        })
    }

    /// A row from its `order` multiplied by eight, the form in which `RunningTotals` returns colour numbers.
    #[inline]
    const fn from_order_times_8(order_times_8: u32, jewels: Jewels) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "at most four jewels with four bits each")]
        let order = (order_times_8 / 8) as u16;
        Self { order, jewels }
    }

    /// Adds a jewel at the end. The caller makes sure that the row is not full.
    #[inline]
    fn push(&mut self, jewel: Jewel) {
        self.order |= (jewel as u16 + 1) << (4 * self.len());
        self.jewels.add(jewel);
    }

    /// The number of jewels.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        4 - self.order.leading_zeros() as usize / 4
    }

    /// Whether the row is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.order == 0
    }

    /// The jewel at this index, counted from 0; `None` beyond the last.
    #[inline]
    fn get(self, index: usize) -> Option<Jewel> {
        let colour_number = self.order >> (4 * index) & 15;
        Jewel::ALL.get(usize::from(colour_number).checked_sub(1)?).copied()
    }

    /// The jewels in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Jewel> {
        (0..MAX_COUNT).map_while(move |index| self.get(index))
    }

    /// The number of jewels of each colour.
    #[must_use]
    #[inline]
    pub const fn jewels(self) -> Jewels {
        self.jewels
    }

    /// The row packed into two bytes. Never store it outside the process: other versions may pack a row differently.
    #[must_use]
    #[inline]
    pub const fn to_packed(self) -> u16 {
        self.order
    }

    /// Unpacks a value of [`JewelRow::to_packed`].
    #[must_use]
    #[inline]
    pub fn from_packed(packed: u16) -> Self {
        let jewels = [0, 4, 8, 12].into_iter().map(|shift| Jewels::from_colour_number(packed >> shift));
        Self { order: packed, jewels: jewels.fold(Jewels::NONE, Jewels::with) }
    }
}

impl Drawn {
    /// Draws jewels from the pouch one by one, each jewel in the pouch with the same probability. Stops when the pouch
    /// is empty, and after [`Drawn::MAX_COUNT`] jewels.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "callers pass a constant `count`, so inlining removes the other branches")]
    pub fn from_pouch(pouch: &mut Jewels, count: u8, rng: &mut impl Chance) -> Self {
        let total = pouch.len();
        match count {
            // The numbers of the published game, in which all indices come from one call: a fast generator makes them
            // from one random word.
            4 if total >= 4 => Self::remove_each(pouch, rng.below_each([total, total - 1, total - 2, total - 3])),
            3 if total >= 3 => Self::remove_each(pouch, rng.below_each([total, total - 1, total - 2])),
            _ => {
                let mut drawn = Self::default();
                for remaining in (1..=total).rev().take(usize::from(count).min(Self::MAX_COUNT)) {
                    for jewel in Self::remove_each(pouch, rng.below_each([remaining])).iter() {
                        drawn.push(jewel);
                    }
                }
                drawn
            }
        }
    }

    /// Removes jewels from the pouch one after the other. Each index is a position among the jewels that are in the
    /// pouch just before that removal, sorted `W`, `R`, `Y`, `G`, `B`.
    #[inline]
    fn remove_each<const COUNT: usize>(pouch: &mut Jewels, indices: [u32; COUNT]) -> Self {
        let mut totals = pouch.running_totals();
        let mut order_times_8 = 0;
        for (position, index) in indices.into_iter().enumerate() {
            // The order has 4 bits per jewel. The factor 8 is removed at the end.
            order_times_8 += totals.take_colour_number_times_8(index) << (4 * position);
        }
        let remaining = totals.counts();
        let drawn = pouch.minus(remaining);
        *pouch = remaining;
        Self::from_order_times_8(order_times_8, drawn)
    }

    /// The jewel that returns to the pouch if `offered` are offered (RULES 4.1). `None` unless `offered` are all but
    /// one of the drawn jewels.
    #[must_use]
    #[inline]
    pub fn put_back(self, offered: Jewels) -> Option<Jewel> {
        self.jewels.single_remainder(offered)?.lowest()
    }
}

impl Offer {
    /// An offer of these jewels in the order `W`, `R`, `Y`, `G`, `B`. `None` for more jewels than cushions.
    #[must_use]
    #[inline]
    pub fn in_order(jewels: Jewels) -> Option<Self> {
        let totals = jewels.running_totals();
        let order_times_8 = totals.colour_number_times_8(0)
            + (totals.colour_number_times_8(1) << 4)
            + (totals.colour_number_times_8(2) << 8);
        (jewels.len() as usize <= Self::MAX_COUNT).then_some(Self::from_order_times_8(order_times_8, jewels))
    }

    /// The jewels with their cushions.
    pub fn on_cushions(self) -> impl Iterator<Item = (Cushion, Jewel)> {
        Cushion::first(Cushion::MAX_COUNT).zip(self.iter())
    }

    /// The jewel on one cushion.
    #[must_use]
    #[inline]
    pub fn jewel_on(self, cushion: Cushion) -> Option<Jewel> {
        self.get(cushion.index())
    }

    /// The jewel on one cushion as [`Jewels`]; empty if the cushion has none.
    #[must_use]
    #[inline]
    pub const fn jewels_on(self, cushion: Cushion) -> Jewels {
        Jewels::from_colour_number(self.order >> (4 * cushion.index()))
    }
}

impl<const MAX_COUNT: usize> fmt::Display for JewelRow<MAX_COUNT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|jewel| jewel.fmt(f))
    }
}

impl<const MAX_COUNT: usize> Serialize for JewelRow<MAX_COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, const MAX_COUNT: usize> Deserialize<'de> for JewelRow<MAX_COUNT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let jewels = Vec::deserialize(deserializer)?;
        Self::new(&jewels).ok_or_else(|| de::Error::custom(format!("more than {MAX_COUNT} jewels")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Up to five jewels, one more than fit into a row.
    fn jewels() -> impl Strategy<Value = Vec<Jewel>> {
        proptest::collection::vec((0_usize..5).prop_map(|index| Jewel::ALL[index]), 0..6)
    }

    proptest! {
        #[test]
        fn drawn_jewels_agree_with_a_list(list in jewels()) {
            prop_assert_eq!(Drawn::new(&list).is_some(), list.len() <= 4);
            if let Some(drawn) = Drawn::new(&list) {
                prop_assert_eq!(drawn.len(), list.len());
                prop_assert_eq!(drawn.is_empty(), list.is_empty());
                prop_assert_eq!(drawn.iter().collect::<Vec<_>>(), &list[..]);
                prop_assert_eq!(drawn.jewels(), list.iter().copied().collect::<Jewels>());
                prop_assert_eq!(Drawn::from_packed(drawn.to_packed()), drawn);
            }
        }

        #[test]
        fn offer_in_order_agrees_with_a_sorted_list(list in jewels()) {
            prop_assert_eq!(Offer::new(&list).is_some(), list.len() <= 3);
            let mut sorted = list.clone();
            sorted.sort();
            let in_order = Offer::in_order(list.iter().copied().collect());
            prop_assert_eq!(in_order, Offer::new(&sorted));
            if let Some(offer) = in_order {
                prop_assert_eq!(offer.len(), list.len());
                prop_assert_eq!(Offer::from_packed(offer.to_packed()), offer);
                for cushion in Cushion::first(3) {
                    prop_assert_eq!(offer.jewel_on(cushion), sorted.get(cushion.index()).copied());
                    prop_assert_eq!(offer.jewels_on(cushion), offer.jewel_on(cushion).into_iter().collect::<Jewels>());
                }
                let json = serde_json::to_string(&offer).unwrap();
                prop_assert_eq!(serde_json::from_str::<Offer>(&json).unwrap(), offer);
            }
        }
    }

    #[test]
    fn drawn_json_is_a_list_of_letters() {
        let drawn = Drawn::new(&[Jewel::Red, Jewel::White, Jewel::Red, Jewel::Blue]).unwrap();
        assert_eq!(serde_json::to_string(&drawn).unwrap(), r#"["R","W","R","B"]"#);
        assert_eq!(serde_json::from_str::<Drawn>(r#"["R","W","R","B"]"#).unwrap(), drawn);
        assert!(serde_json::from_str::<Drawn>(r#"["R","W","R","B","B"]"#).is_err());
        assert!(serde_json::from_str::<Offer>(r#"["R","W","R","B"]"#).is_err());
        assert!(serde_json::from_str::<Drawn>(r#"["X"]"#).is_err());
    }

    /// A generator that returns fixed numbers in order, and asserts that each is requested with its expected bound.
    struct FixedNumbers {
        /// Pairs of the expected bound and the number to return.
        bounds_and_numbers: Vec<(u32, u32)>,
    }

    impl Chance for FixedNumbers {
        fn below(&mut self, bound: u32) -> u32 {
            let (expected_bound, number) = self.bounds_and_numbers.remove(0);
            assert_eq!(bound, expected_bound);
            number
        }
    }

    #[test]
    fn rule_4_1_jewels_leave_the_pouch_one_by_one() {
        // Draws `count` jewels from `pouch` with these random numbers. Returns the drawn jewels and the remaining
        // pouch.
        let draw = |bounds_and_numbers: &[(u32, u32)], count: u8, pouch: &str| {
            let pouch: Jewels = pouch.parse().unwrap();
            let mut remaining = pouch;
            let mut rng = FixedNumbers { bounds_and_numbers: bounds_and_numbers.to_vec() };
            let drawn = Drawn::from_pouch(&mut remaining, count, &mut rng);
            assert!(rng.bounds_and_numbers.is_empty(), "one number is used per jewel");
            assert_eq!(remaining.with(drawn.jewels()), pouch);
            assert_eq!(drawn.len(), usize::from(count).min(4).min(pouch.len() as usize));
            (drawn.to_string(), remaining)
        };
        // The pouch in order is WWRRRB. Its last jewel is drawn, then its first, then the third of WRRR, then the first
        // of WRR.
        let four = draw(&[(6, 5), (5, 0), (4, 2), (3, 0)], 4, "W2R3B");
        assert_eq!(four, ("BWRW".to_owned(), "R2".parse().unwrap()));
        assert_eq!(draw(&[(6, 1), (5, 1), (4, 3)], 3, "W2R3B"), ("WRB".to_owned(), "WR2".parse().unwrap()));
        assert_eq!(draw(&[(6, 2), (5, 4)], 2, "W2R3B"), ("RB".to_owned(), "W2R2".parse().unwrap()));
        assert_eq!(draw(&[(4, 3), (3, 0), (2, 1), (1, 0)], 4, "WRYG"), ("GWYR".to_owned(), Jewels::NONE));
        let too_few = ("BW".to_owned(), Jewels::NONE);
        assert_eq!(draw(&[(2, 1), (1, 0)], 4, "WB"), too_few, "drawing stops when the pouch is empty");
        assert_eq!(draw(&[(2, 1), (1, 0)], 3, "WB"), too_few, "drawing stops when the pouch is empty");
        assert_eq!(draw(&[], 0, "WB"), (String::new(), "WB".parse().unwrap()));
        let nine_requested = draw(&[(9, 0), (8, 0), (7, 0), (6, 0)], 9, "W9");
        assert_eq!(nine_requested, ("WWWW".to_owned(), "W5".parse().unwrap()), "at most four jewels are drawn");
    }

    #[test]
    fn rule_4_1_jewel_left_out_of_the_offer_is_put_back() {
        let drawn = Drawn::new(&[Jewel::Red, Jewel::White, Jewel::Red, Jewel::Blue]).unwrap();
        let put_back = |offered: &str| drawn.put_back(offered.parse().unwrap());
        assert_eq!(put_back("WRB"), Some(Jewel::Red));
        assert_eq!(put_back("R2B"), Some(Jewel::White));
        assert_eq!([put_back("R2"), put_back("W1R2B1"), put_back("YRB")], [None; 3], "not exactly one jewel remains");
        assert_eq!(Drawn::default().put_back(Jewels::NONE), None);
    }

    #[test]
    fn offer_is_written_as_its_letters() {
        let offer = Offer::new(&[Jewel::Blue, Jewel::White, Jewel::Blue]).unwrap();
        assert_eq!((offer.to_string(), offer.len(), offer.is_empty()), ("BWB".to_owned(), 3, false));
        assert_eq!(serde_json::to_string(&offer).unwrap(), r#"["B","W","B"]"#);
        assert!(offer.iter().eq([Jewel::Blue, Jewel::White, Jewel::Blue]));
        assert!(Offer::default().is_empty() && Drawn::default().is_empty());
    }
}
