//! Decision times as a histogram of fixed precision and small size.

use serde::Serialize;

/// The number of significant bits: times within 1/64 of each other share a bucket, so reported times are off by at most
/// 0.8 %.
const BITS: u32 = 6;

/// Decision times in microseconds; `None` without decisions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DecisionTimes {
    /// The time not exceeded by half of the decisions.
    pub micros_median: Option<f64>,
    /// The time not exceeded by 99 % of the decisions.
    pub micros_p99: Option<f64>,
}

/// The times of many decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// The number of decisions per bucket, up to the longest time.
    buckets: Vec<u64>,
    count: u64,
}

impl Times {
    /// Adds one decision.
    pub(super) fn add(&mut self, nanos: u64) {
        let bucket = bucket(nanos);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
    }

    /// The median and the 99th percentile.
    pub(super) fn summary(&self) -> DecisionTimes {
        // Times are far below 104 days (2^53 ns), where an `f64` begins to round nanoseconds.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let at = |percent| self.percentile(percent).map(|nanos| nanos as f64 / 1000.0);
        DecisionTimes { micros_median: at(50), micros_p99: at(99) }
    }

    /// The time, in nanoseconds, not exceeded by this percentage of the decisions; `None` without decisions.
    fn percentile(&self, percent: u8) -> Option<u64> {
        let due = u128::from(self.count) * u128::from(percent);
        let mut passed = 0;
        let reached = |&count: &u64| {
            passed += u128::from(count);
            count > 0 && 100 * passed >= due
        };
        self.buckets.iter().position(reached).map(middle)
    }
}

/// The bucket of a time: one per value for short times, then 64 between successive powers of 2.
fn bucket(nanos: u64) -> usize {
    let shift = nanos.max(1 << BITS).ilog2() - BITS;
    usize::try_from((u64::from(shift) << BITS) + (nanos >> shift)).expect("fewer than 4000 buckets")
}

/// The time in the middle of a bucket.
fn middle(bucket: usize) -> u64 {
    let shift = (bucket >> BITS).saturating_sub(1);
    (((bucket - (shift << BITS)) as u64) << shift) + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Chance;
    use sultan_rules::Quick;

    #[test]
    fn percentiles_are_near_the_exact_ones() {
        let mut rng = Quick::new(11);
        for highest in [90, 3_000, 700_000, u32::MAX] {
            let mut times = Times::default();
            // Spread over several orders of magnitude, like real times.
            let draw = |_| u64::from(rng.below(highest) >> rng.below(20)) * u64::from(1 + rng.below(9));
            let mut exact: Vec<u64> = (0..5000).map(draw).collect();
            exact.iter().for_each(|&nanos| times.add(nanos));
            exact.sort_unstable();
            for percent in [1, 25, 50, 90, 99, 100] {
                let due = exact[usize::from(percent) * exact.len() / 100 - 1];
                let reported = times.percentile(percent).unwrap();
                assert!(reported.abs_diff(due) * 125 <= due, "{percent} %: {reported} for {due}");
            }
        }
    }

    #[test]
    fn buckets_are_monotonic_and_precise() {
        let mut last = 0;
        for nanos in (0..300).chain((9..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1])) {
            let bucket = bucket(nanos);
            assert!(bucket >= last, "{nanos}");
            assert!(middle(bucket).abs_diff(nanos) <= nanos / 125, "{nanos}: {}", middle(bucket));
            last = bucket;
        }
        assert!(bucket(u64::MAX) < 4000);
    }

    #[test]
    fn no_decisions_have_no_percentiles() {
        let mut times = Times::default();
        assert_eq!((times.percentile(50), times.count), (None, 0));
        assert_eq!(times.summary(), DecisionTimes { micros_median: None, micros_p99: None });
        times.add(5);
        assert_eq!((times.percentile(1), times.percentile(50), times.percentile(99)), (Some(5), Some(5), Some(5)));
    }
}
