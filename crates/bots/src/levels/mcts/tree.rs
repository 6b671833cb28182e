//! The search trees of all players. A node has the statistics of each action of the player to act.
//!
//! A node is identified by its [`Path`]: the events of the round that the player to act has seen. These are the offer,
//! the cushions of the bids, and the player's own first card if each player places two. The hand is not part of the
//! path: an iteration skips the actions that its sampled hand does not allow, and each action counts the iterations in
//! which it was allowed.

use sultan_domain::{Action, Cards, Cushion, Legal, MoneyCard, Offer, Seat};

use super::plan;
use crate::search::knowledge::{Knowledge, PublicState};

/// The number of arms (actions with their statistics) of a node: 16 card values (0 is unused) times 3 cushions.
pub(super) const ARMS: usize = 48;
/// The exploration factor for the searching seat, in standard deviations of the node's results.
const EXPLORATION: f32 = 5.0;
/// The exploration factor for other seats, by number of players from 2 to 5. The higher it is, the longer their choices
/// follow the priors instead of the results. Chosen by a small grid search, in games against `jeweller` bots.
const EXPLORATION_OF_OTHERS: [f32; 4] = [80.0, 5.0, 25.0, 25.0];
/// Added to every prior, so that each action is tried.
const MIN_PRIOR: f32 = 0.02;
/// The prior of each of at most four offers.
const OFFER_PRIOR: f32 = 0.25;
/// The number of possible values of a [`Path`]: 12 bits for card and cushions, times 5 for no offer or one of four.
const PATHS: usize = 5 << 12;

/// The statistics of one action at one node. A result is the estimated winning chance of the seat that chose the
/// action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arm {
    /// The number of iterations that chose this action.
    pub(super) visits: u32,
    /// The number of iterations in which this action could be chosen.
    available: u32,
    result_sum: f32,
}

impl Arm {
    /// The average result; `None` if the action was never tried.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are precise enough for scores")]
    pub(super) fn mean(self) -> Option<f32> {
        (self.visits > 0).then(|| self.result_sum / self.visits as f32)
    }
}

/// The statistics of the actions of one player after one path.
struct Node {
    arms: [Arm; ARMS],
    visits: u32,
    result_sum: f32,
    sum_of_squared_results: f32,
    /// The prior of each action, computed on first use.
    priors: Option<[f32; ARMS]>,
}

impl Node {
    /// Chooses the arm with the highest score among the available arms, which are given with their index, their prior
    /// and their action. The score is the mean result plus an exploration bonus, which favours arms with a high prior
    /// and few visits. Returns the index and the action.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are precise enough for scores")]
    fn choose<T>(&mut self, exploration: f32, arms: impl Iterator<Item = (usize, f32, T)>) -> (usize, T) {
        let visits = self.visits.max(1) as f32;
        // Also the assumed mean result of an arm that was never tried.
        let mean_of_node = self.result_sum / visits;
        let variance = (self.sum_of_squared_results / visits - mean_of_node * mean_of_node).max(0.0);
        let exploration = exploration * variance.sqrt().max(0.001);
        let mut best: Option<(f32, usize, T)> = None;
        for (index, prior, action) in arms {
            let arm = &mut self.arms[index];
            arm.available += 1;
            let bonus = exploration * (prior + MIN_PRIOR) * (arm.available as f32).sqrt() / (arm.visits + 1) as f32;
            let score = arm.mean().unwrap_or(mean_of_node) + bonus;
            if best.as_ref().is_none_or(|&(highest, ..)| score > highest) {
                best = Some((score, index, action));
            }
        }
        let (_, index, action) = best.expect("the player to act has a legal action");
        (index, action)
    }
}

/// The part of the round that a player has seen. From the lowest bit: four bits for the player's own first card, eight
/// bits for the cushions of up to four bids, then the offer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path(usize);

impl Path {
    /// The path at which a search starts. It omits the earlier events of the round, because they are the same in all
    /// iterations, except the searching player's own first card, which has its own bits.
    pub(super) fn start(knowledge: &Knowledge) -> Self {
        Self(0).with_own_card(knowledge.own.first().map(|bid| bid.card))
    }

    /// This path as seen by a player with this first card of the round.
    pub(super) fn with_own_card(self, card: Option<MoneyCard>) -> Self {
        Self(self.0 & !15 | card.map_or(0, |card| usize::from(card.value())))
    }

