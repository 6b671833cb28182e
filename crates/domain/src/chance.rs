//! The interface of random numbers. Their sources are in `sultan-rules`' `chance`.

/// A source of random numbers.
pub trait Chance {
    /// A uniform number below `n`, which is at least 1.
    fn below(&mut self, n: u32) -> u32;

    /// A number below each of two bounds.
    #[inline]
    fn below_both(&mut self, n: u32, m: u32) -> (u32, u32) {
        (self.below(n), self.below(m))
    }

    /// A number below each of these bounds, in their order.
    #[inline]
    fn below_each<const K: usize>(&mut self, bounds: [u32; K]) -> [u32; K] {
        bounds.map(|n| self.below(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(u32);

    impl Chance for Counter {
        fn below(&mut self, n: u32) -> u32 {
            self.0 += 1;
            (self.0 - 1) % n
        }
    }

    #[test]
    fn below_both_and_below_each_draw_one_number_per_bound() {
        assert_eq!(Counter(3).below_both(2, 10), (1, 4));
        assert_eq!(Counter(3).below_each([2, 10, 4]), [1, 4, 1]);
    }
}
