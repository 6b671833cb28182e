//! The jewels of a round: the jewels drawn, and the jewels on the cushions.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Chance, Cushion, Jewel, Jewels};

/// The jewels drawn for a round, in the order they left the pouch (RULES 4.1). Empty until they are drawn.
pub type Drawn = JewelRow<{ Cushion::MOST as usize + 1 }>;

/// The jewels on cushions 1, 2 and so on (RULES 4.1).
pub type Offer = JewelRow<{ Cushion::MOST as usize }>;

/// Up to `MOST` jewels in an order, at most four.
///
/// Packed into two words, the jewels in order and the jewels counted, because the rules often need the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JewelRow<const MOST: usize> {
    /// Four bits per jewel, the first jewel lowest: the number of the colour (from 1), or zero for no jewel.
    order: u16,
    /// The same jewels, counted.
    jewels: Jewels,
}

impl<const MOST: usize> JewelRow<MOST> {
    /// The most jewels there can be.
    pub const MOST: usize = MOST;

    /// These jewels, if they are not too many.
    #[must_use]
    pub fn new(jewels: &[Jewel]) -> Option<Self> {
        let mut row = Self::default();
        (jewels.len() <= MOST).then(|| {
            for &jewel in jewels {
                row.push(jewel);
            }
            row
        })
    }

    /// A row from eight times its `order`.
    #[inline]
    const fn from_eightfold(order: u32, jewels: Jewels) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "four places of four bits each")]
        let order = (order / 8) as u16;
        Self { order, jewels }
    }

    #[inline]
    fn push(&mut self, jewel: Jewel) {
        self.order |= (jewel as u16 + 1) << (4 * self.len());
        self.jewels.put(jewel);
    }

    /// The number of jewels.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        4 - self.order.leading_zeros() as usize / 4
    }

    /// Whether it is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.order == 0
    }

    #[inline]
    fn get(self, index: usize) -> Option<Jewel> {
        let colour = self.order >> (4 * index) & 15;
        Jewel::ALL.get(usize::from(colour).checked_sub(1)?).copied()
    }

    /// The jewels in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Jewel> {
        (0..MOST).map_while(move |index| self.get(index))
    }

    /// The jewels without their order.
    #[must_use]
    #[inline]
    pub const fn jewels(self) -> Jewels {
        self.jewels
    }

    /// The jewels in their order, packed for use within one program: other versions may pack them differently.
    #[must_use]
    #[inline]
    pub const fn packed(self) -> u16 {
        self.order
    }

    /// The jewels that were packed.
    #[must_use]
    #[inline]
    pub fn unpacked(packed: u16) -> Self {
        let jewels = [0, 4, 8, 12].into_iter().map(|shift| Jewels::from_colour_number(packed >> shift));
        Self { order: packed, jewels: jewels.fold(Jewels::NONE, Jewels::with) }
    }
}

impl Drawn {
    /// Draws jewels from the pouch one by one, each jewel in the pouch with the same probability. Stops when the pouch
    /// is empty, and after [`Drawn::MOST`] jewels.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "inlining removes the branches for other counts")]
    pub fn from_pouch(pouch: &mut Jewels, count: u8, chance: &mut impl Chance) -> Self {
        let total = pouch.len();
        match count {
            4 if total >= 4 => Self::take_at(pouch, chance.below_each([total, total - 1, total - 2, total - 3])),
            3 if total >= 3 => Self::take_at(pouch, chance.below_each([total, total - 1, total - 2])),
            _ => {
                let mut drawn = Self::default();
                for left in (1..=total).rev().take(usize::from(count).min(Self::MOST)) {
                    for jewel in Self::take_at(pouch, chance.below_each([left])).iter() {
                        drawn.push(jewel);
                    }
                }
                drawn
            }
        }
    }

    /// Takes the jewels at these indices of the pouch, one after the other; each index counts the jewels then left.
    #[inline]
    fn take_at<const K: usize>(pouch: &mut Jewels, indices: [u32; K]) -> Self {
        let mut totals = pouch.running_totals();
        let mut eightfold = 0;
        for (position, index) in indices.into_iter().enumerate() {
            eightfold += totals.take(index) << (4 * position);
        }
        let left = totals.counts();
        let jewels = pouch.minus(left);
        *pouch = left;
        Self::from_eightfold(eightfold, jewels)
    }

    /// The jewel that is put back into the pouch if `offered` are offered (RULES 4.1). `None` unless `offered` are all
    /// but one of the drawn jewels.
    #[must_use]
    #[inline]
    pub fn put_back(self, offered: Jewels) -> Option<Jewel> {
        self.left_over(offered)?.lowest()
    }

    /// Like [`Drawn::put_back`], as [`Jewels`] with one jewel.
    #[must_use]
    #[inline]
    pub const fn left_over(self, offered: Jewels) -> Option<Jewels> {
        self.jewels.one_more_than(offered)
    }
}

impl Offer {
    /// An offer of these jewels in the order `W`, `R`, `Y`, `G`, `B`. `None` if they are more than the cushions.
    #[must_use]
    #[inline]
    pub fn in_order(jewels: Jewels) -> Option<Self> {
        let totals = jewels.running_totals();
        let eightfold =
            totals.eightfold_colour(0) + (totals.eightfold_colour(1) << 4) + (totals.eightfold_colour(2) << 8);
        (jewels.len() as usize <= Self::MOST).then_some(Self::from_eightfold(eightfold, jewels))
    }

