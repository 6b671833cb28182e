//! Monte Carlo tree search over information sets, with a tree for each player (multiple-observer ISMCTS).
//!
//! Each iteration samples the hidden cards (`deal`), plays the current round through the players' trees (`tree`), which
//! try a jeweller's actions first (`plan`), and rates the result for every seat (`gains`): the jewels won, the cards
//! spent, and at the end of the game the win itself.
//!
//! The trees end with the round: the revealed cards and the next draw have too many combinations to be visited twice.
//! Random playouts to the end of the stage, instead of an estimate of the value of cards, were tried and won far less:
//! cards played at random seem worth little, and are spent too soon.

mod deal;
mod gains;
mod plan;
mod tree;

use sultan_domain::{Action, Recall, View};
use sultan_rules::Quick;

use crate::bot::uniform;
use crate::search::knowledge::Knowledge;
use crate::{Bot, WeighedAction};
use deal::Deal;
use gains::Gains;
use tree::{Arm, Path, Tree};

/// Plays the best action of thousands of imagined rounds: for comparison with the other levels.
///
/// It always plays the most visited action.
#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    /// The number of iterations per decision, unless stopped.
    pub iterations: u32,
}

impl Default for Mcts {
    fn default() -> Self {
        Self { iterations: 10_000 }
    }
}

/// The number of iterations between calls of `stop`.
const BETWEEN_STOPS: u32 = 16;

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let legal = view.legal();
        let knowledge =
            Knowledge::new(view, recall, rng).filter(|knowledge| !knowledge.public.is_over() && !legal.is_empty());
        let Some(knowledge) = knowledge else { return uniform(view) };
        let mut search = TreeSearch::new(&knowledge);
        for iteration in 0..self.iterations.max(1) {
            if iteration > 0 && iteration % BETWEEN_STOPS == 0 && stop() {
                break;
            }
            search.iterate(rng);
        }
        let arms: Vec<(Action, Arm)> =
            legal.iter().zip(0..).map(|(action, nth)| (action, search.arm(action, nth))).collect();
        let best = arms.iter().map(|(_, arm)| arm.visits).max().unwrap_or(0);
        let chosen = arms.iter().position(|(_, arm)| arm.visits == best);
        // An action that was never tried is rated like the worst one that was.
        let tried = arms.iter().filter(|(_, arm)| arm.visits > 0);
        let worst = tried.map(|(_, arm)| arm.mean()).fold(1.0, f32::min);
        let weighed = |(nth, &(action, arm)): (usize, &(Action, Arm))| {
            let share = if Some(nth) == chosen { 1.0 } else { 0.0 };
            WeighedAction {
                action,
                share,
                win: f64::from(if arm.visits == 0 { worst } else { arm.mean() }).clamp(0.0, 1.0),
            }
        };
        arms.iter().enumerate().map(weighed).collect()
    }
}

/// The search for one decision.
struct TreeSearch<'a> {
    knowledge: &'a Knowledge,
    deal: Deal,
    tree: Tree,
    gains: Gains,
}

impl<'a> TreeSearch<'a> {
    fn new(knowledge: &'a Knowledge) -> Self {
        let (deal, tree) = (Deal::new(knowledge), Tree::new(knowledge.seat));
        Self { knowledge, deal, tree, gains: Gains::new(&knowledge.public) }
    }

    /// The statistics of a legal action.
    fn arm(&self, action: Action, nth: usize) -> Arm {
        let path = Path::start(self.knowledge);
        match action {
            Action::Offer(_) => self.tree.arm(path, nth),
            Action::Bid { card, cushion } => self.tree.arm(path, Tree::arm_index(card, cushion)),
        }
    }

    /// Plays one imagined round and updates the trees.
    fn iterate(&mut self, rng: &mut Quick) {
        let mut world = self.deal.imagine(self.knowledge, rng);
        self.tree.clear_visited();
        let mut path = Path::start(self.knowledge);
        if world.public.offer.is_empty() {
            let (nth, offer) = self.tree.offer(path, &world.public);
            world.public.make_offer(offer);
            path.offer(nth);
        }
        while !world.public.is_full() {
            let seat = world.public.bidder();
            let own = world.bids.iter().find(|bid| bid.seat == seat).map(|bid| bid.card);
            let (card, cushion) = self.tree.bid(path.with_own_card(own), &world.public, world.hands[seat]);
            world.bid(card, cushion);
            path.bid(cushion);
        }
        world.public.settle(&world.bids);
        self.tree.add_result(&self.gains.rate(&world));
    }
}
