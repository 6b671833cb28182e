//! Even pace: an action becomes visible to other observers with the beat, and not before.

use sultan_rules::verify;
use sultan_table::domain::TableId;
use sultan_table::{Caller, JsonView, NewTable, Rejection, SeatChange};
use sultan_testkit::{Backend, FakeTime, Player, TestService, in_time, is_over, is_up_to_date, parse_view};

use crate::{node, quick, rejection, with_bots, with_options};

pub(crate) const BEAT_MS: i64 = 5000;

pub(crate) fn even(people: u8) -> NewTable {
    with_options(with_bots(people, 0), |options| {
        options.even_pace = true;
        options.public = true;
    })
}

/// Everything that is visible to observers other than the actor.
async fn views_of_others(node: &TestService, table: TableId, seated: &[Player], actor: &Player) -> Vec<(u32, String)> {
    let mut visible = Vec::new();
    let pair = |JsonView { version, json }| (version, json.to_string());
    visible.push(pair(node.json_view(table, &Caller::Spectator).await));
    for other in seated.iter().filter(|other| other.seat != actor.seat) {
        visible.push(pair(node.json_view(table, &other.caller()).await));
        for at in [0, 1, 2, 30, 31, 32] {
            let tried = node.service.act(table, &other.caller(), "WWW".parse().unwrap(), at).await;
            visible.push((0, rejection(tried).to_string()));
        }
        let again = node.service.rematch(table, &other.caller(), SeatChange::default(), None).await;
        visible.push((0, rejection(again).to_string()));
    }
    // All players but the host may have left. The host requests bots.
    let host = node.view(table, &Caller::Spectator).await["host"].as_u64().unwrap();
    for other in seated.iter().filter(|other| other.seat != actor.seat && u64::from(other.seat.number()) == host) {
        for player in seated {
            let filled = node.service.put_bot_in_seat(table, &other.caller(), player.seat, "random").await;
            visible.push((0, rejection(filled).to_string()));
        }
    }
    visible.push((0, format!("{:?}", node.service.record(table).await.map(|_| ()))));
    visible.push((0, serde_json::to_string(&node.service.public_tables().await.unwrap()).unwrap()));
    visible
}

#[tokio::test]
async fn delayed_action_is_hidden_until_the_beat() {
    let (_backend, node) = node().await;
    for seconds in [None, Some(5)] {
        let (table, seated) =
            node.open_table(with_options(even(3), |options| options.seconds_per_action = seconds)).await;
        let mut watch = node.watch(table, Caller::Spectator).await;
        let mut version = in_time(watch.next()).await.unwrap().version;
        for turn in 0_u8..8 {
            node.time.advance(100 * i64::from(turn));
            let actor = node.player_to_act(table, &seated).await.unwrap();
            let mut own = node.watch(table, actor.caller()).await;
            in_time(own.next()).await.unwrap();
            let before = views_of_others(&node, table, &seated, &actor).await;
            let acted = node.play_random_action(table, &actor, &mut quick()).await.unwrap();
            // The actor sees the action at once.
            assert_eq!((acted.version, &parse_view(&acted)["at"]), (version + 1, &(turn + 1).into()));
            assert_eq!(in_time(own.next()).await.unwrap().version, version + 1);
            assert_eq!(views_of_others(&node, table, &seated, &actor).await, before);
            assert!(is_up_to_date(&mut watch).await);
            let since = node.time.now_ms();
            node.time.advance(BEAT_MS - 100 * i64::from(turn) - 1);
            tokio::task::yield_now().await;
            assert_eq!(views_of_others(&node, table, &seated, &actor).await, before);
            node.time.advance(1);
            let received = in_time(watch.next()).await.unwrap();
            version += 1;
            assert_eq!(
                (received.version, &parse_view(&received)["at"]),
                (version, &(turn + 1).into()),
                "since {since}"
            );
            assert!(is_up_to_date(&mut own).await, "the seat that acted gets no new view with the beat");
        }
    }
}

#[tokio::test]
async fn several_delayed_actions_become_visible_beat_by_beat() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_table(even(3)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let first = in_time(watch.next()).await.unwrap().version;
    let actor = node.player_to_act(table, &seated).await.unwrap();
    // An offer and the first bid.
    node.play_random_action(table, &actor, &mut quick()).await.unwrap();
    node.play_random_action(table, &actor, &mut quick()).await.unwrap();
    for at in [1, 2] {
        assert!(is_up_to_date(&mut watch).await);
        node.time.advance(BEAT_MS);
        let received = in_time(watch.next()).await.unwrap();
        assert_eq!((received.version, &parse_view(&received)["at"]), (first + at, &at.into()));
    }
    let next = node.player_to_act(table, &seated).await.unwrap();
    assert_ne!(next.seat, actor.seat);
}

#[tokio::test]
async fn beats_continue_after_a_restart() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let mut node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(even(3)).await;
    for turn in 0_u8..6 {
        let actor = node.player_to_act(table, &seated).await.unwrap();
        let before = views_of_others(&node, table, &seated, &actor).await;
        let acted = node.play_random_action(table, &actor, &mut quick()).await.unwrap();
        node.shut_down().await;
        node = TestService::start(&backend, &time, 2 + turn).await;
        assert_eq!(views_of_others(&node, table, &seated, &actor).await, before);
        let own = node.json_view(table, &actor.caller()).await;
        assert_eq!((own.version, own.json), (acted.version, acted.json));
        let mut watch = node.watch(table, Caller::Spectator).await;
        in_time(watch.next()).await.unwrap();
        time.advance(BEAT_MS);
        assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], turn + 1);
    }
    // Beats pass while the server is stopped.
    let actor = node.player_to_act(table, &seated).await.unwrap();
    node.play_random_action(table, &actor, &mut quick()).await.unwrap();
    node.shut_down().await;
    time.advance(BEAT_MS);
    let node = TestService::start(&backend, &time, 99).await;
    assert_eq!(node.view(table, &Caller::Spectator).await["at"], 7);
}

