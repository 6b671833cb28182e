//! Guided first games, which teach a new player: real tables with a fixed deal that no other table has.

use serde_json::Value;
use sultan_rules::verify;
use sultan_table::domain::{ClientSeed, Commitment, Record, Screens};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange};
use sultan_testkit::{Backend, FakeTime, TestService};

use crate::{new_rng, new_table, player_named, players, rejection, seat, start_node, with_options};

/// The player's first view of a new guided game, without the table's id, which differs between tables.
async fn first_view(node: &TestService) -> Value {
    let (table, seated) = node.open_table(NewTable::guided(player_named("Ana"))).await;
    let mut view = node.view(table, &seated[0].caller()).await;
    view.as_object_mut().unwrap().remove("table");
    view
}

/// Opens a table, plays its game to the end, and returns the record.
async fn play_and_record(node: &TestService, new: NewTable) -> Record {
    let (table, seated) = node.open_table(new).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    node.service.record(table).await.unwrap()
}

#[tokio::test]
async fn guided_game_starts_at_once_with_the_player_first() {
    let (_backend, node) = start_node().await;
    let view = first_view(&node).await;
    assert_eq!((&view["guided"], &view["phase"]), (&true.into(), &"offer".into()));
    assert_eq!((&view["to_act"], &view["seat"], &view["screens"]), (&0.into(), &0.into(), &"closed".into()));
    assert_eq!(view["seats"][0]["name"], "Ana");
    // The fixed deal offers a real choice: three colours, and low, middle and high cards.
    assert_eq!(view["drawn"], serde_json::json!(["Y", "B", "W"]));
    assert_eq!(view["hand"], serde_json::json!([3, 7, 10, 12, 14]));
    assert!(node.service.public_tables().await.unwrap().is_empty());
}

#[tokio::test]
async fn guided_deal_is_always_the_same() {
    let (_backend, node) = start_node().await;
    let other_backend = Backend::sqlite();
    let other_node = TestService::start(&other_backend, &FakeTime::default(), 2).await;
    let view = first_view(&node).await;
    assert_eq!(view, first_view(&node).await);
    assert_eq!(view, first_view(&other_node).await);
    let one = play_and_record(&node, NewTable::guided(player_named("Ana"))).await;
    let two = play_and_record(&other_node, NewTable::guided(player_named("Bo"))).await;
    assert_eq!(
        (one.server_seed, &one.client_seeds, one.first_seat),
        (two.server_seed, &two.client_seeds, two.first_seat)
    );
    assert!(verify(&one).faults.is_empty());
}

#[tokio::test]
async fn guided_game_survives_a_restart() {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let node = TestService::start(&backend, &time, 1).await;
    let (table, seated) = node.open_table(NewTable::guided(player_named("Ana"))).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    let player = node.wait_for_turn(table, &seated).await.unwrap();
    let view = node.view(table, &player.caller()).await;
    node.shut_down().await;
    let node = TestService::start(&backend, &time, 1).await;
    assert_eq!(node.view(table, &player.caller()).await, view);
    assert_eq!(view["guided"], true);
    node.play_out(table, &seated, &mut new_rng()).await;
    assert_eq!(node.view(table, &Caller::Spectator).await["phase"], "over");
}

#[tokio::test]
async fn other_tables_never_get_the_guided_deal() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(NewTable::guided(player_named("Ana"))).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    let guided = node.service.record(table).await.unwrap();
    // A rematch of a guided game gets another deal.
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(rematch, &Caller::Spectator).await.get("guided"), None);
    node.play_out(rematch, &seated, &mut new_rng()).await;
    assert_ne!(node.service.record(rematch).await.unwrap().server_seed, guided.server_seed);
    // A table with the same options that is not guided gets another deal.
    let not_guided = with_options(NewTable::guided(player_named("Ana")), |options| options.guided = false);
    assert_ne!(play_and_record(&node, not_guided).await.server_seed, guided.server_seed);
    // The commitment of a guided game cannot be used to open a table, since the server never issued it.
    let commitment = guided.commitment;
    assert!(commitment.is_some());
    let with_its_commitment = NewTable { commitment, ..new_table(1, 2) };
    assert_eq!(rejection(node.service.open(with_its_commitment).await).code(), "commitment/not-found");
}

#[tokio::test]
async fn guided_game_rejects_other_options() {
    let (_backend, node) = start_node().await;
    let guided = || with_options(NewTable::plain(players(3)), |options| options.guided = true);
    let host_with_seed =
        NewPlayer { client_seed: ClientSeed::try_from("mine".to_owned()).unwrap(), ..player_named("Ana") };
    for new in [
        with_options(NewTable::plain(players(4)), |options| options.guided = true),
        with_options(new_table(1, 2), |options| options.guided = true),
        with_options(guided(), |options| options.screens = Screens::Open),
        with_options(guided(), |options| options.first_seat = Some(seat(1))),
        with_options(guided(), |options| options.seconds_per_action = Some(30)),
        with_options(guided(), |options| options.public = true),
        with_options(guided(), |options| options.even_pace = true),
        with_options(guided(), |options| options.stand_in = "page".into()),
        NewTable { commitment: Some(Commitment([0; 32])), ..guided() },
        NewTable { host: host_with_seed, ..guided() },
    ] {
        assert_eq!(rejection(node.service.open(new.clone()).await).code(), "table/bad", "another rejection of {new:?}");
    }
    let opened = node.service.open(guided()).await.unwrap();
    assert_eq!(node.view(opened.table, &Caller::Spectator).await["guided"], true);
}
