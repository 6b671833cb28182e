//! Expiring clocks, while the server runs and after a restart.

use std::time::Duration;

use sultan_rules::verify;
use sultan_table::{Caller, NewTable, Rejection, Service, Settings, Watch};
use sultan_testkit::{Backend, FakeTime, TestService, in_time, is_up_to_date, parse_view};

use crate::{new_rng, new_table, players, rejection, seat, start_node, with_options};

const SECONDS: u32 = 30;
const LIMIT_MS: i64 = 30_000;

/// A table for two people with a time limit for each action.
fn table_with_clock() -> NewTable {
    with_options(new_table(2, 0), |options| options.seconds_per_action = Some(SECONDS))
}

/// The deadline of the player to act.
fn deadline(view: &serde_json::Value) -> String {
    let to_act = usize::try_from(view["to_act"].as_u64().unwrap()).unwrap();
    view["seats"][to_act]["deadline"].as_str().unwrap().to_owned()
}

/// For each seat, the number of actions before its last action, if its time ran out then.
fn timed_out(view: &serde_json::Value) -> Vec<Option<u64>> {
    view["seats"].as_array().unwrap().iter().map(|seat| seat["timed_out"]["at"].as_u64()).collect()
}

/// A time as it is written in views.
fn rfc3339(ms: i64) -> String {
    let since_1970 = Duration::from_millis(u64::try_from(ms).unwrap());
    humantime::format_rfc3339_millis(std::time::UNIX_EPOCH + since_1970).to_string()
}

/// Asserts that no view arrives, although the driver had time to act.
async fn assert_no_view(watch: &mut Watch) {
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(is_up_to_date(watch).await, "a view arrived before the deadline");
}

#[tokio::test]
async fn bot_acts_when_the_players_time_runs_out() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    let start_ms = node.time.now_ms();
    let mut watch = node.watch(table, Caller::Spectator).await;
    let start = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((deadline(&start), timed_out(&start)), (rfc3339(start_ms + LIMIT_MS), vec![None; 2]));
    node.time.advance(LIMIT_MS - 1);
    assert_no_view(&mut watch).await;
    node.time.advance(1);
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!(acted["at"], 1);
    // The next player's time starts at the deadline, since no action was played before it.
    assert_eq!(deadline(&acted), rfc3339(start_ms + 2 * LIMIT_MS));
    assert_eq!(acted["seats"][0]["kind"], "human", "the player still has the seat");
    let late_seat = usize::try_from(start["to_act"].as_u64().unwrap()).unwrap();
    assert_eq!(acted["seats"][late_seat]["timed_out"], serde_json::json!({"at": 0, "bot": "random"}));
    assert_eq!(timed_out(&acted).iter().flatten().count(), 1);
    // An action in time stops the clock; the next player gets the full time.
    node.time.advance(10_000);
    node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((acted["at"].clone(), deadline(&acted)), (2.into(), rfc3339(start_ms + 2 * LIMIT_MS + 10_000)));
    // The first player bids in time after the offer: the note about the offer is gone.
    assert_eq!(timed_out(&acted), [None; 2]);
}

/// The first decisions of a round start while pages still turn up the cards of the previous round.
#[tokio::test]
async fn time_limits_do_not_run_during_the_reveal_of_a_round() {
    const REVEAL_MS: i64 = 8000;
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let mut node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    // With two players, a round has an offer and four bids.
    node.play_random_actions(table, &seated, &mut new_rng(), 5).await;
    let revealed_ms = time.now_ms() + REVEAL_MS;
    for (pause_ms, deadline_ms) in [
        (3000, revealed_ms + LIMIT_MS),
        (3000, revealed_ms + LIMIT_MS),
        (3000, revealed_ms + LIMIT_MS),
        (3000, revealed_ms + 1000 + LIMIT_MS),
    ] {
        for observer in [Caller::Spectator, seated[0].caller(), seated[1].caller()] {
            let view = node.view(table, &observer).await;
            assert_eq!(deadline(&view), rfc3339(deadline_ms), "action {}", view["at"]);
        }
        node.shut_down().await;
        node = TestService::start(&backend, &time, 2).await;
        assert_eq!(deadline(&node.view(table, &Caller::Spectator).await), rfc3339(deadline_ms), "after a restart");
        time.advance(pause_ms);
        node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
    }
}

#[tokio::test]
async fn nothing_happens_during_a_pause() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let node = TestService::start(&backend, &time, 1).await;
    let bots_first = |options: &mut sultan_table::domain::TableOptions| {
        (options.first_seat, options.seconds_per_action) = (Some(seat(1)), Some(SECONDS));
    };
    let (table, seated) = node.open_table(with_options(new_table(1, 1), bots_first)).await;
    let ana = seated[0].caller();
    node.service.set_paused(table, &ana, true).await.unwrap();
    node.service.set_paused(table, &ana, true).await.unwrap();
    node.shut_down().await;
    let node = TestService::start(&backend, &time, 2).await;
    let mut watch = node.watch(table, ana).await;
    let paused = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((paused["at"].clone(), paused["paused"].clone()), (0.into(), true.into()));
    time.advance(10 * LIMIT_MS);
    assert_no_view(&mut watch).await;
    node.service.set_paused(table, &ana, false).await.unwrap();
    let resumed = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((resumed["paused"].is_null(), deadline(&resumed)), (true, rfc3339(time.now_ms() + LIMIT_MS)));
    // The bot makes its offer, and in time order the person's clock starts after it.
    time.advance(LIMIT_MS);
    assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], 1);
    // An action ends a pause, too.
    node.service.set_paused(table, &ana, true).await.unwrap();
    assert_eq!(node.view(table, &ana).await["paused"], true);
    if node.player_to_act(table, &seated).await.is_some() {
        node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
        assert_eq!(node.view(table, &ana).await["paused"], serde_json::Value::Null);
    }
}

