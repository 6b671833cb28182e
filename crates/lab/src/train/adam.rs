//! The Adam optimiser: the step of each number depends on the steadiness of its gradient.

use sultan_bots::search::net::{Net, WIDE, shared_features};
/// The state of the optimiser for one net.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Groups of rows that belong to the same feature of different other seats. They also move together, so that
    /// knowledge about one opponent is shared by all.
    together: Vec<Together>,
}

struct Together {
    from: usize,
    len: usize,
    apart: usize,
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

const FADE: f32 = 0.9;
const FADE_SQUARE: f32 = 0.999;

impl Step {
    pub(crate) fn new(rate: f32, number: u32) -> Self {
        let power = |base: f32| (0..number.min(20_000)).fold(1.0_f32, |power, _| power * base);
        Self { rate, bias: [1.0 - power(FADE), 1.0 - power(FADE_SQUARE)] }
    }

    fn change(self, mean: &mut f32, square: &mut f32, gradient: f32) -> f32 {
        *mean = FADE * *mean + (1.0 - FADE) * gradient;
        *square = FADE_SQUARE * *square + (1.0 - FADE_SQUARE) * gradient * gradient;
        self.rate * (*mean / self.bias[0]) / ((*square / self.bias[1]).sqrt() + 1e-6)
    }
}

impl Adam {
    pub(crate) fn new(net: &Net, players: usize) -> Self {
        let zeros = || vec![0.0; net.numbers.len()];
        let others = players - 1;
        let together =
            shared_features(players, net.shape.features).into_iter().filter(|_| others > 1).map(|shared| Together {
                from: shared.first * WIDE,
                len: shared.len * WIDE,
                apart: shared.stride * WIDE,
                seats: others,
                mean: vec![0.0; shared.len * WIDE],
                square: vec![0.0; shared.len * WIDE],
            });
        Self { mean: zeros(), square: zeros(), together: together.collect() }
    }

    /// Moves the net along a gradient.
    pub(crate) fn step(&mut self, net: &mut Net, gradient: &[f32], step: Step) {
        let memory = self.mean.iter_mut().zip(&mut self.square);
        for ((number, &gradient), (mean, square)) in net.numbers.iter_mut().zip(gradient).zip(memory) {
            *number += step.change(mean, square, gradient);
        }
        for group in &mut self.together {
            for at in 0..group.len {
                let places = (0..group.seats).map(|seat| group.from + seat * group.apart + at);
                let sum = places.clone().map(|place| gradient[place]).sum();
                let change = step.change(&mut group.mean[at], &mut group.square[at], sum);
                places.for_each(|place| net.numbers[place] += change);
            }
        }
    }
}
