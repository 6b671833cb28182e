//! Measures the time of whole games and of views: `cargo bench -p sultan-rules --bench speed`.
//!
//! On a shared machine the times vary; `scripts/instructions` counts instructions, which do not.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use sultan_rules::domain::{Observer, Players, Seat};
use sultan_rules::{Chance, FastRng};
use sultan_testkit::bench_games::{quick_game, seeded_game};
use sultan_testkit::{Moment, random_moments};

/// Reports allocations, to show that games played in place do not allocate.
#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const PLAYERS: [u8; 4] = [2, 3, 4, 5];
/// The number of games per measurement.
const GAMES: u64 = 1000;

fn players(count: u8) -> Players {
    Players::new(count).expect("2 to 5 players")
}

/// Random games with decks and draws from the fast generator.
#[divan::bench(args = PLAYERS)]
fn random_games(bencher: Bencher, count: u8) {
    let mut seeds = FastRng::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for _ in 0..GAMES {
            black_box(quick_game(players(count), u64::from(seeds.below(u32::MAX))));
        }
    });
}

/// Random games with decks and draws from verifiable seeds.
#[divan::bench(args = PLAYERS)]
fn random_games_from_seeds(bencher: Bencher, count: u8) {
    let mut seeds = FastRng::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for _ in 0..GAMES {
            black_box(seeded_game(players(count), u64::from(seeds.below(u32::MAX))));
        }
    });
}

/// The views of seat 0 in every position of a random game.
#[divan::bench(args = PLAYERS)]
fn view_for_a_seat(bencher: Bencher, count: u8) {
    let moments: Vec<Moment> = random_moments(players(count), 1);
    bencher.counter(ItemsCount::new(moments.len())).bench_local(|| {
        for moment in &moments {
            black_box(moment.game.view(Observer::Seat(Seat::default())));
        }
    });
}
