//! Rematches: the same people play again.

use sultan_rules::verify;
use sultan_table::domain::{ClientSeed, FirstSeatBy, PlayerColour, SeatPlan, TableId};
use sultan_table::{Caller, NewTable, Rejection, SeatChange};
use sultan_testkit::{Player, TestService, in_time, parse_view};

use crate::{new_rng, new_table, player_named, players, rejection, seat, start_node, with_options};

/// Opens a table and plays its game to the end.
async fn finished_game(node: &TestService, new: NewTable) -> (TableId, Vec<Player>) {
    let (table, seated) = node.open_table(new).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    (table, seated)
}

/// A player's request that sets only the client seed. For a rematch, it means that the player agrees to play.
fn with_seed(text: &str) -> SeatChange {
    SeatChange { client_seed: Some(ClientSeed::try_from(text.to_owned()).unwrap()), ..SeatChange::default() }
}

#[tokio::test]
async fn rematch_starts_when_all_have_agreed() {
    let (_backend, node) = start_node().await;
    let new = with_options(new_table(3, 1), |options| options.first_seat = Some(seat(2)));
    let (table, seated) = node.open_table(new).await;
    let service = &node.service;
    assert_eq!(
        rejection(service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await),
        Rejection::NotOver
    );
    node.play_out(table, &seated, &mut new_rng()).await;
    assert_eq!(
        rejection(service.rematch(table, &Caller::Spectator, SeatChange::default(), None).await),
        Rejection::NoToken
    );
    let mut watch = service
        .watch(table, Caller::Spectator, Some(node.json_view(table, &Caller::Spectator).await.version))
        .await
        .unwrap();
    let rematch = service.rematch(table, &seated[1].caller(), with_seed("b"), None).await.unwrap();
    assert_ne!(rematch, table);
    // Spectators and later callers get the same table.
    assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["rematch"], rematch.to_string());
    assert_eq!(service.rematch(table, &seated[0].caller(), with_seed("unused"), None).await.unwrap(), rematch);
    let view = node.view(rematch, &seated[0].caller()).await;
    assert_eq!((&view["phase"], &view["host"], &view["seat"]), (&"waiting".into(), &1.into(), &0.into()));
    assert_eq!(view["options"]["rematch_of"], table.to_string());
    assert_eq!(view["options"]["first_seat"], 3, "the left neighbour of the first seat is not first");
    let ready: Vec<_> = view["seats"].as_array().unwrap().iter().map(|seat| seat["ready"].clone()).collect();
    // Seat 1 requested the rematch, and seat 3 has a bot.
    assert_eq!(ready, [false, true, false, true]);
    assert_eq!(rejection(service.sit(rematch, player_named("Eve")).await), Rejection::NoSeatFree);
    for (player, seed) in [(seated[0], "a"), (seated[2], "c")] {
        assert_eq!(node.view(rematch, &Caller::Spectator).await["phase"], "waiting");
        service.change_seat(rematch, &player.caller(), player.seat, with_seed(seed)).await.unwrap();
    }
    assert_eq!(node.view(rematch, &Caller::Spectator).await["first_seat"], 3);
    node.play_out(rematch, &seated, &mut new_rng()).await;
    let record = service.record(rematch).await.unwrap();
    assert_eq!((record.first_seat, record.first_seat_by), (seat(3), Some(FirstSeatBy::Rematch)));
    assert_eq!(record.client_seeds.iter().map(ClientSeed::as_str).collect::<Vec<_>>(), ["a", "b", "c", ""]);
    assert!(verify(&record).faults.is_empty());
    // The left neighbour of the last seat is seat 0.
    let next_rematch = service.rematch(rematch, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(next_rematch, &Caller::Spectator).await["options"]["first_seat"], 0);
}

