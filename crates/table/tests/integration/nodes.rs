//! Two nodes on one SQLite database, which sends no notifications: each node reads the changes of the other node when a
//! request needs them, and both store one common history.

use std::sync::{Arc, Mutex};

use sultan_rules::verify;
use sultan_store::{Append, EventRecord, Store, StoreFuture};
use sultan_table::domain::TableId;
use sultan_table::{Caller, Rejection, SeatChange, Service, Visitor};
use sultan_testkit::{
    Backend, FakeTime, FaultyStore, Player, StoreOverrides, TestService, in_time, is_up_to_date, parse_view,
};

use crate::{new_rng, new_table, players, rejection, seat};

/// Two nodes with the same clock, but different random bytes (seeds 1 and 101).
async fn two_nodes() -> (Backend, [TestService; 2]) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let nodes = [TestService::start(&backend, &time, 1).await, TestService::start(&backend, &time, 101).await];
    (backend, nodes)
}

#[tokio::test]
async fn players_on_two_nodes_share_a_game() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_table(new_table(3, 0)).await;
    nodes[1].json_view(table, &Caller::Spectator).await;
    let mut rng = new_rng();
    // In each turn, a player looks at the table on one node and acts on the other node.
    for turn in 0.. {
        let (viewing, acting) = (&nodes[turn % 2], &nodes[(turn + 1) % 2]);
        let Some(player) = viewing.player_to_act(table, &seated).await else { break };
        let (action, at) = viewing.random_action(table, &player, &mut rng).await;
        let acted = acting.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(parse_view(&acted)["at"], at + 1);
        // The repeated request makes the viewing node read the change.
        let repeated = viewing.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!((repeated.version, repeated.json), (acted.version, acted.json));
    }
    let records = [nodes[0].service.record(table).await.unwrap(), nodes[1].service.record(table).await.unwrap()];
    assert_eq!(records[0], records[1]);
    assert!(verify(&records[0]).faults.is_empty());
}

#[tokio::test]
async fn rejection_is_based_on_the_newest_state() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let mut watch = other.watch(table, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    one.play_random_actions(table, &seated, &mut new_rng(), 9).await;
    let player = one.player_to_act(table, &seated).await.unwrap();
    let (action, at) = one.random_action(table, &player, &mut new_rng()).await;
    other.service.act(table, &player.caller(), action, at).await.unwrap();
    while parse_view(&in_time(watch.next()).await.unwrap())["at"] != at + 1 {}
    // The first node has not read the action yet, but its rejection counts the action.
    let rejected = one.service.act(table, &player.caller(), action, 99).await;
    assert_eq!(rejection(rejected), Rejection::NotNow { now: at + 1, given: 99 });
}

/// A client that had a newer version from another node gets no older version.
#[tokio::test]
async fn watch_on_another_node_never_regresses() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let old = other.json_view(table, &Caller::Spectator).await.version;
    one.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    assert_eq!(other.json_view(table, &Caller::Spectator).await.version, old, "the other node has read the actions");
    let mut watch = other.service.watch(table, Caller::Spectator, Some(old + 3)).await.unwrap();
    assert!(is_up_to_date(&mut watch).await, "the client already has the newest view");
    assert_eq!(other.json_view(table, &Caller::Spectator).await.version, old + 3, "watching did not read the store");
}

/// Changes of another node are published one by one, or only the newest if there are many.
#[tokio::test]
async fn watch_gets_each_change_of_another_node_if_few() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let mut watch = other.watch(table, Caller::Spectator).await;
    let old = in_time(watch.next()).await.unwrap().version;
    // Each of 8 changes is published; of the next 9 changes only the last.
    for (count, published) in [(8, (1..=8).collect()), (9, vec![8 + 9])] {
        one.play_random_actions(table, &seated, &mut new_rng(), count).await;
        assert!(is_up_to_date(&mut watch).await, "the other node has read the actions without a request");
        // A rejected request makes the node read new changes.
        rejection(other.service.act(table, &seated[0].caller(), "WWW".parse().unwrap(), 999).await);
        for version in published {
            assert_eq!(in_time(watch.next()).await.unwrap().version, old + version);
        }
        assert!(is_up_to_date(&mut watch).await);
    }
}

