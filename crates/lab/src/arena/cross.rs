//! The cross table: win share and margin for every pair of bots that met.

use std::cmp::Ordering;

use serde::Serialize;
use sultan_domain::{Outcome, Place};

use super::mean::Means;
use super::rating::Evidence;

/// The results of one bot against another in the games that both played. If a bot had several seats, each counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The bot's name.
    pub bot: &'static str,
    /// The opponent's name.
    pub against: &'static str,
    /// The share of games in which the bot was placed above the opponent; equal places count half.
    pub win_share: f64,
    /// The standard error of the win share; `None` for a single deal.
    pub win_share_error: Option<f64>,
    /// The mean difference between the bot's points and the opponent's.
    pub margin: f64,
    /// The standard error of the margin; `None` for a single deal.
    pub margin_error: Option<f64>,
    /// The number of games in which they met.
    pub games: u64,
}

/// The indices of the two measures in [`Cell::means`].
const WIN_SHARE: usize = 0;
const MARGIN: usize = 1;

/// Sums for every pair of bots. Bots with the same name count as one bot, whose index is that of the name.
#[derive(Clone, Debug)]
pub(super) struct CrossTable {
    bots: usize,
    /// Row by row, one row per bot. Only the cells of pairs whose first index is lower than the second are filled.
    cells: Vec<Cell>,
    /// The wins of each bot in the current deal in games with each opponent, row by row; a shared win counts as its
    /// share.
    wins_in_deal: Vec<f64>,
    /// The data for the ratings.
    pub(super) evidence: Evidence,
}

/// The results of one pair of bots.
#[derive(Clone, Debug)]
struct Cell {
    means: Means<2>,
    /// The number of games of finished deals in which both played.
    games: u64,
    /// The same for the current deal.
    games_in_deal: u64,
}

impl CrossTable {
    pub(super) fn new(bots: usize) -> Self {
        let cell = Cell { means: Means::EMPTY, games: 0, games_in_deal: 0 };
        let size = bots * bots;
        Self { bots, cells: vec![cell; size], wins_in_deal: vec![0.0; size], evidence: Evidence::new(bots) }
    }

    /// Adds a game, given the index of each seat's bot.
    pub(super) fn add(&mut self, bot_of_seat: &[usize], outcome: &Outcome) {
        let players: Vec<(usize, &Place)> = bot_of_seat.iter().copied().zip(&outcome.places).collect();
        let mut have_met = vec![false; self.cells.len()];
        // Each pair once. Seats of the same bot are no pair.
        for &(bot, place) in &players {
            for &(opponent, opponents_place) in players.iter().filter(|&&(opponent, _)| bot < opponent) {
                let won = match place.rank.cmp(&opponents_place.rank) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
                let cell = bot * self.bots + opponent;
                self.cells[cell].means.add([won, f64::from(place.points) - f64::from(opponents_place.points)]);
                have_met[cell] = true;
            }
        }
        // A bot with several seats has several results, but met its opponent in one game.
        self.cells.iter_mut().zip(have_met).for_each(|(cell, have_met)| cell.games_in_deal += u64::from(have_met));
        for &(winner, place) in players.iter().filter(|(_, place)| place.rank == 1) {
            for &(opponent, _) in players.iter().filter(|&&(opponent, _)| opponent != winner) {
                self.wins_in_deal[winner * self.bots + opponent] += outcome.share(place.seat);
            }
        }
    }

    /// Ends the current deal: its games count from now on.
    pub(super) fn end_deal(&mut self) {
        for cell in &mut self.cells {
            cell.means.end_deal();
            cell.games += std::mem::take(&mut cell.games_in_deal);
        }
        self.evidence.add(std::mem::replace(&mut self.wins_in_deal, vec![0.0; self.cells.len()]));
    }

    /// The results of every bot against every opponent it met, row by row.
    pub(super) fn pairings(&self, names: &[&'static str]) -> Vec<Pairing> {
        let all = (0..self.bots).flat_map(|bot| (0..self.bots).map(move |opponent| (bot, opponent)));
        all.map(|(bot, opponent)| self.pairing(bot, opponent, names)).filter(|pairing| pairing.games > 0).collect()
    }

    fn pairing(&self, bot: usize, opponent: usize, names: &[&'static str]) -> Pairing {
        let Cell { means, games, .. } = &self.cells[bot.min(opponent) * self.bots + bot.max(opponent)];
        let (mut win_share, mut margin) = (means.mean(WIN_SHARE), means.mean(MARGIN));
        // The cell has the results of the bot with the lower index.
        if bot > opponent {
            (win_share, margin) = (1.0 - win_share, -margin);
        }
        Pairing {
            bot: names[bot],
            against: names[opponent],
            win_share,
            win_share_error: means.error(WIN_SHARE),
            // Adding 0 turns -0 into 0.
            margin: margin + 0.0,
            margin_error: means.error(MARGIN),
            games: *games,
        }
    }
}
