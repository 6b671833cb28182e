//! Finding the n-th bit set, which is how a card or a colour is picked out of a set.

/// These bits without the lowest `count` that are set.
///
/// Chosen by arithmetic, not by branches: `count` is mostly random, and a branch on it would be guessed wrong half of
/// the time, which costs more than all the rest.
#[inline]
pub(crate) const fn without_lowest(bits: u64, count: u32) -> u64 {
    if count >= 4 {
        return without_many(bits, count);
    }
    let bits = bits & bits.wrapping_sub((count & 1) as u64);
    let two_less = less(less(bits));
    if count >= 2 { two_less } else { bits }
}

/// These bits without the lowest that is set.
const fn less(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

#[cold]
const fn without_many(mut bits: u64, count: u32) -> u64 {
    let mut gone = 0;
    while gone < count && bits != 0 {
        bits = less(bits);
        gone += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_lowest_bits_go_one_by_one(bits: u64, count in 0_u32..70) {
            let mut wanted = bits;
            for _ in 0..count {
                wanted &= wanted.wrapping_sub(1);
            }
            prop_assert_eq!(without_lowest(bits, count), wanted);
        }
    }
}
