//! The arena: the same games from the same seed, for any number of threads; the same deals in every rotation.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use sultan_bots::{Bot, WeighedAction, by_name};
use sultan_domain::{Action, Players, Recall, View};
use sultan_lab::arena::{Arena, ArenaError, Entrant, Played, Tally, run};
use sultan_rules::{FastRng, replay, verify};

/// An arena of random bots that plays each deal once.
fn arena(players: usize, deals: u64) -> Arena {
    let bots = (0..players).map(|_| by_name("random").unwrap()).collect();
    Arena { bots, deals, seed: 7, ..Arena::default() }
}

/// An arena of random bots that plays each deal once per rotation of the bots over the seats.
fn rotating_arena(players: usize, deals: u64) -> Arena {
    Arena { rotate: true, ..arena(players, deals) }
}

/// Plays all games of the arena on `jobs` threads.
fn play_all(arena: &Arena, jobs: usize) -> Vec<Played> {
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
    let arena = rotating_arena(4, 50);
    let on_one_thread = play_all(&arena, 1);
    for jobs in [2, 7] {
        let on_several = play_all(&arena, jobs);
        assert_eq!(on_one_thread.len(), on_several.len());
        let mut pairs = on_one_thread.iter().zip(&on_several);
        assert!(pairs.all(|(a, b)| a.record == b.record && a.game_number == b.game_number));
    }
}

#[test]
fn records_are_valid_and_replay_to_the_same_outcome() {
    for players in Players::ALL {
        for played in play_all(&arena(usize::from(players.count()), 10), 2) {
            assert!(verify(&played.record).faults.is_empty());
            assert_eq!(replay(&played.record).unwrap().game().outcome(), Some(played.outcome));
        }
    }
}

