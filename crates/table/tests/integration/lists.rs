//! Lists of public tables and of a browser's games, and the deletion of old tables.

use std::time::Duration;

use sultan_table::domain::Variant;
use sultan_table::{Caller, NewPlayer, NewTable, Rejection, SeatChange, Visitor};
use sultan_testkit::{Player, TestService, in_time};

use crate::{named, node, players, quick, rejection, seat, slow_node, with_bots, with_options};

fn public(name: &str) -> NewTable {
    with_options(NewTable { host: named(name), ..NewTable::plain(players(2)) }, |options| options.public = true)
}

async fn listed(node: &TestService) -> Vec<(String, bool)> {
    let tables = node.service.public_tables().await.unwrap();
    tables.into_iter().map(|table| (table.seats[0].person.name.clone(), table.playing)).collect()
}

#[tokio::test]
async fn public_tables_are_listed_until_they_are_over() {
    let (_backend, node) = node().await;
    node.service.open(with_options(public("hidden"), |options| options.public = false)).await.unwrap();
    let mut tables = Vec::new();
    for (name, variant) in [("old", Variant::default()), ("middle", Variant::ESPRESSO), ("new", Variant::default())] {
        node.time.advance(1000);
        tables.push(node.service.open(NewTable { variant, ..public(name) }).await.unwrap());
    }
    let waiting = |name: &str| (name.to_owned(), false);
    assert_eq!(listed(&node).await, [waiting("new"), waiting("middle"), waiting("old")]);
    let listed_json = serde_json::to_value(node.service.public_tables().await.unwrap()).unwrap();
    assert_eq!(listed_json[0]["since"], "2027-01-15T08:00:03.000Z");
    assert_eq!(listed_json[0]["seats"][1]["kind"], "open");
    assert_eq!(
        (listed_json[0].get("parameters"), &listed_json[1]["parameters"]),
        (None, &serde_json::json!({"stages": 1}))
    );
    let bo = node.take_seat(tables[0].table, "Bo").await;
    assert_eq!(listed(&node).await, [waiting("new"), waiting("middle"), ("old".to_owned(), true)]);
    node.service.leave(tables[1].table, &Caller::Token(tables[1].token)).await.unwrap();
    let seated = [Player { seat: seat(0), token: tables[0].token }, bo];
    node.play_out(tables[0].table, &seated, &mut quick()).await;
    assert_eq!(listed(&node).await, [waiting("new")]);
}

#[tokio::test]
async fn browser_gets_a_list_of_its_games() {
    let (_backend, node) = node().await;
    let ana = Visitor::from_bytes([7; 32]);
    let player = |name| NewPlayer { visitor: Some(ana), ..named(name) };
    let games = async || {
        let games = node.service.games_of(&ana).await.unwrap();
        games.into_iter().map(|game| (game.table, game.state, game.your_turn, game.names.join(" "))).collect::<Vec<_>>()
    };
    assert!(games().await.is_empty());
    let first = node.service.open(NewTable { host: player("Ana"), ..with_bots(1, 1) }).await.unwrap();
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
    let seated = node.service.sit(second.table, player("An")).await.unwrap();
    let own = Player { seat: first.seat, token: first.token };
    node.play_out(first.table, &[own], &mut quick()).await;
    let mine = games().await;
    let turn = node.view(second.table, &Caller::Spectator).await["to_act"] == 1;
    assert_eq!(mine[0], (second.table, "playing", turn, " An".to_owned()));
    assert_eq!(mine[1], (third.table, "waiting", false, " Ana ".to_owned()));
    assert_eq!(mine[2], (first.table, "over", false, "Ana random".to_owned()));
    // A lost seat is not listed; a rematch is.
    node.service.free_seat(third.table, &Caller::Token(third.token), seat(1)).await.unwrap();
    node.time.advance(10);
    let again = node.service.rematch(first.table, &own.caller(), SeatChange::default(), None).await.unwrap();
    node.service.leave(second.table, &Caller::Token(second.token)).await.unwrap();
    node.service.leave(second.table, &Caller::Token(seated.token)).await.unwrap();
    let mine: Vec<_> = games().await.into_iter().map(|(table, state, ..)| (table, state)).collect();
    assert_eq!(mine, [(again, "playing"), (second.table, "over"), (first.table, "over")]);
    assert!(node.service.games_of(&Visitor::random()).await.unwrap().is_empty());
}

