//! The Adam optimiser: the step of each number depends on the steadiness of its gradient.

use sultan_bots::search::net::{Net, WIDE, shared_features};
/// The state of the optimiser for one net.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Groups of rows that belong to the same feature of different other seats. They also move together, so that
    /// knowledge about one opponent is shared by all.
    shared_groups: Vec<SharedGroup>,
}

struct SharedGroup {
    from: usize,
    len: usize,
    stride: usize,
    seats: usize,
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// The learning rate and bias correction of one step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) rate: f32,
    /// The bias corrections of mean and square: divisors that start near 0 and grow to 1.
    pub(crate) bias: [f32; 2],
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Step {
    pub(crate) fn new(rate: f32, number: u32) -> Self {
        let power = |base: f32| (0..number.min(20_000)).fold(1.0_f32, |power, _| power * base);
        Self { rate, bias: [1.0 - power(MEAN_DECAY), 1.0 - power(SQUARE_DECAY)] }
    }

    fn change(self, mean: &mut f32, square: &mut f32, gradient: f32) -> f32 {
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
        *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
        self.rate * (*mean / self.bias[0]) / ((*square / self.bias[1]).sqrt() + 1e-6)
    }
}

impl Adam {
    pub(crate) fn new(net: &Net, players: usize) -> Self {
        let zeros = || vec![0.0; net.numbers.len()];
        let others = players - 1;
        let shared_groups =
            shared_features(players, net.shape.features).into_iter().filter(|_| others > 1).map(|shared| SharedGroup {
                from: shared.first * WIDE,
                len: shared.len * WIDE,
                stride: shared.stride * WIDE,
                seats: others,
                mean: vec![0.0; shared.len * WIDE],
                square: vec![0.0; shared.len * WIDE],
            });
        Self { mean: zeros(), square: zeros(), shared_groups: shared_groups.collect() }
    }

    /// Moves the net along a gradient.
    pub(crate) fn step(&mut self, net: &mut Net, gradient: &[f32], step: Step) {
        let memory = self.mean.iter_mut().zip(&mut self.square);
        for ((number, &gradient), (mean, square)) in net.numbers.iter_mut().zip(gradient).zip(memory) {
            *number += step.change(mean, square, gradient);
        }
        for group in &mut self.shared_groups {
            for at in 0..group.len {
                let indices = (0..group.seats).map(|seat| group.from + seat * group.stride + at);
                let sum = indices.clone().map(|index| gradient[index]).sum();
                let change = step.change(&mut group.mean[at], &mut group.square[at], sum);
                indices.for_each(|index| net.numbers[index] += change);
            }
        }
    }
}
