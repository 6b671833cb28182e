//! The cross table: win share and margin for every pair of bots that met.

use std::cmp::Ordering;

use serde::Serialize;
use sultan_domain::{Outcome, Place};

use super::mean::Means;
use super::rating::Evidence;

/// The results of one bot against another at the same tables. If a bot had several seats, each counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The bot's name.
    pub bot: &'static str,
    /// The opponent's name.
    pub against: &'static str,
    /// The share of games in which the bot was placed above the opponent; equal places count half.
    pub win_share: f64,
    /// Its standard error; `None` for a single deal.
    pub win_share_error: Option<f64>,
    /// The mean difference between the bot's points and the opponent's.
    pub margin: f64,
    /// Its standard error.
    pub margin_error: Option<f64>,
    /// The number of games in which they met.
    pub games: u64,
}

/// The indices of the measures of a pair: won, margin.
const WON: usize = 0;
const MARGIN: usize = 1;

/// Sums for every pair of names.
#[derive(Clone, Debug)]
pub(super) struct CrossTable {
    names: usize,
    /// Row by row; only pairs whose first index is lower than the second.
    cells: Vec<Cell>,
    /// The wins of each bot in this deal, at tables with each opponent, row by row; a shared win counts as its share.
    wins: Vec<f64>,
    /// The data for the ratings.
    pub(super) evidence: Evidence,
}

#[derive(Clone, Debug)]
struct Cell {
    means: Means<2>,
    games: u64,
    games_in_deal: u64,
}

impl CrossTable {
    pub(super) fn new(names: usize) -> Self {
        let cell = Cell { means: Means::NONE, games: 0, games_in_deal: 0 };
        Self { names, cells: vec![cell; names * names], wins: vec![0.0; names * names], evidence: Evidence::new(names) }
    }

    /// Adds a game: the name index and the place of each seat.
    pub(super) fn add(&mut self, seated: &[usize], outcome: &Outcome) {
        let players: Vec<(usize, &Place)> = seated.iter().copied().zip(&outcome.places).collect();
        let mut met = vec![false; self.cells.len()];
        for &(name, own) in &players {
            for &(against, other) in players.iter().filter(|&&(other, _)| name < other) {
                let won = match own.rank.cmp(&other.rank) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
                let cell = name * self.names + against;
                self.cells[cell].means.add([won, f64::from(own.points) - f64::from(other.points)]);
                met[cell] = true;
            }
        }
        self.cells.iter_mut().zip(met).for_each(|(cell, met)| cell.games_in_deal += u64::from(met));
        for &(winner, place) in players.iter().filter(|(_, place)| place.rank == 1) {
            for &(other, _) in players.iter().filter(|&&(other, _)| other != winner) {
                self.wins[winner * self.names + other] += outcome.share(place.seat);
            }
        }
    }

    /// Finishes a deal.
    pub(super) fn close(&mut self) {
        for cell in &mut self.cells {
            cell.means.close();
            cell.games += std::mem::take(&mut cell.games_in_deal);
        }
        self.evidence.add(std::mem::replace(&mut self.wins, vec![0.0; self.cells.len()]));
    }

    /// Every bot against every opponent it met, row by row.
    pub(super) fn pairings(&self, names: &[&'static str]) -> Vec<Pairing> {
        let all = (0..self.names).flat_map(|bot| (0..self.names).map(move |against| (bot, against)));
        all.map(|(bot, against)| self.pairing(bot, against, names)).filter(|pairing| pairing.games > 0).collect()
    }

    fn pairing(&self, bot: usize, against: usize, names: &[&'static str]) -> Pairing {
        let Cell { means, games, .. } = &self.cells[bot.min(against) * self.names + bot.max(against)];
        let (won, by) = (means.mean(WON), means.mean(MARGIN));
        let (win_share, margin) = if bot < against { (won, by) } else { (1.0 - won, -by) };
        let (win_share_error, margin_error) = (means.error(WON), means.error(MARGIN));
        // Adding 0 turns -0 into 0.
        let margin = margin + 0.0;
        let (bot, against) = (names[bot], names[against]);
        Pairing { bot, against, win_share, win_share_error, margin, margin_error, games: *games }
    }
}
