//! A small net: a sum of rows for what is there, two hidden layers, a few numbers out.
//!
//! Inputs are facts that hold or do not, so that the first layer only adds up the rows of those that hold. Everything
//! is plain code over arrays whose lengths the compiler knows: at this size no framework would be faster, and the same
//! numbers come out on every machine.

use std::ops::Range;

/// Width of the first hidden layer.
pub(crate) const WIDE: usize = 64;
/// Width of the second hidden layer.
pub(crate) const NARROW: usize = 32;
/// The most numbers that come out.
pub(crate) const OUT: usize = 24;

/// What the first layer adds up.
pub(crate) type Sums = [f32; WIDE];

/// The sizes of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How many facts there are.
    pub(crate) facts: usize,
}

impl Shape {
    /// How many numbers the net is made of.
    pub(crate) const fn len(self) -> usize {
        self.facts * WIDE + WIDE + WIDE * NARROW + NARROW + NARROW * OUT + OUT
    }

    /// Where the parts of the net are: the rows of the facts and what is added to their sum, the second layer and what
    /// is added to it, the last layer and what is added to it.
    pub(crate) const fn parts(self) -> [Range<usize>; 6] {
        let first = self.facts * WIDE;
        let second = first + WIDE;
        let third = second + WIDE * NARROW;
        let fourth = third + NARROW;
        let fifth = fourth + NARROW * OUT;
        [0..first, first..second, second..third, third..fourth, fourth..fifth, fifth..fifth + OUT]
    }
}

/// A net, or what is to change in it, as one row of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) shape: Shape,
    pub(crate) numbers: Vec<f32>,
}

/// What a net computed on the way.
#[derive(Clone, Copy)]
pub(crate) struct Activations {
    pub(crate) wide: [f32; WIDE],
    pub(crate) narrow: [f32; NARROW],
    pub(crate) out: [f32; OUT],
}

impl Default for Activations {
    fn default() -> Self {
        Self { wide: [0.0; WIDE], narrow: [0.0; NARROW], out: [0.0; OUT] }
    }
}

fn rows<const N: usize>(numbers: &[f32]) -> &[[f32; N]] {
    numbers.as_chunks().0
}

fn row<const N: usize>(numbers: &[f32]) -> &[f32; N] {
    numbers.first_chunk().expect("a net is as long as its shape says")
}

#[inline]
fn add<const N: usize>(sum: &mut [f32; N], other: &[f32; N]) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a += b;
    }
}

#[inline]
fn add_times<const N: usize>(sum: &mut [f32; N], factor: f32, other: &[f32; N]) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a += factor * b;
    }
}

