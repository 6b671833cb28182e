//! Wall-clock speed of whole games and of views: `cargo bench -p sultan-rules --bench speed`.
//!
//! Noisy on a shared machine; `scripts/instructions` counts instructions instead.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use sultan_rules::domain::{Observer, Players, Seat};
use sultan_rules::{Chance, Quick};
use sultan_testkit::measured::{quick_game, seeded_game};
use sultan_testkit::{Moment, random_moments};

/// Shows what is allocated, so that it can be seen that games in place allocate nothing.
#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const PLAYERS: [u8; 4] = [2, 3, 4, 5];
const GAMES: u64 = 1000;

fn players(count: u8) -> Players {
    Players::new(count).expect("2 to 5 players")
}

/// Random games in place, chance from the fast generator.
#[divan::bench(args = PLAYERS)]
fn random_games(bencher: Bencher, count: u8) {
    let mut seed = Quick::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for _ in 0..GAMES {
            black_box(quick_game(players(count), u64::from(seed.below(u32::MAX))));
        }
    });
}

/// The same in place, but with decks and draws from a seed that anybody can check.
#[divan::bench(args = PLAYERS)]
fn random_games_from_seeds(bencher: Bencher, count: u8) {
    let mut seed = Quick::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for _ in 0..GAMES {
            black_box(seeded_game(players(count), u64::from(seed.below(u32::MAX))));
        }
    });
}

/// One view for a seat, at every moment of a game in turn.
#[divan::bench(args = PLAYERS)]
fn view_for_a_seat(bencher: Bencher, count: u8) {
    let moments: Vec<Moment> = random_moments(players(count), 1);
    bencher.counter(ItemsCount::new(moments.len())).bench_local(|| {
        for moment in &moments {
            black_box(moment.game.view(Observer::Seat(Seat::default())));
        }
    });
}
