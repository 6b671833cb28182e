//! Opening tables, with and without commitments, and rejected options.

use sultan_rules::verify;
use sultan_table::domain::{
    ClientSeed, Commitment, FirstSeatBy, PlayerColour, Screens, SeatPlan, TableOptions, Variant,
};
use sultan_table::{Caller, NewPlayer, NewTable, Rejection};

use crate::{new_rng, new_table, player_named, players, rejection, seat, start_node, with_options};

#[tokio::test]
async fn view_of_a_waiting_table_shows_its_options() {
    let (_backend, node) = start_node().await;
    let new = NewTable {
        players: players(4),
        variant: Variant::default(),
        seats: vec![SeatPlan::Bot("page".to_owned()), SeatPlan::Human],
        options: TableOptions {
            screens: Screens::Open,
            first_seat: Some(seat(2)),
            seconds_per_action: Some(45),
            public: true,
            even_pace: true,
            stand_in: "merchant".to_owned(),
            rematch_of: None,
            guided: false,
            coach: true,
        },
        commitment: None,
        host: NewPlayer { colour: Some(PlayerColour::Gold), ..player_named(" Ana ") },
    };
    let opened = node.service.open(new).await.unwrap();
    assert_eq!(opened.seat, seat(1));
    let view = node.view(opened.table, &Caller::Token(opened.token)).await;
    assert_eq!(view["phase"], "waiting");
    assert_eq!((&view["seat"], &view["host"]), (&1.into(), &1.into()));
    assert_eq!(view["commitment"], opened.commitment.to_string());
    assert_eq!(view["table"], opened.table.to_string());
    let options = serde_json::json!({
        "screens": "open", "first_seat": 2, "seconds_per_action": 45, "public": true, "even_pace": true,
        "stand_in": "merchant", "rematch_of": null, "guided": false, "coach": true,
    });
    assert_eq!(view["options"], options);
    let seats = view["seats"].as_array().unwrap();
    let of_each_seat = |field: &str| seats.iter().map(|seat| seat[field].clone()).collect::<Vec<_>>();
    assert_eq!(of_each_seat("kind"), ["bot:page", "human", "open", "open"]);
    assert_eq!(of_each_seat("name"), ["page", "Ana", "", ""]);
    assert_eq!(of_each_seat("ready"), [true, true, false, false]);
    assert_eq!(of_each_seat("colour")[1], "gold");
    assert_eq!(node.view(opened.table, &Caller::Spectator).await["seat"], serde_json::Value::Null);
}

#[tokio::test]
async fn impossible_table_options_are_rejected() {
    let (_backend, node) = start_node().await;
    let plain = || NewTable::plain(players(3));
    let bot = |name: &str| SeatPlan::Bot(name.to_owned());
    let cases = [
        (NewTable { seats: vec![SeatPlan::Human; 4], ..plain() }, "table/bad"),
        (NewTable { seats: vec![bot("page"); 3], ..plain() }, "table/bad"),
        (with_options(plain(), |options| options.seconds_per_action = Some(0)), "table/bad"),
        (with_options(plain(), |options| options.seconds_per_action = Some(7 * 24 * 3600 + 1)), "table/bad"),
        (with_options(plain(), |options| options.first_seat = Some(seat(3))), "seat/not-found"),
        (NewTable { seats: vec![SeatPlan::Human, bot("grand vizier")], ..plain() }, "bot/not-found"),
        (with_options(plain(), |options| options.stand_in = "nobody".into()), "bot/not-found"),
        (NewTable { host: player_named("a\u{202e}b"), ..plain() }, "seat/bad-name"),
        (NewTable { commitment: Some(Commitment([1; 32])), ..plain() }, "commitment/not-found"),
    ];
    for (new, code) in cases {
        assert_eq!(rejection(node.service.open(new.clone()).await).code(), code, "another rejection of {new:?}");
    }
}

