//! Concurrent requests; some clients disconnect before they get an answer.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use sultan_rules::verify;
use sultan_table::domain::{Action, TableId};
use sultan_table::{Caller, NewPlayer, NewTable, Rejection, ServiceError};
use sultan_testkit::{Player, TestService, in_time, is_up_to_date};
use tokio::task::JoinHandle;

use crate::{new_rng, players, rejection, start_node};

/// Sends an action in a task of its own, which returns the new version.
fn spawn_action(
    node: &TestService,
    table: TableId,
    player: &Player,
    action: Action,
    at: u16,
) -> JoinHandle<Result<u32, ServiceError>> {
    let (service, caller) = (node.service.clone(), player.caller());
    tokio::spawn(async move { service.act(table, &caller, action, at).await.map(|acted| acted.version()) })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_concurrent_actions_is_applied() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut applied_actions = Vec::new();
    while let Some(player) = node.player_to_act(table, &seated).await {
        let view = node.view(table, &player.caller()).await;
        let at = u16::try_from(view["at"].as_u64().unwrap()).unwrap();
        let legal: Vec<Action> =
            view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().parse().unwrap()).collect();
        // A player sends different actions from two devices, each of them twice.
        let (first, second) = (legal[0], *legal.last().unwrap());
        let requests =
            [first, second, first, second].map(|action| (action, spawn_action(&node, table, &player, action, at)));
        let mut accepted = Vec::new();
        for (action, request) in requests {
            match request.await.unwrap() {
                Ok(_) => accepted.push(action),
                Err(error) => {
                    let rejection = rejection::<()>(Err(error));
                    // Rejected in the state after the other action, which may have been the last of the game.
                    assert!(matches!(rejection, Rejection::NotNow { .. } | Rejection::Over), "{rejection}");
                }
            }
        }
        // Both requests with the same action succeed, since a repeated request does.
        accepted.dedup();
        assert_eq!(accepted.len(), 1, "not exactly one of the two actions was accepted");
        applied_actions.push(accepted[0]);
    }
    let record = node.service.record(table).await.unwrap();
    assert_eq!(record.actions, applied_actions);
    assert!(verify(&record).faults.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_identical_actions_all_succeed_once() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut version = in_time(watch.next()).await.unwrap().version;
    while let Some(player) = node.player_to_act(table, &seated).await {
        let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
        let requests: Vec<_> = (0..10).map(|_| spawn_action(&node, table, &player, action, at)).collect();
        version += 1;
        for request in requests {
            assert_eq!(request.await.unwrap().unwrap(), version);
        }
        assert_eq!(in_time(watch.next()).await.unwrap().version, version);
    }
    assert!(is_up_to_date(&mut watch).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_for_a_seat_get_distinct_seats_or_an_error() {
    let (_backend, node) = start_node().await;
    let opened = node.service.open(NewTable::plain(players(5))).await.unwrap();
    let sit = |_| {
        let (service, table) = (node.service.clone(), opened.table);
        tokio::spawn(async move { service.sit(table, NewPlayer::default()).await })
    };
    let mut seats = Vec::new();
    for request in (0..20).map(sit).collect::<Vec<_>>() {
        match request.await.unwrap() {
            Ok(seated) => seats.push(seated.seat.number()),
            Err(error) => assert_eq!(rejection::<()>(Err(error)), Rejection::Started),
        }
    }
    seats.sort_unstable();
    assert_eq!(seats, [1, 2, 3, 4]);
}

/// Polls a request up to `polls` times, then drops it.
async fn poll_and_drop<T>(request: impl Future<Output = T>, polls: usize) {
    let mut request = pin!(request);
    for _ in 0..polls {
        let is_answered = poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_ready())).await;
        if is_answered {
            return;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn disconnected_client_does_not_interrupt_publication() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(4)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let mut version = in_time(watch.next()).await.unwrap().version;
    for polls in (0..8).cycle() {
        let Some(player) = node.player_to_act(table, &seated).await else { break };
        let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
        poll_and_drop(node.service.act(table, &player.caller(), action, at), polls).await;
        version += 1;
        if polls > 1 {
            // After two polls, the change is being stored by a task of its own: watchers get the change although the
            // client has disconnected.
            assert_eq!(in_time(watch.next()).await.unwrap().version, version);
        }
        // The repeated request plays the action, unless it is already stored.
        let repeated = node.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(repeated.version, version);
        if polls <= 1 {
            assert_eq!(in_time(watch.next()).await.unwrap().version, version);
        }
    }
    assert!(is_up_to_date(&mut watch).await);
    assert!(verify(&node.service.record(table).await.unwrap()).faults.is_empty());
}
