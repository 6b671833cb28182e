//! Exponential, logarithm and random numbers with bit-identical results on every machine.
//!
//! The standard library calls the functions of the operating system, which differ in the last digit, so the same seed
//! would not train the same nets everywhere. These functions are accurate to about six digits, the precision of `f32`.

use std::f32::consts::{LN_2, LOG2_E};

use sultan_domain::Chance;
use sultan_rules::FastRng;

/// e to the power of `x`, which is clamped to ±80.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // 1.5 times 2^23. An `f32` of this size has no fraction bits, so adding and subtracting it rounds to an integer.
    const ROUNDER: f32 = 12_582_912.0;
    let power = x.clamp(-80.0, 80.0) * LOG2_E;
    let whole = (power + ROUNDER) - ROUNDER;
    let y = (power - whole) * LN_2;
    // e^x = 2^whole * e^y. The second factor is computed by its Taylor series, the first by setting the exponent bits.
    let series = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0 + y / 720.0)))));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 11 and 243")]
    let exponent = (whole + 127.0) as u32;
    series * f32::from_bits(exponent << 23)
}

/// The natural logarithm of a positive number. Numbers below the smallest normal `f32` count as that number.
#[inline]
#[must_use]
pub fn ln(x: f32) -> f32 {
    /// The bits of √½.
    const SQRT_HALF: u32 = 0x3f35_04f3;
    // x = 2^power * factor, with a factor between √½ and √2, where the series below is accurate.
    let shifted = x.max(f32::MIN_POSITIVE).to_bits().wrapping_sub(SQRT_HALF);
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "an exponent is small")]
    let power = ((shifted as i32) >> 23) as f32;
    let factor = f32::from_bits((shifted & 0x007f_ffff).wrapping_add(SQRT_HALF));
    let s = (factor - 1.0) / (factor + 1.0);
    let square = s * s;
    let series = 2.0 * s * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0))));
    power * LN_2 + series
}

/// The logistic function.
#[inline]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// A uniform random number from 0 to 1, 1 excluded.
pub fn random_unit(rng: &mut FastRng) -> f32 {
    const STEPS: u32 = 1 << 24;
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    let number = rng.below(STEPS) as f32 / STEPS as f32;
    number
}

/// Finds the item at a position between 0 and the sum of all shares, in which the shares follow one another. Returns
/// the last item if the position is beyond the sum, and `None` without items.
pub(crate) fn item_at<T>(shares: impl IntoIterator<Item = (T, f32)>, mut position: f32) -> Option<T> {
    let mut chosen = None;
    for (item, share) in shares {
        chosen = Some(item);
        if position < share {
            break;
        }
        position -= share;
    }
    chosen
}

/// Makes a new random generator. However many numbers are drawn from the new generator, `rng` continues the same.
///
/// The seed of the new generator is the next number of `rng`, shifted left by `bits`. The shift does not affect the
/// quality, but must not change: the same seed must reproduce the training of the shipped nets, and the same games.
pub fn split_rng(rng: &mut FastRng, bits: u32) -> FastRng {
    FastRng::new(u64::from(rng.below(u32::MAX)) << bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_agree_with_the_standard_library() {
        for step in -7000_i16..7000 {
            let x = f32::from(step) / 100.0;
            let (computed, expected) = (exp(x), x.exp());
            assert!((computed - expected).abs() <= 1e-5 * expected, "exp({x}) = {computed}, expected {expected}");
            let y = expected.max(1e-30);
            let (computed, expected) = (ln(y), y.ln());
            let error = (computed - expected).abs();
            assert!(error <= 2e-6 * (1.0 + expected.abs()), "ln({y}) = {computed}, expected {expected}");
        }
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite());
        assert!((sigmoid(0.0) - 0.5).abs() < 1e-7);
    }
}
