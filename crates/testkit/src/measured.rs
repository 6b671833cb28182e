//! The same random game along the different paths through the rules whose cost is measured.

use sultan_domain::{ClientSeed, Drawn, Numbers, Observer, Outcome, Players, Screens, Seat, ServerSeed, View};
use sultan_rules::{Game, GameSeed, Pending, Quick, SeededGame, Setup, Step};

/// A random game: legal actions listed, one chosen, played; decks, draws and choices from the fast generator.
#[must_use]
pub fn quick_game(players: Players, seed: u64) -> Outcome {
    let mut chance = Quick::new(seed);
    let mut game = SeededGame::shuffled(Numbers::of(players), Seat::default(), Screens::Closed, &mut chance);
    loop {
        let (now, _, chance) = game.parts();
        match now.legal().pick(*chance) {
            Some(action) => _ = game.play(action).expect("a listed action is legal"),
            None if game.draw().expect("a generator draws from the pouch") => {}
            None => return game.game().standings(),
        }
    }
}

/// A random game through `apply`, with its events made and thrown away.
#[must_use]
pub fn told_game(players: Players, seed: u64) -> Outcome {
    let mut chance = Quick::new(seed);
    let mut game = Game::shuffled(Numbers::of(players), Seat::default(), Screens::Closed, &mut chance);
    loop {
        let Step { game: next, events } = match game.pending() {
            Pending::Chance(draw) => game.apply_draw(draw.with(&mut chance)).expect("drawn from the pouch"),
            Pending::Seat(seat) => {
                let action = game.legal().pick(&mut chance).expect("a seat to act can act");
                game.apply(seat, action).expect("a listed action is legal")
            }
            Pending::Over(outcome) => return outcome,
        };
        std::hint::black_box(events);
        game = next;
    }
}

/// The seeds of a numbered test game.
#[must_use]
pub fn numbered_seed(players: Players, number: u64) -> (ServerSeed, Vec<ClientSeed>) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    (ServerSeed(bytes), vec![ClientSeed::default(); usize::from(players.count())])
}

/// A random game in place with decks and draws from a seed.
#[must_use]
pub fn seeded_game(players: Players, number: u64) -> Outcome {
    let (server, clients) = numbered_seed(players, number);
    let seed = GameSeed::new(&server, &clients);
    let game = SeededGame::from_seed(Numbers::of(players), seed.first_seat(players), Screens::Closed, seed);
    let mut game = game.expect("seeds give full decks");
    let mut chance = Quick::new(number);
    loop {
        match game.game().legal().pick(&mut chance) {
            Some(action) => _ = game.play(action).expect("a listed action is legal"),
            None if game.draw().expect("a seed draws from the pouch") => {}
            None => return game.game().standings(),
        }
    }
}

/// Only the chance of a seeded game: its first seat, decks and draws, the pouch always full.
#[must_use]
pub fn seeded_chance(players: Players, number: u64) -> (Setup, Vec<Drawn>) {
    let (server, clients) = numbered_seed(players, number);
    let seed = GameSeed::new(&server, &clients);
    let numbers = Numbers::of(players);
    let setup = Setup::seeded(numbers, seed.first_seat(players), Screens::Closed, &seed);
    let draw =
        |round_index| seed.draw(&sultan_rules::Draw { jewels: numbers.draw(), pouch: numbers.pouch, round_index });
    (setup, (0..numbers.rounds()).map(draw).collect())
}

/// A random game in place with a view for one seat after every action; numbers known only when the program runs.
#[must_use]
pub fn viewed_game(players: Players, seed: u64, seat: Seat) -> Option<View> {
    let mut chance = Quick::new(seed);
    let mut game = Game::shuffled(Numbers::of(players), Seat::default(), Screens::Closed, &mut chance);
    let mut last = None;
    loop {
        match game.pending() {
            Pending::Chance(draw) => game.draw(draw.with(&mut chance)).expect("drawn from the pouch"),
            Pending::Seat(_) => {
                let action = game.legal().pick(&mut chance).expect("a seat to act can act");
                game.play(action).expect("a listed action is legal");
                last = std::hint::black_box(Some(game.view(Observer::Seat(seat))));
            }
            Pending::Over(_) => return last,
        }
    }
}
