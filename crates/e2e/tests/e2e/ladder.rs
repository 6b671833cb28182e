//! Strength of the bot levels: each beats the next weaker one, for every number of players.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::{Bot, Level, Mcts, by_name};
use sultan_domain::{Observer, Players, Recall, Screens};
use sultan_lab::arena::{Arena, Tally, run};
use sultan_rules::FastRng;
use sultan_testkit::Script;

/// The share of games that a bot wins against bots of another level. Each deal is played once in each seat (rotated).
fn win_share(players: Players, bot: Box<dyn Bot>, others: &str, deals: u64) -> f64 {
    let other_bots = (1..players.count()).map(|_| by_name(others).unwrap());
    let bots: Vec<_> = [bot].into_iter().chain(other_bots).collect();
    let arena = Arena { bots, deals, rotate: true, seed: 7, ..Arena::default() };
    tally_of(&arena).entrants()[0].row.win_share
}

/// Plays all games of an arena and returns the tally.
fn tally_of(arena: &Arena) -> Tally {
    let mut tally = Tally::new(arena);
    run(arena, NonZeroUsize::new(2).unwrap(), |played| {
        tally.add(&played);
        ControlFlow::Continue(())
    })
    .unwrap();
    tally
}

/// The expected share of wins against equal opponents that are `elo` points weaker.
fn win_share_at_elo(players: Players, elo: f64) -> f64 {
    let odds = 10_f64.powf(elo / 400.0);
    odds / (odds + f64::from(players.count() - 1))
}

#[test]
fn each_level_beats_the_next_weaker_level() {
    let levels: Vec<Level> = Level::in_terminal().filter_map(Level::find).collect();
    for players in Players::ALL {
        for pair in levels.windows(2) {
            // By the cost of a decision of the stronger level, and the number of players.
            let deals = match (pair[1].cost, players.count()) {
                (..10, _) => 60,
                // Two players need more deals: the differences are smaller, and a deal is played only twice.
                (10..100, _) | (_, 2) => 150,
                _ => 20,
            };
            let [weaker, level] = [&pair[0], &pair[1]];
            let share = win_share(players, (level.new)(), weaker.name, deals);
            let required = win_share_at_elo(players, 100.0);
            assert!(
                share > required,
                "{} wins {share} against {} ({players:?}), but 100 Elo require {required}",
                level.name,
                weaker.name
            );
        }
    }
}

#[test]
fn each_level_is_100_elo_above_the_next_in_mixed_fields() {
    let levels: Vec<&str> = Level::in_terminal().collect();
    let bots = levels.iter().map(|name| by_name(name).unwrap()).collect();
    let arena = Arena { bots, pool_players: Players::new(4), deals: 400, rotate: true, seed: 1, ..Arena::default() };
    // With 6 000 deals the differences are 156, 246, 129, 114 and 120.
    let standings = tally_of(&arena).standings();
    for (pair, names) in standings.windows(2).zip(levels.windows(2)) {
        let difference = pair[1].rating - pair[0].rating;
        assert!(difference > 100.0, "{} is only {difference} Elo above {}", names[1], names[0]);
    }
}

#[test]
fn jeweller_wins_88_percent_against_three_random_bots() {
    let share = win_share(Players::new(4).unwrap(), by_name("jeweller").unwrap(), "random", 100);
    assert!(share > 0.88, "the share of wins is {share}");
}

#[test]
fn short_search_beats_random_and_merchant() {
    for players in Players::ALL {
        for (others, elo) in [("random", 250.0), ("merchant", 100.0)] {
            let share = win_share(players, Box::new(Mcts { iterations: 300 }), others, 20);
            assert!(
                share > win_share_at_elo(players, elo),
                "the share of wins against {others} ({players:?}) is {share}"
            );
        }
    }
}

#[test]
fn search_stopped_at_once_still_chooses_one_action() {
    let moments = Script::random(Players::new(5).unwrap(), Screens::Closed, 3).moments();
    // Any position with several legal actions would do.
    let game = moments.iter().map(|moment| moment.game).find(|game| game.action_count() == 3).unwrap();
    let observer = Observer::Seat(game.to_act().unwrap());
    let must_stop = || true;
    let weighed = Mcts::default().weigh(&game.view(observer), &Recall::default(), &mut FastRng::new(1), &must_stop);
    assert_eq!(weighed.iter().filter(|action| action.share > 0.0).count(), 1);
}
