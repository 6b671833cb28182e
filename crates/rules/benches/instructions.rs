//! Plays games for `scripts/instructions`, which runs this program in a profiler that counts instructions.
//!
//! Usage: `instructions PATH PLAYERS GAMES`. `main` lists the values of PATH, each a part of the rules to measure.

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
    for seed in 0..games {
        // `black_box` hides the seed and the result from the compiler, so that it cannot leave out a game.
        let seed = black_box(seed);
        match path.as_str() {
            "quick" => drop(black_box(quick_game(players, seed))),
            "seeded" => drop(black_box(seeded_game(players, seed))),
            "chance" => drop(black_box(seeded_chance(players, seed))),
            "view" => drop(black_box(viewed_game(players, seed, Seat::default()))),
            unknown => panic!("PATH is quick, seeded, chance or view, not {unknown}"),
        }
    }
}
