//! The three levels written by hand, from a child's to a tuned one.
//!
//! All ask the same two questions, what is a jewel worth (`outlook`) and who may come for it (`rivals`), and differ in how
//! much of the answer they see: [`Page`], [`Merchant`], [`Jeweller`]. They do a fixed amount of work, a few microseconds
//! for each decision, and never ask whether their time is up.

mod jeweller;
mod merchant;
mod page;

pub use jeweller::Jeweller;
pub(crate) use jeweller::{Bidding, GRUDGE, Thought, bids as jeweller_bids, think};
pub use merchant::Merchant;
pub use page::Page;

use sultan_domain::{Action, Seat};

use crate::Weighed;
use crate::net::math::exp;
use crate::outlook::Outlook;

/// Mixes actions by how good they are: `temperature` points less make an action e times as rare.
///
/// `win` is the chance to win the game as of now; an action that is better than the mix raises it.
fn mix(scored: &[(Action, f32)], temperature: f32, outlook: &Outlook, seat: Seat) -> Vec<Weighed> {
    let best = scored.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scored.iter().map(|&(_, score)| exp((score - best) / temperature)).collect();
    let sum: f32 = weights.iter().sum();
    // The shares must add up to more digits than the rest needs.
    let exact: f64 = weights.iter().copied().map(f64::from).sum();
    let mean: f32 = scored.iter().zip(&weights).map(|(&(_, score), weight)| score * weight / sum).sum();
    let weighed = |(&(action, score), weight): (&(Action, f32), f32)| Weighed {
        action,
        share: f64::from(weight) / exact,
        win: outlook.chance_with(seat, score - mean).min(1.0).into(),
    };
    scored.iter().zip(weights).map(weighed).collect()
}
