//! Exact solutions of toy games: the complete tree, CFR+, and exact best responses.
//!
//! Only for two players and parameters so small that every deal, draw and action fits into memory. The result is a
//! mixed strategy for both seats, against which a best response gains `exploitability`. `tree` builds the game tree.

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
    /// The exact gain of a best response; the mean over both seats.
    pub exploitability: f64,
    /// The number of information sets with at least two actions.
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

/// The default goal for the gain of a best response.
const GOAL: f64 = 1e-4;
/// The default maximum number of iterations.
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
    let mut solver = Solver::new(&tree);
    let most = iterations.unwrap_or(MAX_ITERATIONS);
    let mut done = 0;
    while done < most {
        done += 1;
        solver.iterate(done);
        if iterations.is_none() && done % ITERATIONS_PER_CHECK == 0 && solver.exploitability() < GOAL {
            break;
        }
    }
    let value = solver.value();
    Ok(Solution {
        value: [value, -value],
        exploitability: solver.exploitability(),
        infostates: tree.infosets.iter().filter(|set| set.actions > 1).count(),
        iterations: done,
    })
}

/// CFR+ with alternating updates and linearly weighted averages. All passes visit the tree level by level: all
/// positions of an information set are on the same level.
struct Solver<'a> {
    tree: &'a Tree,
    /// For each information set and action: positive regrets, and the sum of weighted strategies.
    regrets: Vec<f64>,
    sums: Vec<f64>,
    /// The strategy of this iteration.
    current: Vec<f64>,
}

impl<'a> Solver<'a> {
    fn new(tree: &'a Tree) -> Self {
        let size = tree.actions;
        let mut solver = Self { tree, regrets: vec![0.0; size], sums: vec![0.0; size], current: vec![0.0; size] };
        solver.current = solver.normalised(&solver.regrets);
        solver
    }

    /// Weights as probabilities, per information set; uniform if all are 0.
    fn normalised(&self, weights: &[f64]) -> Vec<f64> {
        let mut shares = weights.to_vec();
        for set in &self.tree.infosets {
            let own = &mut shares[set.range()];
            let sum: f64 = own.iter().sum();
            let even = 1.0 / f64::from(set.actions);
            own.iter_mut().for_each(|share| *share = if sum > 0.0 { *share / sum } else { even });
        }
        shares
    }

    fn iterate(&mut self, weight: u64) {
        for seat in [0, 1] {
            let reach = [self.reach(&self.current, 0), self.reach(&self.current, 1)];
            let values = self.values(&self.current);
            let sign = if seat == 0 { 1.0 } else { -1.0 };
            let mut gains = vec![0.0; self.regrets.len()];
            for (node, position) in self.tree.nodes.iter().enumerate() {
                let Some(set) = self.tree.infoset_of(node, seat) else { continue };
                let others = self.tree.chance[node] * reach[1 - seat][node];
                for (action, child) in position.children().enumerate() {
                    gains[set.first + action] += sign * others * (values[child] - values[node]);
                    #[expect(clippy::cast_precision_loss, reason = "iterations are few")]
                    let share = weight as f64 * self.tree.chance[node] * reach[seat][node];
                    self.sums[set.first + action] += share * self.current[set.first + action];
                }
            }
            for (regret, gain) in self.regrets.iter_mut().zip(gains) {
                *regret = (*regret + gain).max(0.0);
            }
            self.current = self.normalised(&self.regrets);
        }
    }

    /// The seat's contribution to the probability of reaching each position.
    fn reach(&self, strategy: &[f64], seat: usize) -> Vec<f64> {
        let mut reach = vec![1.0; self.tree.nodes.len()];
        for (node, position) in self.tree.nodes.iter().enumerate() {
            let own = self.tree.infoset_of(node, seat);
            for (action, child) in position.children().enumerate() {
                let share = own.map_or(1.0, |set| strategy[set.first + action]);
                reach[child] = reach[node] * share;
            }
        }
        reach
    }

    /// The expected payoff of seat 0 at each position.
    fn values(&self, strategy: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.tree.nodes.len()];
        // Every position has a lower index than its children.
        for node in (0..self.tree.nodes.len()).rev() {
            values[node] = self.value_at(node, strategy, &values);
        }
        values
    }

    /// The expected payoff of seat 0 at a position, given those of its children.
    fn value_at(&self, node: usize, strategy: &[f64], values: &[f64]) -> f64 {
        let children = self.tree.nodes[node].children();
        match self.tree.nodes[node].kind {
            Kind::End { value } => value,
            Kind::Chance => children.map(|child| self.tree.odds[child] * values[child]).sum(),
            Kind::Decision { infoset } => {
                let shares = &strategy[self.tree.infosets[infoset].range()];
                children.zip(shares).map(|(child, share)| share * values[child]).sum()
            }
        }
    }

    /// The expected payoff of seat 0 if both seats play their average strategies.
    fn value(&self) -> f64 {
        self.values(&self.normalised(&self.sums))[0]
    }

    /// The gain of a best response to the average strategies; the mean over both seats.
    fn exploitability(&self) -> f64 {
        let average = self.normalised(&self.sums);
        f64::midpoint(self.best_reply(&average, 0), self.best_reply(&average, 1))
    }

    /// The payoff of a seat's best response to a strategy.
    fn best_reply(&self, strategy: &[f64], seat: usize) -> f64 {
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let others = self.reach(strategy, 1 - seat);
        let mut values = vec![0.0; self.tree.nodes.len()];
        let mut action_values = vec![0.0; self.tree.actions];
        for level in self.tree.levels.iter().rev() {
            // First the value of each action, summed over each information set, then the best action of each set.
            for &node in level {
                if let Some(set) = self.tree.infoset_of(node, seat) {
                    let weight = sign * self.tree.chance[node] * others[node];
                    for (action, child) in self.tree.nodes[node].children().enumerate() {
                        action_values[set.first + action] += weight * values[child];
                    }
                }
            }
            for &node in level {
                values[node] = match self.tree.infoset_of(node, seat) {
                    Some(set) => {
                        let actions = &action_values[set.range()];
                        let best = (0..actions.len()).max_by(|&a, &b| actions[a].total_cmp(&actions[b])).unwrap_or(0);
                        self.tree.nodes[node].children().nth(best).map_or(0.0, |child| values[child])
                    }
                    None => self.value_at(node, strategy, &values),
                };
            }
        }
        sign * values[0]
    }
}
