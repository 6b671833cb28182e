//! What is asked of chance. Where it comes from is `sultan-rules`' `chance`.

/// A source of numbers that nobody can foretell.
pub trait Chance {
    /// A number below `n`, each as likely as the others. `n` is at least 1.
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