#[tokio::test]
async fn rematch_accepts_a_commitment() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(1, 2)).await;
    let (service, caller) = (&node.service, seated[0].caller());
    let commitment = service.new_commitment().await.unwrap();
    let request_rematch =
        async |table: TableId, seed: &str| service.rematch(table, &caller, with_seed(seed), Some(commitment)).await;
    assert_eq!(rejection(request_rematch(table, "a").await), Rejection::NotOver);
    node.play_out(table, &seated, &mut new_rng()).await;
    // The rejected request has not used up the commitment.
    let rematch = request_rematch(table, "a").await.unwrap();
    assert_eq!(node.view(rematch, &caller).await["commitment"], commitment.to_string());
    node.play_out(rematch, &seated, &mut new_rng()).await;
    let record = service.record(rematch).await.unwrap();
    assert!(record.commitment == Some(commitment) && verify(&record).faults.is_empty());
    assert_eq!(rejection(request_rematch(rematch, "b").await), Rejection::NoSuchCommitment);
}

#[tokio::test]
async fn rematch_against_bots_starts_at_once() {
    let (_backend, node) = start_node().await;
    let (table, seated) = finished_game(&node, new_table(1, 1)).await;
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_ne!(node.view(rematch, &Caller::Spectator).await["phase"], "waiting");
    node.play_out(rematch, &seated, &mut new_rng()).await;
    assert!(verify(&node.service.record(rematch).await.unwrap()).faults.is_empty());
}

#[tokio::test]
async fn rematch_reserves_no_seat_for_a_left_player() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(3, 0)).await;
    node.service.leave(table, &seated[1].caller()).await.unwrap();
    node.play_out(table, &seated, &mut new_rng()).await;
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(rematch, &Caller::Spectator).await["seats"][1]["kind"], "open");
    let new_player = node.take_seat(rematch, "Dee").await;
    assert_eq!(new_player.seat, seat(1));
    // A reserved seat can be given to a bot until its player agrees.
    node.service.put_bot_in_seat(rematch, &seated[0].caller(), seat(2), Some("random")).await.unwrap();
    node.play_out(rematch, &[seated[0], new_player], &mut new_rng()).await;
    assert_eq!(node.service.record(rematch).await.unwrap().names[1..], ["Dee", "bot:random"]);
    // This bot also plays in the next rematch.
    let next_rematch = node.service.rematch(rematch, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(next_rematch, &Caller::Spectator).await["seats"][2]["kind"], "bot:random");
}

#[tokio::test]
async fn rematch_keeps_or_changes_names_and_colours() {
    let (_backend, node) = start_node().await;
    let seats = vec![SeatPlan::Human, SeatPlan::Human];
    let host = sultan_table::NewPlayer { colour: Some(PlayerColour::Red), ..player_named("Ana") };
    let (table, seated) = finished_game(&node, NewTable { seats, host, ..NewTable::plain(players(2)) }).await;
    let request_rematch = async |change| node.service.rematch(table, &seated[1].caller(), change, None).await;
    let taken_colour = SeatChange { colour: Some(PlayerColour::Red), ..SeatChange::default() };
    assert_eq!(rejection(request_rematch(taken_colour).await), Rejection::ColourTaken);
    let bad_name = SeatChange { name: Some("\n\u{1}x".to_owned()), ..SeatChange::default() };
    assert_eq!(rejection(request_rematch(bad_name).await), Rejection::BadName(40));
    let change = SeatChange { name: Some("Bob".to_owned()), colour: Some(PlayerColour::Blue), client_seed: None };
    let rematch = request_rematch(change).await.unwrap();
    let view = node.view(rematch, &Caller::Spectator).await;
    assert_eq!((&view["seats"][0]["name"], &view["seats"][0]["colour"]), (&"Ana".into(), &"red".into()));
    assert_eq!((&view["seats"][1]["name"], &view["seats"][1]["colour"]), (&"Bob".into(), &"blue".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_rematch_requests_open_one_table() {
    let (_backend, node) = start_node().await;
    let (table, seated) = finished_game(&node, new_table(4, 0)).await;
    let request_rematch = |player: &Player| {
        let (service, caller) = (node.service.clone(), player.caller());
        tokio::spawn(async move { service.rematch(table, &caller, SeatChange::default(), None).await.unwrap() })
    };
    let requests: Vec<_> = seated.iter().chain(&seated).map(request_rematch).collect();
    let mut tables = Vec::new();
    for request in requests {
        tables.push(request.await.unwrap());
    }
    tables.dedup();
    assert_eq!(tables.len(), 1);
}
