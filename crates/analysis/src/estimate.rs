//! Computes means and their standard errors from independent samples.

use sultan_domain::Estimate;

/// The mean of independent samples with its standard error. A single sample is an exact result, so its error is 0.
/// Without samples both numbers are 0.
pub(super) fn estimate(samples: impl Iterator<Item = f64> + Clone) -> Estimate {
    let count = samples.clone().fold(0.0, |count, _| count + 1.0_f64);
    let value = samples.clone().sum::<f64>() / count.max(1.0);
    if count < 2.0 {
        return Estimate { value, error: 0.0 };
    }
    let squares: f64 = samples.map(|sample| (sample - value) * (sample - value)).sum();
    Estimate { value, error: (squares / (count - 1.0) / count).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_errors_match_hand_computed_values() {
        // By hand: mean 3, squares 4 + 0 + 4, variance 4, over three samples.
        let three = estimate([1.0, 3.0, 5.0].into_iter());
        assert!((three.value - 3.0).abs() < 1e-12 && (three.error - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(estimate([0.5; 4].into_iter()), Estimate { value: 0.5, error: 0.0 });
        assert_eq!(estimate([0.5].into_iter()), Estimate { value: 0.5, error: 0.0 });
        assert_eq!(estimate([].into_iter()), Estimate::default());
    }
}
