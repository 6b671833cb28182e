//! The results of an arena: the JSON of docs/formats.md, and the data for the tables and the chart.

use serde::Serialize;
use sultan_lab::arena::{Pairing, RATING_METHOD, Row, Tally, Times};

use crate::args::ArenaArgs;
use crate::format::count;

#[derive(Serialize)]
pub(super) struct Results {
    pub(super) players: u8,
    pub(super) deals: u64,
    pub(super) games: u64,
    pub(super) rotate: bool,
    pub(super) seed: u64,
    pub(super) bots: Vec<BotResult>,
    pub(super) pool: bool,
    pub(super) cross_table: Vec<Pair>,
    pub(super) ratings: Vec<Standing>,
    pub(super) rating_method: &'static str,
}

/// One bot of `--bots` or `--pool`.
#[derive(Serialize)]
pub(super) struct BotResult {
    pub(super) bot: &'static str,
    /// The index in that list: the seat, unless bots rotate or are drawn from a pool.
    pub(super) entry: usize,
    #[serde(flatten)]
    pub(super) row: Row,
    #[serde(flatten)]
    pub(super) times: Micros,
}

/// Decision times of all bots with one name.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Micros {
    pub(super) micros_median: Option<f64>,
    pub(super) micros_p99: Option<f64>,
}

/// One bot against another.
#[derive(Serialize)]
pub(super) struct Pair {
    pub(super) bot: &'static str,
    pub(super) against: &'static str,
    #[serde(flatten)]
    pub(super) result: Pairing,
}

/// All bots with one name.
#[derive(Clone, Serialize)]
pub(super) struct Standing {
    pub(super) bot: &'static str,
    pub(super) rating: f64,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    // In JSON these fields are part of `BotResult`.
    #[serde(skip)]
    pub(super) row: Row,
    #[serde(skip)]
    pub(super) times: Micros,
}

impl Results {
    pub(super) fn new(args: &ArenaArgs, tally: &Tally) -> Self {
        Self {
            players: args.players.count(),
            deals: args.games.get(),
            games: tally.games(),
            rotate: args.rotate,
            seed: args.seed,
            bots: bots(tally),
            pool: !args.pool.is_empty(),
            cross_table: pairs(tally),
            ratings: standings(tally),
            rating_method: RATING_METHOD,
        }
    }

    /// A one-line summary of the games played.
    pub(super) fn summary(&self) -> String {
        let each = if self.rotate { ", each once per rotation" } else { "" };
        let pool = if self.pool { format!(" from a pool of {}", self.bots.len()) } else { String::new() };
        let (games, deals) = (count(self.games, "game"), count(self.deals, "deal"));
        format!("{games} of {} players{pool}: {deals}{each}, seed {}", self.players, self.seed)
    }

    /// The standings, strongest bot first.
    pub(super) fn ranking(&self) -> Vec<&Standing> {
        let mut ranking: Vec<&Standing> = self.ratings.iter().collect();
        ranking.sort_by(|a, b| b.rating.total_cmp(&a.rating));
        ranking
    }
}

fn bots(tally: &Tally) -> Vec<BotResult> {
    let rows = tally.named().iter().zip(tally.rows()).enumerate();
    let result = |(entry, (&name, row)): (usize, (&usize, Row))| BotResult {
        bot: tally.names()[name],
        entry,
        row,
        times: micros(&tally.times()[name]),
    };
    rows.map(result).collect()
}

fn micros(times: &Times) -> Micros {
    // Times are far below 104 days (2^53 ns), where an `f64` begins to round nanoseconds.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let at = |percent| times.percentile(percent).map(|nanos| nanos as f64 / 1000.0);
    Micros { micros_median: at(50), micros_p99: at(99) }
}

fn pairs(tally: &Tally) -> Vec<Pair> {
    let name = |number: usize| tally.names()[number];
    let pairings = tally.cross_table().into_iter();
    pairings.map(|result| Pair { bot: name(result.bot), against: name(result.against), result }).collect()
}

fn standings(tally: &Tally) -> Vec<Standing> {
    let (ratings, rows) = (tally.ratings(), tally.rows_by_name());
    let all = tally.names().iter().zip(ratings).zip(rows.into_iter().zip(tally.times()));
    let standing = all.map(|((bot, rated), (row, times))| Standing {
        bot,
        rating: hundredths(rated.rating),
        low: rated.interval.map(|(low, _)| hundredths(low)),
        high: rated.interval.map(|(_, high)| hundredths(high)),
        row,
        times: micros(times),
    });
    standing.collect()
}

/// Rounds a rating to two decimals: the last digits of floating-point results differ between systems.
fn hundredths(points: f64) -> f64 {
    // Adding 0.0 turns -0.0 into 0.0.
    (100.0 * points).round() / 100.0 + 0.0
}

/// Sample results for tests: the first bot is the strongest.
#[cfg(test)]
pub(super) fn sample(names: &[&'static str]) -> Results {
    let times = Micros { micros_median: Some(1234.5), micros_p99: Some(98_765.4) };
    let place =
        |at: usize| f64::from(u32::try_from(2 * at).unwrap()) - f64::from(u32::try_from(names.len()).unwrap() - 1);
    let row = |at: usize| Row {
        win_share: 0.25 - 0.04 * place(at),
        win_share_error: Some(0.0123),
        points: 48.25,
        points_error: Some(0.42),
        margin: -10.25,
        margin_error: Some(0.72),
        rank: 2.5,
        seats: 12_000,
    };
    let result = |(entry, &bot)| BotResult { bot, entry, row: row(entry), times };
    let standing = |(at, &bot)| Standing {
        bot,
        rating: -80.0 * place(at),
        low: Some(-80.0 * place(at) - 37.0),
        high: Some(-80.0 * place(at) + 37.0),
        row: row(at),
        times,
    };
    let pairs = names.iter().flat_map(|&bot| names.iter().map(move |&against| (bot, against)));
    let result_of_pair = Pairing {
        bot: 0,
        against: 1,
        win_share: 0.625,
        win_share_error: Some(0.0123),
        margin: -12.5,
        margin_error: Some(0.5),
        games: 8000,
    };
    let pair = |(bot, against)| Pair { bot, against, result: result_of_pair };
    Results {
        players: 4,
        deals: 3000,
        games: 12_000,
        rotate: true,
        seed: 1,
        bots: names.iter().enumerate().map(result).collect(),
        pool: false,
        cross_table: pairs.filter(|(bot, against)| bot != against).map(pair).collect(),
        ratings: names.iter().enumerate().map(standing).collect(),
        rating_method: RATING_METHOD,
    }
}
