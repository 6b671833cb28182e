//! Adds up the games of an arena: results by bot and by name, the cross table, ratings, decision times.
//!
//! Several bots of an arena may have the same name (`--bots page,page,random`). Results are kept for each bot, and also
//! by name, for all bots with that name together.

use serde::Serialize;
use sultan_domain::Outcome;

use super::cross::CrossTable;
use super::mean::Means;
use super::rating::Rating;
use super::times::{DecisionTimes, Times};
use super::{Arena, Pairing, Played};

/// The results of one bot, or of all bots with one name. Standard errors are `None` for a single deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The share of games won; a shared first place counts as its share.
    pub win_share: f64,
    /// The standard error of the win share.
    pub win_share_error: Option<f64>,
    /// The mean points.
    pub points: f64,
    /// The standard error of the mean points.
    pub points_error: Option<f64>,
    /// The mean difference between the bot's points and those of its best opponent.
    pub margin: f64,
    /// The standard error of the margin.
    pub margin_error: Option<f64>,
    /// The mean place.
    pub rank: f64,
    /// The number of seats that the bot had in all games together.
    pub seats: u64,
}

/// The results of one of the arena's bots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entrant {
    /// The bot's name.
    pub bot: &'static str,
    /// The index of the bot in [`Arena::bots`]: its seat, unless bots rotate or are drawn from a pool.
    pub entry: usize,
    /// The bot's results.
    #[serde(flatten)]
    pub row: Row,
    /// The decision times of all bots with its name.
    #[serde(flatten)]
    pub times: DecisionTimes,
}

/// The rating of all bots with one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The name of the bots.
    pub bot: &'static str,
    /// The rating on the Elo scale; the mean over all names is 0.
    pub rating: f64,
    /// The lower end of the 95 % interval of the rating; `None` for a single deal.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval of the rating; `None` for a single deal.
    pub high: Option<f64>,
    /// The results of the bots. Not in JSON, where [`Entrant`] has them.
    #[serde(skip)]
    pub row: Row,
    /// The decision times of the bots. Not in JSON, where [`Entrant`] has them.
    #[serde(skip)]
    pub times: DecisionTimes,
}

/// The sums over all deals. All games of a deal together are one sample, because they are not independent.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The different names of the bots, in order of first appearance. A *name index* is a position in this list.
    names: Vec<&'static str>,
    /// The name index of each bot.
    name_of_bot: Vec<usize>,
    results_by_bot: Vec<Means<4>>,
    results_by_name: Vec<Means<4>>,
    cross_table_by_name: CrossTable,
    times_by_name: Vec<Times>,
    games: u64,
    games_per_deal: u64,
}

impl Tally {
    /// An empty tally for the games of an arena.
    #[must_use]
    pub fn new(arena: &Arena) -> Self {
        let mut names = Vec::new();
        let name_index = |name: &'static str| {
            names.iter().position(|&other| other == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let name_of_bot: Vec<usize> = arena.bots.iter().map(|bot| bot.name()).map(name_index).collect();
        Self {
            results_by_bot: vec![Means::EMPTY; name_of_bot.len()],
            results_by_name: vec![Means::EMPTY; names.len()],
            cross_table_by_name: CrossTable::new(names.len()),
            times_by_name: vec![Times::default(); names.len()],
            names,
            name_of_bot,
            games: 0,
            games_per_deal: arena.games_per_deal(),
        }
    }

    /// Adds a game. Games must be added in the order of their numbers: the last game of a deal ends the deal.
    pub fn add(&mut self, played: &Played) {
        let name_of_seat: Vec<usize> = played.bots.iter().map(|&bot| self.name_of_bot[bot]).collect();
        for (seat, (&bot, &name)) in played.bots.iter().zip(&name_of_seat).enumerate() {
            let measures = measures(&played.outcome, seat);
            self.results_by_bot[bot].add(measures);
            self.results_by_name[name].add(measures);
        }
        self.cross_table_by_name.add(&name_of_seat, &played.outcome);
        for &(seat, nanos) in &played.decision_nanos {
            self.times_by_name[name_of_seat[seat.index()]].add(nanos);
        }
        self.games += 1;
        if self.games.is_multiple_of(self.games_per_deal) {
            self.results_by_bot.iter_mut().chain(&mut self.results_by_name).for_each(Means::end_deal);
            self.cross_table_by_name.end_deal();
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
        let all = self.results_by_bot.iter().zip(&self.name_of_bot).enumerate();
        let entrants = all.map(|(entry, (means, &name))| Entrant {
            bot: self.names[name],
            entry,
            row: row(means),
            times: self.times_by_name[name].summary(),
        });
        entrants.collect()
    }

    /// The results of all pairs of names that met.
    #[must_use]
    pub fn cross_table(&self) -> Vec<Pairing> {
        self.cross_table_by_name.pairings(&self.names)
    }

    /// The results and ratings by name, in order of first appearance; see [`RATING_METHOD`](super::RATING_METHOD).
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let ratings = self.cross_table_by_name.evidence.ratings();
        let all = self.names.iter().zip(ratings).zip(self.results_by_name.iter().zip(&self.times_by_name));
        let standings = all.map(|((bot, Rating { rating, interval }), (means, times))| Standing {
            bot,
            rating: round_to_hundredths(rating),
            low: interval.map(|(low, _)| round_to_hundredths(low)),
            high: interval.map(|(_, high)| round_to_hundredths(high)),
            row: row(means),
            times: times.summary(),
        });
        standings.collect()
    }
}

/// Rounds a rating to two decimals: the last digits of floating-point results differ between systems.
fn round_to_hundredths(rating: f64) -> f64 {
    // Adding 0.0 turns -0.0 into 0.0.
    (100.0 * rating).round() / 100.0 + 0.0
}

/// The four measures of a seat in one game: win share, points, margin and rank.
fn measures(outcome: &Outcome, seat: usize) -> [f64; 4] {
    let place = outcome.places[seat];
    let opponents = outcome.places.iter().filter(|other| other.seat != place.seat);
    let points_of_best_opponent = opponents.map(|opponent| opponent.points).max().unwrap_or(0);
    let points = f64::from(place.points);
    [outcome.share(place.seat), points, points - f64::from(points_of_best_opponent), f64::from(place.rank)]
}

/// The results with these means of [`measures`], whose order gives the indices.
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
        seats: means.count,
    }
}
