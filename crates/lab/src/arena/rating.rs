//! Ratings: the strength of each bot, with a confidence interval.
//!
//! The model is Luce's: each player wins a table with a probability proportional to the exponential of its strength.
//! Given that one of two bots wins the table, it is the first with probability `1 / (1 + exp(b - a))`, which is the
//! Bradley-Terry model of pairs; so every winner is compared with every other player of its table, and the strengths
//! are the maximum likelihood estimates. A shared win counts as its share. Lower places are ignored: the game is about
//! winning, and a bot that risks the second place for the first is not rated down for it.
//!
//! - **Independent of order.** All games are fitted at once. Ratings that are updated game by game depend on the order
//!   of the games; as bots do not improve during a run, that has no advantage.
//! - **Always finite.** Each bot also has one virtual win and one virtual loss against an average player of strength 0.
//!   So the rating of an undefeated bot grows with its number of games, and after a few hundred games the effect is
//!   small.
//! - **Realistic intervals.** The pairs of a table and the games of a deal are correlated, so the errors are "sandwich"
//!   errors: the squared effects of the single deals on the ratings, added up. The virtual games count as deals too, so
//!   an undefeated bot does not get an interval of width 0. They need about thirty deals.
//!
//! Strengths are reported on the Elo scale, on which 400 points are odds of ten to one, with a mean of 0.

use std::f64::consts::LN_10;

use super::mean::float;

/// The method in one sentence.
pub const RATING_METHOD: &str = "Bradley-Terry by maximum likelihood, every winner of a table against every other there, shared wins as shares; \
     each bot has one virtual win and one virtual loss against an average player; Elo scale, mean 0; \
     95 % intervals from errors clustered by deal";

/// The strength of a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rating {
    /// On the Elo scale; the mean over all bots is 0.
    pub(super) rating: f64,
    /// The 95 % confidence interval; `None` for a single deal.
    pub(super) interval: Option<(f64, f64)>,
}

/// The wins of each bot at tables with each opponent, row by row; a shared win counts as its share.
pub(super) type Wins = Vec<f64>;

/// The data for ratings: the wins of every deal, or of groups of deals, to limit the memory.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    bots: usize,
    groups: Vec<Wins>,
    deals_per_group: u64,
    /// The number of deals in the last group.
    deals_in_last: u64,
}

/// At this number of groups, neighbouring pairs are merged. Half as many are enough to estimate errors.
const MAX_GROUPS: usize = 1024;

/// Elo points per unit of strength.
const POINTS: f64 = 400.0 / LN_10;

/// The half-width of the 95 % interval, in standard errors.
const WIDTH: f64 = 1.96;

impl Evidence {
    pub(super) const fn new(bots: usize) -> Self {
        Self { bots, groups: Vec::new(), deals_per_group: 1, deals_in_last: 1 }
    }

    /// Adds a deal.
    pub(super) fn add(&mut self, deal: Wins) {
        if self.deals_in_last < self.deals_per_group
            && let Some(last) = self.groups.last_mut()
        {
            add(last, &deal);
            self.deals_in_last += 1;
            return;
        }
        if self.groups.len() == MAX_GROUPS {
            self.groups = self.groups.chunks(2).map(sum).collect();
            self.deals_per_group *= 2;
        }
        self.groups.push(deal);
        self.deals_in_last = 1;
    }

    /// The ratings of all bots.
    pub(super) fn ratings(&self) -> Vec<Rating> {
        let (strengths, inverse) = self.fit();
        let mut variances = vec![0.0; self.bots];
        let mut moves = |slope: &[f64], weight: f64| {
            let by = centred(times(&inverse, slope));
            variances.iter_mut().zip(by).for_each(|(variance, by)| *variance += weight * by * by);
        };
        let groups = float(self.groups.len() as u64);
        self.groups.iter().for_each(|wins| moves(&slope(&strengths, wins), groups / (groups - 1.0)));
        for (bot, &strength) in strengths.iter().enumerate() {
            for result in [0.0, 1.0] {
                let mut slope = vec![0.0; self.bots];
                slope[bot] = result - odds(strength);
                moves(&slope, 1.0);
            }
        }
        let rated = centred(strengths).into_iter().zip(variances).map(|(strength, variance)| {
            let (rating, error) = (POINTS * strength, POINTS * variance.sqrt());
            let interval = (rating - WIDTH * error, rating + WIDTH * error);
            Rating { rating, interval: (self.groups.len() > 1).then_some(interval) }
        });
        rated.collect()
    }

