//! Players leave and return, and bots stand in for them.

use sultan_rules::verify;
use sultan_table::domain::TableId;
use sultan_table::{Caller, NewTable, Rejection};
use sultan_testkit::{Player, TestService, in_time, is_over, parse_view};

use crate::{
    new_rng, new_table, player_named, players, rejection, seat, start_node, start_node_with_slow_bots, with_options,
};

/// Who has each seat, for example `human` or `stand-in:jeweller`.
async fn seat_kinds(node: &TestService, table: TableId) -> Vec<String> {
    let view = node.view(table, &Caller::Spectator).await;
    view["seats"].as_array().unwrap().iter().map(|seat| seat["kind"].as_str().unwrap().to_owned()).collect()
}

/// The seat of the host.
async fn host_seat(node: &TestService, table: TableId) -> u64 {
    node.view(table, &Caller::Spectator).await["host"].as_u64().unwrap()
}

/// Three people at a table, by seat.
async fn three_players(node: &TestService) -> (TableId, [Player; 3]) {
    let (table, seated) = node.open_human_table(players(3)).await;
    (table, seated.try_into().unwrap())
}

#[tokio::test]
async fn leaving_before_the_start_frees_the_seat() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(4))).await.unwrap();
    let (table, ana) = (opened.table, Caller::Token(opened.token));
    // Ana, Bo and Cy have the seats 0, 1 and 2.
    let (bo, cy) = (node.take_seat(table, "Bo").await, node.take_seat(table, "Cy").await);
    assert_eq!(rejection(node.service.leave(table, &Caller::Spectator).await), Rejection::NoToken);
    node.service.leave(table, &ana).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["open", "human", "human", "open"]);
    assert_eq!(host_seat(&node, table).await, 1, "the next person is not the host");
    assert_eq!(rejection(node.service.leave(table, &ana).await), Rejection::WrongToken);
    node.service.leave(table, &cy.caller()).await.unwrap();
    assert_eq!(host_seat(&node, table).await, 1);
    assert_eq!(node.take_seat(table, "Dee").await.seat, seat(0));
    node.service.leave(table, &bo.caller()).await.unwrap();
    assert_eq!(host_seat(&node, table).await, 0);
}

#[tokio::test]
async fn table_is_abandoned_when_all_leave_before_the_start() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(new_table(2, 1)).await.unwrap();
    node.service.leave(opened.table, &Caller::Token(opened.token)).await.unwrap();
    let view = node.view(opened.table, &Caller::Spectator).await;
    assert_eq!((&view["phase"], &view["ended"]), (&"waiting".into(), &true.into()));
    assert_eq!(rejection(node.service.sit(opened.table, player_named("Bo")).await), Rejection::Over);
    assert_eq!(rejection(node.service.record(opened.table).await), Rejection::NotOver);
}

#[tokio::test]
async fn stand_in_plays_until_the_player_returns() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let (table, [ana, bo, cy]) = three_players(&node).await;
    let service = &node.service;
    service.leave(table, &ana.caller()).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["stand-in:jeweller", "human", "human"]);
    assert_eq!(host_seat(&node, table).await, 1);
    let before = node.json_view(table, &Caller::Spectator).await.version;
    service.leave(table, &ana.caller()).await.unwrap();
    assert_eq!(node.json_view(table, &Caller::Spectator).await.version, before, "leaving again changed the table");
    assert_eq!(rejection(service.end_stand_in(table, &cy.caller(), seat(0)).await), Rejection::NotHost);
    service.end_stand_in(table, &ana.caller(), seat(0)).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["human"; 3]);
    assert_eq!(host_seat(&node, table).await, 1, "the returned player became the host again");
    // The host can also return a seat to its player.
    service.leave(table, &cy.caller()).await.unwrap();
    service.put_bot_in_seat(table, &bo.caller(), seat(2), Some("page")).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["human", "human", "stand-in:page"]);
    service.end_stand_in(table, &bo.caller(), seat(2)).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["human"; 3]);
}

#[tokio::test]
async fn host_may_replace_an_absent_player_after_a_minute() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let (table, seated) = three_players(&node).await;
    let service = &node.service;
    let host = seated[0].caller();
    let to_act = node.player_to_act(table, &seated).await.unwrap();
    let not_to_act = seated.iter().rfind(|player| player.seat != to_act.seat).unwrap();
    let other = not_to_act.caller();
    let replace = async |caller: Caller, seat| service.put_bot_in_seat(table, &caller, seat, Some("random")).await;
    node.time.advance(59_999);
    assert_eq!(rejection(replace(host, to_act.seat).await), Rejection::NotAbsent(60));
    node.time.advance(1);
    // The table does not wait for the other players.
    assert_eq!(rejection(replace(host, not_to_act.seat).await), Rejection::NotAbsent(60));
    assert_eq!(rejection(replace(other, to_act.seat).await), Rejection::NotHost);
    replace(host, to_act.seat).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await[to_act.seat.index()], "stand-in:random");
    let (action, at) = node.random_action(table, &to_act, &mut new_rng()).await;
    assert_eq!(rejection(service.act(table, &to_act.caller(), action, at).await), Rejection::Away);
    service.end_stand_in(table, &to_act.caller(), to_act.seat).await.unwrap();
    service.act(table, &to_act.caller(), action, at).await.unwrap();
}

