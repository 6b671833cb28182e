//! Monte Carlo tree search over what each player knows (multiple-observer information-set MCTS).
//!
//! Every iteration deals the hidden cards anew (`deal`), plays the round under way through the players' trees (`tree`),
//! in which what a jeweller would do in each seat is tried first (`plan`), and rates what came of it for every seat
//! (`gains`): the jewels won, the cards spent, and at the end of the game the win itself.
//!
//! Each player's tree ends with the round: the cards turned up and the jewels drawn next are too many to come twice.
//! Quick random play to the end of the stage, instead of rating what cards are worth later, was tried and won far less:
//! cards that are played at random seem worth little, and are spent too soon.

mod deal;
mod gains;
mod plan;
mod tree;

use sultan_domain::{Action, Recall, View};
use sultan_rules::Quick;

use crate::bot::even;
use crate::search::known::Known;
use crate::{Bot, Weighed};
use deal::Deal;
use gains::Gains;
use tree::{Arm, Path, Tree};

/// Plays what came out best in thousands of imagined rounds: for comparison with what is taught or written by hand.
///
/// It always plays the action it tried most often.
#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    /// How many rounds are imagined for one decision, unless it is stopped.
    pub iterations: u32,
}

impl Default for Mcts {
    fn default() -> Self {
        Self { iterations: 10_000 }
    }
}

/// So many iterations go by before the bot asks whether its time is up.
const BETWEEN_STOPS: u32 = 16;

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<Weighed> {
        let legal = view.legal();
        let known = Known::new(view, recall, chance).filter(|known| !known.public.is_over() && !legal.is_empty());
        let Some(known) = known else { return even(view) };
        let mut search = TreeSearch::new(&known);
        for iteration in 0..self.iterations.max(1) {
            if iteration > 0 && iteration % BETWEEN_STOPS == 0 && stop() {
                break;
            }
            search.iterate(chance);
        }
        let arms: Vec<(Action, Arm)> =
            legal.iter().zip(0..).map(|(action, nth)| (action, search.arm(action, nth))).collect();
        let best = arms.iter().map(|(_, arm)| arm.visits).max().unwrap_or(0);
        let chosen = arms.iter().position(|(_, arm)| arm.visits == best);
        // What was never tried is taken to be no better than what did worst.
        let tried = arms.iter().filter(|(_, arm)| arm.visits > 0);
        let worst = tried.map(|(_, arm)| arm.mean()).fold(1.0, f32::min);
        let weighed = |(nth, &(action, arm)): (usize, &(Action, Arm))| {
            let share = if Some(nth) == chosen { 1.0 } else { 0.0 };
            Weighed { action, share, win: f64::from(if arm.visits == 0 { worst } else { arm.mean() }).clamp(0.0, 1.0) }
        };
        arms.iter().enumerate().map(weighed).collect()
    }
}

/// The thoughts about one decision.
struct TreeSearch<'a> {
    known: &'a Known,
    deal: Deal,
    tree: Tree,
    gains: Gains,
}

impl<'a> TreeSearch<'a> {
    fn new(known: &'a Known) -> Self {
        let (deal, tree) = (Deal::new(known), Tree::new(known.seat));
        Self { known, deal, tree, gains: Gains::new(&known.public) }
    }

    /// What is known about a legal action.
    fn arm(&self, action: Action, nth: usize) -> Arm {
        let path = Path::start(self.known);
        match action {
            Action::Offer(_) => self.tree.arm(path, nth),
            Action::Bid { card, cushion } => self.tree.arm(path, Tree::place(card, cushion)),
        }
    }

    /// Imagines how the round may go, and learns from it.
    fn iterate(&mut self, chance: &mut Quick) {
        let mut world = self.deal.imagine(self.known, chance);
        self.tree.forget_way();
        let mut path = Path::start(self.known);
        if world.public.offer.is_empty() {
            let (nth, offer) = self.tree.offer(path, &world.public);
            world.public.make_offer(offer);
            path.offer(nth);
        }
        while !world.public.is_full() {
            let seat = world.public.bidder();
            let own = world.bids.iter().find(|bid| bid.seat == seat).map(|bid| bid.card);
            let (card, cushion) = self.tree.bid(path.of(own), &world.public, world.hands[seat]);
            world.bid(card, cushion);
            path.bid(cushion);
        }
        world.public.settle(&world.bids);
        self.tree.learn(&self.gains.rate(&world));
    }
}
