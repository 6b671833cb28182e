//! Guided first games: real tables with a fixed deal that no other table has.

use serde_json::Value;
use sultan_rules::verify;
use sultan_table::domain::{ClientSeed, Commitment, Record, Screens};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange};
use sultan_testkit::{Backend, FakeTime, TestService};

use crate::{new_rng, new_table, player_named, players, rejection, seat, start_node, with_options};

/// The first view of the learner, without the values that differ between tables.
async fn opening_view(node: &TestService) -> Value {
    let (table, seated) = node.open_table(NewTable::guided(player_named("Ana"))).await;
    let mut view = node.view(table, &seated[0].caller()).await;
    view.as_object_mut().unwrap().remove("table");
    view
}

async fn record(node: &TestService, new: NewTable) -> Record {
    let (table, seated) = node.open_table(new).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    node.service.record(table).await.unwrap()
}

#[tokio::test]
async fn guided_game_starts_at_once_with_the_learner_first() {
    let (_backend, node) = start_node().await;
    let view = opening_view(&node).await;
    assert_eq!((&view["guided"], &view["phase"]), (&true.into(), &"offer".into()));
    assert_eq!((&view["to_act"], &view["seat"], &view["screens"]), (&0.into(), &0.into(), &"closed".into()));
    assert_eq!(view["seats"][0]["name"], "Ana");
    // A real choice: three colours, and cards of every strength.
    assert_eq!(view["drawn"], serde_json::json!(["Y", "B", "W"]));
    assert_eq!(view["hand"], serde_json::json!([3, 7, 10, 12, 14]));
    assert!(node.service.public_tables().await.unwrap().is_empty());
}

#[tokio::test]
async fn guided_deal_is_always_the_same() {
    let (_backend, node) = start_node().await;
    let elsewhere = Backend::sqlite();
    let other = TestService::start(&elsewhere, &FakeTime::default(), 2).await;
    let first = opening_view(&node).await;
    assert_eq!(first, opening_view(&node).await);
    assert_eq!(first, opening_view(&other).await);
    let (one, two) = (
        record(&node, NewTable::guided(player_named("Ana"))).await,
        record(&other, NewTable::guided(player_named("Bo"))).await,
    );
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
    let before = node.wait_for_turn(table, &seated).await.unwrap();
    let view = node.view(table, &before.caller()).await;
    node.shut_down().await;
    let node = TestService::start(&backend, &time, 1).await;
    assert_eq!(node.view(table, &before.caller()).await, view);
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
    // Not the rematch,
    let again = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(again, &Caller::Spectator).await.get("guided"), None);
    node.play_out(again, &seated, &mut new_rng()).await;
    assert_ne!(node.service.record(again).await.unwrap().server_seed, guided.server_seed);
    // nor a table with the same options that is not guided,
    let alike = with_options(NewTable::guided(player_named("Ana")), |options| options.guided = false);
    assert_ne!(record(&node, alike).await.server_seed, guided.server_seed);
    // nor a table opened with the commitment of the guided game, which was never issued.
    let commitment = guided.commitment;
    assert!(commitment.is_some());
    let new = NewTable { commitment, ..new_table(1, 2) };
    assert_eq!(rejection(node.service.open(new).await).code(), "commitment/not-found");
}

#[tokio::test]
async fn guided_game_rejects_other_options() {
    let (_backend, node) = start_node().await;
    let plain = || with_options(NewTable::plain(players(3)), |options| options.guided = true);
    let seeded = NewPlayer { client_seed: ClientSeed::try_from("mine".to_owned()).unwrap(), ..player_named("Ana") };
    for new in [
        with_options(NewTable::plain(players(4)), |options| options.guided = true),
        with_options(new_table(1, 2), |options| options.guided = true),
        with_options(plain(), |options| options.screens = Screens::Open),
        with_options(plain(), |options| options.first_seat = Some(seat(1))),
        with_options(plain(), |options| options.seconds_per_action = Some(30)),
        with_options(plain(), |options| options.public = true),
        with_options(plain(), |options| options.even_pace = true),
        with_options(plain(), |options| options.stand_in = "page".into()),
        NewTable { commitment: Some(Commitment([0; 32])), ..plain() },
        NewTable { host: seeded, ..plain() },
    ] {
        assert_eq!(rejection(node.service.open(new.clone()).await).code(), "table/bad", "{new:?}");
    }
    let opened = node.service.open(plain()).await.unwrap();
    assert_eq!(node.view(opened.table, &Caller::Spectator).await["guided"], true);
}
