//! Replays of finished games.

use sultan_table::domain::{Observer, Players, Screens, TableView, View};
use sultan_table::{Caller, NewTable, Rejection};
use sultan_testkit::{Player, TestService};

use crate::{new_rng, players, rejection, start_node, with_options};

/// The current views of all players, then of a spectator.
async fn current_views(
    node: &TestService,
    table: sultan_table::domain::TableId,
    seated: &[Player],
) -> Vec<(Observer, View)> {
    let callers = seated.iter().map(|player| (Observer::Seat(player.seat), player.caller()));
    let mut views = Vec::new();
    for (observer, caller) in callers.chain([(Observer::Public, Caller::Spectator)]) {
        let TableView::Playing(playing) = node.service.observe(table, &caller).await.unwrap().view() else {
            panic!("the game has not started")
        };
        views.push((observer, playing.view));
    }
    views
}

#[tokio::test]
async fn replay_shows_each_seat_only_its_own_view() {
    let (_backend, node) = start_node().await;
    for players in Players::ALL {
        for screens in [Screens::Closed, Screens::Open] {
            let (table, seated) =
                node.open_table(with_options(NewTable::plain(players), |options| options.screens = screens)).await;
            assert_eq!(rejection(node.service.replay(table).await), Rejection::NotOver);
            let mut views_by_moment = vec![current_views(&node, table, &seated).await];
            let mut rng = new_rng();
            while node.play_random_actions(table, &seated, &mut rng, 1).await == 1 {
                views_by_moment.push(current_views(&node, table, &seated).await);
            }
            let replay = node.service.replay(table).await.unwrap();
            assert_eq!(replay.last() + 1, views_by_moment.len());
            for (moment, live_views) in views_by_moment.iter().enumerate() {
                for (observer, live_view) in live_views {
                    let replayed = replay.view_at(moment, *observer);
                    assert_eq!(&replayed.view, live_view);
                    assert!(replayed.replayed);
                }
            }
        }
    }
}

#[tokio::test]
async fn open_replay_shows_the_cards_and_jewels_of_all_players() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(4)).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    let replay = node.service.replay(table).await.unwrap();
    for moment in 0..=replay.last() {
        let open = replay.open(moment);
        for player in &seated {
            // Each player's hand, jewels and bids are those that the player saw.
            let players_view = replay.view_at(moment, Observer::Seat(player.seat)).view;
            let index = player.seat.index();
            let open_seat = &open.playing.view.seats[index];
            assert_eq!(open.hands[index], players_view.hand);
            assert_eq!(open.decks[index].len(), usize::from(open_seat.deck));
            assert_eq!(open_seat.collection, players_view.seats[index].collection);
            for (open_bid, seen_bid) in open.playing.view.bids.iter().zip(&players_view.bids) {
                assert!(seen_bid.seat() != player.seat || open_bid == seen_bid);
            }
        }
    }
    // For a moment after the last, the last position is returned.
    assert_eq!(replay.open(usize::MAX).playing.view, replay.open(replay.last()).playing.view);
}

#[tokio::test]
async fn abandoned_game_can_be_replayed() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 7).await;
    for player in &seated {
        node.service.leave(table, &player.caller()).await.unwrap();
    }
    assert_eq!(node.service.replay(table).await.unwrap().last(), 7);
}
