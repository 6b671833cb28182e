//! Even pace: an action becomes visible to other observers with the next beat of a fixed interval, and not before.

use sultan_rules::verify;
use sultan_table::domain::TableId;
use sultan_table::{Caller, JsonView, NewTable, Rejection, SeatChange};
use sultan_testkit::{Backend, FakeTime, Player, TestService, in_time, is_over, is_up_to_date, parse_view};

use crate::{new_rng, new_table, rejection, start_node, with_options};

pub(crate) const BEAT_MS: i64 = 5000;

/// A public table for people only, with an even pace.
pub(crate) fn even_pace_table(people: u8) -> NewTable {
    with_options(new_table(people, 0), |options| {
        options.even_pace = true;
        options.public = true;
    })
}

/// Everything that observers other than the actor can see: views with their versions, rejections, and the public
/// tables.
async fn visible_to_others(node: &TestService, table: TableId, seated: &[Player], actor: &Player) -> Vec<String> {
    let mut visible = Vec::new();
    let with_version = |JsonView { version, json }| format!("{version} {json}");
    visible.push(with_version(node.json_view(table, &Caller::Spectator).await));
    let others: Vec<&Player> = seated.iter().filter(|other| other.seat != actor.seat).collect();
    for other in &others {
        visible.push(with_version(node.json_view(table, &other.caller()).await));
        // The visible number of actions and wrong numbers: all these actions are rejected, for different reasons.
        for at in [0, 1, 2, 30, 31, 32] {
            let acted = node.service.act(table, &other.caller(), "WWW".parse().unwrap(), at).await;
            visible.push(rejection(acted).to_string());
        }
        let rematch = node.service.rematch(table, &other.caller(), SeatChange::default(), None).await;
        visible.push(rejection(rematch).to_string());
    }
    // The host, if another player than the actor, tries to put bots in the seats.
    let host_seat = node.view(table, &Caller::Spectator).await["host"].as_u64().unwrap();
    for host in others.iter().filter(|other| u64::from(other.seat.number()) == host_seat) {
        // The host may give the own seat to a bot at any time.
        for player in seated.iter().filter(|player| player.seat != host.seat) {
            let replaced = node.service.put_bot_in_seat(table, &host.caller(), player.seat, Some("random")).await;
            visible.push(rejection(replaced).to_string());
        }
    }
    visible.push(format!("{:?}", node.service.record(table).await.map(|_| ())));
    visible.push(serde_json::to_string(&node.service.public_tables().await.unwrap()).unwrap());
    visible
}

#[tokio::test]
async fn delayed_action_is_hidden_until_the_beat() {
    let (_backend, node) = start_node().await;
    for seconds in [None, Some(5)] {
        let (table, seated) =
            node.open_table(with_options(even_pace_table(3), |options| options.seconds_per_action = seconds)).await;
        let mut watch = node.watch(table, Caller::Spectator).await;
        let mut version = in_time(watch.next()).await.unwrap().version;
        for turn in 0_u8..8 {
            node.time.advance(100 * i64::from(turn));
            let actor = node.player_to_act(table, &seated).await.unwrap();
            let mut actors_watch = node.watch(table, actor.caller()).await;
            in_time(actors_watch.next()).await.unwrap();
            let before = visible_to_others(&node, table, &seated, &actor).await;
            let acted = node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
            // The actor sees the action at once.
            assert_eq!((acted.version, &parse_view(&acted)["at"]), (version + 1, &(turn + 1).into()));
            assert_eq!(in_time(actors_watch.next()).await.unwrap().version, version + 1);
            assert_eq!(visible_to_others(&node, table, &seated, &actor).await, before);
            assert!(is_up_to_date(&mut watch).await);
            // Until 1 ms before the next beat, the other observers see no change.
            node.time.advance(BEAT_MS - 100 * i64::from(turn) - 1);
            tokio::task::yield_now().await;
            assert_eq!(visible_to_others(&node, table, &seated, &actor).await, before);
            node.time.advance(1);
            let received = in_time(watch.next()).await.unwrap();
            version += 1;
            assert_eq!((received.version, &parse_view(&received)["at"]), (version, &(turn + 1).into()));
            assert!(is_up_to_date(&mut actors_watch).await, "the actor gets a second view of the action");
        }
    }
}

#[tokio::test]
async fn several_delayed_actions_become_visible_beat_by_beat() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(even_pace_table(3)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let first = in_time(watch.next()).await.unwrap().version;
    let actor = node.player_to_act(table, &seated).await.unwrap();
    // The same player makes the offer and the first bid.
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
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
    let (table, seated) = node.open_table(even_pace_table(3)).await;
    for turn in 0_u8..6 {
        let actor = node.player_to_act(table, &seated).await.unwrap();
        let before = visible_to_others(&node, table, &seated, &actor).await;
        let acted = node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
        node.shut_down().await;
        node = TestService::start(&backend, &time, 2 + turn).await;
        assert_eq!(visible_to_others(&node, table, &seated, &actor).await, before);
        let actors_view = node.json_view(table, &actor.caller()).await;
        assert_eq!((actors_view.version, actors_view.json), (acted.version, acted.json));
        let mut watch = node.watch(table, Caller::Spectator).await;
        in_time(watch.next()).await.unwrap();
        time.advance(BEAT_MS);
        assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], turn + 1);
    }
    // Beats pass while the server is stopped.
    let actor = node.player_to_act(table, &seated).await.unwrap();
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
    node.shut_down().await;
    time.advance(BEAT_MS);
    let node = TestService::start(&backend, &time, 99).await;
    assert_eq!(node.view(table, &Caller::Spectator).await["at"], 7);
}

