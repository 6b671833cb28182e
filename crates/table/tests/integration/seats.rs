//! People sit down, choose names and colours, and the game starts.

use sultan_table::domain::{ClientSeed, PlayerColour};
use sultan_table::{Caller, NewPlayer, NewTable, Rejection, SeatChange};

use crate::{named, node, players, quick, rejection, seat, with_bots};

fn coloured(colour: PlayerColour) -> NewPlayer {
    NewPlayer { colour: Some(colour), ..named("Bo") }
}

#[tokio::test]
async fn game_starts_when_the_last_seat_is_taken() {
    let (_backend, node) = node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    for number in [1, 2] {
        assert_eq!(node.view(opened.table, &Caller::Spectator).await["phase"], "waiting");
        assert_eq!(node.take_seat(opened.table, "").await.seat, seat(number));
    }
    let view = node.view(opened.table, &Caller::Spectator).await;
    assert_eq!((&view["phase"], &view["at"]), (&"offer".into(), &0.into()));
    assert_eq!(rejection(node.service.sit(opened.table, named("")).await), Rejection::Started);
}

#[tokio::test]
async fn player_colours_are_unique_and_bots_yield_theirs() {
    let (_backend, node) = node().await;
    let opened = node.service.open(with_bots(3, 2)).await.unwrap();
    let colours = async || {
        let view = node.view(opened.table, &Caller::Spectator).await;
        let seats = view["seats"].as_array().unwrap().clone();
        seats.into_iter().map(|seat| seat["colour"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = colours().await;
    assert_eq!(before[0], "violet");
    // The colour that a bot has so far.
    let wanted: PlayerColour = serde_json::from_value(before[3].clone().into()).unwrap();
    assert_eq!(rejection(node.service.sit(opened.table, coloured(PlayerColour::Violet)).await), Rejection::ColourTaken);
    node.service.sit(opened.table, coloured(wanted)).await.unwrap();
    let after = colours().await;
    assert_eq!(after[1], before[3]);
    let mut all = after.clone();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 5, "{after:?}");
    // Without a choice, a player gets the first free colour.
    let first = PlayerColour::ALL.iter().find(|&&colour| colour != PlayerColour::Violet && colour != wanted).unwrap();
    node.service.sit(opened.table, named("Cy")).await.unwrap();
    assert_eq!(colours().await[2], serde_json::to_value(first).unwrap());
}

#[tokio::test]
async fn seat_can_be_changed_until_the_start() {
    let (_backend, node) = node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let other = node.take_seat(table, "Bo").await;
    let seed = ClientSeed::try_from("another".to_owned()).unwrap();
    let changed = || SeatChange {
        name: Some(" Ana ".to_owned()),
        colour: Some(PlayerColour::Blue),
        client_seed: Some(seed.clone()),
    };
    let own = node.service.change_seat(table, &host, seat(0), changed()).await.unwrap();
    let view = node.view(table, &Caller::Spectator).await;
    assert_eq!((&view["seats"][0]["name"], &view["seats"][0]["colour"]), (&"Ana".into(), &"blue".into()));
    assert_eq!(own.version(), node.json_view(table, &Caller::Spectator).await.version);
    // Omitted fields are unchanged.
    node.service.change_seat(table, &host, seat(0), SeatChange::default()).await.unwrap();
    let change = async |caller: Caller, at, changed| node.service.change_seat(table, &caller, at, changed).await;
    let colour = SeatChange { colour: Some(PlayerColour::Blue), ..SeatChange::default() };
    assert_eq!(rejection(change(other.caller(), seat(1), colour).await), Rejection::ColourTaken);
    let name = SeatChange { name: Some("x".repeat(41)), ..SeatChange::default() };
    assert_eq!(rejection(change(other.caller(), seat(1), name).await), Rejection::BadName(40));
    assert_eq!(rejection(change(other.caller(), seat(0), changed()).await), Rejection::WrongToken);
    assert_eq!(rejection(change(Caller::Spectator, seat(0), changed()).await), Rejection::NoToken);
    let last = node.take_seat(table, "Cy").await;
    assert_eq!(rejection(change(host, seat(0), changed()).await), Rejection::Started);
    let seated = [sultan_testkit::Player { seat: opened.seat, token: opened.token }, other, last];
    node.play_out(table, &seated, &mut quick()).await;
    let record = node.service.record(table).await.unwrap();
    assert_eq!(record.names, ["Ana", "Bo", "Cy"]);
    assert_eq!(record.client_seeds[0], seed);
}

#[tokio::test]
async fn host_fills_and_frees_seats_before_the_start() {
    let (_backend, node) = node().await;
    let opened = node.service.open(NewTable::plain(players(4))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let guest = node.take_seat(table, "Bo").await;
    let service = &node.service;
    for (asker, wanted) in [(Caller::Spectator, Rejection::NoToken), (guest.caller(), Rejection::NotHost)] {
        assert_eq!(rejection(service.put_bot_in_seat(table, &asker, seat(2), "random").await), wanted);
        assert_eq!(rejection(service.free_seat(table, &asker, seat(1)).await), wanted);
    }
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(2), "dragon").await).code(), "bot/not-found");
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(4), "random").await), Rejection::NoSuchSeat);
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(1), "random").await), Rejection::NotStarted);
    assert_eq!(rejection(service.free_seat(table, &host, seat(2)).await), Rejection::SeatEmpty);
    assert_eq!(rejection(service.free_seat(table, &host, seat(0)).await).code(), "table/bad");
    service.put_bot_in_seat(table, &host, seat(2), "random").await.unwrap();
    service.put_bot_in_seat(table, &host, seat(2), "page").await.unwrap();
    service.free_seat(table, &host, seat(1)).await.unwrap();
    service.free_seat(table, &host, seat(2)).await.unwrap();
    assert_eq!(rejection(service.observe(table, &guest.caller()).await), Rejection::WrongToken);
    let again = node.take_seat(table, "Cy").await;
    assert_eq!(again.seat, seat(1));
    assert_eq!(rejection(service.end_stand_in(table, &again.caller(), seat(1)).await), Rejection::NotStarted);
    service.put_bot_in_seat(table, &host, seat(2), "random").await.unwrap();
    let started = service.put_bot_in_seat(table, &host, seat(3), "random").await.unwrap();
    assert_eq!(sultan_testkit::parse_view(&started.json())["phase"], "offer");
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(3), "random").await), Rejection::Started);
    assert_eq!(rejection(service.free_seat(table, &host, seat(1)).await), Rejection::Started);
}
