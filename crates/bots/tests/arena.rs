//! The arena: the same games from the same seed, whatever the number of threads; deals that stay while bots move.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::arena::{Arena, ArenaError, Played, Tally, run};
use sultan_bots::{Bot, Weighed, by_name};
use sultan_domain::{Action, Players, Recall, View};
use sultan_rules::{Quick, replay, verify};

fn arena(players: usize, deals: u64, rotate: bool) -> Arena {
    let bots = (0..players).map(|_| by_name("random").unwrap()).collect();
    Arena { bots, deals, rotate, seed: 7, clock: None }
}

fn games(arena: &Arena, jobs: usize) -> Vec<Played> {
    let mut games = Vec::new();
    run(arena, NonZeroUsize::new(jobs).unwrap(), |played| {
        games.push(played);
        ControlFlow::Continue(())
    })
    .unwrap();
    games
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let arena = arena(4, 50, true);
    let one = games(&arena, 1);
    for jobs in [2, 7] {
        let several = games(&arena, jobs);
        assert_eq!(one.len(), several.len());
        assert!(one.iter().zip(&several).all(|(a, b)| a.record == b.record && a.game == b.game));
    }
}

#[test]
fn records_hold_and_replay_to_the_same_outcome() {
    for players in Players::ALL {
        for played in games(&arena(usize::from(players.count()), 10, false), 2) {
            assert!(verify(&played.record).faults.is_empty());
            assert_eq!(replay(&played.record).unwrap().game.outcome(), Some(played.outcome));
        }
    }
}

#[test]
fn rotated_games_share_deal_and_first_seat_but_not_the_bots_chance() {
    let all = games(&arena(3, 4, true), 2);
    assert_eq!(all.len(), 12);
    for deal in all.chunks(3) {
        let rotations: Vec<u8> = deal.iter().map(|played| played.rotation).collect();
        assert_eq!(rotations, [0, 1, 2]);
        for played in &deal[1..] {
            let (a, b) = (&deal[0].record, &played.record);
            assert_eq!((a.server_seed, &a.client_seeds, a.first_seat), (b.server_seed, &b.client_seeds, b.first_seat));
            assert_ne!(a.actions, b.actions);
        }
    }
}

#[test]
fn a_tally_adds_up() {
    let arena = arena(4, 200, true);
    let mut tally = Tally::new(4, arena.games_per_deal());
    games(&arena, 2).iter().for_each(|played| tally.add(played));
    assert_eq!(tally.games(), 800);
    let rows = tally.rows();
    let shares: f64 = rows.iter().map(|row| row.win_share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for row in rows {
        assert!((row.win_share - 0.25).abs() < 5.0 * row.win_share_error.unwrap(), "{row:?}");
        assert!(row.margin < 0.0 && row.rank > 1.0 && row.points_error > Some(0.0));
    }
}

#[test]
fn a_single_deal_has_no_standard_error() {
    let arena = arena(2, 1, true);
    let mut tally = Tally::new(2, 2);
    games(&arena, 1).iter().for_each(|played| tally.add(played));
    assert!(tally.rows().iter().all(|row| row.win_share_error.is_none()));
}

#[test]
fn whoever_takes_the_games_may_break_off() {
    let mut taken = 0;
    run(&arena(2, 10_000, false), NonZeroUsize::new(2).unwrap(), |_| {
        taken += 1;
        if taken == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(taken, 5);
}

#[test]
fn a_table_needs_two_to_five_bots() {
    for count in [0, 1, 6] {
        let refused = run(&arena(count, 1, false), NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
        assert_eq!(refused, Err(ArenaError::Players(count)));
    }
}

/// A bot for tests, with a name of its own.
struct Scripted {
    name: &'static str,
    choose: fn(&View) -> Option<Action>,
}

impl Bot for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        (self.choose)(view).map(|action| Weighed { action, share: 1.0, win: 0.5 }).into_iter().collect()
    }
}

#[test]
fn bots_move_one_seat_to_the_left_with_each_rotation_and_take_their_results_along() {
    // Plays the highest card on the best jewel, against one who plays the lowest on the worst.
    let strong = Scripted { name: "strong", choose: |view| view.legal().nth(view.legal().len() - 1) };
    let weak = Scripted { name: "weak", choose: |view| view.legal().nth(0) };
    let mut arena = arena(3, 100, true);
    arena.bots[0] = Box::new(strong);
    arena.bots[1] = Box::new(weak);
    let mut tally = Tally::new(3, 3);
    for (played, rotation) in games(&arena, 2).iter().zip([0, 1, 2].into_iter().cycle()) {
        let mut names = ["bot:strong", "bot:weak", "bot:random"];
        names.rotate_right(rotation);
        assert_eq!(played.record.names, names);
        tally.add(played);
    }
    let rows = tally.rows();
    assert!(rows[0].points > rows[1].points + 2.0, "{rows:?}");
}

#[test]
fn a_bot_that_answers_nonsense_is_named() {
    let mut arena = arena(2, 1, false);
    arena.bots[0] = Box::new(Scripted { name: "nonsense", choose: |_| "15@1".parse().ok() });
    let refused = run(&arena, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert_eq!(refused, Err(ArenaError::Illegal { bot: "nonsense" }));
}
