//! The arithmetic of a net: an input layer of boolean features, two hidden layers, a few outputs.
//!
//! Each feature has a row of weights. Because the inputs are boolean, the sums of the first layer are simply the sum of
//! the rows of the active features. All code is plain Rust over arrays of fixed length: at this size no framework would
//! be faster, and the results are the same on every machine.

use std::ops::Range;

/// The number of values in the first hidden layer.
pub const WIDE: usize = 64;
/// The number of values in the second hidden layer.
pub const NARROW: usize = 32;
/// The maximum number of outputs: the bid net has 16 scores of cards and 8 weights of hints.
pub const OUT: usize = 24;

/// The sums of the first layer, before activation.
pub type Sums = [f32; WIDE];

/// The sizes of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of features.
    pub features: usize,
}

impl Shape {
    /// The number of weights and biases.
    pub(crate) const fn len(self) -> usize {
        self.features * WIDE + WIDE + WIDE * NARROW + NARROW + NARROW * OUT + OUT
    }

    /// The index ranges in [`Net::numbers`]: the weights of the first layer, its biases, the weights of the second
    /// layer, its biases, the weights of the outputs, their biases.
    #[must_use]
    pub const fn parts(self) -> [Range<usize>; 6] {
        let first = self.features * WIDE;
        let second = first + WIDE;
        let third = second + WIDE * NARROW;
        let fourth = third + NARROW;
        let fifth = fourth + NARROW * OUT;
        [0..first, first..second, second..third, third..fourth, fourth..fifth, fifth..fifth + OUT]
    }
}

/// A net, or a gradient of one, as a flat list of numbers.
#[derive(Clone, Debug)]
pub struct Net {
    /// Its sizes.
    pub shape: Shape,
    /// All weights and biases, in the order of [`Shape::parts`].
    pub numbers: Vec<f32>,
}

/// The results of a net: the values of its hidden layers and its outputs.
#[derive(Clone, Copy)]
pub struct Activations {
    /// The first hidden layer.
    pub wide: [f32; WIDE],
    /// The second hidden layer.
    pub narrow: [f32; NARROW],
    /// The outputs.
    pub out: [f32; OUT],
}

impl Default for Activations {
    fn default() -> Self {
        Self { wide: [0.0; WIDE], narrow: [0.0; NARROW], out: [0.0; OUT] }
    }
}

/// The numbers as rows of length `N`.
fn rows<const N: usize>(numbers: &[f32]) -> &[[f32; N]] {
    numbers.as_chunks().0
}

/// The first `N` numbers.
fn row<const N: usize>(numbers: &[f32]) -> &[f32; N] {
    numbers.first_chunk().expect("the length follows from the shape")
}

/// Adds each number of `other` to the number with the same index in `sum`.
#[inline]
pub fn add<const N: usize>(sum: &mut [f32; N], other: &[f32; N]) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a += b;
    }
}

/// Computes a part of a layer before activation: the `SUMS` sums that start at the index `from`. `weights` has a row of
/// weights for each input.
#[inline]
fn layer_sums<const IN: usize, const ROW: usize, const SUMS: usize>(
    inputs: &[f32; IN],
    weights: &[[f32; ROW]],
    biases: &[f32],
    from: usize,
) -> [f32; SUMS] {
    let mut sums: [f32; SUMS] = *row(&biases[from..]);
    for (&input, weights) in inputs.iter().zip(weights) {
        let weights: &[f32; SUMS] = row(&weights[from..]);
        for index in 0..SUMS {
            sums[index] += input * weights[index];
        }
    }
    sums
}

impl Net {
    /// A net with all weights and biases 0.
    #[must_use]
    pub fn zero(shape: Shape) -> Self {
        Self { shape, numbers: vec![0.0; shape.len()] }
    }

    /// The bias of an output.
    pub fn bias_mut(&mut self, out: usize) -> &mut f32 {
        let [.., biases] = self.shape.parts();
        &mut self.numbers[biases][out]
    }

    /// The sums of the first layer without any feature: its biases.
    #[must_use]
    pub fn start(&self) -> Sums {
        *row(&self.numbers[self.shape.features * WIDE..])
    }

    /// Adds the rows of these features to the sums of the first layer.
    #[inline]
    pub fn add_features(&self, sums: &mut Sums, features: &[u16]) {
        let feature_rows = rows::<WIDE>(&self.numbers[..self.shape.features * WIDE]);
        for &feature in features {
            add(sums, &feature_rows[usize::from(feature)]);
        }
    }

    /// Subtracts the rows of these features from the sums of the first layer.
    #[inline]
    pub(crate) fn remove_features(&self, sums: &mut Sums, features: &[u16]) {
        let feature_rows = rows::<WIDE>(&self.numbers[..self.shape.features * WIDE]);
        for &feature in features {
            for (a, b) in sums.iter_mut().zip(&feature_rows[usize::from(feature)]) {
                *a -= b;
            }
        }
    }

    /// Computes all values after the sums of the first layer, but of the outputs only the first `USED`. In the hidden
    /// layers, negative sums become 0 (the activation function "rectified linear unit").
    #[inline]
    pub fn finish<const USED: usize>(&self, sums: &Sums, activations: &mut Activations) {
        let [_, _, narrow_weights, narrow_biases, out_weights, out_biases] = self.shape.parts();
        activations.wide = sums.map(|sum| sum.max(0.0));
        let weights = rows::<NARROW>(&self.numbers[narrow_weights]);
        // In two halves, so that the sums stay in registers.
        for half in [0, NARROW / 2] {
            let sums = layer_sums(&activations.wide, weights, &self.numbers[narrow_biases.clone()], half);
            let narrow_half: &mut [f32; NARROW / 2] =
                activations.narrow[half..].first_chunk_mut().expect("half of the layer follows this index");
            *narrow_half = sums.map(|sum| sum.max(0.0));
        }
        let weights = rows::<OUT>(&self.numbers[out_weights]);
        let used: [f32; USED] = layer_sums(&activations.narrow, weights, &self.numbers[out_biases], 0);
        activations.out[..USED].copy_from_slice(&used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::math::random_unit;
    use sultan_rules::FastRng;

    fn random_net(features: usize, rng: &mut FastRng) -> Net {
        let mut net = Net::zero(Shape { features });
        net.numbers.iter_mut().for_each(|number| *number = random_unit(rng) - 0.5);
        net
    }

    #[test]
    fn sums_after_removing_features_equal_sums_without_these_features() {
        let net = random_net(9, &mut FastRng::new(6));
        let mut sums = net.start();
        net.add_features(&mut sums, &[2, 3, 8]);
        net.remove_features(&mut sums, &[3, 8]);
        let mut expected = net.start();
        net.add_features(&mut expected, &[2]);
        assert!(sums.iter().zip(expected).all(|(sum, expected)| (sum - expected).abs() < 1e-5));
    }
}
