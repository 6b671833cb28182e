//! The results of an arena: the JSON that docs/formats.md describes, and the data for the tables and the chart.

use serde::Serialize;
use sultan_lab::arena::{Entrant, Pairing, RATING_METHOD, Standing, Tally};

use crate::args::arena::ArenaArgs;
use crate::format::count;

/// The settings and results of an arena.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) players: u8,
    pub(super) deals: u64,
    pub(super) games: u64,
    pub(super) rotate: bool,
    pub(super) seed: u64,
    /// One entry per bot of `--bots` or `--pool`; bots with the same name have an entry each.
    pub(super) bots: Vec<Entrant>,
    /// Whether the players were drawn from a pool (`--pool`).
    pub(super) pool: bool,
    /// The results by pair of names.
    pub(super) cross_table: Vec<Pairing>,
    /// The ratings by name.
    pub(super) ratings: Vec<Standing>,
    pub(super) rating_method: &'static str,
}

impl Results {
    pub(super) fn new(args: &ArenaArgs, tally: &Tally) -> Self {
        Self {
            players: args.players.count(),
            deals: args.games.get(),
            games: tally.games(),
            rotate: args.rotate,
            seed: args.seed,
            bots: tally.entrants(),
            pool: !args.pool.is_empty(),
            cross_table: tally.cross_table(),
            ratings: tally.standings(),
            rating_method: RATING_METHOD,
        }
    }

    /// A one-line summary of the games played.
    pub(super) fn summary(&self) -> String {
        let rotation = if self.rotate { ", each once per rotation" } else { "" };
        let pool = if self.pool { format!(" from a pool of {}", self.bots.len()) } else { String::new() };
        let (games, deals) = (count(self.games, "game"), count(self.deals, "deal"));
        format!("{games} of {} players{pool}: {deals}{rotation}, seed {}", self.players, self.seed)
    }

    /// The standings, strongest bot first.
    pub(super) fn ranking(&self) -> Vec<&Standing> {
        let mut ranking: Vec<&Standing> = self.ratings.iter().collect();
        ranking.sort_by(|a, b| b.rating.total_cmp(&a.rating));
        ranking
    }
}

#[cfg(test)]
pub(super) mod tests {
    use sultan_lab::arena::{DecisionTimes, Row};

    use super::*;

    /// Sample results of bots with these names. The first bot is the strongest, the last one the weakest.
    pub(in crate::arena) fn sample(names: &[&'static str]) -> Results {
        let times = DecisionTimes { micros_median: Some(1234.5), micros_p99: Some(98_765.4) };
        // Symmetric around 0 in steps of 2, from the strongest to the weakest bot: -3, -1, 1, 3 for four bots.
        let weakness = |index: usize| {
            f64::from(u32::try_from(2 * index).unwrap()) - f64::from(u32::try_from(names.len()).unwrap() - 1)
        };
        let row = |index: usize| Row {
            win_share: 0.25 - 0.04 * weakness(index),
            win_share_error: Some(0.0123),
            points: 48.25,
            points_error: Some(0.42),
            margin: -10.25,
            margin_error: Some(0.72),
            rank: 2.5,
            seats: 12_000,
        };
        let entrant = |(entry, &bot)| Entrant { bot, entry, row: row(entry), times };
        let standing = |(index, &bot)| {
            let rating = -80.0 * weakness(index);
            let (low, high) = (Some(rating - 37.0), Some(rating + 37.0));
            Standing { bot, rating, low, high, row: row(index), times }
        };
        let pairs = names.iter().flat_map(|&bot| names.iter().map(move |&against| (bot, against)));
        let pairing = |(bot, against)| Pairing {
            bot,
            against,
            win_share: 0.625,
            win_share_error: Some(0.0123),
            margin: -12.5,
            margin_error: Some(0.5),
            games: 8000,
        };
        Results {
            players: 4,
            deals: 3000,
            games: 12_000,
            rotate: true,
            seed: 1,
            bots: names.iter().enumerate().map(entrant).collect(),
            pool: false,
            cross_table: pairs.filter(|(bot, against)| bot != against).map(pairing).collect(),
            ratings: names.iter().enumerate().map(standing).collect(),
            rating_method: RATING_METHOD,
        }
    }
}
