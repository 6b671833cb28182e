//! Ratings: the strength of each bot, with a confidence interval.
//!
//! The model is Luce's: each player wins a game with a probability proportional to the exponential of its strength.
//! Given that one of two bots with the strengths `a` and `b` wins the game, the first one wins with probability
//! `1 / (1 + exp(b - a))`. That is the Bradley-Terry model of pairs, so every winner is compared with every other
//! player of its game, and the strengths are the maximum likelihood estimates. A shared win counts as its share. Lower
//! places are ignored: the game is about winning, and a bot that risks the second place for the first is not rated down
//! for it.
//!
//! - **Independent of order.** All games are fitted at once. Ratings that are updated game by game depend on the order
//!   of the games; as bots do not improve during a run, that has no advantage.
//! - **Always finite.** Each bot also has one virtual win and one virtual loss against an average player of strength 0.
//!   So the rating of an undefeated bot grows with its number of games, and after a few hundred games the effect is
//!   small.
//! - **Realistic intervals.** The pairs of a game and the games of a deal are correlated, so the errors are "sandwich"
//!   errors: the squared effects of the single deals on the ratings, added up. The virtual games count as deals too, so
//!   an undefeated bot does not get an interval of width 0. Intervals are realistic from about thirty deals on.
//!
//! Strengths are reported on the Elo scale, on which 400 points are odds of ten to one, with a mean of 0.

use std::f64::consts::LN_10;

use super::mean::float;

/// The method of the ratings in one sentence.
pub const RATING_METHOD: &str = "Bradley-Terry by maximum likelihood, every winner of a table against every other there, shared wins as shares; \
     each bot has one virtual win and one virtual loss against an average player; Elo scale, mean 0; \
     95 % intervals from errors clustered by deal";

/// The rating of a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rating {
    /// On the Elo scale; the mean over all bots is 0.
    pub(super) rating: f64,
    /// The lower and upper end of the 95 % confidence interval; `None` for a single deal.
    pub(super) interval: Option<(f64, f64)>,
}

/// A matrix: the wins of each bot in games with each opponent, row by row. A shared win counts as its share.
pub(super) type Wins = Vec<f64>;

/// The data for ratings: the wins of every deal, or, to limit the memory, of groups of deals.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The number of bots.
    bots: usize,
    /// The wins of each group, in the order of the deals.
    groups: Vec<Wins>,
    deals_per_group: u64,
    /// The number of deals in all groups.
    deals: u64,
}

/// At this number of groups, every two neighbours are merged. The remaining 512 groups are enough to estimate errors.
const MAX_GROUPS: usize = 1024;

/// Elo points per unit of strength.
const ELO_PER_STRENGTH: f64 = 400.0 / LN_10;

/// The half-width of the 95 % interval, in standard errors.
const INTERVAL_ERRORS: f64 = 1.96;

impl Evidence {
    pub(super) const fn new(bots: usize) -> Self {
        Self { bots, groups: Vec::new(), deals_per_group: 1, deals: 0 }
    }

    /// Adds the wins of one deal.
    pub(super) fn add(&mut self, wins: Wins) {
        if self.deals == self.deals_per_group * MAX_GROUPS as u64 {
            self.groups = self.groups.chunks(2).map(|two| sum_of_groups(two, self.bots)).collect();
            self.deals_per_group *= 2;
        }
        match self.groups.last_mut() {
            Some(last) if !self.deals.is_multiple_of(self.deals_per_group) => {
                last.iter_mut().zip(wins).for_each(|(sum, wins)| *sum += wins);
            }
            // The last group is full.
            _ => self.groups.push(wins),
        }
        self.deals += 1;
    }

    /// The ratings of all bots.
    pub(super) fn ratings(&self) -> Vec<Rating> {
        let (strengths, inverse) = self.fit();
        let mut variances = vec![0.0; self.bots];
        // Adds the squared effect of one group, or of one virtual game, on the strengths.
        let mut add_squared_effect = |gradient: &[f64], weight: f64| {
            let effects = centred(matrix_times_vector(&inverse, gradient));
            variances.iter_mut().zip(effects).for_each(|(variance, effect)| *variance += weight * effect * effect);
        };
        let groups = float(self.groups.len() as u64);
        // The factor corrects for strengths that were fitted to the same groups. It is infinite for a single group, for
        // which no interval is reported.
        for wins in &self.groups {
            add_squared_effect(&gradient(&strengths, wins), groups / (groups - 1.0));
        }
        for (bot, &strength) in strengths.iter().enumerate() {
            for virtual_result in [0.0, 1.0] {
                let mut gradient = vec![0.0; self.bots];
                gradient[bot] = virtual_result - win_probability(strength);
                add_squared_effect(&gradient, 1.0);
            }
        }
        let ratings = centred(strengths).into_iter().zip(variances).map(|(strength, variance)| {
            let (rating, error) = (ELO_PER_STRENGTH * strength, ELO_PER_STRENGTH * variance.sqrt());
            let interval = (rating - INTERVAL_ERRORS * error, rating + INTERVAL_ERRORS * error);
            Rating { rating, interval: (self.groups.len() > 1).then_some(interval) }
        });
        ratings.collect()
    }