#[tokio::test]
async fn only_a_game_of_one_person_can_be_paused() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    let paused = async |caller: Caller| rejection(node.service.set_paused(table, &caller, true).await);
    assert_eq!(paused(seated[0].caller()).await.code(), "table/bad");
    assert_eq!(paused(Caller::Spectator).await, Rejection::NoToken);
    // The other player could come back.
    node.service.leave(table, &seated[1].caller()).await.unwrap();
    assert_eq!(paused(seated[0].caller()).await.code(), "table/bad");
    node.service.leave(table, &seated[0].caller()).await.unwrap();
    assert_eq!(paused(seated[0].caller()).await, Rejection::Over);
}

#[tokio::test]
async fn clock_plays_a_whole_game() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut last = in_time(watch.next()).await.unwrap();
    while !sultan_testkit::is_over(&parse_view(&last)) {
        // The limit, and the time for the reveal of the previous round.
        node.time.advance(LIMIT_MS + 8000);
        last = in_time(watch.next()).await.unwrap();
    }
    let end = parse_view(&last);
    assert!(end["seats"].as_array().unwrap().iter().all(|seat| seat["deadline"].is_null()));
    let record = node.service.record(table).await.unwrap();
    assert!(verify(&record).faults.is_empty());
    let acted_too_late = node.service.act(table, &seated[0].caller(), "WWW".parse().unwrap(), 999).await;
    assert_eq!(rejection(acted_too_late), Rejection::Over);
}

#[tokio::test]
async fn deadline_survives_a_restart() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    let start_ms = time.now_ms();
    time.advance(10_000);
    let before = node.json_view(table, &seated[0].caller()).await;
    node.shut_down().await;
    time.advance(10_000);
    let node = TestService::start(&backend, &time, 2).await;
    let after = node.json_view(table, &seated[0].caller()).await;
    assert_eq!((before.version, before.json), (after.version, after.json));
    let mut watch = node.watch(table, Caller::Spectator).await;
    assert_eq!(deadline(&parse_view(&in_time(watch.next()).await.unwrap())), rfc3339(start_ms + LIMIT_MS));
    // The third of three times ten seconds: the time limit is over.
    time.advance(10_000);
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((acted["at"].clone(), deadline(&acted)), (4.into(), rfc3339(start_ms + 2 * LIMIT_MS)));
}

#[tokio::test]
async fn clocks_get_a_grace_period_after_restart() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    node.shut_down().await;
    time.advance(86_400_000);
    let node = TestService::start(&backend, &time, 2).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], 3);
    // The grace period is five seconds.
    time.advance(4999);
    assert_no_view(&mut watch).await;
    time.advance(1);
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((acted["at"].clone(), deadline(&acted)), (4.into(), rfc3339(time.now_ms() + LIMIT_MS)));
}

#[tokio::test]
async fn clocks_run_after_a_restart_without_a_request() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    node.shut_down().await;
    let node = TestService::start(&backend, &time, 2).await;
    in_time(async {
        // Version 5 has the players' three actions. The expired clocks add two more.
        while backend.newest_version().await < 7 {
            time.advance(LIMIT_MS);
            tokio::task::yield_now().await;
        }
    })
    .await;
    drop(node);
}

#[tokio::test]
async fn bot_pause_is_half_to_one_and_a_half_of_the_mean() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let settings = Settings { bot_pause: Duration::from_secs(10), ..time.settings(1) };
    let node = TestService::run(Service::new(backend.open().await, settings), &time);
    // The pause depends on the table, so try several.
    for _ in 0..8 {
        let new = with_options(new_table(1, 1), |options| options.first_seat = Some(seat(1)));
        let (table, _) = node.open_table(new).await;
        let mut watch = node.watch(table, Caller::Spectator).await;
        assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["to_act"], 1);
        // The bot acts between 5 and 15 seconds.
        time.advance(4999);
        assert_no_view(&mut watch).await;
        time.advance(10_001);
        assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], 1);
    }
}

/// The record of a game with bots. The node restarts after every `actions_per_restart` actions of the person.
async fn record_with_restarts(actions_per_restart: usize) -> sultan_table::domain::Record {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let mut node = TestService::start(&backend, &time, 1).await;
    let seats = ["page", "merchant", "jeweller"].map(|bot| sultan_table::domain::SeatPlan::Bot(bot.to_owned()));
    let new = NewTable { seats: seats.into(), ..NewTable::plain(players(4)) };
    let (table, seated) = node.open_table(new).await;
    let mut rng = new_rng();
    for seed in 2.. {
        if node.play_random_actions(table, &seated, &mut rng, actions_per_restart).await < actions_per_restart {
            break;
        }
        node.shut_down().await;
        node = TestService::start(&backend, &time, seed).await;
    }
    node.service.record(table).await.unwrap()
}

#[tokio::test]
async fn bots_choose_the_same_action_after_a_restart() {
    let without_restart = record_with_restarts(usize::MAX).await;
    let with_restarts = record_with_restarts(2).await;
    assert!(verify(&without_restart).faults.is_empty());
    assert_eq!(without_restart, with_restarts);
}