#[tokio::test]
async fn seat_is_given_once_across_nodes() {
    let (_backend, [one, other]) = two_nodes().await;
    let opened = one.service.open(sultan_table::NewTable::plain(players(4))).await.unwrap();
    other.json_view(opened.table, &Caller::Spectator).await;
    let bo = one.take_seat(opened.table, "Bo").await;
    assert_eq!(bo.seat, seat(1));
    // The other node accepts the token of the player who sat down on the first node.
    assert_eq!(other.view(opened.table, &bo.caller()).await["seat"], 1);
    assert_eq!(other.take_seat(opened.table, "Cy").await.seat, seat(2));
    assert_eq!(one.take_seat(opened.table, "Dee").await.seat, seat(3));
    assert_eq!(
        rejection(other.service.sit(opened.table, sultan_table::NewPlayer::default()).await),
        Rejection::Started
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_identical_actions_on_two_nodes_all_succeed_once() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_human_table(players(3)).await;
    for _ in 0..10 {
        let player = nodes[0].player_to_act(table, &seated).await.unwrap();
        let (action, at) = nodes[0].random_action(table, &player, &mut new_rng()).await;
        let before = nodes[0].json_view(table, &player.caller()).await.version;
        let mut requests = Vec::new();
        for number in 0..10 {
            let service = nodes[number % 2].service.clone();
            requests.push(tokio::spawn(async move { service.act(table, &player.caller(), action, at).await }));
        }
        for request in requests {
            assert_eq!(request.await.unwrap().unwrap().version(), before + 1, "the action was not applied once");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_on_two_nodes_act_once() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_table(new_table(1, 3)).await;
    let mut rng = new_rng();
    for turn in 0.. {
        if nodes[turn % 2].play_random_actions(table, &seated, &mut rng, 1).await == 0 {
            break;
        }
        // A rejected request makes the other node read new changes.
        let other = &nodes[(turn + 1) % 2];
        rejection(other.service.act(table, &seated[0].caller(), "WWW".parse().unwrap(), 999).await);
    }
    assert!(verify(&nodes[0].service.record(table).await.unwrap()).faults.is_empty());
}

#[tokio::test]
async fn rematches_on_two_nodes_give_one_table() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    other.json_view(table, &Caller::Spectator).await;
    one.play_out(table, &seated, &mut new_rng()).await;
    // The other node has not read the end of the game yet: the request for the record makes it read the store.
    assert_eq!(other.service.record(table).await.unwrap(), one.service.record(table).await.unwrap());
    let first = one.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    let second = other.service.rematch(table, &seated[1].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(first, second);
}

/// What a player does on the other node just before this node announces a rematch.
#[derive(Clone, Copy)]
enum FasterRequest {
    /// Opens a rematch.
    Rematch(Player),
    /// Links a browser to the player's seat.
    Link(Player),
}

/// The store of a slow node: before the node can announce a rematch in the old table, another node changes that table.
struct SlowerStore {
    store: Arc<dyn Store>,
    other: Service,
    /// The requests to the other node, one for each attempt of this node, in reverse order.
    faster_requests: Mutex<Vec<FasterRequest>>,
    /// The rematch that this node announced, once for each attempt.
    announced: Mutex<Vec<TableId>>,
}

impl StoreOverrides for SlowerStore {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let announced = append.change.events.iter().find_map(|event| match event {
                EventRecord::Rematched { table } => Some(*table),
                _ => None,
            });
            if let Some(announced) = announced {
                self.announced.lock().unwrap().push(announced);
                let faster_request = self.faster_requests.lock().unwrap().pop();
                match faster_request {
                    None => {}
                    Some(FasterRequest::Rematch(player)) => {
                        self.other.rematch(append.table, &player.caller(), SeatChange::default(), None).await.unwrap();
                    }
                    Some(FasterRequest::Link(player)) => {
                        self.other.link(append.table, player.token, &Visitor::random()).await.unwrap();
                    }
                }
            }
            self.store.append(append).await
        })
    }
}

/// Plays a game of two and requests a rematch on the slow node. Returns the rematch that the players get, and the
/// tables that the slow node announced as the rematch, and the slow node with its database.
async fn rematch_on_a_slower_node(
    faster_requests: impl Fn(&[Player]) -> Vec<FasterRequest>,
) -> (TableId, Vec<TableId>, (Backend, TestService)) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let other = TestService::start(&backend, &time, 1).await;
    let (table, seated) = other.open_human_table(players(2)).await;
    other.play_out(table, &seated, &mut new_rng()).await;
    let slow = SlowerStore {
        store: backend.open().await,
        other: other.service.clone(),
        faster_requests: Mutex::new(faster_requests(&seated)),
        announced: Mutex::default(),
    };
    let store = Arc::new(FaultyStore(slow));
    let node = TestService::run(Service::new(Arc::clone(&store) as Arc<dyn Store>, time.settings(101)), &time);
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    for node in [&node, &other] {
        let found = node.service.rematch(table, &seated[1].caller(), SeatChange::default(), None).await.unwrap();
        assert_eq!(found, rematch, "the players get different tables");
    }
    let announced = store.0.announced.lock().unwrap().clone();
    (rematch, announced, (backend, node))
}

#[tokio::test]
async fn rematch_is_announced_despite_a_concurrent_change() {
    let (rematch, announced, (_backend, node)) =
        rematch_on_a_slower_node(|seated| seated.iter().copied().map(FasterRequest::Link).collect()).await;
    assert_eq!(announced, [rematch; 3], "two attempts fail, the third succeeds");
    assert_eq!(node.view(rematch, &Caller::Spectator).await["ended"], false);
}

#[tokio::test]
async fn second_of_two_rematches_is_abandoned() {
    let (rematch, announced, (_backend, node)) =
        rematch_on_a_slower_node(|seated| vec![FasterRequest::Rematch(seated[1])]).await;
    assert_eq!(announced.len(), 1);
    assert_ne!(announced[0], rematch, "the faster node's rematch counts");
    assert_eq!(node.view(announced[0], &Caller::Spectator).await["ended"], true);
    assert_eq!(node.view(rematch, &Caller::Spectator).await["ended"], false);
}
