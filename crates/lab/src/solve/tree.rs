//! The complete tree of a toy game, and its information sets: every deal, every draw, every action.

use std::collections::HashMap;
use std::ops::Range;

use sultan_domain::{
    Action, BySeat, Cards, CardsInOrder, Drawn, Jewel, Jewels, MoneyCard, Parameters, Players, Screens, Seat,
};
use sultan_rules::{Game, Pending, Progress, Setup};

/// The maximum number of positions.
pub(super) const MAX_POSITIONS: usize = 5_000_000;

/// One position. Its children are consecutive.
pub(super) struct Node {
    pub(super) kind: Kind,
    first_child: usize,
    children: usize,
}

impl Node {
    pub(super) const fn children(&self) -> Range<usize> {
        self.first_child..self.first_child + self.children
    }
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The game is over, with this payoff for seat 0.
    End { value: f64 },
    /// A deal or a draw.
    Chance,
    /// A decision of a seat, which knows only its information set.
    Decision { infoset: usize },
}

/// Positions that look alike to the seat to act.
pub(super) struct Infoset {
    pub(super) seat: usize,
    pub(super) actions: u32,
    /// The index of its first action in a list over all information sets.
    pub(super) first: usize,
}

impl Infoset {
    pub(super) const fn range(&self) -> Range<usize> {
        self.first..self.first + self.actions as usize
    }
}

pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The probability of reaching this position from its parent by chance; 1 after a decision.
    pub(super) odds: Vec<f64>,
    /// The contribution of chance to the probability of reaching this position.
    pub(super) chance: Vec<f64>,
    pub(super) levels: Vec<Vec<usize>>,
    pub(super) infosets: Vec<Infoset>,
    /// The total number of actions of all information sets.
    pub(super) actions: usize,
}

/// A position whose children do not exist yet.
struct Open {
    node: usize,
    game: Game,
    seen: Seen,
}

impl Tree {
    /// The complete tree; `None` if it is too large.
    pub(super) fn new(parameters: Parameters) -> Option<Self> {
        let mut tree = Self {
            nodes: Vec::new(),
            odds: vec![1.0],
            chance: vec![1.0],
            levels: vec![vec![0]],
            infosets: Vec::new(),
            actions: 0,
        };
        let deals = deals(&parameters)?;
        tree.nodes.push(Node { kind: Kind::Chance, first_child: 1, children: 0 });
        let mut level = Vec::new();
        for (first, first_odds) in &deals {
            for (second, second_odds) in &deals {
                let mut decks = BySeat([*first; 5]);
                decks.0[1] = *second;
                let setup = Setup { parameters, first_seat: Seat::default(), screens: Screens::Closed, decks };
                let game = Game::new(&setup).expect("the parameters were checked and the decks are full");
                let mut seen = Seen::default();
                seen.take_hands(&game);
                level.push(tree.open(0, first_odds * second_odds, &game, seen));
            }
        }
        let mut infoset_indices = HashMap::new();
        while !level.is_empty() {
            tree.levels.push(level.iter().map(|open| open.node).collect());
            let mut next = Vec::new();
            for open in level {
                tree.expand(open, &mut infoset_indices, &mut next);
                if tree.nodes.len() > MAX_POSITIONS {
                    return None;
                }
            }
            level = next;
        }
        Some(tree)
    }

    /// The information set of a position, if this seat is to act.
    pub(super) fn infoset_of(&self, node: usize, seat: usize) -> Option<&Infoset> {
        match self.nodes[node].kind {
            Kind::Decision { infoset } => Some(&self.infosets[infoset]).filter(|set| set.seat == seat),
            Kind::End { .. } | Kind::Chance => None,
        }
    }

    /// Adds a position after its parent's other children.
    fn open(&mut self, parent: usize, odds: f64, game: &Game, seen: Seen) -> Open {
        let node = self.nodes.len();
        self.nodes[parent].children += 1;
        self.nodes.push(Node { kind: Kind::Chance, first_child: 0, children: 0 });
        self.odds.push(odds);
        self.chance.push(self.chance[parent] * odds);
        Open { node, game: *game, seen }
    }

