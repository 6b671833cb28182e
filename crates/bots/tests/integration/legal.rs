//! Every bot, with any time limit and recall: all legal actions are weighed once, and only legal ones played.

use std::cell::Cell;
use std::time::Instant;

use sultan_bots::{Bot, LEVELS, Level, WeighedAction, pick};
use sultan_domain::{Action, Observer, Players, Recall, Screens, Variant, View};
use sultan_rules::{Chance, Quick};
use sultan_testkit::{Script, TestGame, random_moments, recall};

/// The time limit of a bot.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Never,
    AtOnce,
    /// After this number of calls.
    After(u32),
    /// After a millisecond.
    Clock,
}

/// Runs a function with a `stop` closure. Once it has returned `true`, it may be called at most four more times.
fn stopped<T>(stop: Stop, run: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
    let (calls, stops, start) = (Cell::new(0), Cell::new(0), Instant::now());
    let result = run(&|| {
        let now = match stop {
            Stop::Never => false,
            Stop::AtOnce => true,
            Stop::After(times) => calls.replace(calls.get() + 1) >= times,
            Stop::Clock => start.elapsed().as_millis() >= 1,
        };
        stops.set(stops.get() + u32::from(now));
        now
    });
    assert!(stops.get() <= 5, "`stop` returned true {} times", stops.get());
    result
}

/// Part of a recall: all of it, or some of its rounds.
fn faded(whole: &Recall, fading: u64) -> Recall {
    let rounds = whole.rounds();
    let half = rounds.len() / 2;
    let left = match fading % 6 {
        0 | 1 => rounds,
        2 => &[],
        3 => &rounds[..half],
        4 => &rounds[half..],
        _ => &rounds[rounds.len().saturating_sub(1)..],
    };
    Recall::of(left.to_vec()).unwrap()
}

/// Checks a bot's weighed actions.
fn check(bot: &dyn Bot, view: &View, weighed: &[WeighedAction]) {
    let place = |action| view.legal().iter().position(|legal| legal == action);
    let mut places: Vec<Option<usize>> = weighed.iter().map(|one| place(one.action)).collect();
    places.sort_unstable();
    let each_once = places.iter().copied().eq((0..view.legal().len() as usize).map(Some));
    assert!(each_once, "{}: {weighed:?} for {view}", bot.name());
    let in_range = |number: f64| (0.0..=1.0).contains(&number);
    let right = weighed.iter().all(|one| in_range(one.share) && in_range(one.win));
    let sum: f64 = weighed.iter().map(|option| option.share).sum();
    assert!(right && (sum - 1.0).abs() < 1e-6, "{}: {weighed:?} for {view}", bot.name());
}

/// A bot that plays whole games.
struct Trial<'a> {
    bot: &'a dyn Bot,
    stop: Stop,
    /// The bot decides every n-th action; the others are random.
    every: u64,
}

impl Trial<'_> {
    /// Plays one game, determined by its number. `TestGame` rejects illegal actions.
    fn play(&self, players: Players, number: u64) {
        let screens = if number.is_multiple_of(3) { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(players, screens, number);
        let mut rng = Quick::new(!number);
        let mut turn = number;
        while let Some((view, recall)) = table.next_turn() {
            turn += 1;
            if turn.is_multiple_of(self.every) {
                let recall = faded(recall, number);
                table.play(self.asked(&view, &recall, &mut rng, turn / self.every));
            } else {
                table.play_random_action();
            }
        }
        assert!(table.game().outcome().is_some());
    }

    /// Calls `choose` and `weigh` in turn.
    fn asked(&self, view: &View, recall: &Recall, rng: &mut Quick, time: u64) -> Action {
        if time.is_multiple_of(2) {
            return stopped(self.stop, |stop| self.bot.choose(view, recall, rng, stop)).unwrap();
        }
        let weighed = stopped(self.stop, |stop| self.bot.weigh(view, recall, rng, stop));
        check(self.bot, view, &weighed);
        pick(&weighed, rng).unwrap()
    }
}

/// Every bot plays whole games with each number of players: the fewer, the slower it is.
fn play(games: u64, stop: impl Fn(u64) -> Stop) {
    for Level { new, cost, .. } in LEVELS.iter().copied() {
        let bot = new();
        for players in Players::ALL {
            for number in 0..(games / cost).max(1) {
                let stop = stop(number);
                // A slow bot without a time limit decides fewer actions.
                let slow = matches!(stop, Stop::Never) && cost > 10;
                let trial = Trial { bot: bot.as_ref(), stop, every: if slow { 19 } else { 1 } };
                trial.play(players, number);
            }
        }
    }
}

#[test]
fn bots_with_all_the_time_they_need() {
    play(400, |_| Stop::Never);
}

#[test]
fn bots_without_any_time() {
    play(400, |_| Stop::AtOnce);
}

#[test]
fn bots_that_are_stopped_anywhere() {
    play(400, |number| Stop::After(Quick::new(number).below(100)));
}

#[test]
fn bots_with_a_millisecond() {
    play(400, |_| Stop::Clock);
}

#[test]
fn bot_without_a_turn_returns_no_action() {
    for Level { name, new, .. } in LEVELS.iter().copied() {
        let bot = new();
        for players in Players::ALL {
            let moments = random_moments(players, 3);
            for at in [0, 1, 2, 3, moments.len() / 2, moments.len() - 1] {
                let idle =
                    |observer: &Observer| observer.seat() != moments[at].game.to_act() || observer.seat().is_none();
                for observer in Observer::all(players).filter(idle) {
                    let (view, memory) = (moments[at].game.view(observer), recall(&moments[..=at], observer));
                    let weighed = bot.weigh(&view, &memory, &mut Quick::new(1), &|| false);
                    assert!(weighed.is_empty(), "{name}: {weighed:?} for {view}");
                    assert_eq!(bot.choose(&view, &memory, &mut Quick::new(1), &|| false), None, "{name} for {view}");
                }
            }
        }
    }
}

#[test]
fn levels_that_were_not_trained_for_a_variant_play_like_the_jeweller() {
    let jeweller = LEVELS.iter().find(|level| level.name == "jeweller").unwrap();
    for players in Players::ALL {
        let espresso = Variant::ESPRESSO.parameters(players).unwrap();
        let moments = Script::random_with(espresso, Screens::Closed, 3).moments();
        for (at, moment) in moments.iter().enumerate() {
            let Some(seat) = moment.game.to_act() else { continue };
            let view = moment.game.view(Observer::Seat(seat));
            let memory = recall(&moments[..=at], Observer::Seat(seat));
            let weigh = |level: &Level| (level.new)().weigh(&view, &memory, &mut Quick::new(1), &|| true);
            for level in LEVELS {
                let weighed = weigh(level);
                check((level.new)().as_ref(), &view, &weighed);
                if level.with_nets.is_some() {
                    assert_eq!(format!("{weighed:?}"), format!("{:?}", weigh(jeweller)), "{}", level.name);
                }
            }
        }
    }
}