#[tokio::test]
async fn old_tables_are_deleted_with_their_names() {
    let (backend, node) = slow_node().await;
    let ana = Visitor::from_bytes([7; 32]);
    let host = NewPlayer { visitor: Some(ana), ..named("Ana") };
    let (over, seated) = node.open_table(NewTable { host: host.clone(), ..with_bots(1, 1) }).await;
    node.service.leave(over, &seated[0].caller()).await.unwrap();
    let (clocked, _) = node
        .open_table(with_options(NewTable::plain(players(2)), |options| options.seconds_per_action = Some(604_800)))
        .await;
    let (idle, _) = node.open_human_table(players(2)).await;
    let (busy, players_of_busy) = node.open_human_table(players(2)).await;
    node.time.advance(100_000);
    node.play_random_actions(busy, &players_of_busy, &mut quick(), 1).await;
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 2);
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 0);
    // They are removed from memory, too.
    for deleted in [over, idle] {
        assert_eq!(rejection(node.service.observe(deleted, &Caller::Spectator).await), Rejection::NoSuchTable);
        assert_eq!(rejection(node.service.record(deleted).await), Rejection::NoSuchTable);
    }
    assert!(node.service.games_of(&ana).await.unwrap().is_empty());
    assert_eq!(backend.query_number("SELECT count(*) FROM changes WHERE body LIKE '%Ana%'").await, 0);
    for kept in [clocked, busy] {
        node.json_view(kept, &Caller::Spectator).await;
    }
    node.play_random_actions(busy, &players_of_busy, &mut quick(), 1).await;
}

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn old_table_with_a_running_clock_is_not_deleted() {
    let (_backend, node) = node().await;
    let (abandoned, seated) = node.open_table(with_bots(1, 2)).await;
    node.wait_for_turn(abandoned, &seated).await.unwrap();
    let week = with_options(with_bots(2, 1), |options| options.seconds_per_action = Some(7 * 24 * 3600));
    let (clocked, _) = node.open_table(week).await;
    let mut watch = node.watch(clocked, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    node.time.advance(7 * 24 * 3_600_000);
    in_time(watch.next()).await.unwrap();
    assert_eq!(node.service.delete_older_than(DAY).await.unwrap(), 0, "both games may still continue");
    node.time.advance(2 * 24 * 3_600_000);
    assert_eq!(node.service.delete_older_than(30 * DAY).await.unwrap(), 0);
    assert_eq!(node.service.delete_older_than(DAY).await.unwrap(), 1);
    assert_eq!(rejection(node.service.observe(abandoned, &Caller::Spectator).await), Rejection::NoSuchTable);
    node.json_view(clocked, &Caller::Spectator).await;
}

#[tokio::test]
async fn deleted_table_is_unloaded_on_all_nodes() {
    let (backend, node) = node().await;
    let other = TestService::start(&backend, &node.time, 2).await;
    let (table, _) = node.open_human_table(players(2)).await;
    other.json_view(table, &Caller::Spectator).await;
    node.time.advance(1);
    let (young, _) = node.open_human_table(players(2)).await;
    assert_eq!(node.service.delete_older_than(Duration::ZERO).await.unwrap(), 1);
    assert_eq!(other.service.delete_older_than(Duration::ZERO).await.unwrap(), 0);
    for node in [&node, &other] {
        assert_eq!(rejection(node.service.observe(table, &Caller::Spectator).await), Rejection::NoSuchTable);
        node.json_view(young, &Caller::Spectator).await;
    }
}

#[tokio::test]
async fn all_nodes_get_the_same_cookie_secret() {
    let (backend, node) = node().await;
    let other = TestService::start(&backend, &node.time, 2).await;
    assert_eq!(node.service.cookie_secret().await.unwrap(), other.service.cookie_secret().await.unwrap());
    node.service.ready().await.unwrap();
    node.service.close().await;
    assert!(node.service.ready().await.is_err());
    other.service.ready().await.unwrap();
}
