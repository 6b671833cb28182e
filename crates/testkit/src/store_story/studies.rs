//! Who analyses which game.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::{NodeId, Store, Study};

use crate::Backend;

fn study(table: u64, done: u32) -> Study {
    Study { table: TableId::new(table), done, of: 10 }
}

async fn claim(store: &dyn Store, node: u64, mine: Study, now_ms: i64) -> Vec<Study> {
    store.study(NodeId::new(node), vec![mine], now_ms, now_ms - 100).await.expect("it can be asked for")
}

pub async fn a_game_is_analysed_by_one_node(backend: Arc<Backend>) {
    let store = backend.open().await;
    assert_eq!(claim(&*store, 1, study(7, 0), 1000).await, []);
    // Another is told how far it has come, also when it was told again.
    assert_eq!(claim(&*store, 2, study(7, 0), 1010).await, [study(7, 0)]);
    assert_eq!(claim(&*store, 1, study(7, 4), 1090).await, []);
    assert_eq!(claim(&*store, 2, study(7, 0), 1180).await, [study(7, 4)]);
    assert_eq!(claim(&*store, 2, study(8, 0), 1180).await, []);
    // Nobody has it any more: it is the next one's.
    store.end_study(TableId::new(7)).await.expect("it can be ended");
    assert_eq!(claim(&*store, 2, study(7, 0), 1190).await, []);
    assert_eq!(claim(&*store, 1, study(7, 5), 1195).await, [study(7, 0)]);
}

pub async fn the_games_of_a_silent_node_are_taken_over_once(backend: Arc<Backend>) {
    let store = backend.open().await;
    for table in [7, 8, 9] {
        assert_eq!(claim(&*store, 1, study(table, 3), 1000).await, []);
    }
    assert_eq!(claim(&*store, 1, study(9, 4), 1050).await, []);
    let take = |node, lapsed_ms| store.take_over_studies(NodeId::new(node), 1110, lapsed_ms);
    assert_eq!(take(1, 2000).await.expect("asked"), [], "they are its own");
    assert_eq!(take(2, 1000).await.expect("asked"), [], "it has spoken of them");
    let mut taken = take(2, 1010).await.expect("asked");
    taken.sort();
    assert_eq!(taken, [7, 8].map(TableId::new));
    assert_eq!(take(3, 1010).await.expect("asked"), [], "another was faster");
    // The one that was silent has lost them, and is told.
    assert_eq!(claim(&*store, 1, study(7, 5), 1120).await, [study(7, 3)]);
    assert_eq!(claim(&*store, 1, study(9, 5), 1120).await, []);
    // One that asks for a game of a silent node has it, too.
    assert_eq!(claim(&*store, 3, study(9, 0), 1300).await, []);
}
