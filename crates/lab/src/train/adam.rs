//! The Adam optimiser: each number of a net moves along its mean gradient, in longer steps if the gradient is steady.

use sultan_bots::search::net::{Net, WIDE, shared_features};

/// The state of the optimiser for one net.
pub(crate) struct Adam {
    /// The moments of each number of the net.
    moments: Vec<Moments>,
    shared_numbers: Vec<SharedNumber>,
}

/// Running averages of the gradient of one number.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f32,
    mean_square: f32,
}

/// Numbers of a net that belong to the same feature of different opponents. Besides moving alone, they also move
/// together, so that knowledge about one opponent is shared by all.
struct SharedNumber {
    /// The indices of the numbers in the net, one per opponent.
    indices: Vec<usize>,
    /// The moments of the sum of their gradients.
    moments: Moments,
}

/// The learning rate and bias correction of one step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    learning_rate: f32,
    /// The bias corrections of the two moments: divisors that start near 0 and grow to 1.
    mean_bias: f32,
    mean_square_bias: f32,
}

/// The weight of the previous value in the running average of the gradient.
const MEAN_DECAY: f32 = 0.9;
/// The weight of the previous value in the running average of the squared gradient.
const MEAN_SQUARE_DECAY: f32 = 0.999;

impl Step {
    /// The step with this number, counted from 1.
    pub(crate) fn new(learning_rate: f32, number: u32) -> Self {
        // Repeated multiplication, because `powi` may round differently on other systems. After 20 000 steps, the
        // powers are too small to matter.
        let power = |base: f32| (0..number.min(20_000)).fold(1.0_f32, |power, _| power * base);
        Self { learning_rate, mean_bias: 1.0 - power(MEAN_DECAY), mean_square_bias: 1.0 - power(MEAN_SQUARE_DECAY) }
    }

    /// Adds a gradient to the moments, and returns the change of the number.
    fn change(self, moments: &mut Moments, gradient: f32) -> f32 {
        let Moments { mean, mean_square } = moments;
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
        *mean_square = MEAN_SQUARE_DECAY * *mean_square + (1.0 - MEAN_SQUARE_DECAY) * gradient * gradient;
        self.learning_rate * (*mean / self.mean_bias) / ((*mean_square / self.mean_square_bias).sqrt() + 1e-6)
    }
}

impl Adam {
    pub(crate) fn new(net: &Net, players: usize) -> Self {
        let opponents = players - 1;
        // With two players there is one opponent, so no number is shared.
        let blocks = shared_features(players, net.shape.features).into_iter().filter(|_| opponents > 1);
        let shared_numbers = blocks.flat_map(|block| {
            // Each feature has `WIDE` numbers, its row of weights.
            (block.first * WIDE..(block.first + block.len) * WIDE).map(move |index| SharedNumber {
                indices: (0..opponents).map(|opponent| index + opponent * block.stride * WIDE).collect(),
                moments: Moments::default(),
            })
        });
        Self { moments: vec![Moments::default(); net.numbers.len()], shared_numbers: shared_numbers.collect() }
    }

    /// Moves the net along a gradient, towards a higher objective.
    pub(crate) fn step(&mut self, net: &mut Net, gradient: &[f32], step: Step) {
        for ((number, &gradient), moments) in net.numbers.iter_mut().zip(gradient).zip(&mut self.moments) {
            *number += step.change(moments, gradient);
        }
        for SharedNumber { indices, moments } in &mut self.shared_numbers {
            let sum = indices.iter().map(|&index| gradient[index]).sum();
            let change = step.change(moments, sum);
            indices.iter().for_each(|&index| net.numbers[index] += change);
        }
    }
}
