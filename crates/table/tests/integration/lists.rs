//! Lists of public tables and of a browser's games, and the deletion of old tables.

use std::time::Duration;

use sultan_table::domain::Variant;
use sultan_table::{Caller, NewPlayer, NewTable, Rejection, SeatChange, Visitor};
use sultan_testkit::{Player, TestService, in_time};

use crate::{
    new_rng, new_table, player_named, players, rejection, seat, start_node, start_node_with_slow_bots, with_options,
};

/// A public table for two. The host has this name.
fn public_table(name: &str) -> NewTable {
    with_options(NewTable { host: player_named(name), ..NewTable::plain(players(2)) }, |options| options.public = true)
}

/// The listed public tables: the name of each host, and whether the game has started.
async fn listed_hosts(node: &TestService) -> Vec<(String, bool)> {
    let tables = node.service.public_tables().await.unwrap();
    tables.into_iter().map(|table| (table.seats[0].person.name.clone(), table.playing)).collect()
}

#[tokio::test]
async fn public_tables_are_listed_until_they_are_over() {
    let (_backend, node) = start_node().await;
    node.service.open(with_options(public_table("hidden"), |options| options.public = false)).await.unwrap();
    let mut tables = Vec::new();
    for (name, variant) in [("old", Variant::default()), ("middle", Variant::ESPRESSO), ("new", Variant::default())] {
        node.time.advance(1000);
        tables.push(node.service.open(NewTable { variant, ..public_table(name) }).await.unwrap());
    }
    let waiting = |name: &str| (name.to_owned(), false);
    assert_eq!(listed_hosts(&node).await, [waiting("new"), waiting("middle"), waiting("old")]);
    let listed_json = serde_json::to_value(node.service.public_tables().await.unwrap()).unwrap();
    // The test's clock starts at 08:00:00.
    assert_eq!(listed_json[0]["since"], "2027-01-15T08:00:03.000Z");
    assert_eq!(listed_json[0]["seats"][1]["kind"], "open");
    assert_eq!(
        (listed_json[0].get("parameters"), &listed_json[1]["parameters"]),
        (None, &serde_json::json!({"stages": 1}))
    );
    let bo = node.take_seat(tables[0].table, "Bo").await;
    assert_eq!(listed_hosts(&node).await, [waiting("new"), waiting("middle"), ("old".to_owned(), true)]);
    node.service.leave(tables[1].table, &Caller::Token(tables[1].token)).await.unwrap();
    let seated = [Player { seat: seat(0), token: tables[0].token }, bo];
    node.play_out(tables[0].table, &seated, &mut new_rng()).await;
    assert_eq!(listed_hosts(&node).await, [waiting("new")]);
}

#[tokio::test]
async fn browser_gets_a_list_of_its_games() {
    let (_backend, node) = start_node().await;
    let ana = Visitor::from_bytes([7; 32]);
    let player = |name| NewPlayer { visitor: Some(ana), ..player_named(name) };
    let games = async || {
        let games = node.service.games_of(&ana).await.unwrap();
        games.into_iter().map(|game| (game.table, game.state, game.your_turn, game.names.join(" "))).collect::<Vec<_>>()
    };
    assert!(games().await.is_empty());
    let first = node.service.open(NewTable { host: player("Ana"), ..new_table(1, 1) }).await.unwrap();
    node.time.advance(10);
    let second = node.service.open(NewTable::plain(players(2))).await.unwrap();
    node.time.advance(10);
    let third = node
        .service
        .open(with_options(NewTable::plain(players(3)), |options| options.first_seat = Some(seat(1))))
        .await
        .unwrap();
    node.service.sit(third.table, player("Ana")).await.unwrap();
    node.time.advance(10);
    let second_seat = node.service.sit(second.table, player("An")).await.unwrap();
    let first_player = Player { seat: first.seat, token: first.token };
    node.play_out(first.table, &[first_player], &mut new_rng()).await;
    let listed = games().await;
    let is_anas_turn = node.view(second.table, &Caller::Spectator).await["to_act"] == 1;
    // The other players of these tables, and the free seat, have empty names.
    assert_eq!(listed[0], (second.table, "playing", is_anas_turn, " An".to_owned()));
    assert_eq!(listed[1], (third.table, "waiting", false, " Ana ".to_owned()));
    assert_eq!(listed[2], (first.table, "over", false, "Ana random".to_owned()));
    // A seat that the player has lost is not listed; a rematch is listed.
    node.service.free_seat(third.table, &Caller::Token(third.token), seat(1)).await.unwrap();
    node.time.advance(10);
    let rematch = node.service.rematch(first.table, &first_player.caller(), SeatChange::default(), None).await.unwrap();
    node.service.leave(second.table, &Caller::Token(second.token)).await.unwrap();
    node.service.leave(second.table, &Caller::Token(second_seat.token)).await.unwrap();
    let listed: Vec<_> = games().await.into_iter().map(|(table, state, ..)| (table, state)).collect();
    assert_eq!(listed, [(rematch, "playing"), (second.table, "over"), (first.table, "over")]);
    assert!(node.service.games_of(&Visitor::random()).await.unwrap().is_empty());
}

