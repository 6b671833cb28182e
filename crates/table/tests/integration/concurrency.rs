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
    let mut done = Vec::new();
    while let Some(player) = node.player_to_act(table, &seated).await {
        let view = node.view(table, &player.caller()).await;
        let at = u16::try_from(view["at"].as_u64().unwrap()).unwrap();
        let legal: Vec<Action> =
            view["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().parse().unwrap()).collect();
        // Two devices of one player, each sending the request twice.
        let wanted = [legal[0], *legal.last().unwrap()];
        let requests: Vec<_> = [0, 1, 0, 1]
            .map(|device: usize| (device, spawn_action(&node, table, &player, wanted[device], at)))
            .into_iter()
            .collect();
        let mut applied = Vec::new();
        for (device, answer) in requests {
            match answer.await.unwrap() {
                Ok(_) => applied.push(wanted[device]),
                Err(error) => {
                    let refusal = rejection::<()>(Err(error));
                    // Rejected in the state after the other action, which may have been the last of the game.
                    assert!(matches!(refusal, Rejection::NotNow { .. } | Rejection::Over), "{refusal}");
                }
            }
        }
        applied.dedup();
        assert_eq!(applied.len(), 1, "exactly one of the two actions is applied");
        done.push(applied[0]);
    }
    let record = node.service.record(table).await.unwrap();
    assert_eq!(record.actions, done);
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
async fn concurrent_joins_get_distinct_seats_or_an_error() {
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
        let answered = poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_ready())).await;
        if answered {
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
            // The request was accepted: watchers get the change although the client has disconnected.
            assert_eq!(in_time(watch.next()).await.unwrap().version, version);
        }
        // A repeated request finds the action stored or plays it, but never twice.
        let again = node.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(again.version, version);
        if polls <= 1 {
            assert_eq!(in_time(watch.next()).await.unwrap().version, version);
        }
    }
    assert!(is_up_to_date(&mut watch).await);
    assert!(verify(&node.service.record(table).await.unwrap()).faults.is_empty());
}
