//! Limits and lifetimes: open tables, browsers of a seat, commitments.

use sultan_table::{Caller, NewTable, Rejection, SeatChange, Service, Settings, Visitor};
use sultan_testkit::{Backend, FakeTime, TestService, in_time};

use crate::{new_rng, new_table, players, rejection, start_node};

/// A node with this limit of open tables.
async fn start_node_with_table_limit(max_open_tables: u32) -> (Backend, TestService) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let settings = Settings { max_open_tables, ..time.settings(1) };
    let node = TestService::run(Service::new(backend.open().await, settings), &time);
    (backend, node)
}

#[tokio::test]
async fn number_of_open_tables_is_limited() {
    let (backend, node) = start_node_with_table_limit(3).await;
    let open = || node.service.open(NewTable::plain(players(2)));
    let waiting = open().await.unwrap();
    let (playing, seated) = node.open_human_table(players(2)).await;
    open().await.unwrap();
    let commitment = Some(node.service.new_commitment().await.unwrap());
    let open_with_commitment = || node.service.open(NewTable { commitment, ..NewTable::plain(players(2)) });
    // Both a count of at most five seconds ago and a new count reject the request, and keep the commitment unused.
    for _ in 0..3 {
        assert_eq!(rejection(open_with_commitment().await), Rejection::Full);
        node.time.advance(4000);
    }
    // A finished game is no open table. The node counts the open tables again after five seconds.
    node.play_out(playing, &seated, &mut new_rng()).await;
    node.time.advance(5000);
    assert_eq!(Some(open_with_commitment().await.unwrap().commitment), commitment);
    assert_eq!(rejection(open().await), Rejection::Full);
    // The limit applies to rematches, too.
    let rematch = async || node.service.rematch(playing, &seated[0].caller(), SeatChange::default(), None).await;
    assert_eq!(rejection(rematch().await), Rejection::Full);
    node.service.leave(waiting.table, &Caller::Token(waiting.token)).await.unwrap();
    node.time.advance(5000);
    assert_eq!(rematch().await.unwrap(), rematch().await.unwrap());
    // States 0 and 1: waiting for players, or in play.
    assert_eq!(backend.query_number("SELECT count(*) FROM tables WHERE state < 2").await, 3);
}

#[tokio::test]
async fn tables_of_other_nodes_count_towards_the_limit() {
    let (backend, node) = start_node_with_table_limit(2).await;
    let other = TestService::run(
        Service::new(backend.open().await, Settings { max_open_tables: 2, ..node.time.settings(2) }),
        &node.time,
    );
    let open = |node: &TestService| {
        let service = node.service.clone();
        async move { service.open(NewTable::plain(players(2))).await }
    };
    open(&node).await.unwrap();
    open(&other).await.unwrap();
    assert_eq!(rejection(open(&other).await), Rejection::Full);
    node.time.advance(5000);
    assert_eq!(rejection(open(&node).await), Rejection::Full);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_opens_respect_the_table_limit() {
    let (_backend, node) = start_node_with_table_limit(5).await;
    let opening: Vec<_> = (0..20)
        .map(|_| {
            let service = node.service.clone();
            tokio::spawn(async move { service.open(NewTable::plain(players(2))).await })
        })
        .collect();
    let mut opened = 0;
    for request in opening {
        opened += u32::from(request.await.unwrap().is_ok());
    }
    assert_eq!(opened, 5);
}

fn browser(number: u8) -> Visitor {
    Visitor::from_bytes([number; 32])
}

#[tokio::test]
async fn number_of_linked_browsers_is_limited() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_table(new_table(1, 1)).await;
    let link = async |table, number| node.service.link(table, seated[0].token, &browser(number)).await;
    for number in 0..32 {
        link(table, number).await.unwrap();
    }
    let version = node.json_view(table, &Caller::Spectator).await.version;
    assert_eq!(rejection(link(table, 32).await), Rejection::TooManyLinks);
    assert_eq!(node.json_view(table, &Caller::Spectator).await.version, version);
    // A linked browser can be linked again, and the seat's token can still be used.
    link(table, 0).await.unwrap();
    node.play_out(table, &seated, &mut new_rng()).await;
    // The rematch links only the 16 browsers that were linked last, so more browsers can be linked. The token of the
    // seat is also valid in the rematch.
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    let is_linked = async |number| {
        let caller = Caller::Visitor { visitor: browser(number), seat: None };
        node.service.observe(rematch, &caller).await.unwrap().observer().seat().is_some()
    };
    assert!(!is_linked(15).await && is_linked(16).await && is_linked(31).await);
    link(rematch, 32).await.unwrap();
    assert!(is_linked(32).await);
}

#[tokio::test]
async fn expired_commitments_are_deleted() {
    let (backend, node) = start_node().await;
    for _ in 0..3 {
        node.service.new_commitment().await.unwrap();
    }
    let stored_commitments = async || backend.query_number("SELECT count(*) FROM commitments").await;
    node.time.advance(599_999);
    let valid = node.service.new_commitment().await.unwrap();
    assert_eq!(stored_commitments().await, 4, "a commitment was deleted too early");
    // The node deletes expired commitments every ten minutes.
    node.time.advance(2);
    in_time(async {
        while stored_commitments().await != 1 {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    })
    .await;
    node.service.open(NewTable { commitment: Some(valid), ..NewTable::plain(players(2)) }).await.unwrap();
}