    /// The jewels with their cushions.
    pub fn on_cushions(self) -> impl Iterator<Item = (Cushion, Jewel)> {
        Cushion::first(Cushion::MOST).zip(self.iter())
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

impl<const MOST: usize> fmt::Display for JewelRow<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|jewel| jewel.fmt(f))
    }
}

impl<const MOST: usize> Serialize for JewelRow<MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, const MOST: usize> Deserialize<'de> for JewelRow<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let jewels = Vec::deserialize(deserializer)?;
        Self::new(&jewels).ok_or_else(|| de::Error::custom(format!("more than {MOST} jewels")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn jewel_row_agrees_with_a_list(numbers in proptest::collection::vec(0_usize..5, 0..6)) {
            let list: Vec<Jewel> = numbers.iter().map(|&number| Jewel::ALL[number]).collect();
            prop_assert_eq!(Drawn::new(&list).is_some(), list.len() <= 4);
            prop_assert_eq!(Offer::new(&list).is_some(), list.len() <= 3);
            if let Some(drawn) = Drawn::new(&list) {
                prop_assert_eq!(drawn.len(), list.len());
                prop_assert_eq!(drawn.is_empty(), list.is_empty());
                prop_assert_eq!(drawn.iter().collect::<Vec<_>>(), &list[..]);
                prop_assert_eq!(drawn.jewels(), list.iter().copied().collect::<Jewels>());
                prop_assert_eq!(Drawn::unpacked(drawn.packed()), drawn);
            }

            let mut sorted = list.clone();
            sorted.sort();
            let in_order = Offer::in_order(list.iter().copied().collect());
            prop_assert_eq!(in_order, Offer::new(&sorted));
            if let Some(offer) = in_order {
                prop_assert_eq!(offer.len(), list.len());
                prop_assert_eq!(Offer::unpacked(offer.packed()), offer);
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

    /// Returns these numbers in order, and asserts the requested bounds.
    struct FixedNumbers(Vec<(u32, u32)>);

    impl Chance for FixedNumbers {
        fn below(&mut self, n: u32) -> u32 {
            let (bound, number) = self.0.remove(0);
            assert_eq!(n, bound);
            number
        }
    }

    #[test]
    fn rule_4_1_jewels_leave_the_pouch_one_by_one() {
        let drawn = |numbers: &[(u32, u32)], count: u8, pouch: &str| {
            let mut left: Jewels = pouch.parse().unwrap();
            let mut chance = FixedNumbers(numbers.to_vec());
            let drawn = Drawn::from_pouch(&mut left, count, &mut chance);
            assert!(chance.0.is_empty(), "one number is used per jewel");
            assert_eq!(left.with(drawn.jewels()), pouch.parse().unwrap());
            assert_eq!(drawn.len(), usize::from(count).min(4).min(pouch.parse::<Jewels>().unwrap().len() as usize));
            (drawn.to_string(), left)
        };
        // The row is WWRRRB: its last, its first, then the third of WRRR, then the first of WRR.
        let four = drawn(&[(6, 5), (5, 0), (4, 2), (3, 0)], 4, "W2R3B");
        assert_eq!(four, ("BWRW".to_owned(), "R2".parse().unwrap()));
        assert_eq!(drawn(&[(6, 1), (5, 1), (4, 3)], 3, "W2R3B"), ("WRB".to_owned(), "WR2".parse().unwrap()));
        assert_eq!(drawn(&[(6, 2), (5, 4)], 2, "W2R3B"), ("RB".to_owned(), "W2R2".parse().unwrap()));
        assert_eq!(drawn(&[(4, 3), (3, 0), (2, 1), (1, 0)], 4, "WRYG"), ("GWYR".to_owned(), Jewels::NONE));
        assert_eq!(drawn(&[(2, 1), (1, 0)], 4, "WB"), ("BW".to_owned(), Jewels::NONE), "an empty pouch gives no more");
        assert_eq!(drawn(&[(2, 1), (1, 0)], 3, "WB"), ("BW".to_owned(), Jewels::NONE));
        assert_eq!(drawn(&[], 0, "WB"), (String::new(), "WB".parse().unwrap()));
        assert_eq!(drawn(&[(9, 0), (8, 0), (7, 0), (6, 0)], 9, "W9"), ("WWWW".to_owned(), "W5".parse().unwrap()));
    }

    #[test]
    fn rule_4_1_jewel_left_out_of_the_offer_is_put_back() {
        let drawn = Drawn::new(&[Jewel::Red, Jewel::White, Jewel::Red, Jewel::Blue]).unwrap();
        let put_back = |offered: &str| drawn.put_back(offered.parse().unwrap());
        assert_eq!(put_back("WRB"), Some(Jewel::Red));
        assert_eq!(put_back("R2B"), Some(Jewel::White));
        assert_eq!([put_back("R2"), put_back("W1R2B1"), put_back("YRB")], [None; 3]);
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
