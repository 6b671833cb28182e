//! Whole games, with any number of people and bots.

use crate::{new_rng, new_table, rejection, start_node};
use sultan_rules::verify;
use sultan_table::domain::{Players, SeatPlan};
use sultan_table::{Caller, NewTable, Rejection};

#[tokio::test]
async fn people_and_bots_finish_games() {
    let (_backend, node) = start_node().await;
    for players in Players::ALL {
        for people in 1..=players.count() {
            let (table, seated) = node.open_table(new_table(people, players.count() - people)).await;
            assert_eq!(rejection(node.service.record(table).await), Rejection::NotOver);
            node.play_out(table, &seated, &mut new_rng()).await;
            let record = node.service.record(table).await.unwrap();
            assert_eq!(verify(&record).faults, []);
            let end = node.view(table, &Caller::Spectator).await;
            // `ended` means abandoned.
            assert_eq!((&end["phase"], &end["ended"]), (&"over".into(), &false.into()));
            assert_eq!(end["final"].as_array().unwrap().len(), usize::from(players.count()));
            assert_eq!(end["at"], record.actions.len());
            assert_eq!(end["commitment"], record.commitment.unwrap().to_string());
        }
    }
}

#[tokio::test]
async fn every_bot_finishes_a_game() {
    let (_backend, node) = start_node().await;
    for bot in sultan_bots::NAMES {
        let seats = vec![SeatPlan::Bot(bot.to_owned()), SeatPlan::Human, SeatPlan::Bot("random".to_owned())];
        let (table, seated) = node.open_table(NewTable { seats, ..new_table(1, 2) }).await;
        assert_eq!(seated[0].seat.number(), 1, "the host does not have the first seat for a person");
        node.play_out(table, &seated, &mut new_rng()).await;
        let record = node.service.record(table).await.unwrap();
        assert_eq!(record.names[0], format!("bot:{bot}"));
        assert!(verify(&record).faults.is_empty());
    }
}

#[tokio::test]
async fn all_observers_see_the_same_end() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(2, 1)).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    let spectators_view = node.view(table, &Caller::Spectator).await;
    for player in &seated {
        let mut view = node.view(table, &player.caller()).await;
        // Apart from the field `seat`, all views are equal.
        assert_eq!(view["seat"], player.seat.number());
        view["seat"] = spectators_view["seat"].clone();
        assert_eq!(view, spectators_view);
    }
}
