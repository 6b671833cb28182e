//! Splits each player's result into luck and skill.
//!
//! A player's winning chance changes with every step of the game, from an equal share at the start to the result. Each
//! change has a cause. Changes by draws and deals are luck of the deal. Changes by actions of other players are luck of
//! their choices. At a decision of the player, only the gap (`consider`) counts as skill, because it uses only facts
//! that the player could see; the remaining change is due to hidden cards, and counts as luck of the other players'
//! choices. So the parts always add up to the result, even if the estimated chances (`open`) are imprecise.

use sultan_bots::search::math::exp;
use sultan_domain::{Analysis, ChanceStep, Decision, Estimate, Seat, SeatAnalysis};

use super::estimate::estimate;
use super::open::Chances;

/// The maximum number of worst decisions in the list of a seat.
const MAX_WORST: usize = 3;
/// The mean loss at which accuracy is 100 / e.
const LOSS_SCALE: f64 = 0.03;

/// Summarizes the decisions and the luck of one seat. `chances` has the winning chances at each position of the
/// analysis, in each playout.
pub(super) fn summary(analysis: &Analysis, chances: &[Vec<Chances>], seat: Seat) -> SeatAnalysis {
    let mut own: Vec<(usize, &Decision)> =
        analysis.decisions.iter().enumerate().filter(|(_, decision)| decision.seat == seat).collect();
    let gaps = || own.iter().map(|(_, decision)| decision.gap);
    let gap = Estimate { value: gaps().map(|gap| gap.value).sum(), error: error_of_sum(gaps().map(|gap| gap.error)) };
    let deal = total_change(analysis, chances, seat, |step| matches!(step, ChanceStep::Deal | ChanceStep::Draw));
    let actions = total_change(analysis, chances, seat, |step| matches!(step, ChanceStep::Action { .. }));
    // The seat's own decisions changed its chance by minus the gap. All other changes by actions belong to other seats.
    let error = error_of_sum([actions.error, gap.error].into_iter());
    let others = Estimate { value: actions.value + gap.value, error };
    let choices = || own.iter().filter(|(_, decision)| decision.options.len() > 1);
    let choice_count = u32::try_from(choices().count()).unwrap_or(u32::MAX);
    let weight = 1.0 / f64::from(choice_count).max(1.0);
    let mean_loss = Estimate {
        value: weight * choices().map(|(_, decision)| decision.loss).sum::<f64>(),
        error: weight * error_of_sum(choices().map(|(_, decision)| decision.gap.error)),
    };
    // The worst decisions have the highest loss. Of two with the same loss, the earlier decision is first.
    own.retain(|(_, decision)| decision.loss > 0.0);
    own.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss).then(a.0.cmp(&b.0)));
    SeatAnalysis {
        seat,
        result: analysis.moments.last().map_or(0.0, |last| last.chances[seat.index()].value),
        deal,
        others,
        own: Estimate { value: -gap.value, error: gap.error },
        decisions: choice_count,
        mean_loss,
        accuracy: accuracy(mean_loss.value),
        worst: own.iter().take(MAX_WORST).map(|&(index, _)| index).collect(),
    }
}

/// The accuracy for this mean loss, from 0 to 100.
fn accuracy(mean_loss: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "this `exp` gives the same on every machine")]
    let share = exp((-mean_loss / LOSS_SCALE) as f32);
    100.0 * f64::from(share)
}

/// The sum of all changes of a seat's winning chance that are caused by steps for which `is_cause` returns `true`.
///
/// The changes are first summed within each playout, because the same playout has the same luck at all positions. So
/// the standard error is that of the sum, and common luck cancels out.
fn total_change(
    analysis: &Analysis,
    chances: &[Vec<Chances>],
    seat: Seat,
    is_cause: fn(ChanceStep) -> bool,
) -> Estimate {
    let is_caused = |index: usize| analysis.moments.get(index).is_some_and(|moment| is_cause(moment.step));
    let mut sums = vec![0.0; chances.first().map_or(0, Vec::len)];
    for (index, by_playout) in chances.iter().enumerate() {
        // The change by a step is the chance after the step minus the chance before it. So each chance is added if the
        // step to its position counts, and subtracted if the step to the next position counts.
        let factor = f64::from(u8::from(is_caused(index))) - f64::from(u8::from(is_caused(index + 1)));
        for (sum, chances) in sums.iter_mut().zip(by_playout) {
            *sum += factor * chances[seat.index()];
        }
    }
    estimate(sums.iter().copied())
}

/// The standard error of a sum of independent estimates with these errors.
fn error_of_sum(errors: impl Iterator<Item = f64>) -> f64 {
    errors.map(|error| error * error).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_exponentially_with_the_mean_loss() {
        assert!((accuracy(0.0) - 100.0).abs() < 1e-3);
        assert!((accuracy(LOSS_SCALE) - 36.788).abs() < 1e-2);
        assert!(accuracy(0.5) < 0.1);
    }
}