/// Plays a game with an even pace until only the last action is missing. Returns the player to act.
pub(crate) async fn play_until_last_action(node: &TestService, table: TableId, seated: &[Player]) -> Player {
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut view = parse_view(&in_time(watch.next()).await.unwrap());
    let mut rng = new_rng();
    loop {
        let actor = node.player_to_act(table, seated).await.unwrap();
        let seats = view["seats"].as_array().unwrap();
        let cards_left: u64 =
            seats.iter().map(|seat| seat["hand"].as_u64().unwrap() + seat["deck"].as_u64().unwrap()).sum();
        // One card is left in the whole game, for the last bid.
        if cards_left == 1 && view["phase"] == "bid" {
            return actor;
        }
        node.play_random_action(table, &actor, &mut rng).await.unwrap();
        node.time.advance(BEAT_MS);
        view = parse_view(&in_time(watch.next()).await.unwrap());
    }
}

#[tokio::test]
async fn end_becomes_visible_with_the_beat() {
    let (_backend, node) = start_node().await;
    for seconds in [None, Some(5)] {
        let (table, seated) =
            node.open_table(with_options(even_pace_table(3), |options| options.seconds_per_action = seconds)).await;
        let actor = play_until_last_action(&node, table, &seated).await;
        let before = visible_to_others(&node, table, &seated, &actor).await;
        let end = node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
        assert!(is_over(&parse_view(&end)));
        assert_eq!(visible_to_others(&node, table, &seated, &actor).await, before);
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
    for with_restart in [false, true] {
        let node = TestService::start(&backend, &time, u8::from(with_restart)).await;
        let (table, seated) = node.open_table(even_pace_table(2)).await;
        let actor = play_until_last_action(&node, table, &seated).await;
        node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
        let node = if with_restart {
            // The beat passes while the node is stopped.
            node.shut_down().await;
            time.advance(BEAT_MS);
            TestService::start(&backend, &time, 9).await
        } else {
            time.advance(BEAT_MS);
            node
        };
        // Wait until no table is listed as in play.
        in_time(async { while backend.query_number("SELECT count(*) FROM tables WHERE state = 1").await > 0 {} }).await;
        node.shut_down().await;
    }
}

#[tokio::test]
async fn leaving_does_not_reveal_a_hidden_end() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(even_pace_table(3)).await;
    let actor = play_until_last_action(&node, table, &seated).await;
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
    let mut watch = node.watch(table, Caller::Spectator).await;
    let before = in_time(watch.next()).await.unwrap();
    // The game is already over, but a bot stands in for each leaving player, as in a running game.
    for other in seated.iter().filter(|other| other.seat != actor.seat) {
        node.service.leave(table, &other.caller()).await.unwrap();
        let received = parse_view(&in_time(watch.next()).await.unwrap());
        assert_eq!(received["seats"][other.seat.index()]["kind"], "stand-in:random");
        assert_eq!(received["at"], parse_view(&before)["at"]);
    }
    node.time.advance(BEAT_MS);
    let end = parse_view(&in_time(watch.next()).await.unwrap());
    // The game counts as played to its end, not as abandoned (`ended`).
    assert_eq!((&end["phase"], &end["ended"]), (&"over".into(), &false.into()));
}

#[tokio::test]
async fn bots_and_clocks_follow_the_beat() {
    let (backend, node) = start_node().await;
    let new = with_options(new_table(1, 2), |options| {
        options.seconds_per_action = Some(5);
        options.even_pace = true;
    });
    let (table, _) = node.open_table(new).await;
    let start_ms = node.time.now_ms();
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut last = in_time(watch.next()).await.unwrap();
    // One action becomes visible with each beat, whether a bot acts or the player's time runs out.
    for beat in 1..=20_i64 {
        // A player's time runs out 500 ms before the beat.
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

/// The time-outs of all seats, as an observer sees them.
async fn timed_out(node: &TestService, table: TableId, caller: &Caller) -> Vec<serde_json::Value> {
    node.view(table, caller).await["seats"].as_array().unwrap().iter().map(|seat| seat["timed_out"].clone()).collect()
}

#[tokio::test]
async fn only_the_player_learns_that_the_time_ran_out() {
    let (_backend, node) = start_node().await;
    let new = with_options(even_pace_table(3), |options| options.seconds_per_action = Some(30));
    let (table, seated) = node.open_table(new).await;
    let first = node.player_to_act(table, &seated).await.unwrap();
    let (mut own_watch, mut watch) =
        (node.watch(table, first.caller()).await, node.watch(table, Caller::Spectator).await);
    in_time(own_watch.next()).await.unwrap();
    in_time(watch.next()).await.unwrap();
    // The bot acts shortly before the beat, and the beat makes its action visible.
    node.time.advance(29_500);
    assert_eq!(parse_view(&in_time(own_watch.next()).await.unwrap())["at"], 1);
    node.time.advance(500);
    assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["at"], 1);
    assert_eq!(timed_out(&node, table, &Caller::Spectator).await, [(); 3].map(serde_json::Value::from));
    for player in &seated {
        let mut expected = [(); 3].map(serde_json::Value::from);
        if player.seat == first.seat {
            expected[player.seat.index()] = serde_json::json!({"at": 0, "bot": "random"});
        }
        assert_eq!(timed_out(&node, table, &player.caller()).await, expected);
    }
}
