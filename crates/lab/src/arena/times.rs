//! Decision times as a histogram of fixed precision and small size.
//!
//! Each bucket of the histogram counts the decisions with nearly the same time.

use serde::Serialize;

/// The number of significant bits of a time: times within 1/64 of each other share a bucket. The middle of a bucket is
/// reported, so reported times are off by at most 0.8 %.
const SIGNIFICANT_BITS: u32 = 6;

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
}

impl Times {
    /// Adds one decision.
    pub(super) fn add(&mut self, nanos: u64) {
        let bucket = bucket(nanos);
        self.buckets.resize(self.buckets.len().max(bucket + 1), 0);
        self.buckets[bucket] += 1;
    }

    /// The median and the 99th percentile.
    pub(super) fn summary(&self) -> DecisionTimes {
        // Times are far below 104 days (2^53 ns), where an `f64` begins to round nanoseconds.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let micros = |percent| self.percentile_nanos(percent).map(|nanos| nanos as f64 / 1000.0);
        DecisionTimes { micros_median: micros(50), micros_p99: micros(99) }
    }

    /// The time, in nanoseconds, not exceeded by this percentage of the decisions; `None` without decisions.
    fn percentile_nanos(&self, percent: u8) -> Option<u64> {
        let target = self.buckets.iter().sum::<u64>() * u64::from(percent);
        let mut counted = 0;
        let reaches_target = |&count: &u64| {
            counted += count;
            count > 0 && 100 * counted >= target
        };
        self.buckets.iter().position(reaches_target).map(middle_of_bucket)
    }
}

/// The bucket of a time: one bucket per nanosecond for times below 128 ns, then 64 buckets between successive powers
/// of 2.
fn bucket(nanos: u64) -> usize {
    let shift = nanos.max(1 << SIGNIFICANT_BITS).ilog2() - SIGNIFICANT_BITS;
    usize::try_from((u64::from(shift) << SIGNIFICANT_BITS) + (nanos >> shift)).expect("fewer than 4000 buckets")
}

/// The time, in nanoseconds, in the middle of a bucket.
fn middle_of_bucket(bucket: usize) -> u64 {
    let shift = (bucket >> SIGNIFICANT_BITS).saturating_sub(1);
    (((bucket - (shift << SIGNIFICANT_BITS)) as u64) << shift) + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Chance;
    use sultan_rules::FastRng;

    #[test]
    fn reported_percentiles_are_within_0_8_percent_of_the_exact_ones() {
        let mut rng = FastRng::new(11);
        for highest in [90, 3_000, 700_000, u32::MAX] {
            let mut times = Times::default();
            // Spread over several orders of magnitude, like real times.
            let random_nanos = |_| u64::from(rng.below(highest) >> rng.below(20)) * u64::from(1 + rng.below(9));
            let mut sorted_nanos: Vec<u64> = (0..5000).map(random_nanos).collect();
            sorted_nanos.iter().for_each(|&nanos| times.add(nanos));
            sorted_nanos.sort_unstable();
            for percent in [1, 25, 50, 90, 99, 100] {
                let exact = sorted_nanos[usize::from(percent) * sorted_nanos.len() / 100 - 1];
                let reported = times.percentile_nanos(percent).unwrap();
                // 0.8 % is 1/125.
                assert!(reported.abs_diff(exact) * 125 <= exact, "{percent} %: {reported} instead of {exact}");
            }
        }
    }

    #[test]
    fn buckets_increase_with_the_time_and_their_middle_is_near_it() {
        let mut previous_bucket = 0;
        for nanos in (0..300).chain((9..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1])) {
            let bucket = bucket(nanos);
            assert!(bucket >= previous_bucket, "{nanos}");
            let middle = middle_of_bucket(bucket);
            assert!(middle.abs_diff(nanos) <= nanos / 125, "{nanos}: {middle}");
            previous_bucket = bucket;
        }
        assert!(bucket(u64::MAX) < 4000);
    }

    #[test]
    fn percentiles_are_none_without_decisions() {
        let mut times = Times::default();
        assert_eq!(times.percentile_nanos(50), None);
        assert_eq!(times.summary(), DecisionTimes { micros_median: None, micros_p99: None });
        times.add(5);
        assert_eq!([1, 50, 99].map(|percent| times.percentile_nanos(percent)), [Some(5); 3]);
    }
}
