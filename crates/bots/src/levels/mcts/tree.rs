//! The players' search trees: statistics of each action, by the knowledge of its player.
//!
//! A node is identified by the events of the round that the player to act has seen: the offer, the cushions of the
//! bids, and its own first card if it places two. Its hand is not part of the node: actions that the sampled hand does
//! not allow are skipped in this iteration, and each action counts the iterations in which it was available.

use sultan_domain::{Action, Cards, Cushion, Legal, MoneyCard, Offer, Seat};

use super::plan;
use crate::search::knowledge::{Knowledge, PublicState};

/// The number of arms: one per card and cushion.
pub(super) const ARMS: usize = 48;
/// The exploration factor for the searching seat, in standard deviations of the node's results.
const EXPLORE: f32 = 5.0;
/// The exploration factor for other seats, by number of players from 2 to 5: the higher, the longer they follow their
/// priors. Chosen by a small grid search, in games against `jeweller` bots.
const EXPLORE_OTHERS: [f32; 4] = [80.0, 5.0, 25.0, 25.0];
/// Added to every prior, so that each action is tried.
const MIN_PRIOR: f32 = 0.02;
/// An upper bound on the number of paths through a round.
const PATHS: usize = 5 << 12;

/// The statistics of one action at one node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arm {
    pub(super) visits: u32,
    /// The number of iterations in which it could be chosen.
    available: u32,
    sum: f32,
}

impl Arm {
    /// The average result.
    #[expect(clippy::cast_precision_loss, reason = "half the digits are enough")]
    pub(super) fn mean(self) -> f32 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f32 }
    }
}

/// The statistics of a player's knowledge and of each action.
struct Node {
    arms: [Arm; ARMS],
    visits: u32,
    sum: f32,
    squares: f32,
    /// The prior of each action, computed on first use.
    priors: Option<[f32; ARMS]>,
}

const EMPTY_NODE: Node =
    Node { arms: [Arm { visits: 0, available: 0, sum: 0.0 }; ARMS], visits: 0, sum: 0.0, squares: 0.0, priors: None };

/// The part of the round a player has seen. From the lowest bit: its own first card, two bits per placed card, the
/// offer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path(usize);

impl Path {
    /// The path at which a search starts. Earlier events, except the own card, are the same in all iterations and omitted.
    pub(super) fn start(knowledge: &Knowledge) -> Self {
        Self(0).with_own_card(knowledge.own.first().map(|bid| bid.card))
    }

    /// This path as seen by a player who has placed this card.
    pub(super) fn with_own_card(self, card: Option<MoneyCard>) -> Self {
        Self(self.0 & !15 | card.map_or(0, |card| usize::from(card.value())))
    }

    pub(super) fn offer(&mut self, nth: usize) {
        self.0 = (nth + 1) << 12;
    }

    pub(super) fn bid(&mut self, cushion: Cushion) {
        let placed = self.0 >> 4 & 0xff;
        self.0 = self.0 & !0xfff | (placed << 2 | (cushion.index() + 1)) << 4 & 0xfff;
    }
}

/// All nodes of one search.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The index of each path's node plus one; 0 if it has no node.
    node_numbers: Vec<u16>,
    /// The nodes and arms of the current iteration, with the seat that chose.
    visited: Vec<(usize, usize, Seat)>,
    /// The searching seat.
    own: Seat,
}

impl Tree {
    pub(super) fn new(own: Seat) -> Self {
        Self { nodes: Vec::with_capacity(512), node_numbers: vec![0; PATHS], visited: Vec::with_capacity(8), own }
    }

    /// The arm of a bid.
    pub(super) fn arm_index(card: MoneyCard, cushion: Cushion) -> usize {
        usize::from(card.value()) * 3 + cushion.index()
    }

    fn bid_at(arm: usize) -> (MoneyCard, Cushion) {
        let part = |number: usize| u8::try_from(number).expect("the number of arms fits");
        let card = MoneyCard::new(part(arm / 3)).expect("an arm of a bid begins with its card");
        (card, Cushion::new(part(arm % 3) + 1).expect("each card has an arm for each cushion"))
    }

