//! Contract tests for nodes (server processes) that share a database.

use std::sync::Arc;
use std::time::Duration;

use sultan_domain::TableId;
use sultan_store::{NodeId, Nodes, Notification, Store, TableState};
use tokio::sync::mpsc;

use super::{listed_append, next_append};
use crate::{Backend, in_time};

/// A node without a heartbeat for a minute is dead.
const LEASE_MS: i64 = 60_000;

fn nodes(store: &dyn Store) -> &dyn Nodes {
    store.nodes().expect("Postgres has nodes")
}

/// Sends a heartbeat of a node. Returns the numbers of all nodes with a heartbeat at most `lease_ms` old.
async fn heartbeat(store: &dyn Store, node: u64, lease_ms: i64) -> Vec<u64> {
    let living = nodes(store).send_heartbeat(NodeId::new(node), lease_ms).await.expect("the database answers");
    assert!(living.now_ms > 1_700_000_000_000, "milliseconds since 1970");
    living.nodes.into_iter().map(NodeId::number).collect()
}

async fn next_notification(notifications: &mut mpsc::Receiver<Notification>) -> Notification {
    in_time(notifications.recv()).await.expect("a listener exists")
}

pub async fn heartbeat_returns_living_nodes(backend: Arc<Backend>) {
    let [one, other] = [backend.open().await, backend.open().await];
    assert_eq!(heartbeat(&*one, 5, LEASE_MS).await, [5]);
    assert_eq!(heartbeat(&*other, 3, LEASE_MS).await, [3, 5]);
    assert_eq!(heartbeat(&*one, 5, LEASE_MS).await, [3, 5]);
    nodes(&*other).leave(NodeId::new(3)).await.expect("the node can leave");
    assert_eq!(heartbeat(&*one, 5, LEASE_MS).await, [5]);
    // A node without a recent heartbeat is not alive.
    heartbeat(&*other, 3, LEASE_MS).await;
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert_eq!(heartbeat(&*one, 5, 20).await, [5]);
    // After a long time its row is deleted.
    backend.execute("UPDATE nodes SET beat_ms = beat_ms - 3600000 WHERE node = 3").await;
    heartbeat(&*one, 5, LEASE_MS).await;
    assert_eq!(backend.query_number("SELECT count(*) FROM nodes").await, 1);
}

pub async fn nodes_are_notified_of_changes_and_signals_only(backend: Arc<Backend>) {
    let [one, other] = [backend.open().await, backend.open().await];
    let mut notifications = nodes(&*other).notifications();
    // A new listener may have missed earlier notifications.
    assert_eq!(next_notification(&mut notifications).await, Notification::Missed);
    let table = TableId::new(7);
    for version in 0..3 {
        one.append(next_append(7, version)).await.expect("the version is the next one");
        assert_eq!(next_notification(&mut notifications).await, Notification::Changed { table, version: version + 1 });
    }
    one.append(next_append(7, 1)).await.expect_err("the version is stale");
    heartbeat(&*one, 1, LEASE_MS).await;
    nodes(&*one).send_signal(table, "laughs: ha, ha".to_owned());
    assert_eq!(
        next_notification(&mut notifications).await,
        Notification::Signal { table, text: "laughs: ha, ha".to_owned() }
    );
}

pub async fn concurrent_changes_share_notifications(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut notifications = nodes(&*store).notifications();
    assert_eq!(next_notification(&mut notifications).await, Notification::Missed);
    let mut messages = backend.listen("sultan_changes").await;
    let append = |table| {
        let store = Arc::clone(&store);
        tokio::spawn(
            async move { store.append(next_append(table, 0)).await.expect("the first version opens the table") },
        )
    };
    for append in (1..=500).map(append).collect::<Vec<_>>() {
        append.await.expect("the task does not panic");
    }
    let mut notified = std::collections::BTreeSet::new();
    while notified.len() < 500 {
        let Notification::Changed { table, version: 1 } = next_notification(&mut notifications).await else {
            panic!("not a change")
        };
        assert!(notified.insert(table), "one notification per change");
    }
    // A message of Postgres has a list of changes, separated by commas.
    let (mut message_count, mut change_count) = (0, 0);
    while change_count < 500 {
        let message = in_time(messages.recv()).await.expect("a notification arrives");
        change_count += message.payload().split(',').count();
        message_count += 1;
    }
    assert!(message_count < 250, "{message_count} messages for {change_count} changes");
}

pub async fn lost_listen_connection_is_reported_as_missed_notifications(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut notifications = nodes(&*store).notifications();
    assert_eq!(next_notification(&mut notifications).await, Notification::Missed);
    let disconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    backend.execute(disconnect).await;
    assert_eq!(next_notification(&mut notifications).await, Notification::Missed);
    store.append(next_append(7, 0)).await.expect("the first version opens the table");
    assert_eq!(
        next_notification(&mut notifications).await,
        Notification::Changed { table: TableId::new(7), version: 1 }
    );
}

