//! Monte Carlo tree search over information sets, with a tree for each player (multiple-observer ISMCTS).
//!
//! An information set is the complete knowledge of a player. Each iteration samples the hidden cards (`deal`), plays
//! the current round through the players' trees (`tree`), which try a jeweller's actions first (`plan`), and estimates
//! every seat's winning chance afterwards (`gains`), from the jewels won and the cards spent.
//!
//! The trees end with the round: the revealed cards and the next draw have too many combinations to be visited twice.
//! Random playouts to the end of the stage were tried instead of the estimate, and won far fewer games: if later cards
//! are played at random, the search considers them almost worthless and spends high cards too soon.

mod deal;
mod gains;
mod plan;
mod tree;

use sultan_domain::{Action, Recall, View};
use sultan_rules::FastRng;

use crate::bot::uniform;
use crate::search::knowledge::Knowledge;
use crate::{Bot, WeighedAction};
use deal::Deal;
use gains::Gains;
use tree::{Arm, Path, Tree};

/// Plays the action that was tried most often in thousands of imagined rounds. For comparison with the other levels.
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
const ITERATIONS_PER_STOP_CALL: u32 = 16;

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let legal = view.legal();
        let knowledge =
            Knowledge::new(view, recall, rng).filter(|knowledge| !knowledge.public.is_over() && !legal.is_empty());
        let Some(knowledge) = knowledge else { return uniform(view) };
        let mut search = TreeSearch::new(&knowledge);
        for iteration in 0..self.iterations.max(1) {
            if iteration > 0 && iteration % ITERATIONS_PER_STOP_CALL == 0 && stop() {
                break;
            }
            search.iterate(rng);
        }
        let arms: Vec<(Action, Arm)> =
            legal.iter().enumerate().map(|(index, action)| (action, search.arm(action, index))).collect();
        let most_visits = arms.iter().map(|(_, arm)| arm.visits).max().unwrap_or(0);
        let chosen = arms.iter().position(|(_, arm)| arm.visits == most_visits);
        // An action that was never tried gets the winning chance of the worst one that was tried.
        let worst_tried = arms.iter().filter_map(|(_, arm)| arm.mean()).fold(1.0, f32::min);
        let weighed = |(index, &(action, arm)): (usize, &(Action, Arm))| WeighedAction {
            action,
            share: if Some(index) == chosen { 1.0 } else { 0.0 },
            win: f64::from(arm.mean().unwrap_or(worst_tried)).clamp(0.0, 1.0),
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

    /// The statistics of a legal action. `index`, its position among the legal actions, identifies an offer.
    fn arm(&self, action: Action, index: usize) -> Arm {
        let arm_index = match action {
            Action::Offer(_) => index,
            Action::Bid { card, cushion } => Tree::arm_index(card, cushion),
        };
        self.tree.arm(Path::start(self.knowledge), arm_index)
    }

    /// Plays one imagined round and updates the trees.
    fn iterate(&mut self, rng: &mut FastRng) {
        let mut world = self.deal.imagine(self.knowledge, rng);
        let mut path = Path::start(self.knowledge);
        if world.public.offer.is_empty() {
            let (index, offer) = self.tree.choose_offer(path, &world.public);
            world.public.make_offer(offer);
            path.add_offer(index);
        }
        while !world.public.is_full() {
            let seat = world.public.bidder();
            // Only with two players, a bidder may already have a card on the board.
            let own_first_card = world.bids.iter().find(|bid| bid.seat == seat).map(|bid| bid.card);
            let path_of_seat = path.with_own_card(own_first_card);
            let (card, cushion) = self.tree.choose_bid(path_of_seat, &world.public, world.hands[seat]);
            world.bid(card, cushion);
            path.add_bid(cushion);
        }
        world.public.settle(&world.bids);
        self.tree.add_result(&self.gains.win_chances(&world));
    }
}
