//! Finding the n-th set bit, to pick a card from a set.

/// Clears the lowest `count` set bits.
///
/// Chosen by arithmetic, not by branches: `count` is mostly random, and a branch on it would be guessed wrong half of the
/// time, which costs more than all the rest. More than three are rare.
#[inline]
pub(crate) const fn clear_lowest_bits(bits: u32, count: u32) -> u32 {
    const fn clear_lowest(bits: u32) -> u32 {
        bits & bits.wrapping_sub(1)
    }
    #[cold]
    const fn clear_many(mut bits: u32, count: u32) -> u32 {
        let mut removed = 0;
        while removed < count && bits != 0 {
            bits = clear_lowest(bits);
            removed += 1;
        }
        bits
    }
    if count >= 4 {
        return clear_many(bits, count);
    }
    let bits = bits & bits.wrapping_sub(count & 1);
    let two_cleared = clear_lowest(clear_lowest(bits));
    if count >= 2 { two_cleared } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lowest_set_bits_are_cleared_first(bits: u32, count in 0_u32..40) {
            let wanted = (0..count).fold(bits, |left, _| left & left.wrapping_sub(1));
            prop_assert_eq!(clear_lowest_bits(bits, count), wanted);
        }
    }
}
