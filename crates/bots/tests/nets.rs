//! The shipped nets: small, readable, and still thinking what they thought when they were shipped.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};
use sultan_bots::arena::{Arena, Tally, run};
use sultan_bots::train::{Response, Settings, respond, train};
use sultan_bots::{BadNets, Bot, Nets, Sultan, Vizier, by_name};
use sultan_domain::{Observer, Players, Recall, Screens};
use sultan_rules::{Pending, Quick};
use sultan_testkit::Script;

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn the_shipped_nets_are_small_and_come_back_from_their_bytes() {
    let mut size = 0;
    for players in Players::ALL {
        let nets = Nets::shipped(players);
        assert_eq!(nets.players(), players);
        let bytes = nets.to_bytes();
        size += bytes.len();
        assert_eq!(Nets::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    }
    assert!(size < 2_000_000, "{size} bytes");
}

#[test]
fn what_is_no_nets_is_refused() {
    let bytes = Nets::shipped(Players::ALL[0]).to_bytes();
    let refused = |bytes: &[u8]| Nets::from_bytes(bytes).map(|_| ()).unwrap_err();
    assert_eq!(refused(b""), BadNets::NoNets);
    assert_eq!(refused(b"{}"), BadNets::NoNets);
    assert_eq!(refused(&bytes[..12]), BadNets::Damaged);
    assert_eq!(refused(&bytes[..bytes.len() - 1]), BadNets::Damaged);
    assert_eq!(refused(&[&bytes[..], &[0]].concat()), BadNets::Damaged);
    let mut other = bytes.clone();
    other[12] += 1;
    assert_eq!(refused(&other), BadNets::OtherVersion);
    let mut players = bytes.clone();
    players[13] = 6;
    assert_eq!(refused(&players), BadNets::Damaged);
    let mut endless = bytes;
    endless[14..18].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(refused(&endless), BadNets::Damaged);
}

/// What a bot makes of some moments of a game, as text.
fn thoughts(bot: &dyn Bot, players: Players) -> String {
    let moments = Script::random(players, Screens::Closed, 11).moments();
    let mut recall = vec![Recall::default(); 5];
    let mut text = String::new();
    for (at, moment) in moments.iter().enumerate() {
        for (seat, recall) in players.seats().zip(&mut recall) {
            moment.events.iter().for_each(|event| recall.see(&event.seen_by(Observer::Seat(seat))));
        }
        let Pending::Seat(seat) = moment.game.pending() else { continue };
        if at % 7 != 0 {
            continue;
        }
        let view = moment.game.view(Observer::Seat(seat));
        let weighed = bot.weigh(&view, &recall[seat.index()], &mut Quick::new(3), &|| false);
        let best = weighed.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
        writeln!(text, "{at:2} {:5} share {:.4} win {:.4}", best.action.to_string(), best.share, best.win).unwrap();
    }
    text
}

/// Written anew with `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-bots --test nets`.
#[test]
fn known_answers() {
    for name in ["vizier", "sultan"] {
        let bot = by_name(name).unwrap();
        let mut text = String::new();
        for players in Players::ALL {
            write!(text, "{} players\n{}", players.count(), thoughts(bot.as_ref(), players)).unwrap();
        }
        let path = format!("{}/tests/nets/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "{name}");
    }
}

#[test]
fn nets_of_its_own_are_played_with() {
    let two = Players::ALL[0];
    let settings = Settings { steps: 1, games: 8, ..Settings::of(two) };
    let nets = train(two, &settings, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    let own = thoughts(&Vizier::with(nets.clone(), "own"), two);
    assert_ne!(own, thoughts(&Vizier::default(), two));
    assert_eq!(Sultan::with(nets.clone(), "own").name(), "own");
    // At other tables they are of no use.
    let four = Players::ALL[2];
    assert_eq!(thoughts(&Vizier::with(nets, "own"), four), thoughts(&Vizier::default(), four));
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
    // The same on every machine. Where training changes, so do these, and the shipped nets must be trained anew.
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

/// How often nets win a table against pages, and by how many points on average.
fn against_pages(nets: Nets) -> (f64, f64) {
    let players = nets.players();
    let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(Vizier::with(nets, "nets"))];
    bots.resize_with(usize::from(players.count()), || by_name("page").unwrap());
    let arena = Arena { bots, pool: None, deals: 400, rotate: false, seed: 5, clock: None, stopwatch: None };
    let mut tally = Tally::new(&arena);
    let take = |played| {
        tally.add(&played);
        ControlFlow::Continue(())
    };
    run(&arena, NonZeroUsize::MIN, take).unwrap();
    let row = tally.rows()[0];
    (row.win_share, row.margin)
}

#[test]
fn who_learns_to_beat_a_bot_wins_more_often() {
    for players in [Players::ALL[0], Players::ALL[2]] {
        let (start, page) = (Nets::shipped(players), by_name("page").unwrap());
        let settings = Response { games: 16, ..Response::default() };
        let reply = respond(start, page.as_ref(), &settings, NonZeroUsize::MIN, |step| step < 40);
        let (before, after) = (against_pages(start.clone()), against_pages(reply));
        assert!(after.0 > before.0 && after.1 > before.1 + 1.0, "{before:?} {after:?}");
    }
}