    /// The maximum likelihood strengths, and the inverse of their information matrix, row by row.
    fn fit(&self) -> (Vec<f64>, Vec<f64>) {
        const MAX_STEPS: u32 = 500;
        const TOLERANCE: f64 = 1e-12;
        let mut wins = sum(&self.groups);
        wins.resize(self.bots * self.bots, 0.0);
        let mut strengths = vec![0.0; self.bots];
        let mut inverse = inverted(information(&strengths, &wins), self.bots);
        for _ in 0..MAX_STEPS {
            let mut slope = slope(&strengths, &wins);
            slope.iter_mut().zip(&strengths).for_each(|(slope, &own)| *slope += 1.0 - 2.0 * odds(own));
            let step = times(&inverse, &slope);
            let longest = step.iter().fold(0.0_f64, |longest, by| longest.max(by.abs()));
            if longest < TOLERANCE {
                break;
            }
            // A shortened Newton step. Over a distance d the curvature changes at most by a factor of exp(d); with that
            // bound, this length guarantees an improvement.
            let length = (2.0 * longest).ln_1p() / (2.0 * longest);
            strengths.iter_mut().zip(step).for_each(|(strength, by)| *strength += length * by);
            inverse = inverted(information(&strengths, &wins), self.bots);
        }
        (strengths, inverse)
    }
}

/// The winning probability of a bot that is stronger by this difference.
fn odds(stronger: f64) -> f64 {
    1.0 / (1.0 + (-stronger).exp())
}

/// The gradient of the log-likelihood of these wins: wins minus expected wins.
fn slope(strengths: &[f64], wins: &Wins) -> Vec<f64> {
    let bots = strengths.len();
    let gradient = |bot: usize| {
        let against = (0..bots).filter(|&other| other != bot).map(|other| {
            let (won, lost) = (wins[bot * bots + other], wins[other * bots + bot]);
            won - (won + lost) * odds(strengths[bot] - strengths[other])
        });
        against.sum()
    };
    (0..bots).map(gradient).collect()
}

/// The information matrix of these wins and the virtual games, row by row.
fn information(strengths: &[f64], wins: &Wins) -> Vec<f64> {
    let bots = strengths.len();
    let spread = |stronger: f64| odds(stronger) * odds(-stronger);
    let mut information = vec![0.0; bots * bots];
    for bot in 0..bots {
        information[bot * bots + bot] += 2.0 * spread(strengths[bot]);
        for other in (0..bots).filter(|&other| other != bot) {
            let games = wins[bot * bots + other] + wins[other * bots + bot];
            let weight = games * spread(strengths[bot] - strengths[other]);
            information[bot * bots + bot] += weight;
            information[bot * bots + other] -= weight;
        }
    }
    information
}

/// The inverse of a matrix, row by row, by Gauss-Jordan elimination. The information matrix is positive definite, so no
/// pivoting is needed.
fn inverted(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; size * size];
    (0..size).for_each(|row| inverse[row * size + row] = 1.0);
    for pivot in 0..size {
        let own = pivot * size..(pivot + 1) * size;
        let scale = 1.0 / matrix[own.start + pivot];
        matrix[own.clone()].iter_mut().chain(&mut inverse[own]).for_each(|value| *value *= scale);
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

fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.chunks(vector.len().max(1)).map(row).collect()
}

fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / float(values.len() as u64);
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

fn add(wins: &mut Wins, more: &Wins) {
    wins.iter_mut().zip(more).for_each(|(wins, more)| *wins += more);
}

/// The sum of several groups; empty without groups.
fn sum(groups: &[Wins]) -> Wins {
    let mut all = groups.first().cloned().unwrap_or_default();
    groups.iter().skip(1).for_each(|wins| add(&mut all, wins));
    all
}

#[cfg(test)]
mod tests;
