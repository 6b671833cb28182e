//! Training is reproducible, and trained nets play as expected.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};
use sultan_bots::{Bot, Nets, Sultan, Vizier, WeighedAction, by_name};
use sultan_domain::{Players, Screens};
use sultan_lab::arena::{Arena, Tally, run};
use sultan_lab::train::{Response, Settings, respond, train};
use sultan_rules::Quick;
use sultan_testkit::TestGame;

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A bot's weighed actions at some positions of a game.
fn thoughts(bot: &dyn Bot, players: Players) -> Vec<Vec<WeighedAction>> {
    let mut rng = Quick::new(3);
    let moments = TestGame::new(players, Screens::Closed, 11).moments(|view, _| view.legal().pick(&mut rng).unwrap());
    let some = moments.iter().step_by(7);
    some.map(|(view, recall)| bot.weigh(view, recall, &mut Quick::new(3), &|| false)).collect()
}

#[test]
fn bot_plays_with_its_own_nets() {
    let two = Players::ALL[0];
    let settings = Settings { steps: 1, games: 8, ..Settings::of(two) };
    let nets = train(two, &settings, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    let own = thoughts(&Vizier::with_nets(nets.clone()), two);
    assert_ne!(own, thoughts(&Vizier::default(), two));
    assert_ne!(thoughts(&Sultan::with_nets(nets.clone()), two), thoughts(&Sultan::default(), two));
    // At tables with another number of players they are not used.
    let four = Players::ALL[2];
    assert_eq!(thoughts(&Vizier::with_nets(nets), four), thoughts(&Vizier::default(), four));
}

#[test]
fn the_same_seed_trains_the_same_nets_on_any_number_of_threads() {
    let trained = Players::ALL.map(|players| {
        let settings = Settings { steps: 3, games: 8, refresh: 2, ..Settings::of(players) };
        let bytes = |jobs: usize, settings: &Settings| {
            let jobs = NonZeroUsize::new(jobs).unwrap();
            train(players, settings, jobs, |_| ControlFlow::Continue(())).to_bytes()
        };
        let trained = bytes(1, &settings);
        assert_eq!(trained, bytes(3, &settings));
        assert_ne!(trained, bytes(1, &Settings { seed: 2, ..settings }));
        hash(&trained)
    });
    // The same on every machine. If training changes, update these values, and train the shipped nets again.
    assert_eq!(trained, ["ab1c16cbbfa3728c", "7f39d6059eced9f4", "05ca7796a29cf862", "c15e3862fdfa07f0"]);
}

#[test]
fn a_best_response_is_the_same_on_any_number_of_threads() {
    let players = Players::ALL[1];
    let start = Nets::shipped(players);
    let bytes = |jobs: usize| {
        let jobs = NonZeroUsize::new(jobs).unwrap();
        let settings = Response { games: 8, ..Response::default() };
        respond(start, by_name("merchant").unwrap().as_ref(), &settings, jobs, |step| step < 2).to_bytes()
    };
    assert_eq!(bytes(1), bytes(2));
    assert_ne!(bytes(1), start.to_bytes());
}

/// The win share of nets against pages, and their average margin in points.
fn against_pages(nets: Nets) -> (f64, f64) {
    let players = nets.players();
    let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(Vizier::with_nets(nets))];
    bots.resize_with(usize::from(players.count()), || by_name("page").unwrap());
    let arena = Arena { bots, pool: None, deals: 400, rotate: false, seed: 5, clock: None, stopwatch: None };
    let mut tally = Tally::new(&arena);
    let take = |played| {
        tally.add(&played);
        ControlFlow::Continue(())
    };
    run(&arena, NonZeroUsize::MIN, take).unwrap();
    let row = tally.entrants()[0].row;
    (row.win_share, row.margin)
}

#[test]
fn training_against_a_bot_raises_the_win_rate() {
    for players in [Players::ALL[0], Players::ALL[2]] {
        let (start, page) = (Nets::shipped(players), by_name("page").unwrap());
        let settings = Response { games: 16, ..Response::default() };
        let reply = respond(start, page.as_ref(), &settings, NonZeroUsize::MIN, |step| step < 40);
        let (before, after) = (against_pages(start.clone()), against_pages(reply));
        assert!(after.0 > before.0 && after.1 > before.1 + 1.0, "{before:?} {after:?}");
    }
}