#[test]
fn rotated_games_have_the_same_deal_and_first_seat_but_other_random_choices_of_bots() {
    let games = play_all(&rotating_arena(3, 4), 2);
    assert_eq!(games.len(), 12);
    for deal in games.chunks(3) {
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
fn win_shares_add_up_to_one() {
    let tally = play_and_tally(&rotating_arena(4, 200), 2);
    assert_eq!(tally.games(), 800);
    let entrants = tally.entrants();
    let shares: f64 = entrants.iter().map(|entrant| entrant.row.win_share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for Entrant { row, .. } in entrants {
        assert!((row.win_share - 0.25).abs() < 5.0 * row.win_share_error.unwrap(), "{row:?}");
        // The best of three equal opponents usually has more points than the bot, so the margin is negative.
        assert!(row.margin < 0.0 && row.rank > 1.0 && row.points_error > Some(0.0));
    }
}

#[test]
fn a_single_deal_has_no_standard_error() {
    // Two games, but of the same deal.
    let tally = play_and_tally(&rotating_arena(2, 1), 1);
    assert!(tally.entrants().iter().all(|entrant| entrant.row.win_share_error.is_none()));
}

#[test]
fn run_stops_when_the_callback_returns_break() {
    let mut received_games = 0;
    run(&arena(2, 10_000), NonZeroUsize::new(2).unwrap(), |_| {
        received_games += 1;
        if received_games == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(received_games, 5);
}

#[test]
fn a_table_needs_two_to_five_bots() {
    for count in [0, 1, 6] {
        let result = run(&arena(count, 1), NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
        assert_eq!(result, Err(ArenaError::Players(count)));
    }
}

/// A bot with a given name and strategy.
struct ScriptedBot {
    name: &'static str,
    choose: fn(&View) -> Option<Action>,
}

impl Bot for ScriptedBot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut FastRng, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        (self.choose)(view).map(|action| WeighedAction { action, share: 1.0, win: 0.5 }).into_iter().collect()
    }
}

/// Plays the last legal action in order: the highest card on the last cushion.
const STRONG: ScriptedBot = ScriptedBot { name: "strong", choose: |view| view.legal().nth(view.legal().len() - 1) };

/// Plays the first legal action in order: the lowest card on the first cushion.
const WEAK: ScriptedBot = ScriptedBot { name: "weak", choose: |view| view.legal().nth(0) };

/// Plays all games of the arena on `jobs` threads, and adds them up.
fn play_and_tally(arena: &Arena, jobs: usize) -> Tally {
    let mut tally = Tally::new(arena);
    play_all(arena, jobs).iter().for_each(|played| tally.add(played));
    tally
}

#[test]
fn bots_move_one_seat_to_the_left_with_each_rotation_and_keep_their_results() {
    let mut arena = rotating_arena(3, 100);
    arena.bots[0] = Box::new(STRONG);
    arena.bots[1] = Box::new(WEAK);
    for (played, rotation) in play_all(&arena, 2).iter().zip([0, 1, 2].into_iter().cycle()) {
        let mut names = ["bot:strong", "bot:weak", "bot:random"];
        names.rotate_right(rotation);
        assert_eq!(played.record.names, names);
    }
    let entrants = play_and_tally(&arena, 2).entrants();
    assert!(entrants[0].row.points > entrants[1].row.points + 2.0, "{entrants:?}");
}

#[test]
fn illegal_action_error_names_the_bot() {
    let mut arena = arena(2, 1);
    // A bid before the offer is never legal.
    arena.bots[0] = Box::new(ScriptedBot { name: "faulty", choose: |_| "15@1".parse().ok() });
    let result = run(&arena, NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert_eq!(result, Err(ArenaError::Illegal { bot: "faulty" }));
}

#[test]
fn cross_table_lists_pairwise_results() {
    let bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), by_name("random").unwrap(), Box::new(WEAK)];
    let arena = Arena { bots, deals: 100, rotate: true, seed: 2, ..Arena::default() };
    let tally = play_and_tally(&arena, 2);
    let (entrants, standings) = (tally.entrants(), tally.standings());
    assert!(standings.iter().map(|standing| standing.bot).eq(["strong", "weak", "random"]));
    let entries_and_names = entrants.iter().map(|entrant| (entrant.entry, entrant.bot));
    assert!(entries_and_names.eq((0..).zip(["strong", "weak", "random", "weak"])));
    let pairings = tally.cross_table();
    // Three names, each against the two others. All pairs met in each of 100 deals with 4 rotations.
    assert_eq!(pairings.len(), 6);
    let pairing = |bot, against| pairings.iter().find(|pair| (pair.bot, pair.against) == (bot, against)).unwrap();
    for pair in &pairings {
        let reversed = pairing(pair.against, pair.bot);
        assert!((pair.win_share + reversed.win_share - 1.0).abs() < 1e-12);
        assert!((pair.margin + reversed.margin).abs() < 1e-12);
        assert_eq!((pair.win_share_error, pair.games), (reversed.win_share_error, 400));
    }
    let against_weak = pairing("strong", "weak");
    assert!(against_weak.win_share > 0.99 && against_weak.margin > 20.0, "{against_weak:?}");
    let against_random = pairing("strong", "random");
    assert!((0.001..0.05).contains(&against_random.win_share_error.unwrap()), "{against_random:?}");
    assert!(against_random.win_share < against_weak.win_share && against_random.margin < against_weak.margin);
    assert!(standings[0].low.unwrap() > standings[1].high.unwrap(), "{standings:?}");
    // The sum is not exactly 0, because each of the three ratings is rounded to two decimals.
    assert!(standings.iter().map(|standing| standing.rating).sum::<f64>().abs() < 0.015 + 1e-9);
}

#[test]
fn bots_with_the_same_name_are_counted_separately_and_together() {
    let bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), by_name("random").unwrap(), Box::new(WEAK)];
    let tally = play_and_tally(&Arena { bots, deals: 100, rotate: true, seed: 2, ..Arena::default() }, 2);
    let (entrants, standings) = (tally.entrants(), tally.standings());
    let [_, first_weak, _, second_weak] = entrants.as_slice() else { panic!("not four bots") };
    let [_, both_weak, _] = standings.as_slice() else { panic!("not three names") };
    assert_eq!(both_weak.row.seats, first_weak.row.seats + second_weak.row.seats);
    let mean_points = f64::midpoint(first_weak.row.points, second_weak.row.points);
    assert!((both_weak.row.points - mean_points).abs() < 1e-9);
}

#[test]
fn cross_table_equals_a_count_from_the_outcomes() {
    let bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), Box::new(WEAK)];
    let arena = Arena { bots, deals: 30, seed: 4, ..Arena::default() };
    // Two seats have the name `weak`, so every game has two pairs of `strong` and `weak`, but counts as one game.
    let (mut won, mut margin, mut pairs) = (0.0, 0.0, 0.0);
    for played in play_all(&arena, 1) {
        let [strong, first_weak, second_weak, ..] = played.outcome.places.into_inner();
        for weak in [first_weak, second_weak] {
            won += if strong.rank < weak.rank { 1.0 } else { 0.0 };
            won += if strong.rank == weak.rank { 0.5 } else { 0.0 };
            margin += f64::from(strong.points) - f64::from(weak.points);
            pairs += 1.0;
        }
    }
    let pairing = play_and_tally(&arena, 1).cross_table()[0];
    assert!((pairing.win_share - won / pairs).abs() < 1e-12 && (pairing.margin - margin / pairs).abs() < 1e-12);
    assert_eq!(pairing.games, 30);
}

