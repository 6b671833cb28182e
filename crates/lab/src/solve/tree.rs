//! The complete tree of a toy game: every deal, every draw, every action.
//!
//! An *information set* contains all positions that look alike to the seat to act: it must act in the same way in all
//! of them.

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
    /// The probability that the deal or draw before this position leads to it; 1 after a decision.
    pub(super) probability: f64,
    /// The product of `probability` over this position and all positions before it.
    pub(super) reach_by_chance: f64,
    first_child: usize,
    child_count: usize,
}

impl Node {
    /// The indices of the positions that follow directly.
    pub(super) const fn children(&self) -> Range<usize> {
        self.first_child..self.first_child + self.child_count
    }
}

/// The kind of a position.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The game is over, with this payoff for seat 0.
    End { payoff: f64 },
    /// A deal or a draw.
    Chance,
    /// A decision of a seat, which knows only the index of its information set.
    Decision { infoset: usize },
}

/// An information set. The actions of all sets are numbered in one sequence, those of a set consecutively.
pub(super) struct Infoset {
    /// The seat to act.
    seat: usize,
    pub(super) action_count: u32,
    /// The number of the set's first action.
    pub(super) first_action: usize,
}

impl Infoset {
    /// The numbers of the actions of this set.
    pub(super) const fn actions(&self) -> Range<usize> {
        self.first_action..self.first_action + self.action_count as usize
    }
}

/// A game tree: positions and information sets, both named by their indices. The first position deals the cards.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The positions by their number of actions and draws.
    pub(super) levels: Vec<Vec<usize>>,
    pub(super) infosets: Vec<Infoset>,
    /// The total number of actions of all information sets.
    pub(super) action_count: usize,
}

/// A position whose children are not in the tree yet.
struct Unexpanded {
    node: usize,
    game: Game,
    observations: Observations,
}

/// The index of each information set, by its seat and the seat's observations.
type InfosetIndices = HashMap<(usize, Vec<u8>), usize>;