    /// The maximum likelihood strengths, and the inverse of their information matrix, row by row.
    fn fit(&self) -> (Vec<f64>, Vec<f64>) {
        const MAX_STEPS: u32 = 500;
        const TOLERANCE: f64 = 1e-12;
        let wins = sum_of_groups(&self.groups, self.bots);
        let mut strengths = vec![0.0; self.bots];
        let mut inverse = inverse(information(&strengths, &wins), self.bots);
        for _ in 0..MAX_STEPS {
            let mut gradient = gradient(&strengths, &wins);
            for (slope, &strength) in gradient.iter_mut().zip(&strengths) {
                // The virtual win and loss of each bot, against strength 0.
                *slope += 1.0 - 2.0 * win_probability(strength);
            }
            let step = matrix_times_vector(&inverse, &gradient);
            let longest = step.iter().fold(0.0_f64, |longest, change| longest.max(change.abs()));
            if longest < TOLERANCE {
                break;
            }
            // A shortened Newton step. The full step changes the difference of two strengths by at most 2 · longest. If
            // these differences change by at most d, the curvature changes at most by a factor of exp(d). With this
            // bound, the length guarantees an improvement.
            let length = (2.0 * longest).ln_1p() / (2.0 * longest);
            strengths.iter_mut().zip(step).for_each(|(strength, change)| *strength += length * change);
            inverse = self::inverse(information(&strengths, &wins), self.bots);
        }
        (strengths, inverse)
    }
}

/// The probability that the first of two bots wins, given its strength minus that of the second.
fn win_probability(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The gradient of the log-likelihood of these wins, one number per bot: its wins minus its expected wins.
fn gradient(strengths: &[f64], wins: &Wins) -> Vec<f64> {
    let bots = strengths.len();
    let slope = |bot: usize| {
        let by_opponent = (0..bots).filter(|&opponent| opponent != bot).map(|opponent| {
            let (won, lost) = (wins[bot * bots + opponent], wins[opponent * bots + bot]);
            won - (won + lost) * win_probability(strengths[bot] - strengths[opponent])
        });
        by_opponent.sum()
    };
    (0..bots).map(slope).collect()
}

/// The information matrix of these wins and the virtual games, row by row: the negative second derivatives of the
/// log-likelihood.
fn information(strengths: &[f64], wins: &Wins) -> Vec<f64> {
    let bots = strengths.len();
    let variance = |difference: f64| win_probability(difference) * win_probability(-difference);
    let mut information = vec![0.0; bots * bots];
    for bot in 0..bots {
        // The virtual win and the virtual loss.
        information[bot * bots + bot] += 2.0 * variance(strengths[bot]);
        for opponent in (0..bots).filter(|&opponent| opponent != bot) {
            let games = wins[bot * bots + opponent] + wins[opponent * bots + bot];
            let weight = games * variance(strengths[bot] - strengths[opponent]);
            information[bot * bots + bot] += weight;
            information[bot * bots + opponent] -= weight;
        }
    }
    information
}

/// The inverse of a square matrix, row by row, by Gauss-Jordan elimination. The information matrix is positive
/// definite, so no pivoting is needed.
fn inverse(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; size * size];
    (0..size).for_each(|row| inverse[row * size + row] = 1.0);
    for pivot in 0..size {
        let pivot_row = pivot * size..(pivot + 1) * size;
        let scale = 1.0 / matrix[pivot_row.start + pivot];
        matrix[pivot_row.clone()].iter_mut().chain(&mut inverse[pivot_row]).for_each(|value| *value *= scale);
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row * size + pivot];
            for column in 0..size {
                matrix[row * size + column] -= factor * matrix[pivot * size + column];
                inverse[row * size + column] -= factor * inverse[pivot * size + column];
            }
        }
    }
    inverse
}

fn matrix_times_vector(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let product_with_row = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.chunks(vector.len().max(1)).map(product_with_row).collect()
}

/// The values minus their mean.
fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / float(values.len() as u64);
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

/// The wins of several groups together; all 0 without groups.
fn sum_of_groups(groups: &[Wins], bots: usize) -> Wins {
    (0..bots * bots).map(|cell| groups.iter().map(|wins| wins[cell]).sum()).collect()
}

#[cfg(test)]
mod tests;
