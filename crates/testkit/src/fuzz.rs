//! The bodies of the fuzz targets. They panic where something is wrong; short runs of them belong to the tests.

use sultan_domain::{Jewels, Observer, Players, Recall, Record, Screens, Seat, View};
use sultan_rules::{Chance, Game, Pending, Quick, imagine, replay, verify};

use crate::action_space;

/// Reads any bytes as a record; one that is read can be written, read again, checked and, if it is a game, told.
///
/// # Panics
/// Where that does not hold.
pub fn record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Record::from_json(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(record) => {
            let written = serde_json::to_string(&record).expect("a record can be written");
            assert_eq!(Record::from_json(&written).expect("what was written can be read"), record);
            let verdict = verify(&record);
            match replay(&record) {
                Ok(replayed) => assert!(replayed.telling().rounds.len() <= 15),
                Err(error) => assert!(!verdict.faults.is_empty() && !error.to_string().contains('\n')),
            }
        }
    }
}

/// Plays any bytes as actions: two to set up the game, then one per step, legal or not. Whatever is refused leaves the
/// game as it was; jewels and cards stay what they are.
///
/// # Panics
/// Where that does not hold.
pub fn actions(bytes: &[u8]) {
    let [players, first, steps @ ..] = bytes else { return };
    let players = Players::ALL[usize::from(players % 4)];
    let first = Seat::new(first % players.count()).unwrap_or_default();
    let mut chance = Quick::new(u64::from(*first_byte(steps)));
    let numbers = sultan_domain::Numbers::of(players);
    let mut game = Game::shuffled(numbers, first, Screens::Closed, &mut chance);
    let space = action_space();
    for &step in steps {
        let before = game;
        let action = space[usize::from(step) % space.len()];
        let seat = Seat::new(step % Players::MOST).unwrap_or_default();
        if let Pending::Chance(draw) = game.pending() {
            assert!(game.play(action).is_err() && game == before, "nobody acts before the draw");
            game.draw(draw.with(&mut chance)).expect("a draw from the pouch can be drawn");
            continue;
        }
        let applied = game.apply(seat, action);
        match game.play(action) {
            Ok(()) => assert_eq!(applied.is_ok(), before.to_act() == Some(seat), "only the seat to act can act"),
            Err(_) => assert!(applied.is_err() && game == before, "a refused action changes nothing"),
        }
        // Random bytes seldom make a legal bid: help along, so that games come to their end.
        if game == before
            && let Some(action) = game.legal().nth(chance.below(game.legal().len().max(1)))
        {
            game.play(action).expect("a listed action is legal");
        }
        check(&game);
    }
}

fn first_byte(bytes: &[u8]) -> &u8 {
    bytes.first().unwrap_or(&0)
}

fn check(game: &Game) {
    let numbers = game.numbers();
    let on_board = if game.offer().is_empty() { game.drawn().jewels() } else { game.offer().jewels() };
    let won = numbers.players.seats().fold(Jewels::NONE, |sum, seat| sum.with(game.collection(seat)));
    assert_eq!(game.pouch().with(on_board).with(won), numbers.pouch, "jewels are conserved");
    for observer in Observer::all(numbers.players) {
        assert_eq!(game.view(observer).at, game.at());
    }
}

/// Reads any bytes as a view; whatever game can be imagined behind one that is read looks like it and can be played.
///
/// # Panics
/// Where that does not hold.
pub fn view(bytes: &[u8]) {
    let Ok(view) = serde_json::from_slice::<View>(bytes) else { return };
    let mut chance = Quick::new(1);
    let Ok(mut game) = imagine(&view, &Recall::default(), &mut chance) else { return };
    let seen = game.view(view.observer);
    assert_eq!(
        (seen.hand, seen.bids, seen.last_round, seen.legal()),
        (view.hand, view.bids, view.last_round, view.legal())
    );
    loop {
        match game.legal().pick(&mut chance) {
            Some(action) => game.play(action).expect("a listed action is legal"),
            None if game.draw_by(&mut chance) => {}
            None => break,
        }
    }
    assert!(game.outcome().is_some(), "every imagined game comes to an end");
}
