//! Means with standard errors over deals.
//!
//! Games of one deal have the same cards and draws, so their results are not independent. Therefore a deal, not a game,
//! is one sample.

/// The means of `N` measures, such as win share and points, that are observed together.
///
/// The error is that of a ratio estimator (sum of all deals divided by their number of observations). For deals with
/// equally many observations it is the usual standard error.
#[derive(Clone, Debug)]
pub(super) struct Means<const N: usize> {
    /// The sum of each measure over the observations of the current deal.
    deal_sums: [f64; N],
    /// The number of observations in the current deal.
    deal_count: u64,
    /// The sum of each measure over the observations of all finished deals.
    sums: [f64; N],
    /// The number of observations in finished deals.
    pub(super) count: u64,
    /// Over all finished deals: the sum of `deal_sums` squared, of `deal_sums` times `deal_count`, and of `deal_count`
    /// squared.
    sums_squared: [f64; N],
    sums_times_counts: [f64; N],
    counts_squared: f64,
    /// The number of finished deals.
    deals: u64,
}

impl<const N: usize> Means<N> {
    pub(super) const EMPTY: Self = Self {
        deal_sums: [0.0; N],
        deal_count: 0,
        sums: [0.0; N],
        count: 0,
        sums_squared: [0.0; N],
        sums_times_counts: [0.0; N],
        counts_squared: 0.0,
        deals: 0,
    };

    /// Adds one observation to the current deal.
    pub(super) fn add(&mut self, measures: [f64; N]) {
        self.deal_sums.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += measure);
        self.deal_count += 1;
    }

    /// Ends the current deal: its observations count from now on. A deal without observations is ignored.
    pub(super) fn end_deal(&mut self) {
        let deal_sums = std::mem::replace(&mut self.deal_sums, [0.0; N]);
        let deal_count = std::mem::take(&mut self.deal_count);
        if deal_count > 0 {
            for (index, sum) in deal_sums.into_iter().enumerate() {
                self.sums[index] += sum;
                self.sums_squared[index] += sum * sum;
                self.sums_times_counts[index] += sum * float(deal_count);
            }
            self.count += deal_count;
            self.counts_squared += float(deal_count * deal_count);
            self.deals += 1;
        }
    }

    /// The mean of the measure with this index over all finished deals; 0 without a deal.
    pub(super) fn mean(&self, index: usize) -> f64 {
        if self.deals == 0 { 0.0 } else { self.sums[index] / float(self.count) }
    }

    /// The standard error of the mean of the measure with this index; `None` with fewer than two deals.
    pub(super) fn error(&self, index: usize) -> Option<f64> {
        let mean = self.mean(index);
        // The sum of (deal_sum - mean * deal_count)² over all deals.
        let spread =
            self.sums_squared[index] - 2.0 * mean * self.sums_times_counts[index] + mean * mean * self.counts_squared;
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
    fn deals_of_equal_size_give_the_usual_standard_error() {
        let mut means = Means::<1>::EMPTY;
        // The means of the deals are 2, 4, 9. Their variance is 13, so the variance of the mean of three is 13 / 3.
        for deal in [[1.0, 3.0], [4.0, 4.0], [10.0, 8.0]] {
            deal.iter().for_each(|&value| means.add([value]));
            means.end_deal();
        }
        assert!((means.mean(0) - 5.0).abs() < 1e-12);
        assert!((means.error(0).unwrap() - (13.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn deals_are_weighted_by_their_observations() {
        let mut means = Means::<1>::EMPTY;
        means.add([1.0]);
        means.end_deal();
        assert_eq!(means.error(0), None);
        means.end_deal();
        assert_eq!(means.count, 1, "a deal without observations is ignored");
        [0.0, 0.0, 1.0].iter().for_each(|&value| means.add([value]));
        means.end_deal();
        assert!((means.mean(0) - 0.5).abs() < 1e-12);
        // The sum of each deal minus the mean times its observations: 1 - 0.5 and 1 - 1.5. Their squares add up to 0.5;
        // times 2 / (2 - 1) deals is 1; the root of it divided by four observations is 0.25.
        assert!((means.error(0).unwrap() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn unfinished_deals_are_not_counted() {
        let mut means = Means::<1>::EMPTY;
        means.add([7.0]);
        assert!(means.mean(0).abs() < 1e-12 && means.error(0).is_none());
    }
}
