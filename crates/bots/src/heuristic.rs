//! The three levels written by hand, from a child's to a tuned one.
//!
//! All ask the same two questions, what is a jewel worth (`worth`) and who may come for it (`rivals`), and differ in how
//! much of the answer they see: [`Page`], [`Merchant`], [`Jeweller`]. They do a fixed amount of work, a few microseconds
//! for each decision, and never ask whether their time is up.

mod jeweller;
mod merchant;
mod page;
mod rivals;
mod worth;

pub use jeweller::Jeweller;
pub use merchant::Merchant;
pub use page::Page;

use sultan_domain::{Action, Seat};

use crate::known::Public;
use crate::{Bot, Random, Weighed};
use worth::Worths;

/// What a level answers where it cannot think: every action is as good as the others.
fn even(view: &sultan_domain::View, recall: &sultan_domain::Recall, chance: &mut sultan_rules::Quick) -> Vec<Weighed> {
    Random.weigh(view, recall, chance, &|| false)
}

/// Mixes actions by how good they are: `temperature` points less make an action e times as rare.
///
/// `win` is the chance to win the game as of now; an action that is better than the mix raises it.
fn mix(scored: &[(Action, f64)], temperature: f64, win: &Race) -> Vec<Weighed> {
    let best = scored.iter().map(|&(_, score)| score).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scored.iter().map(|&(_, score)| ((score - best) / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mean: f64 = scored.iter().zip(&weights).map(|(&(_, score), weight)| score * weight / sum).sum();
    let weighed = |(&(action, score), weight): (&(Action, f64), f64)| Weighed {
        action,
        share: weight / sum,
        win: win.with(score - mean),
    };
    scored.iter().zip(weights).map(weighed).collect()
}

/// How the race for the most points stands.
struct Race {
    /// The chance to win of each seat.
    chances: [f64; 5],
    seat: Seat,
    /// So many points more make a seat e times as likely to win.
    spread: f64,
}

impl Race {
    /// The race as a seat sees it. The more rounds are to come, the less a lead means.
    fn new(public: &Public, worths: &Worths, seat: Seat) -> Self {
        let rounds = f64::from(public.numbers.rounds().saturating_sub(public.round_index));
        let spread = 1.0 + 2.0 * rounds.sqrt();
        let mut chances = [0.0; 5];
        for player in public.numbers.players.seats() {
            let points = f64::from(public.points(player)) + worths.hoped[player];
            chances[player.index()] = (points / spread).exp();
        }
        let sum: f64 = chances.iter().sum();
        Self { chances: chances.map(|chance| chance / sum), seat, spread }
    }

    /// The own chance to win with so many points more.
    fn with(&self, points: f64) -> f64 {
        let own = self.chances[self.seat.index()];
        let raised = own * (points / self.spread).exp();
        raised / (raised + 1.0 - own)
    }

    /// How much a point for another seat hurts, as a share of what an own point brings. The shares of all others add up
    /// to one: what they lose together is what an own point wins.
    fn harm(&self, other: Seat) -> f64 {
        if other == self.seat {
            return 0.0;
        }
        let others = 1.0 - self.chances[self.seat.index()];
        if others > 0.0 { self.chances[other.index()] / others } else { 0.0 }
    }
}
