//! Toy games with known solutions, and the solver's information sets compared with views and recalls.

use std::collections::BTreeSet;

use sultan_domain::{
    BadParameters, BySeat, CardsInOrder, Drawn, Jewel, Jewels, MoneyCard, Observer, Parameters, Players, Recall,
    Screens, Seat,
};
use sultan_lab::solve::{SolveError, solve};
use sultan_rules::{Game, Pending, Progress, Setup};

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

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 2e-3
}

#[test]
fn winning_all_ties_wins_the_game() {
    // All cards are ones: every cushion is a tie, and the first player wins ties (RULES 4.7).
    let solution = solve(toy(1, 2, 1, 1, [3, 0, 0, 0, 0]), None).unwrap();
    assert!((solution.value[0] - 1.0).abs() < 1e-12 && (solution.value[1] + 1.0).abs() < 1e-12);
    assert!(solution.exploitability.abs() < 1e-12);
}

#[test]
fn guessing_a_hidden_order_of_two_succeeds_half_the_time() {
    // Both seats have the cards 1 and 2, must bid on both cushions, and the jewels are equal. Seat 0 wins both jewels
    // if it places its cards in the same order as seat 1, because it wins ties. Otherwise each seat wins one: a draw.
    // The cards are face down, so both mix evenly, and seat 0 wins half of the games.
    let solution = solve(toy(2, 1, 1, 1, [3, 0, 0, 0, 0]), None).unwrap();
    assert!(close(solution.value[0], 0.5), "{solution:?}");
    assert!(solution.exploitability < 1e-3);
    assert!(close(solution.value[0] + solution.value[1], 0.0));
}

#[test]
fn solver_runs_the_requested_iterations() {
    let solution = solve(toy(3, 1, 1, 1, [2, 1, 0, 0, 0]), Some(37)).unwrap();
    assert_eq!(solution.iterations, 37);
    let more = solve(toy(3, 1, 1, 1, [2, 1, 0, 0, 0]), None).unwrap();
    // Without a number of iterations, it stops at this exploitability.
    assert!(more.exploitability < 1e-4 && more.exploitability <= solution.exploitability);
}

#[test]
fn thousands_of_information_states_are_solved() {
    for (parameters, infostates) in [(toy(6, 1, 1, 1, [2, 2, 1, 1, 0]), 1230), (toy(4, 1, 1, 2, [5, 0, 0, 0, 0]), 1746)]
    {
        let solution = solve(parameters, None).unwrap();
        assert_eq!(solution.infostates, infostates);
        assert!(solution.exploitability < 1e-4, "{solution:?}");
    }
}

#[test]
fn unsolvable_game_is_rejected() {
    let four = Parameters::of(Players::new(4).unwrap());
    assert_eq!(solve(four, None), Err(SolveError::Players));
    let two = Parameters::of(Players::new(2).unwrap());
    assert_eq!(solve(two, None), Err(SolveError::TooLarge));
    let short = solve(toy(4, 1, 2, 1, [4, 0, 0, 0, 0]), None);
    assert_eq!(short, Err(SolveError::Parameters(BadParameters::TooFewJewels { needed: 5, available: 4 })));
    assert!(matches!(
        solve(toy(3, 1, 2, 1, [9, 0, 0, 0, 0]), None),
        Err(SolveError::Parameters(BadParameters::TooFewCards { .. }))
    ));
}

/// Every order of these cards.
fn orders(cards: &[MoneyCard]) -> Vec<Vec<MoneyCard>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let rest = |at: usize| [&cards[..at], &cards[at + 1..]].concat();
    (0..cards.len())
        .flat_map(|at| orders(&rest(at)).into_iter().map(move |row| [vec![cards[at]], row].concat()))
        .collect()
}

/// Collects the views and recalls of all decisions with a choice, by playing out the whole game.
fn situations(game: &Game, memory: &Recall, found: &mut BTreeSet<String>) {
    match game.pending() {
        Pending::Over(_) => {}
        Pending::Chance(draw) => {
            let rows = Jewel::ALL
                .into_iter()
                .flat_map(|a| Jewel::ALL.map(|b| [a, b]))
                .flat_map(|[a, b]| Jewel::ALL.map(|c| [a, b, c]));
            for row in rows.filter(|row| row.is_sorted()) {
                assert_eq!(draw.jewels, 3);
                let mut next = *game;
                if next.draw(Drawn::new(&row).unwrap()).is_ok() {
                    situations(&next, memory, found);
                }
            }
        }
        Pending::Seat(seat) => {
            if game.legal().len() > 1 {
                found.insert(format!("{} {:?} {:?}", seat, game.view(Observer::Seat(seat)), memory.rounds()));
            }
            for action in game.legal().iter() {
                let (mut next, mut memory) = (*game, memory.clone());
                if next.play(action).unwrap() != Progress::Continues {
                    memory.push(next.last_round().unwrap());
                }
                situations(&next, &memory, found);
            }
        }
    }
}

#[test]
fn information_sets_equal_distinct_views_and_recalls() {
    for parameters in [
        toy(3, 1, 1, 1, [2, 1, 0, 0, 0]),
        toy(3, 1, 1, 1, [2, 2, 1, 0, 0]),
        toy(2, 2, 2, 1, [4, 1, 0, 0, 0]),
        toy(2, 2, 1, 2, [5, 0, 0, 0, 0]),
    ] {
        let cards: Vec<MoneyCard> = parameters.full_set().iter().collect();
        let mut found = BTreeSet::new();
        for first in orders(&cards) {
            for second in orders(&cards) {
                let deck = |row: &[MoneyCard]| row.iter().copied().collect::<CardsInOrder>();
                let mut decks = BySeat([deck(&first); 5]);
                decks.0[1] = deck(&second);
                let setup = Setup { parameters, first_seat: Seat::default(), screens: Screens::Closed, decks };
                situations(&Game::new(&setup).unwrap(), &Recall::default(), &mut found);
            }
        }
        assert_eq!(solve(parameters, Some(1)).unwrap().infostates, found.len(), "{parameters:?}");
    }
}
