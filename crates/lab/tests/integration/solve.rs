//! Toy games with known solutions, and the solver's information sets compared with views and recalls.

use std::collections::BTreeSet;

use sultan_domain::{
    BadParameters, BySeat, CardsInOrder, Drawn, Jewel, Jewels, MoneyCard, Observer, Parameters, Players, Recall,
    Screens, Seat,
};
use sultan_lab::solve::{SolveError, solve};
use sultan_rules::{Game, Pending, Progress, Setup};

/// A game for two with two cushions. `pouch` has the number of jewels of each colour, from white to blue.
fn toy(highest_card: u8, copies: u8, rounds_per_stage: u8, stages: u8, pouch: [u8; 5]) -> Parameters {
    Parameters {
        highest_card,
        copies,
        stages,
        rounds_per_stage,
        cushions: 2,
        pouch: Jewels::new(pouch).unwrap(),
        ..Parameters::of(Players::new(2).unwrap())
    }
}

#[test]
fn first_seat_wins_a_game_in_which_all_bids_tie() {
    // Each seat has two ones and plays one round, so every cushion is a tie. The first player wins ties (RULES 4.7).
    let solution = solve(toy(1, 2, 1, 1, [3, 0, 0, 0, 0]), None).unwrap();
    assert!((solution.value[0] - 1.0).abs() < 1e-12 && (solution.value[1] + 1.0).abs() < 1e-12);
    assert!(solution.exploitability.abs() < 1e-12);
}

#[test]
fn guessing_a_hidden_order_of_two_succeeds_half_the_time() {
    // Both seats have the cards 1 and 2, must bid on both cushions, and the jewels are equal. Seat 0 wins both jewels
    // if it places its cards in the same order as seat 1, because it wins ties. Otherwise each seat wins one: a draw.
    // The cards are face down, so both seats place them at random, and seat 0 wins half of the games.
    let solution = solve(toy(2, 1, 1, 1, [3, 0, 0, 0, 0]), None).unwrap();
    assert!((solution.value[0] - 0.5).abs() < 2e-3, "{solution:?}");
    assert!(solution.exploitability < 1e-3);
    assert!((solution.value[0] + solution.value[1]).abs() < 2e-3);
}

#[test]
fn solver_runs_the_requested_iterations_or_until_a_best_response_gains_little() {
    // One round with the cards 1 to 3 and the jewels WWR.
    let requested = solve(toy(3, 1, 1, 1, [2, 1, 0, 0, 0]), Some(37)).unwrap();
    assert_eq!(requested.iterations, 37);
    let unlimited = solve(toy(3, 1, 1, 1, [2, 1, 0, 0, 0]), None).unwrap();
    assert!(unlimited.exploitability < 1e-4 && unlimited.exploitability <= requested.exploitability);
}

#[test]
fn games_with_more_than_a_thousand_information_sets_are_solved() {
    // The solver itself gave these numbers; the last test of this file checks such numbers for smaller games.
    for (parameters, infosets) in [(toy(6, 1, 1, 1, [2, 2, 1, 1, 0]), 1230), (toy(4, 1, 1, 2, [5, 0, 0, 0, 0]), 1746)] {
        let solution = solve(parameters, None).unwrap();
        assert_eq!(solution.infostates, infosets);
        assert!(solution.exploitability < 1e-4, "{solution:?}");
    }
}

#[test]
fn unsolvable_game_is_rejected() {
    let four_players = Parameters::of(Players::new(4).unwrap());
    assert_eq!(solve(four_players, None), Err(SolveError::Players));
    let published_game_of_two = Parameters::of(Players::new(2).unwrap());
    assert_eq!(solve(published_game_of_two, None), Err(SolveError::TooLarge));
    // Two rounds: the second draws 3 jewels after the first has given 2 away, and each needs two cards per seat.
    let too_few_jewels = solve(toy(4, 1, 2, 1, [4, 0, 0, 0, 0]), None);
    assert_eq!(too_few_jewels, Err(SolveError::Parameters(BadParameters::TooFewJewels { needed: 5, available: 4 })));
    let too_few_cards = solve(toy(3, 1, 2, 1, [9, 0, 0, 0, 0]), None);
    assert!(matches!(too_few_cards, Err(SolveError::Parameters(BadParameters::TooFewCards { .. }))));
}

/// Every order of these cards.
fn orders(cards: &[MoneyCard]) -> Vec<Vec<MoneyCard>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let orders_with_first = |first: usize| {
        let others = [&cards[..first], &cards[first + 1..]].concat();
        orders(&others).into_iter().map(move |order| [vec![cards[first]], order].concat())
    };
    (0..cards.len()).flat_map(orders_with_first).collect()
}

/// Plays the game on from this position in every possible way. Adds the view and recall of the seat to act at every
/// position with at least two legal actions to `found`, as text.
fn find_views_and_recalls(game: &Game, recall: &Recall, found: &mut BTreeSet<String>) {
    match game.pending() {
        Pending::Over(_) => {}
        Pending::Chance(draw) => {
            assert_eq!(draw.jewels, 3, "the triples below are draws of three");
            let pairs = Jewel::ALL.into_iter().flat_map(|a| Jewel::ALL.map(|b| [a, b]));
            let triples = pairs.flat_map(|[a, b]| Jewel::ALL.map(|c| [a, b, c]));
            for jewels in triples.filter(|jewels| jewels.is_sorted()) {
                let mut next = *game;
                if next.draw(Drawn::new(&jewels).unwrap()).is_ok() {
                    find_views_and_recalls(&next, recall, found);
                }
            }
        }
        Pending::Seat(seat) => {
            if game.legal().len() > 1 {
                found.insert(format!("{} {:?} {:?}", seat, game.view(Observer::Seat(seat)), recall.rounds()));
            }
            for action in game.legal().iter() {
                let (mut next, mut recall) = (*game, recall.clone());
                if next.play(action).unwrap() != Progress::Continues {
                    recall.push(next.last_round().unwrap());
                }
                find_views_and_recalls(&next, &recall, found);
            }
        }
    }
}

#[test]
fn number_of_information_sets_equals_that_of_distinct_views_and_recalls() {
    // Highest card, copies of each card, rounds per stage, stages, jewels of each colour.
    for parameters in [
        toy(3, 1, 1, 1, [2, 1, 0, 0, 0]),
        toy(3, 1, 1, 1, [2, 2, 1, 0, 0]),
        toy(2, 2, 2, 1, [4, 1, 0, 0, 0]),
        toy(2, 2, 1, 2, [5, 0, 0, 0, 0]),
    ] {
        let cards: Vec<MoneyCard> = parameters.full_set().iter().collect();
        let mut found = BTreeSet::new();
        let all_decks: Vec<CardsInOrder> = orders(&cards).into_iter().map(CardsInOrder::from_iter).collect();
        for deck_of_first_seat in &all_decks {
            for deck_of_second_seat in &all_decks {
                let mut decks = BySeat([*deck_of_first_seat; 5]);
                decks.0[1] = *deck_of_second_seat;
                let setup = Setup { parameters, first_seat: Seat::default(), screens: Screens::Closed, decks };
                find_views_and_recalls(&Game::new(&setup).unwrap(), &Recall::default(), &mut found);
            }
        }
        assert_eq!(solve(parameters, Some(1)).unwrap().infostates, found.len(), "{parameters:?}");
    }
}
