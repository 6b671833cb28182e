//! With any time limit and recall, every bot weighs each legal action once, and plays only legal actions.

use std::cell::Cell;
use std::time::Instant;

use sultan_bots::{Bot, LEVELS, Level, WeighedAction, pick};
use sultan_domain::{Action, Observer, Players, Recall, Screens, Variant, View};
use sultan_rules::{Chance, FastRng};
use sultan_testkit::{Script, TestGame, random_moments, recall, view_text};

/// When the time limit of a bot is reached.
#[derive(Clone, Copy, Debug)]
enum TimeLimit {
    Never,
    AtOnce,
    /// After this number of calls of `stop`.
    AfterCalls(u32),
    AfterOneMillisecond,
}

/// Runs a decision with a `stop` closure. Checks that the bot calls `stop` at most four more times after the first
/// `true`.
fn with_time_limit<T>(limit: TimeLimit, decide: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
    let (calls, times_true, start) = (Cell::new(0), Cell::new(0), Instant::now());
    let decision = decide(&|| {
        let is_reached = match limit {
            TimeLimit::Never => false,
            TimeLimit::AtOnce => true,
            TimeLimit::AfterCalls(count) => calls.replace(calls.get() + 1) >= count,
            TimeLimit::AfterOneMillisecond => start.elapsed().as_millis() >= 1,
        };
        times_true.set(times_true.get() + u32::from(is_reached));
        is_reached
    });
    assert!(times_true.get() <= 5, "`stop` returned true {} times", times_true.get());
    decision
}

/// A recall with all, without any, or with some of the rounds, depending on `number`.
fn partial_recall(recall: &Recall, number: u64) -> Recall {
    let rounds = recall.rounds();
    let half = rounds.len() / 2;
    let kept = match number % 6 {
        0 | 1 => rounds,
        2 => &[],
        3 => &rounds[..half],
        4 => &rounds[half..],
        _ => &rounds[rounds.len().saturating_sub(1)..],
    };
    Recall::of(kept.to_vec()).unwrap()
}

/// Checks that each legal action is weighed once, that all probabilities and chances are from 0 to 1, and that the
/// probabilities add up to 1.
fn check_weighed_actions(bot: &dyn Bot, view: &View, weighed: &[WeighedAction]) {
    let legal_index = |action| view.legal().iter().position(|legal| legal == action);
    let mut indices: Vec<Option<usize>> = weighed.iter().map(|option| legal_index(option.action)).collect();
    indices.sort_unstable();
    let each_once = indices.iter().copied().eq((0..view.legal().len() as usize).map(Some));
    assert!(each_once, "not each legal action once: {}: {weighed:?} for {}", bot.name(), view_text(view));
    let is_in_range = |number: f64| (0.0..=1.0).contains(&number);
    let are_in_range = weighed.iter().all(|option| is_in_range(option.share) && is_in_range(option.win));
    assert!(are_in_range, "not from 0 to 1: {}: {weighed:?} for {}", bot.name(), view_text(view));
    let sum: f64 = weighed.iter().map(|option| option.share).sum();
    assert!((sum - 1.0).abs() < 1e-6, "the sum is not 1: {}: {weighed:?} for {}", bot.name(), view_text(view));
}

/// A bot that plays whole games.
struct Trial<'a> {
    bot: &'a dyn Bot,
    limit: TimeLimit,
    /// The bot decides every n-th action; the other actions are random.
    every: u64,
}

impl Trial<'_> {
    /// Plays one game, determined by its number. `TestGame` panics if an action is illegal.
    fn play(&self, players: Players, number: u64) {
        let screens = if number.is_multiple_of(3) { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(players, screens, number);
        let mut rng = FastRng::new(!number);
        // Starts at `number`, so that the bot decides at other turns in each game.
        let mut turn = number;
        while let Some((view, recall)) = table.next_turn() {
            turn += 1;
            if turn.is_multiple_of(self.every) {
                let recall = partial_recall(recall, number);
                table.play(self.decide(&view, &recall, &mut rng, turn / self.every));
            } else {
                table.play_random_action();
            }
        }
        assert!(table.game().outcome().is_some());
    }

    /// Calls `choose` for every second decision, and otherwise `weigh`.
    fn decide(&self, view: &View, recall: &Recall, rng: &mut FastRng, decision_number: u64) -> Action {
        if decision_number.is_multiple_of(2) {
            return with_time_limit(self.limit, |stop| self.bot.choose(view, recall, rng, stop)).unwrap();
        }
        let weighed = with_time_limit(self.limit, |stop| self.bot.weigh(view, recall, rng, stop));
        check_weighed_actions(self.bot, view, &weighed);
        pick(&weighed, rng).unwrap()
    }
}

