//! Adds up the games of an arena: rows of results by bot and by name, the cross table, ratings, times.

use serde::Serialize;
use sultan_domain::Outcome;

use super::cross::CrossTable;
use super::mean::Means;
use super::rating::Rating;
use super::times::{DecisionTimes, Times};
use super::{Arena, Pairing, Played};

/// One bot's results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Share of games won; a shared first place counts as its share.
    pub win_share: f64,
    /// Its standard error; `None` for a single deal.
    pub win_share_error: Option<f64>,
    /// Mean points.
    pub points: f64,
    /// Their standard error.
    pub points_error: Option<f64>,
    /// The mean difference between the bot's points and those of its best opponent.
    pub margin: f64,
    /// Its standard error.
    pub margin_error: Option<f64>,
    /// Mean place.
    pub rank: f64,
    /// The total number of its seats in all games.
    pub seats: u64,
}

/// The results of one of the arena's bots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entrant {
    /// The bot's name.
    pub bot: &'static str,
    /// The index of the bot: its seat, unless bots rotate or are drawn from a pool.
    pub entry: usize,
    /// Its results.
    #[serde(flatten)]
    pub row: Row,
    /// The decision times of all bots with its name.
    #[serde(flatten)]
    pub times: DecisionTimes,
}

/// The rating of all bots with one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The name.
    pub bot: &'static str,
    /// The rating on the Elo scale, with a mean of 0.
    pub rating: f64,
    /// The start of the 95 % interval; `None` for a single deal.
    pub low: Option<f64>,
    /// Its end.
    pub high: Option<f64>,
    /// Their results. In JSON they are part of [`Entrant`].
    #[serde(skip)]
    pub row: Row,
    /// Their decision times.
    #[serde(skip)]
    pub times: DecisionTimes,
}

/// The sums over all deals. The games of one deal count as one observation, because they are not independent.
///
/// Results are kept by bot, and by name for all bots with the same name.
#[derive(Clone, Debug)]
pub struct Tally {
    entrants: Vec<Means<4>>,
    names: Vec<&'static str>,
    /// The name index of each entrant.
    named: Vec<usize>,
    by_name: Vec<Means<4>>,
    cross: CrossTable,
    times: Vec<Times>,
    games: u64,
    games_per_deal: u64,
}

impl Tally {
    /// An empty tally for the games of an arena.
    #[must_use]
    pub fn new(arena: &Arena) -> Self {
        let mut names = Vec::new();
        let number = |name: &'static str| {
            names.iter().position(|&other| other == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let named: Vec<usize> = arena.bots.iter().map(|bot| bot.name()).map(number).collect();
        Self {
            entrants: vec![Means::NONE; named.len()],
            by_name: vec![Means::NONE; names.len()],
            cross: CrossTable::new(names.len()),
            times: vec![Times::default(); names.len()],
            names,
            named,
            games: 0,
            games_per_deal: arena.games_per_deal(),
        }
    }

    /// Adds a game. Games must be added deal by deal.
    pub fn add(&mut self, played: &Played) {
        let seated: Vec<usize> = played.bots.iter().map(|&bot| self.named[bot]).collect();
        for (seat, (&bot, &name)) in played.bots.iter().zip(&seated).enumerate() {
            let measures = measures(&played.outcome, seat);
            self.entrants[bot].add(measures);
            self.by_name[name].add(measures);
        }
        self.cross.add(&seated, &played.outcome);
        played.times.iter().for_each(|&(seat, nanos)| self.times[seated[seat.index()]].add(nanos));
        self.games += 1;
        if self.games.is_multiple_of(self.games_per_deal) {
            self.entrants.iter_mut().chain(&mut self.by_name).for_each(Means::close);
            self.cross.close();
        }
    }

    /// The number of games added.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The results of each of the arena's bots, over all finished deals.
    #[must_use]
    pub fn entrants(&self) -> Vec<Entrant> {
        let all = self.entrants.iter().zip(&self.named).enumerate();
        let entrant = all.map(|(entry, (means, &name))| Entrant {
            bot: self.names[name],
            entry,
            row: row(means),
            times: self.times[name].summary(),
        });
        entrant.collect()
    }

    /// The results of all pairs of names that met.
    #[must_use]
    pub fn cross_table(&self) -> Vec<Pairing> {
        self.cross.pairings(&self.names)
    }

    /// The results and ratings by name, in order of first appearance; see [`RATING_METHOD`](super::RATING_METHOD).
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let ratings = self.cross.evidence.ratings();
        let all = self.names.iter().zip(ratings).zip(self.by_name.iter().zip(&self.times));
        let standing = all.map(|((bot, Rating { rating, interval }), (means, times))| Standing {
            bot,
            rating: hundredths(rating),
            low: interval.map(|(low, _)| hundredths(low)),
            high: interval.map(|(_, high)| hundredths(high)),
            row: row(means),
            times: times.summary(),
        });
        standing.collect()
    }
}

/// Rounds a rating to two decimals: the last digits of floating-point results differ between systems.
fn hundredths(points: f64) -> f64 {
    // Adding 0.0 turns -0.0 into 0.0.
    (100.0 * points).round() / 100.0 + 0.0
}

/// The measures of a game: won, points, margin, rank.
fn measures(outcome: &Outcome, seat: usize) -> [f64; 4] {
    let own = outcome.places[seat];
    let others = outcome.places.iter().filter(|place| place.seat != own.seat);
    let best_other = others.map(|place| place.points).max().unwrap_or(0);
    let won = outcome.share(own.seat);
    let points = f64::from(own.points);
    [won, points, points - f64::from(best_other), f64::from(own.rank)]
}

fn row(means: &Means<4>) -> Row {
    Row {
        win_share: means.mean(0),
        win_share_error: means.error(0),
        points: means.mean(1),
        points_error: means.error(1),
        // Adding 0 turns -0 into 0.
        margin: means.mean(2) + 0.0,
        margin_error: means.error(2),
        rank: means.mean(3),
        seats: means.count(),
    }
}
