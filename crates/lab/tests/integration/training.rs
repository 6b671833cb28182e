//! Training is reproducible, and bots play with the trained nets.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};
use sultan_bots::{Bot, Nets, Sultan, Vizier, WeighedAction, by_name};
use sultan_domain::{Players, Screens};
use sultan_lab::arena::{Arena, Row, Tally, run};
use sultan_lab::train::{FixedOpponentSettings, SelfPlaySettings, train, train_against};
use sultan_rules::FastRng;
use sultan_testkit::TestGame;

/// The first 8 bytes of the SHA-256, in hex.
fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A bot's weighed actions at every seventh position of a game.
fn weighed_actions(bot: &dyn Bot, players: Players) -> Vec<Vec<WeighedAction>> {
    let mut rng = FastRng::new(3);
    let moments = TestGame::new(players, Screens::Closed, 11).moments(|view, _| view.legal().pick(&mut rng).unwrap());
    let weigh = |(view, recall): &_| bot.weigh(view, recall, &mut FastRng::new(3), &|| false);
    moments.iter().step_by(7).map(weigh).collect()
}

#[test]
fn bot_plays_with_its_own_nets() {
    let two = Players::TWO;
    // One step is enough to get nets that decide differently from the shipped ones.
    let settings = SelfPlaySettings { steps: 1, games_per_step: 8, ..SelfPlaySettings::of(two) };
    let nets = train(two, &settings, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    let vizier = Vizier::with_nets(nets.clone());
    assert_ne!(weighed_actions(&vizier, two), weighed_actions(&Vizier::default(), two));
    assert_ne!(weighed_actions(&Sultan::with_nets(nets), two), weighed_actions(&Sultan::default(), two));
    // In games with another number of players, the bot plays with the shipped nets.
    let four = Players::FOUR;
    assert_eq!(weighed_actions(&vizier, four), weighed_actions(&Vizier::default(), four));
}

#[test]
fn the_same_seed_trains_the_same_nets_on_any_number_of_threads() {
    let hashes = Players::ALL.map(|players| {
        let usual = SelfPlaySettings::of(players);
        let settings = SelfPlaySettings { steps: 3, games_per_step: 8, anchor_interval: 2, ..usual };
        let trained_bytes = |jobs: usize, settings: &SelfPlaySettings| {
            let jobs = NonZeroUsize::new(jobs).unwrap();
            train(players, settings, jobs, |_| ControlFlow::Continue(())).to_bytes()
        };
        let bytes = trained_bytes(1, &settings);
        assert_eq!(bytes, trained_bytes(3, &settings));
        assert_ne!(bytes, trained_bytes(1, &SelfPlaySettings { seed: 2, ..settings }));
        short_hash(&bytes)
    });
    // The same on every machine. If training changes, update these values, and train the shipped nets again.
    assert_eq!(hashes, ["ab1c16cbbfa3728c", "7f39d6059eced9f4", "05ca7796a29cf862", "c15e3862fdfa07f0"]);
}

#[test]
fn training_against_a_bot_gives_the_same_nets_on_any_number_of_threads() {
    // Three players.
    let players = Players::THREE;
    let start = Nets::shipped(players);
    let trained_bytes = |jobs: usize| {
        let jobs = NonZeroUsize::new(jobs).unwrap();
        let settings = FixedOpponentSettings { games_per_step: 8, ..FixedOpponentSettings::default() };
        let merchant = by_name("merchant").unwrap();
        train_against(start, merchant.as_ref(), &settings, jobs, |finished_steps| finished_steps < 2).to_bytes()
    };
    assert_eq!(trained_bytes(1), trained_bytes(2));
    assert_ne!(trained_bytes(1), start.to_bytes());
}

/// The results of a vizier with these nets in games against pages.
fn results_against_pages(nets: Nets) -> Row {
    let players = nets.players();
    let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(Vizier::with_nets(nets))];
    bots.resize_with(usize::from(players.count()), || by_name("page").unwrap());
    let arena = Arena { bots, deals: 400, seed: 5, ..Arena::default() };
    let mut tally = Tally::new(&arena);
    let on_game = |played| {
        tally.add(&played);
        ControlFlow::Continue(())
    };
    run(&arena, NonZeroUsize::MIN, on_game).unwrap();
    tally.entrants()[0].row
}

#[test]
fn training_against_a_bot_raises_the_win_rate() {
    // Two and four players.
    for players in [Players::TWO, Players::FOUR] {
        let (start, page) = (Nets::shipped(players), by_name("page").unwrap());
        let settings = FixedOpponentSettings { games_per_step: 16, ..FixedOpponentSettings::default() };
        let trained =
            train_against(start, page.as_ref(), &settings, NonZeroUsize::MIN, |finished_steps| finished_steps < 40);
        let (before, after) = (results_against_pages(start.clone()), results_against_pages(trained));
        assert!(after.win_share > before.win_share && after.margin > before.margin + 1.0, "{before:?} {after:?}");
    }
}
