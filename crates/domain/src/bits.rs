//! Finding the n-th set bit, to pick a card from a set.

/// These bits without the lowest `count` that are set.
///
/// Chosen by arithmetic, not by branches: `count` is mostly random, and a branch on it would be guessed wrong half of the
/// time, which costs more than all the rest. More than three are rare.
#[inline]
pub(crate) const fn without_lowest(bits: u32, count: u32) -> u32 {
    const fn less(bits: u32) -> u32 {
        bits & bits.wrapping_sub(1)
    }
    #[cold]
    const fn without_many(mut bits: u32, count: u32) -> u32 {
        let mut removed = 0;
        while removed < count && bits != 0 {
            bits = less(bits);
            removed += 1;
        }
        bits
    }
    if count >= 4 {
        return without_many(bits, count);
    }
    let bits = bits & bits.wrapping_sub(count & 1);
    let two_less = less(less(bits));
    if count >= 2 { two_less } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lowest_bits_are_removed_in_order(bits: u32, count in 0_u32..40) {
            let wanted = (0..count).fold(bits, |left, _| left & left.wrapping_sub(1));
            prop_assert_eq!(without_lowest(bits, count), wanted);
        }
    }
}