    fn expand(&mut self, open: Open, infoset_indices: &mut HashMap<(usize, Vec<u8>), usize>, next: &mut Vec<Open>) {
        let Open { node, game, seen } = open;
        self.nodes[node].first_child = self.nodes.len();
        match game.pending() {
            Pending::Over(outcome) => {
                let ranks = (outcome.places[0].rank, outcome.places[1].rank);
                let value = f64::from(i8::from(ranks.0 < ranks.1) - i8::from(ranks.0 > ranks.1));
                self.nodes[node].kind = Kind::End { value };
            }
            Pending::Chance(draw) => {
                for (drawn, odds) in draws(draw.pouch, draw.jewels) {
                    let (mut game, mut seen) = (game, seen.clone());
                    game.draw(drawn).expect("it was drawn from the pouch");
                    seen.append_for_both(Mark::Drawn, drawn.iter().map(|jewel| jewel as u8));
                    next.push(self.open(node, odds, &game, seen));
                }
            }
            Pending::Seat(seat) => {
                let actions = game.legal().len();
                let infoset =
                    *infoset_indices.entry((seat.index(), seen.0[seat.index()].clone())).or_insert_with(|| {
                        self.infosets.push(Infoset { seat: seat.index(), actions, first: self.actions });
                        self.actions += actions as usize;
                        self.infosets.len() - 1
                    });
                self.nodes[node].kind = Kind::Decision { infoset };
                for action in game.legal().iter() {
                    let (mut game, mut seen) = (game, seen.clone());
                    seen.add_action(seat, action);
                    let progress = game.play(action).expect("a listed action is legal");
                    seen.add_round_end(&game, progress);
                    next.push(self.open(node, 1.0, &game, seen));
                }
            }
        }
    }
}

/// The observations of each seat, as bytes: two histories give a seat the same bytes if and only if they look alike to
/// it. A test compares this with views and recalls.
#[derive(Clone, Default)]
struct Seen([Vec<u8>; 2]);

/// The kind of the bytes after it.
#[derive(Clone, Copy)]
enum Mark {
    Hand,
    Drawn,
    Offer,
    OtherBid,
    OwnBid,
    CardsTurnedUp,
}

impl Seen {
    /// Adds an observation of both seats.
    fn append_for_both(&mut self, mark: Mark, values: impl Iterator<Item = u8>) {
        for byte in std::iter::once(mark as u8).chain(values) {
            self.0.iter_mut().for_each(|bytes| bytes.push(byte));
        }
    }

    /// Each seat takes its hand.
    fn take_hands(&mut self, game: &Game) {
        for (seat, bytes) in Players::ALL[0].seats().zip(&mut self.0) {
            bytes.push(Mark::Hand as u8);
            bytes.extend(game.hand(seat).iter().map(MoneyCard::value));
        }
    }

    /// Adds an action. The other seat sees the cushion of a card, but not its value.
    fn add_action(&mut self, seat: Seat, action: Action) {
        match action {
            Action::Offer(offer) => self.append_for_both(Mark::Offer, offer.iter().map(|jewel| jewel as u8)),
            Action::Bid { card, cushion } => {
                self.0[seat.index()].extend([Mark::OwnBid as u8, card.value(), cushion.number()]);
                self.0[1 - seat.index()].extend([Mark::OtherBid as u8, cushion.number()]);
            }
        }
    }

    /// After a finished round, adds the revealed cards, and at the end of a stage the new hands.
    fn add_round_end(&mut self, game: &Game, progress: Progress) {
        if progress == Progress::Continues {
            return;
        }
        let round = game.last_round().expect("a round was finished");
        self.append_for_both(Mark::CardsTurnedUp, round.bids.iter().map(|bid| bid.card.value()));
        if progress == Progress::RoundOver && game.finished_rounds().is_multiple_of(game.parameters().rounds_per_stage)
        {
            self.take_hands(game);
        }
    }
}

/// All possible sequences of hands of a seat, each as one deck, with their probabilities. The order of cards within a
/// hand and the remaining cards are irrelevant. `None` if two seats have too many combinations.
fn deals(parameters: &Parameters) -> Option<Vec<(CardsInOrder, f64)>> {
    let mut decks = vec![(CardsInOrder::new(), parameters.full_set(), 1.0)];
    for _ in 0..parameters.stages {
        let mut longer = Vec::new();
        for (deck, left, odds) in decks {
            let hands = picks(left.values().map(|card| (card, left.count(card))), parameters.hand());
            let all: f64 = hands.iter().map(|(_, ways)| ways).sum();
            for (hand, ways) in hands {
                let rest = left.without(Cards::of(&hand)).expect("the hand is part of the remaining cards");
                longer.push((deck.into_iter().chain(hand).collect(), rest, odds * ways / all));
            }
            if longer.len() * longer.len() > MAX_POSITIONS {
                return None;
            }
        }
        decks = longer;
    }
    let whole = |(deck, left, odds): (CardsInOrder, Cards, f64)| (deck.into_iter().chain(left.iter()).collect(), odds);
    Some(decks.into_iter().map(whole).collect())
}

