//! Plays games, for a profiler that counts instructions: `scripts/instructions`.
//!
//! `instructions PATH PLAYERS GAMES`. The values of PATH are listed in `main`.

use std::hint::black_box;

use sultan_rules::domain::{Players, Seat};
use sultan_testkit::bench_games::{quick_game, seeded_chance, seeded_game, viewed_game};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [path, players, games] = arguments.as_slice() else {
        println!("instructions: run by scripts/instructions");
        return;
    };
    let players = players.parse().ok().and_then(Players::new).expect("2 to 5 players");
    let games: u64 = games.parse().expect("a number of games");
    for game in 0..games {
        let game = black_box(game);
        match path.as_str() {
            "quick" => drop(black_box(quick_game(players, game))),
            "seeded" => drop(black_box(seeded_game(players, game))),
            "chance" => drop(black_box(seeded_chance(players, game))),
            "view" => drop(black_box(viewed_game(players, game, Seat::default()))),
            other => panic!("no path {other}"),
        }
    }
}
