//! Means with standard errors over deals. Games of one deal are not independent, so a deal is one sample.

/// Means of several measures that are taken together.
///
/// The games of one deal share its luck, so each deal counts as one observation: its sum, and how much went into it.
/// The error of the ratio of both is that of a ratio estimator, which for deals of equal weight is the usual one.
#[derive(Clone, Debug)]
pub(super) struct Means<const N: usize> {
    /// Sums over this deal and over all whole deals, and how many measures went into them.
    this_deal: [f64; N],
    count_of_this_deal: u64,
    all: [f64; N],
    count: u64,
    /// Over deals: squares of the sums, sums times counts, squares of the counts.
    squares: [f64; N],
    products: [f64; N],
    counts_squared: f64,
    deals: u64,
}

impl<const N: usize> Means<N> {
    pub(super) const NONE: Self = Self {
        this_deal: [0.0; N],
        count_of_this_deal: 0,
        all: [0.0; N],
        count: 0,
        squares: [0.0; N],
        products: [0.0; N],
        counts_squared: 0.0,
        deals: 0,
    };

    /// Adds what was measured once to the deal under way.
    pub(super) fn add(&mut self, of: [f64; N]) {
        self.this_deal.iter_mut().zip(of).for_each(|(sum, measure)| *sum += measure);
        self.count_of_this_deal += 1;
    }

    /// Ends a deal. A deal without measures is none.
    pub(super) fn close(&mut self) {
        let sums = std::mem::replace(&mut self.this_deal, [0.0; N]);
        let count = std::mem::take(&mut self.count_of_this_deal);
        if count > 0 {
            for (index, sum) in sums.into_iter().enumerate() {
                self.all[index] += sum;
                self.squares[index] += sum * sum;
                self.products[index] += sum * float(count);
            }
            self.count += count;
            self.counts_squared += float(count * count);
            self.deals += 1;
        }
    }

    /// How many measures went into all whole deals.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The mean of one measure over all whole deals; 0 while there are none.
    pub(super) fn mean(&self, index: usize) -> f64 {
        if self.deals == 0 { 0.0 } else { self.all[index] / float(self.count) }
    }

    /// The standard error of that mean; none from a single deal.
    pub(super) fn error(&self, index: usize) -> Option<f64> {
        let mean = self.mean(index);
        let spread = self.squares[index] - 2.0 * mean * self.products[index] + mean * mean * self.counts_squared;
        let deals = float(self.deals);
        (self.deals > 1).then(|| (spread.max(0.0) * deals / (deals - 1.0)).sqrt() / float(self.count))
    }
}

/// A count as a number to calculate with; counts of games are far from where that would lose anything.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2⁵³")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_of_equal_weight_give_the_usual_error() {
        let mut means = Means::<1>::NONE;
        // Means of the deals: 2, 4, 9; their variance is 13, and the mean's a third of it.
        for deal in [[1.0, 3.0], [4.0, 4.0], [10.0, 8.0]] {
            deal.iter().for_each(|&value| means.add([value]));
            means.close();
        }
        assert!((means.mean(0) - 5.0).abs() < 1e-12);
        assert!((means.error(0).unwrap() - (13.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn deals_are_weighted_by_their_games() {
        let mut means = Means::<1>::NONE;
        means.add([1.0]);
        means.close();
        assert_eq!(means.error(0), None);
        means.close();
        assert_eq!(means.count(), 1, "nothing was added");
        [0.0, 0.0, 1.0].iter().for_each(|&value| means.add([value]));
        means.close();
        assert!((means.mean(0) - 0.5).abs() < 1e-12);
        // Sums less mean times weight: 1 - 0.5 and 1 - 1.5; 2 (0.25 + 0.25) = 1; 4 went in.
        assert!((means.error(0).unwrap() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn incomplete_deals_are_not_counted() {
        let mut means = Means::<1>::NONE;
        means.add([7.0]);
        assert!(means.mean(0).abs() < 1e-12 && means.error(0).is_none());
    }
}
