//! Whole games, with any number of people and bots.

use sultan_rules::verify;
use sultan_table::domain::{Players, SeatPlan};
use sultan_table::{Caller, NewTable, Rejection};
use sultan_testkit::parse_view;

use crate::{node, quick, rejection, with_bots};

#[tokio::test]
async fn people_and_bots_finish_games() {
    let (_backend, node) = node().await;
    for players in Players::ALL {
        for people in 1..=players.count() {
            let (table, seated) = node.open_table(with_bots(people, players.count() - people)).await;
            assert_eq!(rejection(node.service.record(table).await), Rejection::NotOver);
            node.play_out(table, &seated, &mut quick()).await;
            let record = node.service.record(table).await.unwrap();
            let verdict = verify(&record);
            assert!(verdict.faults.is_empty(), "{:?}", verdict.faults);
            let end = node.view(table, &Caller::Spectator).await;
            assert_eq!((&end["phase"], &end["ended"]), (&"over".into(), &false.into()));
            assert_eq!(end["final"].as_array().unwrap().len(), usize::from(players.count()));
            assert_eq!(end["at"], record.actions.len());
            assert_eq!(end["commitment"], record.commitment.unwrap().to_string());
        }
    }
}

#[tokio::test]
async fn every_bot_finishes_a_game() {
    let (_backend, node) = node().await;
    for bot in sultan_bots::NAMES {
        let seats = vec![SeatPlan::Bot(bot.to_owned()), SeatPlan::Human, SeatPlan::Bot("random".to_owned())];
        let (table, seated) = node.open_table(NewTable { seats, ..with_bots(1, 2) }).await;
        assert_eq!(seated[0].seat.number(), 1, "the host has the first seat of a person");
        node.play_out(table, &seated, &mut quick()).await;
        let record = node.service.record(table).await.unwrap();
        assert_eq!(record.names[0], format!("bot:{bot}"));
        assert!(verify(&record).faults.is_empty());
    }
}

#[tokio::test]
async fn all_observers_see_the_same_end() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_table(with_bots(2, 1)).await;
    node.play_out(table, &seated, &mut quick()).await;
    let public = node.view(table, &Caller::Spectator).await;
    for player in &seated {
        let mut own = parse_view(&node.json_view(table, &player.caller()).await);
        assert_eq!(own["seat"], player.seat.number());
        own["seat"] = public["seat"].clone();
        assert_eq!(own, public);
    }
}