#[inline]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    // Four sums side by side, which the machine adds at once.
    let mut sums = [0.0; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        for place in 0..4 {
            sums[place] += a[place] * b[place];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Some of the sums of a layer, from a place on.
#[inline]
fn layer<const IN: usize, const ROW: usize, const SUMS: usize>(
    inputs: &[f32; IN],
    weights: &[[f32; ROW]],
    biases: &[f32],
    from: usize,
) -> [f32; SUMS] {
    let mut sums: [f32; SUMS] = *row(&biases[from..]);
    for (&input, weights) in inputs.iter().zip(weights) {
        let weights: &[f32; SUMS] = row(&weights[from..]);
        for place in 0..SUMS {
            sums[place] += input * weights[place];
        }
    }
    sums
}

impl Net {
    /// A net of zeros.
    pub(crate) fn zero(shape: Shape) -> Self {
        Self { shape, numbers: vec![0.0; shape.len()] }
    }

    /// What is added to one of the numbers that come out.
    pub(crate) fn bias_mut(&mut self, out: usize) -> &mut f32 {
        let [.., biases] = self.shape.parts();
        &mut self.numbers[biases][out]
    }

    /// What the first layer starts from.
    pub(crate) fn start(&self) -> Sums {
        *row(&self.numbers[self.shape.facts * WIDE..])
    }

    /// Adds the rows of these facts.
    #[inline]
    pub(crate) fn add_facts(&self, sums: &mut Sums, facts: &[u16]) {
        let table = rows::<WIDE>(&self.numbers[..self.shape.facts * WIDE]);
        for &fact in facts {
            add(sums, &table[usize::from(fact)]);
        }
    }

    /// Takes the rows of these facts away.
    #[inline]
    pub(crate) fn remove_facts(&self, sums: &mut Sums, facts: &[u16]) {
        let table = rows::<WIDE>(&self.numbers[..self.shape.facts * WIDE]);
        for &fact in facts {
            for (a, b) in sums.iter_mut().zip(&table[usize::from(fact)]) {
                *a -= b;
            }
        }
    }

    /// The layers after the first. Only the first `USED` of the numbers that come out are computed.
    #[inline]
    pub(crate) fn finish<const USED: usize>(&self, sums: &Sums, activations: &mut Activations) {
        let [_, _, second, narrow_biases, last, biases] = self.shape.parts();
        activations.wide = sums.map(|sum| sum.max(0.0));
        let weights = rows::<NARROW>(&self.numbers[second]);
        // In two halves, so that the sums stay in registers.
        for half in [0, NARROW / 2] {
            let sums = layer(&activations.wide, weights, &self.numbers[narrow_biases.clone()], half);
            let to: &mut [f32; NARROW / 2] = activations.narrow[half..].first_chunk_mut().expect("half of it");
            *to = sums.map(|sum| sum.max(0.0));
        }
        let outs = rows::<OUT>(&self.numbers[last]);
        let used: [f32; USED] = layer(&activations.narrow, outs, &self.numbers[biases], 0);
        activations.out[..USED].copy_from_slice(&used);
    }

    /// Adds to `change` how every number should change for the outputs to change by `wanted`; gives how the sums of the
    /// first layer should.
    pub(crate) fn learn(&self, seen: &Activations, wanted: &[f32; OUT], change: &mut Self) -> Sums {
        let [_, _, second, narrow_biases, last, biases] = self.shape.parts();
        let (before, biases) = change.numbers.split_at_mut(biases.start);
        let (before, outs) = before.split_at_mut(last.start);
        let (before, narrow) = before.split_at_mut(narrow_biases.start);
        let mut back = [0.0; NARROW];
        add(biases.first_chunk_mut().expect("as long as its shape"), wanted);
        let weights = rows::<OUT>(&self.numbers[last]).iter().zip(outs.as_chunks_mut().0);
        for ((&a, back), (weights, change)) in seen.narrow.iter().zip(&mut back).zip(weights) {
            if a > 0.0 {
                *back = dot(weights, wanted);
                add_times(change, a, wanted);
            }
        }
        add(narrow.first_chunk_mut().expect("as long as its shape"), &back);
        let mut sums = [0.0; WIDE];
        let weights = rows::<NARROW>(&self.numbers[second.clone()]).iter().zip(before[second].as_chunks_mut().0);
        for ((&a, sum), (weights, change)) in seen.wide.iter().zip(&mut sums).zip(weights) {
            if a > 0.0 {
                *sum = dot(weights, &back);
                add_times(change, a, &back);
            }
        }
        sums
    }

    /// Adds to this change what the first layer's sums should change by.
    pub(crate) fn learn_bias(&mut self, sums: &Sums) {
        add(self.numbers[self.shape.facts * WIDE..].first_chunk_mut().expect("as long as its shape"), sums);
    }

    /// Adds to this change what the rows of these facts should change by.
    pub(crate) fn learn_facts(&mut self, sums: &Sums, facts: &[u16]) {
        let table = self.numbers[..self.shape.facts * WIDE].as_chunks_mut::<WIDE>().0;
        for &fact in facts {
            add(&mut table[usize::from(fact)], sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::unit;
    use sultan_rules::Quick;

    fn random_net(facts: usize, chance: &mut Quick) -> Net {
        let mut net = Net::zero(Shape { facts });
        net.numbers.iter_mut().for_each(|number| *number = unit(chance) - 0.5);
        net
    }

    fn out(net: &Net, facts: &[u16]) -> Activations {
        let mut sums = net.start();
        net.add_facts(&mut sums, facts);
        let mut activations = Activations::default();
        net.finish::<OUT>(&sums, &mut activations);
        activations
    }

    #[test]
    fn what_is_learnt_is_the_slope() {
        let mut chance = Quick::new(5);
        let net = random_net(7, &mut chance);
        let facts = [1, 4, 6];
        let mut wanted = [0.0; OUT];
        wanted.iter_mut().for_each(|wanted| *wanted = unit(&mut chance) - 0.5);
        let goal = |net: &Net| -> f64 {
            out(net, &facts).out.iter().zip(wanted).map(|(out, wanted)| f64::from(*out) * f64::from(wanted)).sum()
        };
        let mut change = Net::zero(net.shape);
        let sums = net.learn(&out(&net, &facts), &wanted, &mut change);
        change.learn_bias(&sums);
        change.learn_facts(&sums, &facts);
        // Every 13th number, so that each part of the net has its turn.
        for place in (0..net.numbers.len()).step_by(13) {
            let step = 1e-3;
            let moved = |by: f32| {
                let mut net = net.clone();
                net.numbers[place] += by;
                goal(&net)
            };
            let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            let learnt = f64::from(change.numbers[place]);
            assert!((slope - learnt).abs() < 0.02 * slope.abs().max(1.0), "{place}: {slope} {learnt}");
        }
    }

    #[test]
    fn facts_that_are_taken_away_leave_no_trace() {
        let net = random_net(9, &mut Quick::new(6));
        let mut sums = net.start();
        net.add_facts(&mut sums, &[2, 3, 8]);
        net.remove_facts(&mut sums, &[3, 8]);
        let mut direct = net.start();
        net.add_facts(&mut direct, &[2]);
        assert!(sums.iter().zip(direct).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
