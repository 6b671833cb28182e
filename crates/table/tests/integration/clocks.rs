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
    assert_eq!(deadline(&parse_view(&in_time(watch.next()).await.unwrap())), rfc3339(start_ms + LIMIT_MS));
    node.time.advance(LIMIT_MS - 1);
    assert_no_view(&mut watch).await;
    node.time.advance(1);
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!(acted["at"], 1);
    // The next player's time starts at the deadline, since no action was played before it.
    assert_eq!(deadline(&acted), rfc3339(start_ms + 2 * LIMIT_MS));
    assert_eq!(acted["seats"][0]["kind"], "human", "the player still has the seat");
    // An action in time stops the clock; the next player gets the full time.
    node.time.advance(10_000);
    node.play_random_actions(table, &seated, &mut new_rng(), 1).await;
    let acted = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((acted["at"].clone(), deadline(&acted)), (2.into(), rfc3339(start_ms + 2 * LIMIT_MS + 10_000)));
}

#[tokio::test]
async fn clock_plays_a_whole_game() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(table_with_clock()).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut last = in_time(watch.next()).await.unwrap();
    while !sultan_testkit::is_over(&parse_view(&last)) {
        node.time.advance(LIMIT_MS);
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