/// Plays until one action is missing. Returns the player to act.
pub(crate) async fn nearly_over(node: &TestService, table: TableId, seated: &[Player]) -> Player {
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut view = parse_view(&in_time(watch.next()).await.unwrap());
    let mut chance = quick();
    loop {
        let actor = node.player_to_act(table, seated).await.unwrap();
        let hands: u64 = view["seats"].as_array().unwrap().iter().map(|seat| seat["hand"].as_u64().unwrap()).sum();
        let decks: u64 = view["seats"].as_array().unwrap().iter().map(|seat| seat["deck"].as_u64().unwrap()).sum();
        if hands == 1 && decks == 0 && view["phase"] == "bid" {
            return actor;
        }
        node.play_random_action(table, &actor, &mut chance).await.unwrap();
        node.time.advance(BEAT_MS);
        view = parse_view(&in_time(watch.next()).await.unwrap());
    }
}

#[tokio::test]
async fn end_becomes_visible_with_the_beat() {
    let (_backend, node) = node().await;
    for seconds in [None, Some(5)] {
        let (table, seated) =
            node.open_table(with_options(even(3), |options| options.seconds_per_action = seconds)).await;
        let actor = nearly_over(&node, table, &seated).await;
        let before = views_of_others(&node, table, &seated, &actor).await;
        let end = node.play_random_action(table, &actor, &mut quick()).await.unwrap();
        assert!(is_over(&parse_view(&end)));
        assert_eq!(views_of_others(&node, table, &seated, &actor).await, before);
        assert_eq!(rejection(node.service.record(table).await), Rejection::NotOver);
        let mut watch = node.watch(table, Caller::Spectator).await;
        assert!(!is_over(&parse_view(&in_time(watch.next()).await.unwrap())));
        node.time.advance(BEAT_MS);
        assert!(is_over(&parse_view(&in_time(watch.next()).await.unwrap())));
        assert!(verify(&node.service.record(table).await.unwrap()).faults.is_empty());
        assert!(node.service.public_tables().await.unwrap().iter().all(|listed| listed.table != table));
        node.service.rematch(table, &actor.caller(), SeatChange::default(), None).await.unwrap();
    }
}

#[tokio::test]
async fn end_is_listed_after_the_beat_even_after_a_restart() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    for restart in [false, true] {
        let node = TestService::start(&backend, &time, u8::from(restart)).await;
        let (table, seated) = node.open_table(even(2)).await;
        let actor = nearly_over(&node, table, &seated).await;
        node.play_random_action(table, &actor, &mut quick()).await.unwrap();
        // In the other case the beat passes while the server is stopped.
        let node = if restart {
            node.shut_down().await;
            time.advance(BEAT_MS);
            TestService::start(&backend, &time, 9).await
        } else {
            time.advance(BEAT_MS);
            node
        };
        in_time(async { while backend.query_number("SELECT count(*) FROM tables WHERE state = 1").await > 0 {} }).await;
        node.shut_down().await;
    }
}

#[tokio::test]
async fn leaving_does_not_reveal_a_hidden_end() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_table(even(3)).await;
    let actor = nearly_over(&node, table, &seated).await;
    node.play_random_action(table, &actor, &mut quick()).await.unwrap();
    let mut watch = node.watch(table, Caller::Spectator).await;
    let before = in_time(watch.next()).await.unwrap();
    // As usual, a bot stands in at once.
    for other in seated.iter().filter(|other| other.seat != actor.seat) {
        node.service.leave(table, &other.caller()).await.unwrap();
        let received = parse_view(&in_time(watch.next()).await.unwrap());
        assert_eq!(received["seats"][other.seat.index()]["kind"], "stand-in:random");
        assert_eq!(received["at"], parse_view(&before)["at"]);
    }
    node.time.advance(BEAT_MS);
    let end = parse_view(&in_time(watch.next()).await.unwrap());
    assert_eq!((&end["phase"], &end["ended"]), (&"over".into(), &false.into()));
}

#[tokio::test]
async fn bots_and_clocks_follow_the_beat() {
    let (backend, node) = node().await;
    let new = with_options(with_bots(1, 2), |options| {
        options.seconds_per_action = Some(5);
        options.even_pace = true;
    });
    let (table, _) = node.open_table(new).await;
    let start_ms = node.time.now_ms();
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut last = in_time(watch.next()).await.unwrap();
    // One action per beat, no matter if a person or a bot acts, and how late.
    for beat in 1..=20_i64 {
        // A player's time runs out shortly before the beat.
        node.time.advance(BEAT_MS - 500);
        // Wait until the action is stored: only then can the beat show it.
        in_time(async { while backend.newest_version().await <= i64::from(last.version) {} }).await;
        assert!(is_up_to_date(&mut watch).await);
        node.time.advance(500);
        let received = in_time(watch.next()).await.unwrap();
        assert_eq!((parse_view(&received)["at"].as_i64(), received.version), (Some(beat), last.version + 1));
        assert_eq!(node.time.now_ms(), start_ms + beat * BEAT_MS);
        last = received;
    }
}
