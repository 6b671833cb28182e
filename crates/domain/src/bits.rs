//! Finding the n-th set bit, to pick a card or a colour from a set.

macro_rules! without_lowest {
    ($name:ident, $bits:ty) => {
        /// These bits without the lowest `count` that are set.
        ///
        /// Chosen by arithmetic, not by branches: `count` is mostly random, and a branch on it would be guessed wrong
        /// half of the time, which costs more than all the rest. More than three are rare.
        #[inline]
        pub(crate) const fn $name(bits: $bits, count: u32) -> $bits {
            const fn less(bits: $bits) -> $bits {
                bits & bits.wrapping_sub(1)
            }
            #[cold]
            const fn without_many(mut bits: $bits, count: u32) -> $bits {
                let mut gone = 0;
                while gone < count && bits != 0 {
                    bits = less(bits);
                    gone += 1;
                }
                bits
            }
            if count >= 4 {
                return without_many(bits, count);
            }
            let bits = bits & bits.wrapping_sub((count & 1) as $bits);
            let two_less = less(less(bits));
            if count >= 2 { two_less } else { bits }
        }
    };
}

// One function per width, because 64 bits cost more than 32.
without_lowest!(without_lowest_u32, u32);
without_lowest!(without_lowest_u64, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lowest_bits_are_removed_in_order(bits: u64, count in 0_u32..70) {
            let less = |bits: u64| (0..count).fold(bits, |left, _| left & left.wrapping_sub(1));
            let narrow = u32::try_from(bits >> 32).unwrap();
            let (wanted, narrow_wanted) = (less(bits), less(narrow.into()));
            prop_assert_eq!(without_lowest_u64(bits, count), wanted);
            prop_assert_eq!(u64::from(without_lowest_u32(narrow, count)), narrow_wanted);
        }
    }
}