    /// The statistics of an action.
    pub(super) fn arm(&self, path: Path, arm: usize) -> Arm {
        let number = usize::from(self.node_numbers[path.0 % PATHS]);
        if number == 0 { Arm::default() } else { self.nodes[number - 1].arms[arm] }
    }

    pub(super) fn clear_visited(&mut self) {
        self.visited.clear();
    }

    fn node(&mut self, path: Path) -> usize {
        let number = usize::from(self.node_numbers[path.0 % PATHS]);
        if number > 0 {
            return number - 1;
        }
        self.nodes.push(EMPTY_NODE);
        self.node_numbers[path.0 % PATHS] = u16::try_from(self.nodes.len()).unwrap_or(u16::MAX);
        self.nodes.len() - 1
    }

    /// Chooses an offer.
    pub(super) fn offer(&mut self, path: Path, public: &PublicState) -> (usize, Offer) {
        let legal = Legal::Offers { drawn: public.drawn.jewels() };
        let node = self.node(path);
        let mut choice = Choice::new(&mut self.nodes[node], EXPLORE);
        (0..legal.len() as usize).for_each(|arm| choice.consider(arm, 0.25));
        let arm = choice.chosen;
        self.visited.push((node, arm, public.first));
        let nth = u32::try_from(arm).expect("the number of arms fits");
        let Some(Action::Offer(offer)) = legal.nth(nth) else { panic!("each arm of an offer is a legal one") };
        (arm, offer)
    }

    /// Chooses a bid.
    pub(super) fn bid(&mut self, path: Path, public: &PublicState, hand: Cards) -> (MoneyCard, Cushion) {
        let at = self.node(path);
        let seat = public.bidder();
        let explore = if seat == self.own { EXPLORE } else { EXPLORE_OTHERS[public.players() - 2] };
        let node = &mut self.nodes[at];
        let priors = *node.priors.get_or_insert_with(|| plan::priors(public));
        let open = public.open_cushions(seat);
        let arms = || open.iter().flat_map(|cushion| hand.values().map(move |card| Self::arm_index(card, cushion)));
        let all: f32 = arms().map(|arm| priors[arm]).sum();
        let mut choice = Choice::new(node, explore);
        arms().for_each(|arm| choice.consider(arm, priors[arm] / all));
        let arm = choice.chosen;
        self.visited.push((at, arm, seat));
        Self::bid_at(arm)
    }

    /// Adds the result to every action of this iteration.
    pub(super) fn add_result(&mut self, rates: &[f32; 5]) {
        for &(node, arm, seat) in &self.visited {
            let rate = rates[seat.index()];
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += rate;
            node.squares += rate * rate;
            let arm = &mut node.arms[arm];
            arm.visits += 1;
            arm.sum += rate;
        }
    }
}

/// Chooses the available arm with the best score: the mean result plus an exploration bonus.
struct Choice<'a> {
    node: &'a mut Node,
    /// The assumed result of an arm that was never tried.
    default_mean: f32,
    explore: f32,
    best: f32,
    chosen: usize,
}

#[expect(clippy::cast_precision_loss, reason = "half the digits are enough")]
impl<'a> Choice<'a> {
    fn new(node: &'a mut Node, explore: f32) -> Self {
        let visits = node.visits.max(1) as f32;
        let default_mean = node.sum / visits;
        let spread = (node.squares / visits - default_mean * default_mean).max(0.0).sqrt().max(0.001);

        Self { node, default_mean, explore: explore * spread, best: f32::NEG_INFINITY, chosen: 0 }
    }

    fn consider(&mut self, at: usize, prior: f32) {
        let arm = &mut self.node.arms[at];
        arm.available += 1;
        let mean = if arm.visits == 0 { self.default_mean } else { arm.sum / arm.visits as f32 };
        let score = mean + self.explore * (prior + MIN_PRIOR) * (arm.available as f32).sqrt() / (arm.visits + 1) as f32;
        if score > self.best {
            (self.best, self.chosen) = (score, at);
        }
    }
}
