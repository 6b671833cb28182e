//! Adds up the games of an arena: rows of results by bot and by name, the cross table, ratings, times.

use serde::Serialize;
use sultan_domain::Outcome;

use super::cross::CrossTable;
use super::mean::Means;
use super::{Arena, Pairing, Played, Rating, Times};

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
    pub fn rows(&self) -> Vec<Row> {
        self.entrants.iter().map(row).collect()
    }

    /// The distinct names of the bots, in order of first appearance. All results by name are in this order.
    #[must_use]
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// The name index of each of the arena's bots.
    #[must_use]
    pub fn named(&self) -> &[usize] {
        &self.named
    }

    /// The results by name.
    #[must_use]
    pub fn rows_by_name(&self) -> Vec<Row> {
        self.by_name.iter().map(row).collect()
    }

    /// The results of all pairs of names that met.
    #[must_use]
    pub fn cross_table(&self) -> Vec<Pairing> {
        self.cross.pairings()
    }

    /// The ratings by name; see [`RATING_METHOD`](super::RATING_METHOD).
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        self.cross.ratings()
    }

    /// The decision times by name.
    #[must_use]
    pub fn times(&self) -> &[Times] {
        &self.times
    }
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
