//! What is asked of chance. Where it comes from is `sultan-rules`' `chance`.

/// A source of numbers that nobody can foretell.
pub trait Chance {
    /// A number below `n`, each as likely as the others. `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;

    /// A number below each of two bounds.
    #[inline]
    fn below_each(&mut self, n: u32, m: u32) -> (u32, u32) {
        (self.below(n), self.below(m))
    }
}
