//! Clears set bits of a word. A hand of cards is stored as a bit set: after the lowest `n` bits are cleared, the lowest
//! remaining bit is that of the value with index `n`.

/// Clears the lowest `count` set bits.
///
/// Counts up to three, the usual case, are handled by arithmetic that the compiler translates without jumps. `count` is
/// mostly random, so the processor would predict every second jump wrongly, which costs more than the whole function.
#[inline]
pub(crate) const fn clear_lowest_bits(bits: u32, count: u32) -> u32 {
    const fn clear_lowest(bits: u32) -> u32 {
        bits & bits.wrapping_sub(1)
    }
    #[cold]
    const fn clear_one_by_one(mut bits: u32, count: u32) -> u32 {
        let mut cleared = 0;
        while cleared < count && bits != 0 {
            bits = clear_lowest(bits);
            cleared += 1;
        }
        bits
    }
    if count >= 4 {
        return clear_one_by_one(bits, count);
    }
    // Clears one bit for counts 1 and 3. For counts 0 and 2 it subtracts zero, which changes no bit.
    let bits = bits & bits.wrapping_sub(count & 1);
    let two_more_cleared = clear_lowest(clear_lowest(bits));
    if count >= 2 { two_more_cleared } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn clear_lowest_bits_equals_clearing_one_bit_count_times(bits: u32, count in 0_u32..40) {
            let expected = (0..count).fold(bits, |remaining, _| remaining & remaining.wrapping_sub(1));
            prop_assert_eq!(clear_lowest_bits(bits, count), expected);
        }
    }
}
