//! Exact solutions of toy games: the complete tree, CFR+, and exact best responses.
//!
//! Only for two players and parameters so small that every deal, draw and action fits into memory. CFR+ (counterfactual
//! regret minimisation) finds a mixed strategy for each seat. A best response to them gains `exploitability` on
//! average; with exact solutions it would gain 0. `tree` builds the game tree and explains information sets.

mod tree;

use serde::Serialize;
use sultan_domain::{BadParameters, Parameters};
use thiserror::Error;

use tree::{Kind, Tree};

/// The solution of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// The expected payoff of each seat: +1 for a win, −1 for a loss, 0 for a draw.
    pub value: [f64; 2],
    /// The exact gain of a best response against these strategies; the mean over both seats.
    pub exploitability: f64,
    /// The number of information sets (situations that a seat can distinguish) with at least two actions.
    pub infostates: usize,
    /// The number of CFR+ iterations.
    pub iterations: u64,
}

/// The reason why a game cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// More than two players: the game has no unique value.
    #[error("only games of two players can be solved")]
    Players,
    /// The parameters are invalid.
    #[error(transparent)]
    Parameters(#[from] BadParameters),
    /// The tree is too large.
    #[error("this game has more than {} positions: too large to be solved exactly", tree::MAX_POSITIONS)]
    TooLarge,
}

/// Without a given number of iterations, the solver stops at this exploitability.
const EXPLOITABILITY_GOAL: f64 = 1e-4;
/// Without a given number of iterations, the solver stops after this number at the latest.
const MAX_ITERATIONS: u64 = 20_000;
/// The number of iterations between two checks of the goal.
const ITERATIONS_PER_CHECK: u64 = 50;

/// Solves a game in which seat 0 is first, and decks and draws are random. Without `iterations`, it stops when a best
/// response gains less than 0.0001, or after 20 000 iterations.
///
/// # Errors
/// [`SolveError`] if the game is not for two players, invalid, or too large.
pub fn solve(parameters: Parameters, iterations: Option<u64>) -> Result<Solution, SolveError> {
    if parameters.players.count() != 2 {
        return Err(SolveError::Players);
    }
    parameters.check()?;
    let tree = Tree::new(parameters).ok_or(SolveError::TooLarge)?;
    let zeros = vec![0.0; tree.action_count];
    let strategy = normalised(&tree, &zeros);
    let mut solver = Solver { tree: &tree, regrets: zeros.clone(), strategy_sum: zeros, strategy };
    let mut finished = 0;
    while finished < iterations.unwrap_or(MAX_ITERATIONS) {
        finished += 1;
        solver.iterate(finished);
        let is_checked = iterations.is_none() && finished % ITERATIONS_PER_CHECK == 0;
        if is_checked && solver.exploitability() < EXPLOITABILITY_GOAL {
            break;
        }
    }
    let value = solver.payoffs(&normalised(&tree, &solver.strategy_sum))[0];
    Ok(Solution {
        value: [value, -value],
        exploitability: solver.exploitability(),
        infostates: tree.infosets.iter().filter(|set| set.action_count > 1).count(),
        iterations: finished,
    })
}

/// CFR+ with alternating updates and linearly weighted averages.
///
/// A *strategy* is one number per information set and action: the probability of the action.
struct Solver<'a> {
    tree: &'a Tree,
    /// The positive regret of each action: how much more it would have gained than the strategies played.
    regrets: Vec<f64>,
    /// The weighted sum of the strategies of all iterations.
    strategy_sum: Vec<f64>,
    /// The strategy of the current iteration.
    strategy: Vec<f64>,
}

