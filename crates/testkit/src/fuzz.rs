//! The bodies of the fuzz targets. They panic if a property does not hold; `tests/fuzz.rs` runs each of them for a
//! short time.

use sultan_domain::{Cards, Jewels, Parameters, Players, Recall, Record, Screens, Seat, View};
use sultan_rules::{FastRng, Game, Pending, imagine, replay, verify};

use crate::{action_space, play_to_end};

/// Parses arbitrary bytes as a record. A record that parses can be written, parsed again, verified and, if it is a
/// legal game, replayed with all its actions. The error for any other input is one short line.
///
/// # Panics
/// If a property does not hold.
pub fn record(bytes: &[u8]) {
    let assert_short = |error: String| assert!(error.len() < 1000 && !error.contains('\n'), "{error}");
    match Record::from_json(&String::from_utf8_lossy(bytes)) {
        Err(error) => assert_short(error.to_string()),
        Ok(record) => {
            let written = serde_json::to_string(&record).expect("a record can be written");
            assert_eq!(Record::from_json(&written).expect("written JSON can be read"), record);
            let verdict = verify(&record);
            match replay(&record) {
                Ok(replayed) => {
                    let rounds = replayed.full_game().rounds;
                    let actions = rounds.iter().map(|round| usize::from(round.offer.is_some()) + round.bids.len());
                    assert_eq!(actions.sum::<usize>(), record.actions.len(), "the rounds have every action");
                }
                Err(error) => {
                    assert!(!verdict.faults.is_empty());
                    assert_short(error.to_string());
                }
            }
        }
    }
}

/// Plays arbitrary bytes as actions, legal or not: three bytes for the setup, then one byte per action. A rejected
/// action leaves the game unchanged; jewels and cards are conserved.
///
/// # Panics
/// If a property does not hold.
pub fn actions(bytes: &[u8]) {
    let [players, first_seat, seed, action_bytes @ ..] = bytes else { return };
    let players = Players::ALL[usize::from(players % 4)];
    let first_seat = Seat::new(first_seat % players.count()).unwrap_or_default();
    let mut rng = FastRng::new(u64::from(*seed));
    let mut game = Game::shuffled(Parameters::of(players), first_seat, Screens::Closed, &mut rng);
    let all_actions = action_space();
    for &byte in action_bytes {
        let before = game;
        let action = all_actions[usize::from(byte) % all_actions.len()];
        let seat = Seat::new(byte % Players::MAX).unwrap_or_default();
        if let Pending::Chance(draw) = game.pending() {
            assert!(game.play(action).is_err() && game == before, "no action is legal before the draw");
            game.draw(draw.random(&mut rng)).expect("a draw from the pouch can be drawn");
            continue;
        }
        // Once the game is over, `check_turn` accepts every seat, and `play` rejects every action.
        let may_act = game.check_turn(seat).is_ok();
        assert!(may_act == (game.to_act().is_none_or(|to_act| to_act == seat) && players.has(seat)));
        if game.play(action).is_err() {
            assert!(game == before, "a rejected action changes nothing");
        }
        // Random bytes are rarely a legal bid: play a legal action instead, so that games reach their end.
        if game == before
            && let Some(action) = game.legal().pick(&mut rng)
        {
            game.play(action).expect("a listed action is legal");
        }
        check_conservation(&game);
    }
}

/// Checks that the game still has exactly the jewels and cards it started with.
fn check_conservation(game: &Game) {
    let parameters = game.parameters();
    // When an offer is made, the drawn jewels that it does not contain are put back into the pouch.
    let on_board = if game.offer().is_empty() { game.drawn().jewels() } else { game.offer().jewels() };
    let won = parameters.players.seats().fold(Jewels::NONE, |sum, seat| sum.with(game.collection(seat)));
    assert_eq!(game.pouch().with(on_board).with(won), parameters.pouch, "jewels are conserved");
    for seat in parameters.players.seats() {
        let placed = game.bids().into_iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
        let deck = game.deck(seat);
        let cards: Vec<_> = game.hand(seat).iter().chain(placed).chain(game.played(seat)).chain(deck).collect();
        assert_eq!(cards.iter().copied().collect::<Cards>(), parameters.full_set(), "cards are conserved");
        // The set above ignores a third card of the same value, so the cards are counted too.
        assert_eq!(cards.len(), parameters.full_set().len() as usize, "cards are conserved");
    }
}

/// Parses arbitrary bytes as a view. A game imagined from a view that parses has the same view and can be played to its
/// end.
///
/// # Panics
/// If a property does not hold.
pub fn view(bytes: &[u8]) {
    let Ok(view) = serde_json::from_slice::<View>(bytes) else { return };
    let mut rng = FastRng::new(1);
    let Ok(game) = imagine(&view, &Recall::default(), &mut rng) else { return };
    assert_eq!(game.view(view.observer), view);
    let outcome = play_to_end(&game, &mut rng);
    assert_eq!(outcome.places.len(), view.seats.len());
}
