//! Two services on one store: a service that is behind reads the changes of the other, and there is one history.

use std::sync::{Arc, Mutex};

use sultan_rules::verify;
use sultan_store::{Append, EventRecord, Store, StoreFuture};
use sultan_table::domain::TableId;
use sultan_table::{Caller, Rejection, SeatChange, Service, ServiceError, Visitor};
use sultan_testkit::{
    Backend, FakeTime, FaultyStore, Player, StoreOverrides, TestService, in_time, is_up_to_date, parse_view,
};

use crate::{players, quick, rejection, seat, with_bots};

async fn two_nodes() -> (Backend, [TestService; 2]) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let nodes = [TestService::start(&backend, &time, 1).await, TestService::start(&backend, &time, 101).await];
    (backend, nodes)
}

#[tokio::test]
async fn players_on_two_nodes_share_a_game() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_table(with_bots(3, 0)).await;
    nodes[1].json_view(table, &Caller::Spectator).await;
    let mut chance = quick();
    // A request reads new changes; so each turn chooses on one node, and acts on the other.
    for turn in 0.. {
        let (first, second) = (&nodes[turn % 2], &nodes[(turn + 1) % 2]);
        let Some(player) = first.player_to_act(table, &seated).await else { break };
        let (action, at) = first.random_action(table, &player, &mut chance).await;
        let acted = second.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(parse_view(&acted)["at"], at + 1);
        // The repeated request makes this node read the change.
        let late = first.service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!((late.version, late.json), (acted.version, acted.json));
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
    one.play_random_actions(table, &seated, &mut quick(), 9).await;
    let player = one.player_to_act(table, &seated).await.unwrap();
    let (action, at) = one.random_action(table, &player, &mut quick()).await;
    other.service.act(table, &player.caller(), action, at).await.unwrap();
    let mut last = 0;
    while last < at + 1 {
        last = u16::try_from(parse_view(&in_time(watch.next()).await.unwrap())["at"].as_u64().unwrap()).unwrap();
    }
    // A rejection is based on the newest state.
    let now = at + 1;
    assert_eq!(
        rejection(one.service.act(table, &player.caller(), action, 99).await),
        Rejection::NotNow { now, given: 99 }
    );
}

/// A client that had a newer version from another node gets no older version.
#[tokio::test]
async fn watch_on_another_node_never_regresses() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let old = other.json_view(table, &Caller::Spectator).await.version;
    one.play_random_actions(table, &seated, &mut quick(), 3).await;
    assert_eq!(other.json_view(table, &Caller::Spectator).await.version, old, "the other node has not read it");
    let mut watch = other.service.watch(table, Caller::Spectator, Some(old + 3)).await.unwrap();
    assert!(is_up_to_date(&mut watch).await);
    assert_eq!(other.json_view(table, &Caller::Spectator).await.version, old + 3, "it has read the store");
}

