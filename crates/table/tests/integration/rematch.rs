//! Rematches: the same people play again.

use sultan_rules::verify;
use sultan_table::domain::{ClientSeed, FirstSeatBy, PlayerColour, SeatPlan, TableId};
use sultan_table::{Caller, NewTable, Rejection, SeatChange};
use sultan_testkit::{Player, TestService, in_time, parse_view};

use crate::{named, node, players, quick, rejection, seat, with_bots, with_options};

async fn finished(node: &TestService, new: NewTable) -> (TableId, Vec<Player>) {
    let (table, seated) = node.open_table(new).await;
    node.play_out(table, &seated, &mut quick()).await;
    (table, seated)
}

fn seed(text: &str) -> SeatChange {
    SeatChange { client_seed: Some(ClientSeed::try_from(text.to_owned()).unwrap()), ..SeatChange::default() }
}

#[tokio::test]
async fn rematch_starts_when_all_have_agreed() {
    let (_backend, node) = node().await;
    let new = with_options(with_bots(3, 1), |options| options.first_seat = Some(seat(2)));
    let (table, seated) = node.open_table(new).await;
    let service = &node.service;
    assert_eq!(
        rejection(service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await),
        Rejection::NotOver
    );
    node.play_out(table, &seated, &mut quick()).await;
    assert_eq!(
        rejection(service.rematch(table, &Caller::Spectator, SeatChange::default(), None).await),
        Rejection::NoToken
    );
    let mut watch = service
        .watch(table, Caller::Spectator, Some(node.json_view(table, &Caller::Spectator).await.version))
        .await
        .unwrap();
    let again = service.rematch(table, &seated[1].caller(), seed("b"), None).await.unwrap();
    assert_ne!(again, table);
    // Spectators and later callers get the same table.
    assert_eq!(parse_view(&in_time(watch.next()).await.unwrap())["rematch"], again.to_string());
    assert_eq!(service.rematch(table, &seated[0].caller(), seed("unused"), None).await.unwrap(), again);
    let view = node.view(again, &seated[0].caller()).await;
    assert_eq!((&view["phase"], &view["host"], &view["seat"]), (&"waiting".into(), &1.into(), &0.into()));
    assert_eq!(view["options"]["rematch_of"], table.to_string());
    assert_eq!(view["options"]["first_seat"], 3, "the first seat moves on");
    let ready: Vec<_> = view["seats"].as_array().unwrap().iter().map(|seat| seat["ready"].clone()).collect();
    assert_eq!(ready, [false, true, false, true]);
    assert_eq!(rejection(service.sit(again, named("Eve")).await), Rejection::NoSeatFree);
    for (player, text) in [(seated[0], "a"), (seated[2], "c")] {
        assert_eq!(node.view(again, &Caller::Spectator).await["phase"], "waiting");
        service.change_seat(again, &player.caller(), player.seat, seed(text)).await.unwrap();
    }
    assert_eq!(node.view(again, &Caller::Spectator).await["first_seat"], 3);
    node.play_out(again, &seated, &mut quick()).await;
    let record = service.record(again).await.unwrap();
    assert_eq!((record.first_seat, record.first_seat_by), (seat(3), Some(FirstSeatBy::Rematch)));
    assert_eq!(record.client_seeds.iter().map(ClientSeed::as_str).collect::<Vec<_>>(), ["a", "b", "c", ""]);
    assert!(verify(&record).faults.is_empty());
    // In the next rematch the first seat moves on around the table.
    let third = service.rematch(again, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(third, &Caller::Spectator).await["options"]["first_seat"], 0);
}