pub async fn changes_of_many_tables_are_loaded_in_one_call(backend: Arc<Backend>) {
    let store = backend.open().await;
    for (table, changes) in [(7, 3), (8, 1), (9, 2)] {
        for version in 0..changes {
            let listing = (TableState::Playing, false, table != 8);
            store.append(listed_append(table, version, 1000, listing)).await.expect("the version is the next one");
        }
    }
    let [seven, eight, nine, ten] = [7, 8, 9, 10].map(TableId::new);
    let known = vec![(seven, 1), (eight, 1), (nine, 0), (ten, 4)];
    let mut changed = nodes(&*store).changed_since(known.clone()).await.expect("the read succeeds");
    changed.sort();
    assert_eq!(changed, [(seven, 3), (nine, 2)]);
    let read = nodes(&*store).load_changes(known).await.expect("the read succeeds");
    let versions: Vec<_> = read.iter().map(|(table, change)| (*table, change.version)).collect();
    assert_eq!(versions, [(seven, 2), (seven, 3), (nine, 1), (nine, 2)]);
    let changes_of_seven = store.load(seven, 1).await.expect("the read succeeds");
    assert!(read.iter().take(2).map(|(_, change)| change).eq(&changes_of_seven));
    let with_bots_or_clocks =
        nodes(&*store).filter_with_bots_or_clocks(vec![seven, eight, ten]).await.expect("the read succeeds");
    assert_eq!(with_bots_or_clocks, [seven]);
    // New changes are found even if all changes of the table have been merged into one row.
    store
        .append(listed_append(7, 3, 1000, (TableState::Over, false, false)))
        .await
        .expect("the version is the next one");
    assert_eq!(store.compact(2000, 9).await.expect("the merge succeeds"), 1);
    let read = nodes(&*store).load_changes(vec![(seven, 2)]).await.expect("the read succeeds");
    let versions: Vec<_> = read.iter().map(|(table, change)| (*table, change.version)).collect();
    assert_eq!(versions, [(seven, 3), (seven, 4)]);
}

pub async fn stalled_transaction_blocks_only_its_table(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.append(next_append(7, 0)).await.expect("the first version opens the table");
    // Another transaction has inserted the next change and does not commit.
    let mut stalled = backend.connect_postgres().await;
    let insert = "BEGIN; INSERT INTO changes (table_id, version, at_ms, body) VALUES (7, 2, 1, '[]')";
    sqlx::raw_sql(insert).execute(&mut stalled).await.expect("the statement succeeds");
    let start = std::time::Instant::now();
    store.append(next_append(7, 1)).await.expect_err("the other transaction may still commit");
    // The store gives up after a few seconds. The limit allows for a slow machine.
    assert!(start.elapsed() < Duration::from_secs(20), "the append waited {:?}", start.elapsed());
    store.append(next_append(8, 0)).await.expect("other tables are not blocked");
    drop(stalled);
    in_time(async {
        while store.append(next_append(7, 1)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

pub async fn connection_is_reused_until_it_breaks(backend: Arc<Backend>) {
    // Longer than the idle time after which the store checks a connection before using it.
    let stay_idle = || tokio::time::sleep(Duration::from_millis(1200));
    // The ID of the Postgres process that serves the connection for changes.
    let connection_id = async || {
        let query = "SELECT pid::bigint FROM pg_stat_activity \
                     WHERE datname = current_database() AND query LIKE 'INSERT INTO changes%'";
        backend.query_number(query).await
    };
    let store = backend.open().await;
    store.append(next_append(7, 0)).await.expect("the first version opens the table");
    let first_id = connection_id().await;
    store.append(next_append(7, 1)).await.expect("the version is the next one");
    assert_eq!(connection_id().await, first_id);
    stay_idle().await;
    store.append(next_append(7, 2)).await.expect("the version is the next one");
    assert_eq!(connection_id().await, first_id, "an idle connection was not used again");
    let disconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    backend.execute(disconnect).await;
    stay_idle().await;
    store.append(next_append(7, 3)).await.expect("the store reconnects");
    assert_eq!(store.load(TableId::new(7), 0).await.expect("the read succeeds").len(), 4);
    assert_ne!(connection_id().await, first_id);
}

pub async fn failed_notification_is_retried(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut notifications = nodes(&*store).notifications();
    assert_eq!(next_notification(&mut notifications).await, Notification::Missed);
    let table = TableId::new(7);
    for version in 0..4 {
        store.append(next_append(7, version)).await.expect("the version is the next one");
        assert_eq!(next_notification(&mut notifications).await, Notification::Changed { table, version: version + 1 });
        // The connection was just used, so the store does not check it before the next use.
        let disconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND query LIKE 'SELECT pg_notify(%'";
        backend.execute(disconnect).await;
    }
}