/// All draws of `count` jewels, regardless of order, with their probabilities.
fn draws(pouch: Jewels, count: u8) -> Vec<(Drawn, f64)> {
    let draws = picks(Jewel::ALL.into_iter().map(|jewel| (jewel, pouch.count(jewel))), count);
    let all: f64 = draws.iter().map(|(_, ways)| ways).sum();
    draws.into_iter().filter_map(|(drawn, ways)| Some((Drawn::new(&drawn)?, ways / all))).collect()
}

/// All combinations of `count` items, given the number of each kind, with the number of ways to get each of them.
fn picks<T: Copy>(kinds: impl Iterator<Item = (T, u8)>, count: u8) -> Vec<(Vec<T>, f64)> {
    let count = usize::from(count);
    let mut picks = vec![(Vec::new(), 1.0)];
    for (kind, available) in kinds {
        let mut more = Vec::new();
        for (picked, ways) in &picks {
            for taken in 0..=available {
                let mut picked: Vec<T> = picked.clone();
                picked.extend(std::iter::repeat_n(kind, taken.into()));
                more.push((picked, ways * binomial(available, taken)));
            }
        }
        more.retain(|(picked, _)| picked.len() <= count);
        picks = more;
    }
    picks.retain(|(picked, _)| picked.len() == count);
    picks
}

fn binomial(items: u8, chosen: u8) -> f64 {
    (0..chosen).map(|i| f64::from(items - i) / f64::from(i + 1)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy(stages: u8, rounds_per_stage: u8, highest_card: u8, copies: u8) -> Parameters {
        Parameters {
            stages,
            rounds_per_stage,
            highest_card,
            copies,
            cushions: 2,
            pouch: Jewels::new([3, 2, 1, 0, 0]).unwrap(),
            ..Parameters::of(Players::ALL[0])
        }
    }

    #[test]
    fn odds_add_up_to_one() {
        for parameters in [toy(1, 1, 3, 1), toy(1, 1, 2, 2), toy(2, 1, 4, 1), toy(1, 2, 3, 2)] {
            let sum: f64 = deals(&parameters).unwrap().iter().map(|(_, odds)| odds).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            let drawn = draws(parameters.pouch, 3);
            assert!((drawn.iter().map(|(_, odds)| odds).sum::<f64>() - 1.0).abs() < 1e-12);
        }
        // Two of 1,1,2,2: each pair of equals in 1 of 6 ways, one of each in 4.
        let mut odds: Vec<f64> = deals(&toy(1, 1, 2, 2)).unwrap().iter().map(|(_, odds)| *odds * 6.0).collect();
        odds.sort_by(f64::total_cmp);
        assert!(odds.iter().zip([1.0, 1.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{odds:?}");
    }

    #[test]
    fn draw_probability_is_proportional_to_its_combinations() {
        // Three of WWWRRY, in 20 ways: WWW and RRY in one, WWY and WRR in three, WWR and WRY in six.
        let drawn = draws(toy(1, 1, 3, 1).pouch, 3);
        let mut ways: Vec<f64> = drawn.iter().map(|(_, odds)| odds * 20.0).collect();
        ways.sort_by(f64::total_cmp);
        assert_eq!(ways.len(), 6);
        assert!(ways.iter().zip([1.0, 1.0, 3.0, 3.0, 6.0, 6.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{ways:?}");
    }

    #[test]
    fn payoffs_are_zero_sum() {
        let tree = Tree::new(toy(1, 1, 4, 1)).unwrap();
        let ends = tree.nodes.iter().filter_map(|node| match node.kind {
            Kind::End { value } => Some(value),
            _ => None,
        });
        let (won, lost): (Vec<f64>, Vec<f64>) = ends.filter(|value| value.abs() > 0.5).partition(|&value| value > 0.0);
        assert!(won.iter().chain(&lost).all(|value| (value.abs() - 1.0).abs() < 1e-12));
        assert!(!won.is_empty() && !lost.is_empty(), "each seat wins some of the games");
    }

    #[test]
    fn information_sets_share_depth_and_actions() {
        let tree = Tree::new(toy(1, 1, 4, 1)).unwrap();
        let mut level_of = vec![None; tree.infosets.len()];
        for (depth, level) in tree.levels.iter().enumerate() {
            for &node in level {
                if let Kind::Decision { infoset } = tree.nodes[node].kind {
                    assert_eq!(*level_of[infoset].get_or_insert(depth), depth);
                    assert_eq!(tree.nodes[node].children().len(), tree.infosets[infoset].actions as usize);
                }
            }
        }
        let ends: f64 = tree
            .nodes
            .iter()
            .zip(&tree.chance)
            .filter(|(node, _)| matches!(node.kind, Kind::End { .. }))
            .map(|(_, odds)| odds)
            .sum();
        assert!(ends > 1.0, "chance does not choose the actions");
    }
}