#[tokio::test]
async fn rematch_accepts_a_commitment() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_table(with_bots(1, 2)).await;
    let (service, own) = (&node.service, seated[0].caller());
    let commitment = service.new_commitment().await.unwrap();
    let rematch = async |change| service.rematch(table, &own, change, Some(commitment)).await;
    assert_eq!(rejection(rematch(seed("a")).await), Rejection::NotOver);
    node.play_out(table, &seated, &mut quick()).await;
    // Rejected requests have not used up the commitment.
    let again = rematch(seed("a")).await.unwrap();
    assert_eq!(node.view(again, &own).await["commitment"], commitment.to_string());
    node.play_out(again, &seated, &mut quick()).await;
    let record = service.record(again).await.unwrap();
    assert!(record.commitment == Some(commitment) && verify(&record).faults.is_empty());
    let used = service.rematch(again, &own, seed("b"), Some(commitment)).await;
    assert_eq!(rejection(used), Rejection::NoSuchCommitment);
}

#[tokio::test]
async fn rematch_against_bots_starts_at_once() {
    let (_backend, node) = node().await;
    let (table, seated) = finished(&node, with_bots(1, 1)).await;
    let again = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_ne!(node.view(again, &Caller::Spectator).await["phase"], "waiting");
    node.play_out(again, &seated, &mut quick()).await;
    assert!(verify(&node.service.record(again).await.unwrap()).faults.is_empty());
}

#[tokio::test]
async fn rematch_reserves_no_seat_for_a_left_player() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_table(with_bots(3, 0)).await;
    node.service.leave(table, &seated[1].caller()).await.unwrap();
    node.play_out(table, &seated, &mut quick()).await;
    let again = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(again, &Caller::Spectator).await["seats"][1]["kind"], "open");
    let new = node.take_seat(again, "Dee").await;
    assert_eq!(new.seat, seat(1));
    // A seat that is reserved for a player who does not agree can be given to a bot.
    node.service.put_bot_in_seat(again, &seated[0].caller(), seat(2), "random").await.unwrap();
    node.play_out(again, &[seated[0], new], &mut quick()).await;
    assert_eq!(node.service.record(again).await.unwrap().names[1..], ["Dee", "bot:random"]);
    // A bot that was added later also plays in the next rematch.
    let third = node.service.rematch(again, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(node.view(third, &Caller::Spectator).await["seats"][2]["kind"], "bot:random");
}

#[tokio::test]
async fn rematch_keeps_or_changes_names_and_colours() {
    let (_backend, node) = node().await;
    let seats = vec![SeatPlan::Human, SeatPlan::Human];
    let host = sultan_table::NewPlayer { colour: Some(PlayerColour::Red), ..named("Ana") };
    let (table, seated) = finished(&node, NewTable { seats, host, ..NewTable::plain(players(2)) }).await;
    let taken = SeatChange { colour: Some(PlayerColour::Red), ..SeatChange::default() };
    assert_eq!(rejection(node.service.rematch(table, &seated[1].caller(), taken, None).await), Rejection::ColourTaken);
    let bad = SeatChange { name: Some("\n\u{1}x".to_owned()), ..SeatChange::default() };
    assert_eq!(rejection(node.service.rematch(table, &seated[1].caller(), bad, None).await), Rejection::BadName(40));
    let change = SeatChange { name: Some("Bob".to_owned()), colour: Some(PlayerColour::Blue), client_seed: None };
    let again = node.service.rematch(table, &seated[1].caller(), change, None).await.unwrap();
    let view = node.view(again, &Caller::Spectator).await;
    assert_eq!((&view["seats"][0]["name"], &view["seats"][0]["colour"]), (&"Ana".into(), &"red".into()));
    assert_eq!((&view["seats"][1]["name"], &view["seats"][1]["colour"]), (&"Bob".into(), &"blue".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_rematch_requests_open_one_table() {
    let (_backend, node) = node().await;
    let (table, seated) = finished(&node, with_bots(4, 0)).await;
    let ask = |player: &Player| {
        let (service, caller) = (node.service.clone(), player.caller());
        tokio::spawn(async move { service.rematch(table, &caller, SeatChange::default(), None).await.unwrap() })
    };
    let requests: Vec<_> = seated.iter().chain(&seated).map(ask).collect();
    let mut tables = Vec::new();
    for request in requests {
        tables.push(request.await.unwrap());
    }
    tables.dedup();
    assert_eq!(tables.len(), 1);
}
