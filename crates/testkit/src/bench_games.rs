//! Random games for benchmarks: one function for each measured part of the rules.

use sultan_domain::{ClientSeed, Drawn, Observer, Outcome, Parameters, Players, Screens, Seat, ServerSeed, View};
use sultan_rules::{FastRng, GameSeed, SeededGame, Setup};

/// Plays a random game: lists the legal actions, chooses one, plays it. Decks and draws are from one fast generator,
/// choices from another.
#[must_use]
pub fn quick_game(players: Players, seed: u64) -> Outcome {
    let (mut draw_rng, mut choice_rng) = (FastRng::new(seed), FastRng::new(!seed));
    let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut draw_rng);
    loop {
        // Without legal actions, either a draw is due, or the game is over.
        match game.game().legal().pick(&mut choice_rng) {
            Some(action) => _ = game.play(action).expect("a listed action is legal"),
            None if game.draw().expect("a generator draws from the pouch") => {}
            None => return game.game().standings(),
        }
    }
}

/// The server seed with this number, and the default seed of each player.
#[must_use]
pub fn numbered_seed(players: Players, number: u64) -> (ServerSeed, Vec<ClientSeed>) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    (ServerSeed(bytes), vec![ClientSeed::default(); usize::from(players.count())])
}

/// Plays a game with decks and draws from the seeds of this number, and with random actions.
#[must_use]
pub fn seeded_game(players: Players, number: u64) -> Outcome {
    let (server, clients) = numbered_seed(players, number);
    let seed = GameSeed::new(&server, &clients);
    let game = SeededGame::from_seed(Parameters::of(players), seed.first_seat(players), Screens::Closed, seed);
    let mut game = game.expect("seeds give full decks");
    let mut rng = FastRng::new(number);
    loop {
        // Without legal actions, either a draw is due, or the game is over.
        match game.game().legal().pick(&mut rng) {
            Some(action) => _ = game.play(action).expect("a listed action is legal"),
            None if game.draw().expect("a seed draws from the pouch") => {}
            None => return game.game().standings(),
        }
    }
}

/// Computes only the randomness of a seeded game: its first seat, its decks, and its draws. Every draw is from a full
/// pouch, because no game is played.
#[must_use]
pub fn seeded_chance(players: Players, number: u64) -> (Setup, Vec<Drawn>) {
    let (server, clients) = numbered_seed(players, number);
    let seed = GameSeed::new(&server, &clients);
    let parameters = Parameters::of(players);
    let setup = Setup::seeded(parameters, seed.first_seat(players), Screens::Closed, &seed);
    let draw = |round_index| {
        seed.draw(&sultan_rules::Draw { jewels: parameters.draw_size(), pouch: parameters.pouch, round_index })
    };
    (setup, (0..parameters.rounds()).map(draw).collect())
}

/// Plays a random game and makes the view of one seat after every action. Returns the last view.
#[must_use]
pub fn viewed_game(players: Players, seed: u64, seat: Seat) -> Option<View> {
    let mut rng = FastRng::new(seed);
    let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut rng);
    let mut last_view = None;
    loop {
        let (current, rng) = game.game_and_source();
        // Without legal actions, either a draw is due, or the game is over.
        match current.legal().pick(*rng) {
            Some(action) => {
                game.play(action).expect("a listed action is legal");
                // `black_box` keeps the compiler from leaving out views that are not returned.
                last_view = std::hint::black_box(Some(game.game().view(Observer::Seat(seat))));
            }
            None if game.draw().expect("a generator draws from the pouch") => {}
            None => return last_view,
        }
    }
}
