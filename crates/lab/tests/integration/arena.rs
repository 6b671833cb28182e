//! The arena: the same games from the same seed, for any number of threads; the same deals in every rotation.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use sultan_bots::{Bot, WeighedAction, by_name};
use sultan_domain::{Action, Players, Recall, View};
use sultan_lab::arena::{Arena, ArenaError, Entrant, Played, Tally, run};
use sultan_rules::{Quick, replay, verify};

fn arena(players: usize, deals: u64, rotate: bool) -> Arena {
    let bots = (0..players).map(|_| by_name("random").unwrap()).collect();
    Arena { bots, deals, rotate, seed: 7, ..Arena::default() }
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
fn results_do_not_depend_on_the_number_of_threads() {
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
            assert_eq!(replay(&played.record).unwrap().game().outcome(), Some(played.outcome));
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
fn tally_win_shares_add_up_to_one() {
    let arena = arena(4, 200, true);
    let mut tally = Tally::new(&arena);
    games(&arena, 2).iter().for_each(|played| tally.add(played));
    assert_eq!(tally.games(), 800);
    let entrants = tally.entrants();
    let shares: f64 = entrants.iter().map(|entrant| entrant.row.win_share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for Entrant { row, .. } in entrants {
        assert!((row.win_share - 0.25).abs() < 5.0 * row.win_share_error.unwrap(), "{row:?}");
        assert!(row.margin < 0.0 && row.rank > 1.0 && row.points_error > Some(0.0));
    }
}

#[test]
fn a_single_deal_has_no_standard_error() {
    let arena = arena(2, 1, true);
    let mut tally = Tally::new(&arena);
    games(&arena, 1).iter().for_each(|played| tally.add(played));
    assert!(tally.entrants().iter().all(|entrant| entrant.row.win_share_error.is_none()));
}

#[test]
fn consumer_can_stop_the_arena_early() {
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

/// A bot for tests, with its own name.
struct Scripted {
    name: &'static str,
    choose: fn(&View) -> Option<Action>,
}

impl Bot for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut Quick, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        (self.choose)(view).map(|action| WeighedAction { action, share: 1.0, win: 0.5 }).into_iter().collect()
    }
}

/// Plays the highest card on the last cushion.
const STRONG: Scripted = Scripted { name: "strong", choose: |view| view.legal().nth(view.legal().len() - 1) };

/// Plays the lowest card on the first cushion.
const WEAK: Scripted = Scripted { name: "weak", choose: |view| view.legal().nth(0) };

fn tally(arena: &Arena, jobs: usize) -> Tally {
    let mut tally = Tally::new(arena);
    games(arena, jobs).iter().for_each(|played| tally.add(played));
    tally
}

#[test]
fn bots_move_one_seat_to_the_left_with_each_rotation_and_take_their_results_along() {
    let mut arena = arena(3, 100, true);
    arena.bots[0] = Box::new(STRONG);
    arena.bots[1] = Box::new(WEAK);
    let mut tally = Tally::new(&arena);
    for (played, rotation) in games(&arena, 2).iter().zip([0, 1, 2].into_iter().cycle()) {
        let mut names = ["bot:strong", "bot:weak", "bot:random"];
        names.rotate_right(rotation);
        assert_eq!(played.record.names, names);
        tally.add(played);
    }
    let entrants = tally.entrants();
    assert!(entrants[0].row.points > entrants[1].row.points + 2.0, "{entrants:?}");
}

#[test]
fn illegal_action_error_names_the_bot() {
    let mut arena = arena(2, 1, false);
    arena.bots[0] = Box::new(Scripted { name: "nonsense", choose: |_| "15@1".parse().ok() });
    let refused = run(&arena, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert_eq!(refused, Err(ArenaError::Illegal { bot: "nonsense" }));
}

#[test]
fn cross_table_lists_pairwise_results() {
    let bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), by_name("random").unwrap(), Box::new(WEAK)];
    let arena = Arena { bots, deals: 100, rotate: true, seed: 2, ..Arena::default() };
    let tally = tally(&arena, 2);
    let (entrants, standings) = (tally.entrants(), tally.standings());
    assert!(standings.iter().map(|one| one.bot).eq(["strong", "weak", "random"]));
    assert!(entrants.iter().map(|one| (one.entry, one.bot)).eq((0..).zip(["strong", "weak", "random", "weak"])));
    let pairings = tally.cross_table();
    assert_eq!(pairings.len(), 6);
    let of = |bot, against| pairings.iter().find(|one| (one.bot, one.against) == (bot, against)).unwrap();
    for one in &pairings {
        let other = of(one.against, one.bot);
        assert!((one.win_share + other.win_share - 1.0).abs() < 1e-12 && (one.margin + other.margin).abs() < 1e-12);
        assert_eq!((one.win_share_error, one.games), (other.win_share_error, 400));
    }
    let beaten = of("strong", "weak");
    assert!(beaten.win_share > 0.99 && beaten.margin > 20.0, "{beaten:?}");
    let contested = of("strong", "random");
    assert!((0.001..0.05).contains(&contested.win_share_error.unwrap()), "{contested:?}");
    assert!(contested.win_share < beaten.win_share && contested.margin < beaten.margin, "{contested:?}");
    assert!(standings[0].low.unwrap() > standings[1].high.unwrap(), "{standings:?}");
    // Ratings are rounded to two decimals.
    assert!(standings.iter().map(|one| one.rating).sum::<f64>().abs() < 0.015 + 1e-9);
    // Two bots with the same name are counted separately and together.
    let [_, one, _, other] = entrants.as_slice() else { panic!("four bots") };
    assert_eq!((standings.len(), standings[1].row.seats), (3, one.row.seats + other.row.seats));
    assert!((standings[1].row.points - f64::midpoint(one.row.points, other.row.points)).abs() < 1e-9);
}

#[test]
fn margins_and_wins_are_counted_by_hand() {
    let bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), Box::new(WEAK)];
    let arena = Arena { bots, deals: 30, seed: 4, ..Arena::default() };
    let (mut won, mut margin, mut pairs) = (0.0, 0.0, 0.0);
    for played in games(&arena, 1) {
        let [strong, weak, other, ..] = played.outcome.places.into_inner();
        for weak in [weak, other] {
            won += if strong.rank < weak.rank { 1.0 } else { 0.0 };
            won += if strong.rank == weak.rank { 0.5 } else { 0.0 };
            margin += f64::from(strong.points) - f64::from(weak.points);
            pairs += 1.0;
        }
    }
    let pairing = tally(&arena, 1).cross_table()[0];
    assert!((pairing.win_share - won / pairs).abs() < 1e-12 && (pairing.margin - margin / pairs).abs() < 1e-12);
    assert_eq!(pairing.games, 30);
}

