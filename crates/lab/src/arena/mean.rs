//! Means with standard errors over deals. Games of one deal are not independent, so a deal is one sample.

/// Means of several measures taken together.
///
/// The games of one deal share its luck, so each deal is one observation: its sum, and its number of measures. The
/// error is that of a ratio estimator, which equals the usual standard error for deals of equal weight.
#[derive(Clone, Debug)]
pub(super) struct Means<const N: usize> {
    /// Sums over the current deal and over all finished deals, and their numbers of measures.
    this_deal: [f64; N],
    count_of_this_deal: u64,
    all: [f64; N],
    count: u64,
    /// Over all deals: squares of the sums, sums times counts, squares of the counts.
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

    /// Adds one observation to the current deal.
    pub(super) fn add(&mut self, measures: [f64; N]) {
        self.this_deal.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += measure);
        self.count_of_this_deal += 1;
    }

    /// Finishes a deal. An empty deal is ignored.
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

    /// The number of observations in finished deals.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// The mean of one measure over all finished deals; 0 without a deal.
    pub(super) fn mean(&self, index: usize) -> f64 {
        if self.deals == 0 { 0.0 } else { self.all[index] / float(self.count) }
    }

    /// Its standard error; `None` for a single deal.
    pub(super) fn error(&self, index: usize) -> Option<f64> {
        let mean = self.mean(index);
        let spread = self.squares[index] - 2.0 * mean * self.products[index] + mean * mean * self.counts_squared;
        let deals = float(self.deals);
        (self.deals > 1).then(|| (spread.max(0.0) * deals / (deals - 1.0)).sqrt() / float(self.count))
    }
}

/// A count as a float.
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
        // The means of the deals are 2, 4, 9. Their variance is 13; that of the mean is a third of it.
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
        // Sums minus mean times weight: 1 - 0.5 and 1 - 1.5; 2 (0.25 + 0.25) = 1; four observations.
        assert!((means.error(0).unwrap() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn incomplete_deals_are_not_counted() {
        let mut means = Means::<1>::NONE;
        means.add([7.0]);
        assert!(means.mean(0).abs() < 1e-12 && means.error(0).is_none());
    }
}
