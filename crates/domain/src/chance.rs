//! The interface of random generators. The generators themselves are in the module `chance` of `sultan-rules`.

/// A generator of random numbers.
pub trait Chance {
    /// A random number below `bound`, each with the same probability. `bound` is at least 1.
    fn below(&mut self, bound: u32) -> u32;

    /// Two random numbers, one below each bound. A fast generator can make both from one random word.
    #[inline]
    fn below_both(&mut self, first_bound: u32, second_bound: u32) -> (u32, u32) {
        (self.below(first_bound), self.below(second_bound))
    }

    /// Random numbers, one below each bound, in the order of the bounds.
    #[inline]
    fn below_each<const COUNT: usize>(&mut self, bounds: [u32; COUNT]) -> [u32; COUNT] {
        bounds.map(|bound| self.below(bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator that counts up from `next`, and returns each number modulo the bound.
    struct Counter {
        next: u32,
    }

    impl Chance for Counter {
        fn below(&mut self, bound: u32) -> u32 {
            self.next += 1;
            (self.next - 1) % bound
        }
    }

    #[test]
    fn below_both_and_below_each_generate_one_number_per_bound() {
        assert_eq!(Counter { next: 3 }.below_both(2, 10), (3 % 2, 4));
        assert_eq!(Counter { next: 3 }.below_each([2, 10, 4]), [3 % 2, 4, 5 % 4]);
    }
}