/// Lets every bot play games with each number of players, and checks its decisions. Slower bots play fewer games.
fn check_games(games: u64, limit_for: impl Fn(u64) -> TimeLimit) {
    for Level { new, cost, .. } in LEVELS.iter().copied() {
        let bot = new();
        for players in Players::ALL {
            for number in 0..(games / cost).max(1) {
                let limit = limit_for(number);
                // A slow bot without a time limit decides fewer actions.
                let is_slow = matches!(limit, TimeLimit::Never) && cost > 10;
                let trial = Trial { bot: bot.as_ref(), limit, every: if is_slow { 19 } else { 1 } };
                trial.play(players, number);
            }
        }
    }
}

#[test]
fn bots_without_a_time_limit_play_legal_actions() {
    check_games(400, |_| TimeLimit::Never);
}

#[test]
fn bots_stopped_at_once_play_legal_actions() {
    check_games(400, |_| TimeLimit::AtOnce);
}

#[test]
fn bots_stopped_after_any_number_of_calls_play_legal_actions() {
    check_games(400, |number| TimeLimit::AfterCalls(FastRng::new(number).below(100)));
}

#[test]
fn bots_stopped_after_a_millisecond_play_legal_actions() {
    check_games(400, |_| TimeLimit::AfterOneMillisecond);
}

#[test]
fn bot_without_a_turn_returns_no_action() {
    for Level { name, new, .. } in LEVELS.iter().copied() {
        let bot = new();
        for players in Players::ALL {
            let moments = random_moments(players, 3);
            // The first states, one in the middle of the game, and the end.
            for index in [0, 1, 2, 3, moments.len() / 2, moments.len() - 1] {
                let game = &moments[index].game;
                let has_no_turn = |observer: &Observer| observer.seat() != game.to_act() || observer.seat().is_none();
                for observer in Observer::all(players).filter(has_no_turn) {
                    let (view, recall) = (game.view(observer), recall(&moments[..=index], observer));
                    let weighed = bot.weigh(&view, &recall, &mut FastRng::new(1), &|| false);
                    assert!(weighed.is_empty(), "{name}: {weighed:?} for {}", view_text(&view));
                    assert_eq!(
                        bot.choose(&view, &recall, &mut FastRng::new(1), &|| false),
                        None,
                        "{name} for {}",
                        view_text(&view)
                    );
                }
            }
        }
    }
}

#[test]
fn levels_with_nets_play_like_the_jeweller_in_a_variant() {
    let jeweller = LEVELS.iter().find(|level| level.name == "jeweller").unwrap();
    for players in Players::ALL {
        let espresso = Variant::ESPRESSO.parameters(players).unwrap();
        let moments = Script::random_with(espresso, Screens::Closed, 3).moments();
        for (index, moment) in moments.iter().enumerate() {
            let Some(seat) = moment.game.to_act() else { continue };
            let view = moment.game.view(Observer::Seat(seat));
            let recall = recall(&moments[..=index], Observer::Seat(seat));
            // Stopped at once, to save time. The jeweller ignores `stop`.
            let weigh = |level: &Level| (level.new)().weigh(&view, &recall, &mut FastRng::new(1), &|| true);
            for level in LEVELS {
                let weighed = weigh(level);
                check_weighed_actions((level.new)().as_ref(), &view, &weighed);
                if level.with_nets.is_some() {
                    assert_eq!(format!("{weighed:?}"), format!("{:?}", weigh(jeweller)), "{}", level.name);
                }
            }
        }
    }
}