/// Changes of another node are published one by one, or only the newest if there are many.
#[tokio::test]
async fn watch_gets_each_change_of_another_node_if_few() {
    let (_backend, [one, other]) = two_nodes().await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let mut watch = other.watch(table, Caller::Spectator).await;
    let old = in_time(watch.next()).await.unwrap().version;
    for (count, later_versions) in [(8, (1..=8).collect()), (9, vec![8 + 9])] {
        one.play_random_actions(table, &seated, &mut quick(), count).await;
        assert!(is_up_to_date(&mut watch).await, "the other node has not read it");
        // A rejected request makes the node read new changes.
        rejection(other.service.act(table, &seated[0].caller(), "WWW".parse().unwrap(), 999).await);
        for later in later_versions {
            assert_eq!(in_time(watch.next()).await.unwrap().version, old + later);
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
    // The other node accepts the token of a player who sat down first.
    assert_eq!(other.view(opened.table, &bo.caller()).await["seat"], 1);
    assert_eq!(other.take_seat(opened.table, "Cy").await.seat, seat(2));
    assert_eq!(one.take_seat(opened.table, "Dee").await.seat, seat(3));
    assert_eq!(
        rejection(other.service.sit(opened.table, sultan_table::NewPlayer::default()).await),
        Rejection::Started
    );
}

async fn act_concurrently(
    nodes: &[TestService; 2],
    table: TableId,
    player: Player,
    action: &str,
    at: u16,
) -> Vec<Result<u32, ServiceError>> {
    let mut requests = Vec::new();
    for number in 0..10 {
        let (service, action) = (nodes[number % 2].service.clone(), action.parse().unwrap());
        requests.push(tokio::spawn(async move {
            service.act(table, &player.caller(), action, at).await.map(|acted| acted.version())
        }));
    }
    let mut answers = Vec::new();
    for request in requests {
        answers.push(request.await.unwrap());
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_identical_actions_on_two_nodes_all_succeed_once() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_human_table(players(3)).await;
    for _ in 0..10 {
        let player = nodes[0].player_to_act(table, &seated).await.unwrap();
        let (action, at) = nodes[0].random_action(table, &player, &mut quick()).await;
        let before = nodes[0].json_view(table, &player.caller()).await.version;
        for answer in act_concurrently(&nodes, table, player, &action.to_string(), at).await {
            assert_eq!(answer.unwrap(), before + 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_on_two_nodes_act_once() {
    let (_backend, nodes) = two_nodes().await;
    let (table, seated) = nodes[0].open_table(with_bots(1, 3)).await;
    let mut chance = quick();
    for turn in 0.. {
        if nodes[turn % 2].play_random_actions(table, &seated, &mut chance, 1).await == 0 {
            break;
        }
        // A rejected request makes the node read new changes.
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
    one.play_out(table, &seated, &mut quick()).await;
    // The other node has not yet read the end of the game.
    assert_eq!(other.service.record(table).await.unwrap(), one.service.record(table).await.unwrap());
    let first = one.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    let second = other.service.rematch(table, &seated[1].caller(), SeatChange::default(), None).await.unwrap();
    assert_eq!(first, second);
}

/// A store on which another node always announces a rematch first.
struct SlowerStore {
    store: Arc<dyn Store>,
    other: Service,
    /// The faster players, and whether they open a rematch themselves.
    faster_players: Mutex<Vec<(Player, bool)>>,
    /// Tables that were opened as the rematch.
    rematches: Mutex<Vec<TableId>>,
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
                self.rematches.lock().unwrap().push(announced);
                let faster_players = self.faster_players.lock().unwrap().pop();
                match faster_players {
                    None => {}
                    Some((player, true)) => {
                        self.other.rematch(append.table, &player.caller(), SeatChange::default(), None).await.unwrap();
                    }
                    Some((player, false)) => {
                        self.other.link(append.table, player.token, &Visitor::random()).await.unwrap();
                    }
                }
            }
            self.store.append(append).await
        })
    }
}

async fn rematch_on_a_slower_node(
    faster_players: impl Fn(&[Player]) -> Vec<(Player, bool)>,
) -> (TableId, Vec<TableId>, (Backend, TestService)) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let other = TestService::start(&backend, &time, 1).await;
    let (table, seated) = other.open_human_table(players(2)).await;
    other.play_out(table, &seated, &mut quick()).await;
    let faster_players = Mutex::new(faster_players(&seated));
    let slow = SlowerStore {
        store: backend.open().await,
        other: other.service.clone(),
        faster_players,
        rematches: Mutex::default(),
    };
    let store = Arc::new(FaultyStore(slow));
    let node = TestService::run(Service::new(Arc::clone(&store) as Arc<dyn Store>, time.settings(101)), &time);
    let rematch = node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.unwrap();
    for node in [&node, &other] {
        let found = node.service.rematch(table, &seated[1].caller(), SeatChange::default(), None).await.unwrap();
        assert_eq!(found, rematch, "all players get the same table");
    }
    let rematches = store.0.rematches.lock().unwrap().clone();
    (rematch, rematches, (backend, node))
}

#[tokio::test]
async fn rematch_is_announced_despite_a_concurrent_change() {
    let (rematch, rematches, (_backend, node)) =
        rematch_on_a_slower_node(|seated| vec![(seated[0], false), (seated[1], false)]).await;
    assert_eq!(rematches, [rematch; 3]);
    assert_eq!(node.view(rematch, &Caller::Spectator).await["ended"], false);
}

#[tokio::test]
async fn second_of_two_rematches_is_abandoned() {
    let (rematch, rematches, (_backend, node)) = rematch_on_a_slower_node(|seated| vec![(seated[1], true)]).await;
    assert_eq!(rematches.len(), 1);
    assert_ne!(rematches[0], rematch);
    assert_eq!(node.view(rematches[0], &Caller::Spectator).await["ended"], true);
    assert_eq!(node.view(rematch, &Caller::Spectator).await["ended"], false);
}