#[test]
fn pool_seats_all_bots_equally_often() {
    let pool = |bots: Vec<Box<dyn Bot>>, players| Arena {
        bots,
        pool: Players::new(players),
        deals: 12,
        rotate: true,
        seed: 9,
        ..Arena::default()
    };
    let three: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), by_name("random").unwrap()];
    let arena = pool(three, 2);
    assert_eq!(arena.games(), 24);
    for deal in games(&arena, 2).chunks(2) {
        let [first, second] = deal else { panic!("two rotations") };
        assert!(verify(&first.record).faults.is_empty());
        assert!(first.bots[0] != first.bots[1] && first.bots[0] == second.bots[1] && first.bots[1] == second.bots[0]);
        for (name, &bot) in first.record.names.iter().zip(&first.bots) {
            assert_eq!(*name, format!("bot:{}", arena.bots[bot].name()));
        }
    }
    let one = tally(&arena, 1);
    assert!(one.entrants().iter().all(|entrant| entrant.row.seats == 16), "{:?}", one.entrants());
    assert_eq!((one.entrants(), one.standings()), (tally(&arena, 5).entrants(), tally(&arena, 5).standings()));
    assert_eq!(one.cross_table().iter().map(|one| one.games).sum::<u64>(), 48);
    // A single bot plays against itself, so the cross table is empty.
    let alone = tally(&pool(vec![by_name("random").unwrap()], 5), 2);
    assert!(alone.cross_table().is_empty() && (alone.entrants()[0].row.win_share - 0.2).abs() < 1e-9);
    let refused = run(&pool(Vec::new(), 3), NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert_eq!(refused, Err(ArenaError::EmptyPool));
}

#[test]
fn stopwatch_measures_decisions_without_changing_them() {
    let plain = arena(3, 5, true);
    assert!(games(&plain, 1).iter().all(|played| played.times.is_empty()));
    // A stopwatch that advances with every call.
    let looks = AtomicU64::new(0);
    let stopwatch: sultan_lab::arena::Stopwatch = Box::new(move || 1000 * looks.fetch_add(1, Ordering::Relaxed));
    let watched = Arena { stopwatch: Some(stopwatch), ..arena(3, 5, true) };
    for (with, without) in games(&watched, 1).iter().zip(games(&plain, 1)) {
        assert_eq!(with.record, without.record);
        assert!(with.times.iter().all(|&(_, nanos)| nanos == 1000));
        // The last card of a stage has a choice of cushions, but some draws allow only one offer.
        assert!(with.times.len() <= with.record.actions.len() && with.times.len() > 40, "{}", with.times.len());
    }
    assert!(games(&watched, 1).iter().map(|played| played.times.len()).sum::<usize>() > 600);
    let [ref standing] = tally(&watched, 1).standings()[..] else { panic!("one name") };
    assert!((standing.times.micros_p99.unwrap() - 1.0).abs() <= 0.008, "{standing:?}");
}