    /// Adds the offer with this index among the legal offers.
    pub(super) fn add_offer(&mut self, index: usize) {
        self.0 = (index + 1) << 12;
    }

    /// Adds a bid on a cushion. The lowest four bits, the bidder's card, become 0: the other players do not see it.
    pub(super) fn add_bid(&mut self, cushion: Cushion) {
        // Two bits per bid: the number of its cushion, from 1. The newest bid has the lowest bits.
        let cushions = self.0 >> 4 & 0xff;
        self.0 = self.0 & !0xfff | (cushions << 2 | (cushion.index() + 1)) << 4 & 0xfff;
    }
}

/// All nodes of one search.
pub(super) struct Tree {
    /// The node of each path that has been visited.
    nodes: Vec<Option<Box<Node>>>,
    /// The actions chosen in the current iteration: the path, the index of the arm, and the seat that chose.
    visited: Vec<(Path, usize, Seat)>,
    searching_seat: Seat,
}

impl Tree {
    pub(super) fn new(searching_seat: Seat) -> Self {
        let nodes = std::iter::repeat_with(|| None).take(PATHS).collect();
        Self { nodes, visited: Vec::with_capacity(8), searching_seat }
    }

    /// The index of the arm of a bid.
    pub(super) fn arm_index(card: MoneyCard, cushion: Cushion) -> usize {
        usize::from(card.value()) * 3 + cushion.index()
    }

    /// The statistics of an action after a path.
    pub(super) fn arm(&self, path: Path, arm_index: usize) -> Arm {
        self.nodes[path.0].as_ref().map_or_else(Arm::default, |node| node.arms[arm_index])
    }

    /// The node of a path, which is added if it does not exist.
    fn node(&mut self, path: Path) -> &mut Node {
        self.nodes[path.0].get_or_insert_with(|| {
            let arms = [Arm::default(); ARMS];
            Box::new(Node { arms, visits: 0, result_sum: 0.0, sum_of_squared_results: 0.0, priors: None })
        })
    }

    /// Chooses an offer of the round's first player. Also returns its index among the legal offers.
    pub(super) fn choose_offer(&mut self, path: Path, public: &PublicState) -> (usize, Offer) {
        let legal = Legal::Offers { drawn: public.drawn.jewels() };
        let offers = legal.iter().enumerate().filter_map(|(index, action)| match action {
            Action::Offer(offer) => Some((index, OFFER_PRIOR, offer)),
            Action::Bid { .. } => None,
        });
        let (index, offer) = self.node(path).choose(EXPLORATION, offers);
        self.visited.push((path, index, public.first));
        (index, offer)
    }

    /// Chooses a bid of the next bidder, whose sampled hand is `hand`.
    pub(super) fn choose_bid(&mut self, path: Path, public: &PublicState, hand: Cards) -> (MoneyCard, Cushion) {
        let seat = public.bidder();
        let is_searching = seat == self.searching_seat;
        let exploration = if is_searching { EXPLORATION } else { EXPLORATION_OF_OTHERS[public.players() - 2] };
        let node = self.node(path);
        let priors = *node.priors.get_or_insert_with(|| plan::priors(public));
        let open = public.open_cushions(seat);
        let bids = || open.iter().flat_map(|cushion| hand.values().map(move |card| (card, cushion)));
        let prior_sum: f32 = bids().map(|(card, cushion)| priors[Self::arm_index(card, cushion)]).sum();
        let arms = bids().map(|(card, cushion)| {
            let index = Self::arm_index(card, cushion);
            (index, priors[index] / prior_sum, (card, cushion))
        });
        let (index, bid) = node.choose(exploration, arms);
        self.visited.push((path, index, seat));
        bid
    }

    /// Ends an iteration: adds the estimated winning chances to the statistics of all actions chosen in the iteration.
    pub(super) fn add_result(&mut self, win_chances: &[f32; 5]) {
        while let Some((path, arm_index, seat)) = self.visited.pop() {
            let result = win_chances[seat.index()];
            let node = self.node(path);
            node.visits += 1;
            node.result_sum += result;
            node.sum_of_squared_results += result * result;
            let arm = &mut node.arms[arm_index];
            arm.visits += 1;
            arm.result_sum += result;
        }
    }
}