#[tokio::test]
async fn table_opened_with_a_commitment_uses_its_seed() {
    let (_backend, node) = start_node().await;
    let commitment = node.service.new_commitment().await.unwrap();
    let host =
        NewPlayer { client_seed: ClientSeed::try_from("after I saw it".to_owned()).unwrap(), ..player_named("Ana") };
    let new = NewTable { commitment: Some(commitment), host, ..new_table(2, 1) };
    let (table, seated) = node.open_table(new.clone()).await;
    assert_eq!(node.view(table, &Caller::Spectator).await["commitment"], commitment.to_string());
    // A commitment can be used only once.
    assert_eq!(rejection(node.service.open(new).await), Rejection::NoSuchCommitment);
    node.play_out(table, &seated, &mut new_rng()).await;
    let record = node.service.record(table).await.unwrap();
    assert_eq!(record.commitment, Some(commitment));
    assert_eq!(record.client_seeds[0].as_str(), "after I saw it");
    // The testkit's players have the seed “seed of NAME”, here with an empty name.
    assert_eq!(record.client_seeds[1].as_str(), "seed of ");
    assert_eq!(record.first_seat_by, Some(FirstSeatBy::Chance));
    assert!(verify(&record).faults.is_empty());
}

#[tokio::test]
async fn commitment_expires_after_ten_minutes() {
    let (_backend, node) = start_node().await;
    let expired = node.service.new_commitment().await.unwrap();
    node.time.advance(1);
    let valid = node.service.new_commitment().await.unwrap();
    assert_ne!(expired, valid);
    node.time.advance(600_000);
    let open = |commitment| node.service.open(NewTable { commitment: Some(commitment), ..NewTable::plain(players(2)) });
    assert_eq!(rejection(open(expired).await), Rejection::NoSuchCommitment);
    assert_eq!(open(valid).await.unwrap().commitment, valid);
}

#[tokio::test]
async fn rejected_table_does_not_use_up_a_commitment() {
    let (_backend, node) = start_node().await;
    let commitment = Some(node.service.new_commitment().await.unwrap());
    let new_table = || NewTable { commitment, ..NewTable::plain(players(3)) };
    let impossible = [
        with_options(new_table(), |options| options.first_seat = Some(seat(3))),
        with_options(new_table(), |options| options.stand_in = "nobody".into()),
        NewTable { host: player_named("a\nb"), ..new_table() },
    ];
    for new in impossible {
        assert_ne!(rejection(node.service.open(new).await), Rejection::NoSuchCommitment);
    }
    assert_eq!(Some(node.service.open(new_table()).await.unwrap().commitment), commitment);
}

#[tokio::test]
async fn host_may_choose_the_first_seat() {
    let (_backend, node) = start_node().await;
    let new = with_options(new_table(2, 1), |options| {
        options.first_seat = Some(seat(1));
        options.screens = Screens::Open;
    });
    let (table, seated) = node.open_table(new).await;
    let view = node.view(table, &Caller::Spectator).await;
    assert_eq!((&view["to_act"], &view["first_seat"], &view["screens"]), (&1.into(), &1.into(), &"open".into()));
    node.play_out(table, &seated, &mut new_rng()).await;
    let record = node.service.record(table).await.unwrap();
    assert_eq!((record.first_seat, record.first_seat_by), (seat(1), Some(FirstSeatBy::Host)));
    assert!(verify(&record).faults.is_empty());
}

#[tokio::test]
async fn espresso_game_is_played_recorded_and_verified() {
    let (_backend, node) = start_node().await;
    let new = NewTable { variant: Variant::ESPRESSO, ..new_table(2, 1) };
    let opened = node.service.open(new.clone()).await.unwrap();
    let waiting = node.view(opened.table, &Caller::Spectator).await;
    assert_eq!((&waiting["phase"], &waiting["parameters"]["stages"]), (&"waiting".into(), &1.into()));
    let (table, seated) = node.open_table(new).await;
    let view = node.view(table, &Caller::Spectator).await;
    // Views of a variant have version 2 of the format, with the changed parameters.
    assert_eq!((&view["version"], &view["parameters"]), (&2.into(), &serde_json::json!({"stages": 1})));
    node.play_out(table, &seated, &mut new_rng()).await;
    let record = node.service.record(table).await.unwrap();
    // Five rounds, each of an offer and three bids.
    assert_eq!((record.variant, record.actions.len()), (Variant::ESPRESSO, 5 * 4));
    let verified = verify(&record);
    assert_eq!(verified.faults, []);
    assert!(verified.replay.unwrap().game().outcome().is_some(), "the recorded game is not finished");
}
