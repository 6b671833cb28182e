//! People sit down, choose names and colours, and the game starts.

use std::collections::BTreeSet;

use sultan_table::domain::{ClientSeed, PlayerColour};
use sultan_table::{Caller, NewPlayer, NewTable, Rejection, SeatChange};

use crate::{new_rng, new_table, player_named, players, rejection, seat, start_node};

fn player_with_colour(colour: PlayerColour) -> NewPlayer {
    NewPlayer { colour: Some(colour), ..player_named("Bo") }
}

#[tokio::test]
async fn game_starts_when_the_last_seat_is_taken() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    for number in [1, 2] {
        assert_eq!(node.view(opened.table, &Caller::Spectator).await["phase"], "waiting");
        assert_eq!(node.take_seat(opened.table, "").await.seat, seat(number));
    }
    let view = node.view(opened.table, &Caller::Spectator).await;
    assert_eq!((&view["phase"], &view["at"]), (&"offer".into(), &0.into()));
    assert_eq!(rejection(node.service.sit(opened.table, player_named("")).await), Rejection::Started);
}

#[tokio::test]
async fn player_gets_a_bots_colour_but_no_other_players_colour() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(new_table(3, 2)).await.unwrap();
    let colours = async || {
        let view = node.view(opened.table, &Caller::Spectator).await;
        let seats = view["seats"].as_array().unwrap().clone();
        seats.into_iter().map(|seat| seat["colour"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = colours().await;
    assert_eq!(before[0], "violet");
    let bots_colour: PlayerColour = serde_json::from_value(before[3].clone().into()).unwrap();
    let sit = async |player| node.service.sit(opened.table, player).await;
    assert_eq!(rejection(sit(player_with_colour(PlayerColour::Violet)).await), Rejection::ColourTaken);
    sit(player_with_colour(bots_colour)).await.unwrap();
    let after = colours().await;
    assert_eq!(after[1], before[3]);
    assert_eq!(BTreeSet::from_iter(&after).len(), 5, "two seats have the same colour: {after:?}");
    // Without a wish, a player gets the first free colour.
    let is_free = |colour: &&PlayerColour| **colour != PlayerColour::Violet && **colour != bots_colour;
    let first_free = PlayerColour::ALL.iter().find(is_free).unwrap();
    sit(player_named("Cy")).await.unwrap();
    assert_eq!(colours().await[2], serde_json::to_value(first_free).unwrap());
}

#[tokio::test]
async fn seat_can_be_changed_until_the_start() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(3))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let other = node.take_seat(table, "Bo").await;
    let seed = ClientSeed::try_from("another".to_owned()).unwrap();
    let new_name_colour_and_seed = || SeatChange {
        name: Some(" Ana ".to_owned()),
        colour: Some(PlayerColour::Blue),
        client_seed: Some(seed.clone()),
    };
    let change_seat = async |caller: Caller, seat, change| node.service.change_seat(table, &caller, seat, change).await;
    let changed = change_seat(host, seat(0), new_name_colour_and_seed()).await.unwrap();
    let view = node.view(table, &Caller::Spectator).await;
    assert_eq!((&view["seats"][0]["name"], &view["seats"][0]["colour"]), (&"Ana".into(), &"blue".into()));
    assert_eq!(changed.version(), node.json_view(table, &Caller::Spectator).await.version);
    // Omitted fields stay as they are; the record below shows this.
    change_seat(host, seat(0), SeatChange::default()).await.unwrap();
    let taken_colour = SeatChange { colour: Some(PlayerColour::Blue), ..SeatChange::default() };
    assert_eq!(rejection(change_seat(other.caller(), seat(1), taken_colour).await), Rejection::ColourTaken);
    let long_name = SeatChange { name: Some("x".repeat(41)), ..SeatChange::default() };
    assert_eq!(rejection(change_seat(other.caller(), seat(1), long_name).await), Rejection::BadName(40));
    let change_seat_0 = async |caller| rejection(change_seat(caller, seat(0), new_name_colour_and_seed()).await);
    assert_eq!(change_seat_0(other.caller()).await, Rejection::WrongToken);
    assert_eq!(change_seat_0(Caller::Spectator).await, Rejection::NoToken);
    let last = node.take_seat(table, "Cy").await;
    assert_eq!(change_seat_0(host).await, Rejection::Started);
    let seated = [sultan_testkit::Player { seat: opened.seat, token: opened.token }, other, last];
    node.play_out(table, &seated, &mut new_rng()).await;
    let record = node.service.record(table).await.unwrap();
    assert_eq!(record.names, ["Ana", "Bo", "Cy"]);
    assert_eq!(record.client_seeds[0], seed);
}

#[tokio::test]
async fn host_fills_and_frees_seats_before_the_start() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(4))).await.unwrap();
    let (table, host) = (opened.table, Caller::Token(opened.token));
    let guest = node.take_seat(table, "Bo").await;
    let service = &node.service;
    for (caller, expected) in [(Caller::Spectator, Rejection::NoToken), (guest.caller(), Rejection::NotHost)] {
        assert_eq!(rejection(service.put_bot_in_seat(table, &caller, seat(2), Some("random")).await), expected);
        assert_eq!(rejection(service.free_seat(table, &caller, seat(1)).await), expected);
    }
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(2), Some("dragon")).await).code(), "bot/not-found");
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(4), Some("random")).await), Rejection::NoSuchSeat);
    // A bot can replace a player only after the start.
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(1), Some("random")).await), Rejection::NotStarted);
    assert_eq!(rejection(service.free_seat(table, &host, seat(2)).await), Rejection::SeatEmpty);
    // The host cannot remove themselves.
    assert_eq!(rejection(service.free_seat(table, &host, seat(0)).await).code(), "table/bad");
    service.put_bot_in_seat(table, &host, seat(2), Some("random")).await.unwrap();
    service.put_bot_in_seat(table, &host, seat(2), Some("page")).await.unwrap();
    service.free_seat(table, &host, seat(1)).await.unwrap();
    service.free_seat(table, &host, seat(2)).await.unwrap();
    assert_eq!(rejection(service.observe(table, &guest.caller()).await), Rejection::WrongToken);
    let new_guest = node.take_seat(table, "Cy").await;
    assert_eq!(new_guest.seat, seat(1));
    assert_eq!(rejection(service.end_stand_in(table, &new_guest.caller(), seat(1)).await), Rejection::NotStarted);
    service.put_bot_in_seat(table, &host, seat(2), Some("random")).await.unwrap();
    let started = service.put_bot_in_seat(table, &host, seat(3), Some("random")).await.unwrap();
    assert_eq!(sultan_testkit::parse_view(&started.json())["phase"], "offer");
    assert_eq!(rejection(service.put_bot_in_seat(table, &host, seat(3), Some("random")).await), Rejection::Started);
    assert_eq!(rejection(service.free_seat(table, &host, seat(1)).await), Rejection::Started);
}