#[test]
fn pool_seats_all_bots_equally_often() {
    let arena_with_pool = |bots: Vec<Box<dyn Bot>>, players| Arena {
        bots,
        pool_players: Players::new(players),
        deals: 12,
        rotate: true,
        seed: 9,
        ..Arena::default()
    };
    let three_bots: Vec<Box<dyn Bot>> = vec![Box::new(STRONG), Box::new(WEAK), by_name("random").unwrap()];
    let arena = arena_with_pool(three_bots, 2);
    // 12 deals with two rotations.
    assert_eq!(arena.games(), 24);
    for deal in play_all(&arena, 2).chunks(2) {
        let [game, rotated] = deal else { panic!("not two rotations") };
        assert!(verify(&game.record).faults.is_empty());
        assert!(game.bots[0] != game.bots[1] && rotated.bots == [game.bots[1], game.bots[0]]);
        for (name, &bot) in game.record.names.iter().zip(&game.bots) {
            assert_eq!(*name, format!("bot:{}", arena.bots[bot].name()));
        }
    }
    // 48 seats are divided among three bots. Each of the 24 games is in the cross table once for each of its two bots.
    let (tally, on_five_threads) = (play_and_tally(&arena, 1), play_and_tally(&arena, 5));
    assert!(tally.entrants().iter().all(|entrant| entrant.row.seats == 16), "{:?}", tally.entrants());
    assert_eq!((tally.entrants(), tally.standings()), (on_five_threads.entrants(), on_five_threads.standings()));
    assert_eq!(tally.cross_table().iter().map(|pairing| pairing.games).sum::<u64>(), 48);
    // A single bot plays only against itself, so the cross table is empty.
    let alone = play_and_tally(&arena_with_pool(vec![by_name("random").unwrap()], 5), 2);
    assert!(alone.cross_table().is_empty() && (alone.entrants()[0].row.win_share - 0.2).abs() < 1e-9);
    let without_bots = run(&arena_with_pool(Vec::new(), 3), NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert_eq!(without_bots, Err(ArenaError::EmptyPool));
}

#[test]
fn stopwatch_measures_decisions_without_changing_them() {
    let unmeasured = rotating_arena(3, 5);
    assert!(play_all(&unmeasured, 1).iter().all(|played| played.decision_nanos.is_empty()));
    // A stopwatch that advances by a microsecond (1000 ns) with every call. It is called before and after a decision.
    let calls = AtomicU64::new(0);
    let stopwatch: sultan_lab::arena::Stopwatch = Box::new(move || 1000 * calls.fetch_add(1, Ordering::Relaxed));
    let measured = Arena { stopwatch: Some(stopwatch), ..rotating_arena(3, 5) };
    let games = play_all(&measured, 1);
    for (with, without) in games.iter().zip(play_all(&unmeasured, 1)) {
        assert_eq!(with.record, without.record);
        assert!(with.decision_nanos.iter().all(|&(_, nanos)| nanos == 1000));
        // Most actions are measured: a draw may allow just one offer.
        let count = with.decision_nanos.len();
        assert!(count <= with.record.actions.len() && count > 40, "{count}");
    }
    // More than 40 decisions in each of 15 games.
    assert!(games.iter().map(|played| played.decision_nanos.len()).sum::<usize>() > 600);
    let [ref standing] = play_and_tally(&measured, 1).standings()[..] else { panic!("not one name") };
    assert!((standing.times.micros_p99.unwrap() - 1.0).abs() <= 0.008, "{standing:?}");
}
