//! What the games of an arena add up to, entrant by entrant.

use sultan_domain::Place;

use super::Played;

/// One entrant's results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Share of games won; a shared first place counts as its share.
    pub win_share: f64,
    /// Standard error of it; none from a single deal.
    pub win_share_error: Option<f64>,
    /// Mean points.
    pub points: f64,
    /// Standard error of them.
    pub points_error: Option<f64>,
    /// Mean of the own points less the best other's.
    pub margin: f64,
    /// Standard error of it.
    pub margin_error: Option<f64>,
    /// Mean place.
    pub rank: f64,
}

/// Sums over all deals. The games of one deal are averaged first, because they are not independent of each other.
#[derive(Clone, Debug)]
pub struct Tally {
    entrants: Vec<Sums>,
    deals: u64,
    games: u64,
    games_in_deal: u64,
    games_per_deal: u64,
}

/// What is measured of a game: won, points, margin, rank.
type Measures = [f64; 4];

#[derive(Clone, Debug, Default)]
struct Sums {
    this_deal: Measures,
    all: Measures,
    squares: Measures,
}

impl Tally {
    /// An empty tally for so many entrants, with so many games for each deal.
    #[must_use]
    pub fn new(entrants: usize, games_per_deal: u64) -> Self {
        Self { entrants: vec![Sums::default(); entrants], deals: 0, games: 0, games_in_deal: 0, games_per_deal }
    }

    /// Adds a game. Games come deal by deal.
    pub fn add(&mut self, played: &Played) {
        let places = played.outcome.places;
        let seats = self.entrants.len();
        for (entrant, sums) in self.entrants.iter_mut().enumerate() {
            let measures = measures(&places, (entrant + usize::from(played.rotation)) % seats);
            sums.this_deal.iter_mut().zip(measures).for_each(|(sum, measure)| *sum += measure);
        }
        self.games += 1;
        self.games_in_deal += 1;
        if self.games_in_deal == self.games_per_deal {
            self.games_in_deal = 0;
            self.deals += 1;
            self.entrants.iter_mut().for_each(|sums| sums.close(self.games_per_deal));
        }
    }

    /// How many games were added.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The results of every entrant, over all whole deals.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.entrants.iter().map(|sums| sums.row(self.deals)).collect()
    }
}

fn measures(places: &[Place], seat: usize) -> Measures {
    let own = places[seat];
    let winners = places.iter().filter(|place| place.rank == 1).count();
    let others = places.iter().enumerate().filter(|&(other, _)| other != seat);
    let best_other = others.map(|(_, place)| place.points).max().unwrap_or(0);
    let won = if own.rank == 1 { 1.0 / float(winners as u64) } else { 0.0 };
    let points = f64::from(own.points);
    [won, points, points - f64::from(best_other), f64::from(own.rank)]
}

impl Sums {
    /// Ends a deal: its mean counts as one observation.
    fn close(&mut self, games: u64) {
        for (index, sum) in std::mem::take(&mut self.this_deal).into_iter().enumerate() {
            let mean = sum / float(games);
            self.all[index] += mean;
            self.squares[index] += mean * mean;
        }
    }

    fn row(&self, deals: u64) -> Row {
        let count = float(deals.max(1));
        let mean = |index: usize| self.all[index] / count;
        let error = |index: usize| {
            let variance = (self.squares[index] / count - mean(index).powi(2)).max(0.0);
            (deals > 1).then(|| (variance / (count - 1.0)).sqrt())
        };
        Row {
            win_share: mean(0),
            win_share_error: error(0),
            points: mean(1),
            points_error: error(1),
            margin: mean(2),
            margin_error: error(2),
            rank: mean(3),
        }
    }
}

/// A count as a number to calculate with; counts of games are far from where that would lose anything.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2⁵³")]
fn float(count: u64) -> f64 {
    count as f64
}