#[tokio::test]
async fn old_tables_are_deleted_with_their_names() {
    let (backend, node) = start_node_with_slow_bots().await;
    let ana = Visitor::from_bytes([7; 32]);
    let host = NewPlayer { visitor: Some(ana), ..player_named("Ana") };
    let (over, seated) = node.open_table(NewTable { host: host.clone(), ..new_table(1, 1) }).await;
    node.service.leave(over, &seated[0].caller()).await.unwrap();
    let (with_clock, _) = node
        .open_table(with_options(NewTable::plain(players(2)), |options| options.seconds_per_action = Some(604_800)))
        .await;
    let (idle, _) = node.open_human_table(players(2)).await;
    let (changed, players_of_changed) = node.open_human_table(players(2)).await;
    node.time.advance(100_000);
    node.play_random_actions(changed, &players_of_changed, &mut new_rng(), 1).await;
    // `over` and `idle` are deleted. `with_clock` may wait for its player for a week, `changed` was just changed.
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 2);
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 0);
    // The deleted tables are removed from memory, too.
    for deleted in [over, idle] {
        assert_eq!(rejection(node.service.observe(deleted, &Caller::Spectator).await), Rejection::NoSuchTable);
        assert_eq!(rejection(node.service.record(deleted).await), Rejection::NoSuchTable);
    }
    assert!(node.service.games_of(&ana).await.unwrap().is_empty());
    assert_eq!(backend.query_number("SELECT count(*) FROM changes WHERE body LIKE '%Ana%'").await, 0);
    for kept in [with_clock, changed] {
        node.json_view(kept, &Caller::Spectator).await;
    }
    node.play_random_actions(changed, &players_of_changed, &mut new_rng(), 1).await;
}

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn old_table_with_a_running_clock_is_not_deleted() {
    let (_backend, node) = start_node().await;
    // Without a time limit the table waits for its player forever.
    let (stalled, seated) = node.open_table(new_table(1, 2)).await;
    node.wait_for_turn(stalled, &seated).await.unwrap();
    let limit_of_a_week = with_options(new_table(2, 1), |options| options.seconds_per_action = Some(7 * 24 * 3600));
    let (with_clock, _) = node.open_table(limit_of_a_week).await;
    let mut watch = node.watch(with_clock, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    // After a week the time runs out, and a bot acts for the player.
    node.time.advance(7 * 24 * 3_600_000);
    in_time(watch.next()).await.unwrap();
    assert_eq!(node.service.delete_older_than(DAY).await.unwrap(), 0, "both games may still continue");
    // Nine days after its last change the stalled game is deleted: no time limit is longer than a week, and one day is
    // added for downtime.
    node.time.advance(2 * 24 * 3_600_000);
    assert_eq!(node.service.delete_older_than(30 * DAY).await.unwrap(), 0);
    assert_eq!(node.service.delete_older_than(DAY).await.unwrap(), 1);
    assert_eq!(rejection(node.service.observe(stalled, &Caller::Spectator).await), Rejection::NoSuchTable);
    node.json_view(with_clock, &Caller::Spectator).await;
}

#[tokio::test]
async fn deleted_table_is_unloaded_on_all_nodes() {
    let (backend, node) = start_node().await;
    let other = TestService::start(&backend, &node.time, 2).await;
    let (old, _) = node.open_human_table(players(2)).await;
    other.json_view(old, &Caller::Spectator).await;
    node.time.advance(1);
    let (new, _) = node.open_human_table(players(2)).await;
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 1);
    assert_eq!(other.service.delete_older_than(Duration::ZERO).await.unwrap(), 0);
    for node in [&node, &other] {
        assert_eq!(rejection(node.service.observe(old, &Caller::Spectator).await), Rejection::NoSuchTable);
        node.json_view(new, &Caller::Spectator).await;
    }
}

#[tokio::test]
async fn all_nodes_get_the_same_cookie_secret() {
    let (backend, node) = start_node().await;
    let other = TestService::start(&backend, &node.time, 2).await;
    assert_eq!(node.service.cookie_secret().await.unwrap(), other.service.cookie_secret().await.unwrap());
}

#[tokio::test]
async fn closed_node_is_not_ready_and_other_nodes_are() {
    let (backend, node) = start_node().await;
    let other = TestService::start(&backend, &node.time, 2).await;
    node.service.ready().await.unwrap();
    node.service.close().await;
    assert!(node.service.ready().await.is_err());
    other.service.ready().await.unwrap();
}
