//! Splits each player's result into luck and skill.
//!
//! Every change of a player's winning chance, from an even share at the start to the result, has a cause. Draws and
//! deals are luck of the deal; actions of other players are luck of their choices. At the player's decisions, skill is
//! measured by the player's knowledge (`consider`); the rest of the change is due to hidden cards of other players. So
//! the parts always add up to the result, even if the estimates (`open`) are rough.

use sultan_bots::search::math::exp;
use sultan_domain::{Analysis, ChanceStep, Decision, Estimate, Seat, SeatAnalysis};

use super::estimate::estimate;
use super::open::Chances;

/// The maximum number of listed worst decisions.
const WORST: usize = 3;
/// The mean loss at which accuracy is 100 / e.
const SCALE: f64 = 0.03;

/// One summary per seat.
pub(super) fn seats(analysis: &Analysis, samples: &[Vec<Chances>]) -> Vec<SeatAnalysis> {
    analysis.players.seats().map(|seat| summary(analysis, samples, seat)).collect()
}

fn summary(analysis: &Analysis, samples: &[Vec<Chances>], seat: Seat) -> SeatAnalysis {
    let own: Vec<(usize, &Decision)> =
        analysis.decisions.iter().enumerate().filter(|(_, decision)| decision.seat == seat).collect();
    let gaps = || own.iter().map(|(_, decision)| decision.gap);
    let gap = Estimate { value: gaps().map(|gap| gap.value).sum(), error: root(gaps().map(|gap| gap.error)) };
    let deal = changes(analysis, samples, seat, |step| matches!(step, ChanceStep::Deal | ChanceStep::Draw));
    // The seat's own part is subtracted below.
    let rest = changes(analysis, samples, seat, |step| matches!(step, ChanceStep::Action { .. }));
    let others = Estimate { value: rest.value + gap.value, error: root([rest.error, gap.error].into_iter()) };
    let choices = || own.iter().filter(|(_, decision)| decision.options.len() > 1);
    let count = u32::try_from(choices().count()).unwrap_or(u32::MAX);
    let each = 1.0 / f64::from(count).max(1.0);
    let mean_loss = Estimate {
        value: each * choices().map(|(_, decision)| decision.loss).sum::<f64>(),
        error: each * root(choices().map(|(_, decision)| decision.gap.error)),
    };
    SeatAnalysis {
        seat,
        result: analysis.moments.last().map_or(0.0, |last| last.chances[seat.index()].value),
        deal,
        others,
        own: Estimate { value: -gap.value, error: gap.error },
        decisions: count,
        mean_loss,
        accuracy: accuracy(mean_loss.value),
        worst: worst(&own),
    }
}

/// The accuracy for this mean loss, from 0 to 100.
pub(super) fn accuracy(mean_loss: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the same on every machine")]
    let share = exp((-mean_loss / SCALE) as f32);
    100.0 * f64::from(share)
}

fn worst(own: &[(usize, &Decision)]) -> Vec<usize> {
    let mut costly: Vec<&(usize, &Decision)> = own.iter().filter(|(_, decision)| decision.loss > 0.0).collect();
    costly.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss).then(a.0.cmp(&b.0)));
    costly.iter().take(WORST).map(|(number, _)| *number).collect()
}

/// The sum of all changes by these steps. Summed within each playout, because all positions share the playouts' random
/// numbers: so the error is that of the sum, and shared luck is not counted twice.
fn changes(analysis: &Analysis, samples: &[Vec<Chances>], seat: Seat, is_cause: fn(ChanceStep) -> bool) -> Estimate {
    let caused = |index: usize| {
        let matches = analysis.moments.get(index).is_some_and(|moment| is_cause(moment.step));
        if matches { 1.0 } else { 0.0 }
    };
    let mut sums = vec![0.0; samples.first().map_or(0, Vec::len)];
    for (index, of_moment) in samples.iter().enumerate() {
        let counts = caused(index) - caused(index + 1);
        for (sum, chances) in sums.iter_mut().zip(of_moment) {
            *sum += counts * chances[seat.index()];
        }
    }
    estimate(sums.iter().copied())
}

/// The error of a sum of independent estimates.
fn root(errors: impl Iterator<Item = f64>) -> f64 {
    errors.map(|error| error * error).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_from_a_hundred() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-3);
        assert!((accuracy(SCALE) - 36.788).abs() < 1e-2);
        assert!(accuracy(0.5) < 0.1);
    }
}