impl Tree {
    /// The complete tree; `None` if it is too large.
    pub(super) fn new(parameters: Parameters) -> Option<Self> {
        let root = Node { kind: Kind::Chance, probability: 1.0, reach_by_chance: 1.0, first_child: 1, child_count: 0 };
        let mut tree = Self { nodes: vec![root], levels: vec![vec![0]], infosets: Vec::new(), action_count: 0 };
        let deals = deals(&parameters)?;
        let mut level = Vec::new();
        for (deck_of_first_seat, first_probability) in &deals {
            for (deck_of_second_seat, second_probability) in &deals {
                // The decks of seats 2 to 4 are not used.
                let mut decks = BySeat([*deck_of_first_seat; 5]);
                decks.0[1] = *deck_of_second_seat;
                let setup = Setup { parameters, first_seat: Seat::default(), screens: Screens::Closed, decks };
                let game = Game::new(&setup).expect("the parameters were checked and the decks are full");
                let mut observations = Observations::default();
                observations.add_hands(&game);
                level.push(tree.add_child(0, first_probability * second_probability, &game, observations));
            }
        }
        let mut infoset_indices = InfosetIndices::new();
        while !level.is_empty() {
            tree.levels.push(level.iter().map(|unexpanded| unexpanded.node).collect());
            let mut next_level = Vec::new();
            for unexpanded in level {
                tree.expand(unexpanded, &mut infoset_indices, &mut next_level);
                if tree.nodes.len() > MAX_POSITIONS {
                    return None;
                }
            }
            level = next_level;
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

    /// Adds a position as the last child of its parent.
    fn add_child(&mut self, parent: usize, probability: f64, game: &Game, observations: Observations) -> Unexpanded {
        let node = self.nodes.len();
        self.nodes[parent].child_count += 1;
        let reach_by_chance = self.nodes[parent].reach_by_chance * probability;
        self.nodes.push(Node { kind: Kind::Chance, probability, reach_by_chance, first_child: 0, child_count: 0 });
        Unexpanded { node, game: *game, observations }
    }

    /// Sets the kind of a position, and adds its children to the tree and to `next_level`.
    fn expand(
        &mut self,
        unexpanded: Unexpanded,
        infoset_indices: &mut InfosetIndices,
        next_level: &mut Vec<Unexpanded>,
    ) {
        let Unexpanded { node, game, observations } = unexpanded;
        self.nodes[node].first_child = self.nodes.len();
        match game.pending() {
            Pending::Over(outcome) => {
                // Rank 1 is the winner's.
                let ranks = (outcome.places[0].rank, outcome.places[1].rank);
                let payoff = f64::from(i8::from(ranks.0 < ranks.1) - i8::from(ranks.0 > ranks.1));
                self.nodes[node].kind = Kind::End { payoff };
            }
            Pending::Chance(draw) => {
                for (drawn, probability) in draws(draw.pouch, draw.jewels) {
                    let (mut game, mut observations) = (game, observations.clone());
                    game.draw(drawn).expect("the jewels are in the pouch");
                    observations.add_for_both(Observation::Drawn, drawn.iter().map(|jewel| jewel as u8));
                    next_level.push(self.add_child(node, probability, &game, observations));
                }
            }
            Pending::Seat(seat) => {
                let key = (seat.index(), observations.0[seat.index()].clone());
                let infoset = *infoset_indices.entry(key).or_insert_with(|| {
                    let (action_count, first_action) = (game.legal().len(), self.action_count);
                    self.infosets.push(Infoset { seat: seat.index(), action_count, first_action });
                    self.action_count += action_count as usize;
                    self.infosets.len() - 1
                });
                self.nodes[node].kind = Kind::Decision { infoset };
                for action in game.legal().iter() {
                    let (mut game, mut observations) = (game, observations.clone());
                    observations.add_action(seat, action);
                    let progress = game.play(action).expect("a listed action is legal");
                    observations.add_round_end(&game, progress);
                    next_level.push(self.add_child(node, 1.0, &game, observations));
                }
            }
        }
    }
}

/// The observations of each seat in the game so far, as bytes: two positions look alike to a seat if and only if its
/// bytes are equal. A test compares this with views and recalls.
#[derive(Clone, Default)]
struct Observations([Vec<u8>; 2]);

/// The first byte of an observation.
#[derive(Clone, Copy)]
enum Observation {
    Hand,
    Drawn,
    Offer,
    OtherBid,
    OwnBid,
    RevealedCards,
}

impl Observations {
    /// Adds an observation of both seats.
    fn add_for_both(&mut self, observation: Observation, values: impl Iterator<Item = u8>) {
        for byte in std::iter::once(observation as u8).chain(values) {
            self.0.iter_mut().for_each(|bytes| bytes.push(byte));
        }
    }

    /// Adds for each seat its own hand.
    fn add_hands(&mut self, game: &Game) {
        for (seat, bytes) in Players::TWO.seats().zip(&mut self.0) {
            bytes.push(Observation::Hand as u8);
            bytes.extend(game.hand(seat).iter().map(MoneyCard::value));
        }
    }

    /// Adds an action of a seat. The other seat sees the cushion of a card, but not its value.
    fn add_action(&mut self, seat: Seat, action: Action) {
        match action {
            Action::Offer(offer) => self.add_for_both(Observation::Offer, offer.iter().map(|jewel| jewel as u8)),
            Action::Bid { card, cushion } => {
                self.0[seat.index()].extend([Observation::OwnBid as u8, card.value(), cushion.number()]);
                self.0[1 - seat.index()].extend([Observation::OtherBid as u8, cushion.number()]);
            }
        }
    }

    /// Adds the revealed cards if the action ended a round, and also the new hands if it ended a stage.
    fn add_round_end(&mut self, game: &Game, progress: Progress) {
        if progress == Progress::Continues {
            return;
        }
        let round = game.last_round().expect("a round was finished");
        self.add_for_both(Observation::RevealedCards, round.bids.iter().map(|bid| bid.card.value()));
        if progress == Progress::RoundOver && game.finished_rounds().is_multiple_of(game.parameters().rounds_per_stage)
        {
            self.add_hands(game);
        }
    }
}

/// All possible sequences of hands of a seat, each as one deck, with their probabilities. The order of cards within a
/// hand and the cards that are never dealt are irrelevant. `None` if the decks of two seats have more combinations than
/// [`MAX_POSITIONS`].
fn deals(parameters: &Parameters) -> Option<Vec<(CardsInOrder, f64)>> {
    let mut decks = vec![(CardsInOrder::new(), parameters.full_set(), 1.0)];
    for _ in 0..parameters.stages {
        let mut longer_decks = Vec::new();
        for (deck, undealt, probability) in decks {
            let hands = combinations(undealt.values().map(|card| (card, undealt.count(card))), parameters.hand_size());
            for (hand, hand_probability) in hands {
                let undealt = undealt.without(Cards::of(&hand)).expect("the hand is part of the undealt cards");
                let longer_deck: CardsInOrder = deck.into_iter().chain(hand).collect();
                longer_decks.push((longer_deck, undealt, probability * hand_probability));
            }
            if longer_decks.len() * longer_decks.len() > MAX_POSITIONS {
                return None;
            }
        }
        decks = longer_decks;
    }
    let complete = decks.into_iter().map(|(deck, undealt, probability)| {
        let all_cards = deck.into_iter().chain(undealt.iter());
        (all_cards.collect(), probability)
    });
    Some(complete.collect())
}

/// All draws of `count` jewels, regardless of order, with their probabilities. `count` is at most four, so that a
/// [`Drawn`] holds each of them.
fn draws(pouch: Jewels, count: u8) -> Vec<(Drawn, f64)> {
    let draws = combinations(Jewel::ALL.into_iter().map(|jewel| (jewel, pouch.count(jewel))), count);
    draws.into_iter().filter_map(|(drawn, probability)| Some((Drawn::new(&drawn)?, probability))).collect()
}

/// All combinations of `count` items with their probabilities, given the number of available items of each kind.
fn combinations<T: Copy>(kinds: impl Iterator<Item = (T, u8)>, count: u8) -> Vec<(Vec<T>, f64)> {
    let count = usize::from(count);
    // Items of the kinds so far, with the number of ways to choose them.
    let mut combinations = vec![(Vec::new(), 1.0)];
    for (kind, available) in kinds {
        let mut longer = Vec::new();
        for (items, ways) in &combinations {
            for taken in 0..=available {
                let mut items: Vec<T> = items.clone();
                items.extend(std::iter::repeat_n(kind, taken.into()));
                longer.push((items, ways * binomial(available, taken)));
            }
        }
        longer.retain(|(items, _)| items.len() <= count);
        combinations = longer;
    }
    combinations.retain(|(items, _)| items.len() == count);
    let all_ways: f64 = combinations.iter().map(|(_, ways)| ways).sum();
    combinations.into_iter().map(|(items, ways)| (items, ways / all_ways)).collect()
}

/// The number of ways to choose `chosen` of `items` items.
fn binomial(items: u8, chosen: u8) -> f64 {
    (0..chosen).map(|i| f64::from(items - i) / f64::from(i + 1)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game for two with two cushions and the jewels WWWRRY.
    fn toy(stages: u8, rounds_per_stage: u8, highest_card: u8, copies: u8) -> Parameters {
        Parameters {
            stages,
            rounds_per_stage,
            highest_card,
            copies,
            cushions: 2,
            pouch: Jewels::new([3, 2, 1, 0, 0]).unwrap(),
            ..Parameters::of(Players::TWO)
        }
    }

    #[test]
    fn probabilities_add_up_to_one() {
        for parameters in [toy(1, 1, 3, 1), toy(1, 1, 2, 2), toy(2, 1, 4, 1), toy(1, 2, 3, 2)] {
            let sum_of_deals: f64 = deals(&parameters).unwrap().iter().map(|(_, probability)| probability).sum();
            let sum_of_draws: f64 = draws(parameters.pouch, 3).iter().map(|(_, probability)| probability).sum();
            assert!((sum_of_deals - 1.0).abs() < 1e-12 && (sum_of_draws - 1.0).abs() < 1e-12);
        }
        // A hand of two of the cards 1, 1, 2, 2: there are 6 ways, 1 to get two ones, 1 to get two twos, 4 to get both.
        let hands = deals(&toy(1, 1, 2, 2)).unwrap();
        let mut ways: Vec<f64> = hands.iter().map(|(_, probability)| probability * 6.0).collect();
        ways.sort_by(f64::total_cmp);
        assert!(ways.iter().zip([1.0, 1.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{ways:?}");
    }

    #[test]
    fn draw_probability_is_proportional_to_its_combinations() {
        // Three jewels of WWWRRY, in 20 ways: WWW and RRY in 1 each, WWY and WRR in 3 each, WWR and WRY in 6 each.
        let draws = draws(toy(1, 1, 3, 1).pouch, 3);
        let mut ways: Vec<f64> = draws.iter().map(|(_, probability)| probability * 20.0).collect();
        ways.sort_by(f64::total_cmp);
        assert_eq!(ways.len(), 6);
        assert!(ways.iter().zip([1.0, 1.0, 3.0, 3.0, 6.0, 6.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{ways:?}");
    }

    #[test]
    fn payoffs_are_plus_one_for_a_win_and_minus_one_for_a_loss() {
        let tree = Tree::new(toy(1, 1, 4, 1)).unwrap();
        let payoffs = tree.nodes.iter().filter_map(|node| match node.kind {
            Kind::End { payoff } => Some(payoff),
            _ => None,
        });
        let decisive = payoffs.filter(|payoff| payoff.abs() > 0.5);
        let (won, lost): (Vec<f64>, Vec<f64>) = decisive.partition(|&payoff| payoff > 0.0);
        assert!(won.iter().chain(&lost).all(|payoff| (payoff.abs() - 1.0).abs() < 1e-12));
        assert!(!won.is_empty() && !lost.is_empty(), "one seat wins none of the games");
    }

    #[test]
    fn positions_of_an_information_set_have_the_same_depth_and_actions() {
        let tree = Tree::new(toy(1, 1, 4, 1)).unwrap();
        let mut level_of = vec![None; tree.infosets.len()];
        for (depth, level) in tree.levels.iter().enumerate() {
            for &node in level {
                if let Kind::Decision { infoset } = tree.nodes[node].kind {
                    assert_eq!(*level_of[infoset].get_or_insert(depth), depth);
                    assert_eq!(tree.nodes[node].children().len(), tree.infosets[infoset].actions().len());
                }
            }
        }
        // The sum would be 1 if chance also chose the actions: every choice between actions multiplies the ends.
        let ends = tree.nodes.iter().filter(|node| matches!(node.kind, Kind::End { .. }));
        let reach_of_ends: f64 = ends.map(|node| node.reach_by_chance).sum();
        assert!(reach_of_ends > 1.0, "actions count as chance");
    }
}