impl Solver<'_> {
    /// Runs one iteration. `weight` is the weight of its strategies in the average; later iterations have more weight.
    ///
    /// By the rules of CFR, the gains of a seat's actions are weighted by the probability that chance and the other
    /// seat lead to the position, and the seat's strategy by the probability that chance and the seat itself do.
    fn iterate(&mut self, weight: u64) {
        for seat in [0, 1] {
            let reach = [0, 1].map(|seat| self.reach_by_seat(&self.strategy, seat));
            let payoffs = self.payoffs(&self.strategy);
            let mut gains = vec![0.0; self.regrets.len()];
            for (index, node) in self.tree.nodes.iter().enumerate() {
                let Some(set) = self.tree.infoset_of(index, seat) else { continue };
                let gain_weight = node.reach_by_chance * reach[1 - seat][index];
                #[expect(clippy::cast_precision_loss, reason = "iterations are few")]
                let strategy_weight = weight as f64 * node.reach_by_chance * reach[seat][index];
                for (action, child) in (set.first_action..).zip(node.children()) {
                    gains[action] += SIGN[seat] * gain_weight * (payoffs[child] - payoffs[index]);
                    self.strategy_sum[action] += strategy_weight * self.strategy[action];
                }
            }
            for (regret, gain) in self.regrets.iter_mut().zip(gains) {
                *regret = (*regret + gain).max(0.0);
            }
            self.strategy = normalised(self.tree, &self.regrets);
        }
    }

    /// The probability that a seat's own actions lead to each position: its factor of the probability of the position.
    fn reach_by_seat(&self, strategy: &[f64], seat: usize) -> Vec<f64> {
        let mut reach = vec![1.0; self.tree.nodes.len()];
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let set = self.tree.infoset_of(index, seat);
            for (action, child) in node.children().enumerate() {
                reach[child] = reach[index] * set.map_or(1.0, |set| strategy[set.first_action + action]);
            }
        }
        reach
    }

    /// The expected payoff of seat 0 at each position.
    fn payoffs(&self, strategy: &[f64]) -> Vec<f64> {
        let mut payoffs = vec![0.0; self.tree.nodes.len()];
        // Every position has a lower index than its children.
        for index in (0..self.tree.nodes.len()).rev() {
            payoffs[index] = self.payoff_at(index, strategy, &payoffs);
        }
        payoffs
    }

    /// The expected payoff of seat 0 at a position, given those of its children.
    fn payoff_at(&self, index: usize, strategy: &[f64], payoffs: &[f64]) -> f64 {
        let node = &self.tree.nodes[index];
        match node.kind {
            Kind::End { payoff } => payoff,
            Kind::Chance => node.children().map(|child| self.tree.nodes[child].probability * payoffs[child]).sum(),
            Kind::Decision { infoset } => {
                let probabilities = &strategy[self.tree.infosets[infoset].actions()];
                node.children().zip(probabilities).map(|(child, probability)| probability * payoffs[child]).sum()
            }
        }
    }

    /// The gain of a best response to the average strategies; the mean over both seats.
    fn exploitability(&self) -> f64 {
        let average = normalised(self.tree, &self.strategy_sum);
        f64::midpoint(self.best_response(&average, 0), self.best_response(&average, 1))
    }

    /// The payoff of a seat that plays its best response to the other seat's strategy.
    ///
    /// All positions of an information set are on the same level of the tree, and the seat must choose the same action
    /// in all of them. So, from the last level to the first, the values of each action are added up over the set.
    fn best_response(&self, strategy: &[f64], seat: usize) -> f64 {
        let other_seats_reach = self.reach_by_seat(strategy, 1 - seat);
        let mut payoffs = vec![0.0; self.tree.nodes.len()];
        let mut action_values = vec![0.0; self.tree.action_count];
        for level in self.tree.levels.iter().rev() {
            // First the values of the actions, for which all positions of a set are needed; then the payoffs.
            for &index in level {
                if let Some(set) = self.tree.infoset_of(index, seat) {
                    let node = &self.tree.nodes[index];
                    let weight = SIGN[seat] * node.reach_by_chance * other_seats_reach[index];
                    for (action, child) in (set.first_action..).zip(node.children()) {
                        action_values[action] += weight * payoffs[child];
                    }
                }
            }
            for &index in level {
                payoffs[index] = match self.tree.infoset_of(index, seat) {
                    Some(set) => {
                        let values = &action_values[set.actions()];
                        let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
                        self.tree.nodes[index].children().nth(best).map_or(0.0, |child| payoffs[child])
                    }
                    None => self.payoff_at(index, strategy, &payoffs),
                };
            }
        }
        SIGN[seat] * payoffs[0]
    }
}

/// The factor that turns the payoff of seat 0 into the payoff of each seat.
const SIGN: [f64; 2] = [1.0, -1.0];

/// Turns the weights of all actions into probabilities, per information set; uniform if all weights of a set are 0.
fn normalised(tree: &Tree, weights: &[f64]) -> Vec<f64> {
    let mut probabilities = weights.to_vec();
    for set in &tree.infosets {
        let of_set = &mut probabilities[set.actions()];
        let sum: f64 = of_set.iter().sum();
        let uniform = 1.0 / f64::from(set.action_count);
        of_set.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { uniform });
    }
    probabilities
}