/// The lobby names the stand-in, so the players rely on it.
#[tokio::test]
async fn stand_in_of_an_absent_player_is_the_one_that_the_lobby_promises() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let new = with_options(new_table(2, 0), |options| options.stand_in = "merchant".to_owned());
    let (table, seated) = node.open_table(new).await;
    let to_act = node.player_to_act(table, &seated).await.unwrap();
    node.time.advance(60_000);
    node.service.put_bot_in_seat(table, &seated[0].caller(), to_act.seat, None).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await[to_act.seat.index()], "stand-in:merchant");
}

#[tokio::test]
async fn player_may_let_the_stand_in_play_the_rest_of_the_game() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(2, 1)).await;
    let (ana, bo) = (seated[0].caller(), seated[1].caller());
    let put_stand_in = async |caller: Caller, seat| node.service.put_bot_in_seat(table, &caller, seat, None).await;
    assert_eq!(rejection(put_stand_in(bo, seat(0)).await), Rejection::NotHost);
    put_stand_in(bo, seat(1)).await.unwrap();
    assert_eq!(seat_kinds(&node, table).await, ["human", "stand-in:random", "bot:random"]);
    put_stand_in(ana, seat(0)).await.unwrap();
    // Both players are still at the table, so the game goes on without them to its end.
    let mut watch = node.watch(table, ana).await;
    in_time(async {
        while !is_over(&parse_view(&watch.next().await.unwrap())) {
            node.time.advance(60_000);
        }
    })
    .await;
    assert_eq!(node.view(table, &ana).await["ended"], false);
    assert_eq!(verify(&node.service.record(table).await.unwrap()).faults, []);
    assert_eq!(rejection(put_stand_in(ana, seat(0)).await), Rejection::Over);
}

#[tokio::test]
async fn host_role_passes_to_a_present_player() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let (table, seated) =
        node.open_table(with_options(NewTable::plain(players(3)), |options| options.first_seat = Some(seat(1)))).await;
    // Seat 1 is to act, but does nothing for a minute. So the host, in seat 0, puts a bot in it, and then leaves.
    node.time.advance(60_000);
    node.service.put_bot_in_seat(table, &seated[0].caller(), seat(1), Some("random")).await.unwrap();
    node.service.leave(table, &seated[0].caller()).await.unwrap();
    assert_eq!(host_seat(&node, table).await, 2);
    // The last player was replaced by the host but did not leave, so the game goes on.
    node.service.leave(table, &seated[2].caller()).await.unwrap();
    assert_eq!(host_seat(&node, table).await, 1);
    assert!(!is_over(&node.view(table, &Caller::Spectator).await));
}

#[tokio::test]
async fn stand_in_bots_finish_the_game() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(3, 0)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 10).await;
    node.service.leave(table, &seated[1].caller()).await.unwrap();
    node.play_random_actions(table, &seated, &mut new_rng(), 10).await;
    node.service.end_stand_in(table, &seated[1].caller(), seat(1)).await.unwrap();
    node.service.leave(table, &seated[0].caller()).await.unwrap();
    node.play_out(table, &seated, &mut new_rng()).await;
    assert_eq!(verify(&node.service.record(table).await.unwrap()).faults, []);
    assert_eq!(rejection(node.service.end_stand_in(table, &seated[0].caller(), seat(0)).await), Rejection::Over);
    assert_eq!(
        rejection(node.service.put_bot_in_seat(table, &seated[1].caller(), seat(0), Some("page")).await),
        Rejection::Over
    );
    node.service.leave(table, &seated[1].caller()).await.unwrap();
    assert_eq!(node.view(table, &Caller::Spectator).await["ended"], false, "a finished game counts as abandoned");
}

#[tokio::test]
async fn record_is_available_when_all_players_have_left() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let (table, seated) = node.open_table(new_table(3, 1)).await;
    let (mut watch, service) = (node.watch(table, Caller::Spectator).await, &node.service);
    for player in &seated {
        assert_eq!(rejection(service.record(table).await), Rejection::NotOver);
        service.leave(table, &player.caller()).await.unwrap();
    }
    let view = node.view(table, &Caller::Spectator).await;
    assert!(is_over(&view) && view["to_act"].is_null(), "{view}");
    let record = service.record(table).await.unwrap();
    assert!(verify(&record).faults.is_empty());
    assert_eq!(view["at"], record.actions.len());
    let caller = seated[0].caller();
    assert_eq!(rejection(service.end_stand_in(table, &caller, seat(0)).await), Rejection::Over);
    assert_eq!(rejection(service.act(table, &caller, "WWW".parse().unwrap(), 0).await), Rejection::Over);
    // Four views: the initial view, and one after each player left.
    for _ in 0..4 {
        in_time(watch.next()).await.unwrap();
    }
    assert!(sultan_testkit::is_up_to_date(&mut watch).await);
}
