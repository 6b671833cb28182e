//! Contract tests for nodes that share a database.

use std::sync::Arc;
use std::time::Duration;

use sultan_domain::TableId;
use sultan_store::{NodeId, Nodes, Notification, Store, TableState};
use tokio::sync::mpsc;

use super::{listed, plain};
use crate::{Backend, in_time};

const LEASE_MS: i64 = 60_000;

fn nodes(store: &dyn Store) -> &dyn Nodes {
    store.nodes().expect("Postgres has nodes")
}

async fn living(store: &dyn Store, node: u64, within_ms: i64) -> Vec<u64> {
    let living = nodes(store).beat(NodeId::new(node), within_ms).await.expect("the database answers");
    assert!(living.now_ms > 1_700_000_000_000, "milliseconds since 1970");
    living.nodes.into_iter().map(NodeId::number).collect()
}

/// The next notification.
async fn told(news: &mut mpsc::Receiver<Notification>) -> Notification {
    in_time(news.recv()).await.expect("a listener exists")
}

pub async fn nodes_know_who_lives(backend: Arc<Backend>) {
    let [one, other] = [backend.open().await, backend.open().await];
    assert_eq!(living(&*one, 5, LEASE_MS).await, [5]);
    assert_eq!(living(&*other, 3, LEASE_MS).await, [3, 5]);
    assert_eq!(living(&*one, 5, LEASE_MS).await, [3, 5]);
    nodes(&*other).leave(NodeId::new(3)).await.expect("it can go");
    assert_eq!(living(&*one, 5, LEASE_MS).await, [5]);
    // A node without a recent heartbeat is not alive.
    living(&*other, 3, LEASE_MS).await;
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert_eq!(living(&*one, 5, 20).await, [5]);
    // After a long time its row is deleted.
    backend.execute("UPDATE nodes SET beat_ms = beat_ms - 3600000 WHERE node = 3").await;
    living(&*one, 5, LEASE_MS).await;
    assert_eq!(backend.number("SELECT count(*) FROM nodes").await, 1);
}

pub async fn nodes_hear_of_changes_and_of_nothing_else(backend: Arc<Backend>) {
    let [one, other] = [backend.open().await, backend.open().await];
    let mut news = nodes(&*other).notifications();
    // A new listener may have missed earlier notifications.
    assert_eq!(told(&mut news).await, Notification::Missed);
    let table = TableId::new(7);
    for version in 0..3 {
        one.append(plain(7, version)).await.expect("it is the next one");
        assert_eq!(told(&mut news).await, Notification::Changed(table, version + 1));
    }
    one.append(plain(7, 1)).await.expect_err("it is stale");
    living(&*one, 1, LEASE_MS).await;
    nodes(&*one).tell(table, "laughs: ha, ha".to_owned());
    assert_eq!(told(&mut news).await, Notification::Signal(table, "laughs: ha, ha".to_owned()));
}

pub async fn many_changes_are_told_together(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut news = nodes(&*store).notifications();
    assert_eq!(told(&mut news).await, Notification::Missed);
    let mut messages = backend.listen("sultan_changes").await;
    let append = |table| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.append(plain(table, 0)).await.expect("it opens the table") })
    };
    for append in (1..=500).map(append).collect::<Vec<_>>() {
        append.await.expect("the task does not panic");
    }
    let mut heard = std::collections::BTreeSet::new();
    while heard.len() < 500 {
        let Notification::Changed(table, 1) = told(&mut news).await else { panic!("only changes were told") };
        assert!(heard.insert(table), "each is told once");
    }
    let (mut count, mut named) = (0, 0);
    while named < 500 {
        let message = in_time(messages.recv()).await.expect("it was told");
        named += message.payload().split(',').count();
        count += 1;
    }
    assert!(count < 250, "{count} messages for {named} changes");
}

pub async fn who_could_not_hear_is_told_to_look(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut news = nodes(&*store).notifications();
    assert_eq!(told(&mut news).await, Notification::Missed);
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    backend.execute(cut).await;
    assert_eq!(told(&mut news).await, Notification::Missed);
    store.append(plain(7, 0)).await.expect("it opens the table");
    assert_eq!(told(&mut news).await, Notification::Changed(TableId::new(7), 1));
}

pub async fn what_others_did_is_read_for_many_tables_at_once(backend: Arc<Backend>) {
    let store = backend.open().await;
    for (table, changes) in [(7, 3), (8, 1), (9, 2)] {
        for version in 0..changes {
            let listing = (TableState::Playing, false, table != 8);
            store.append(listed(table, version, 1000, listing)).await.expect("it is the next one");
        }
    }
    let [seven, eight, nine, ten] = [7, 8, 9, 10].map(TableId::new);
    let known = vec![(seven, 1), (eight, 1), (nine, 0), (ten, 4)];
    let mut changed = nodes(&*store).changed(known.clone()).await.expect("it can be queried");
    changed.sort();
    assert_eq!(changed, [(seven, 3), (nine, 2)]);
    let read = nodes(&*store).load_all(known).await.expect("it can be read");
    let versions: Vec<_> = read.iter().map(|(table, change)| (*table, change.version)).collect();
    assert_eq!(versions, [(seven, 2), (seven, 3), (nine, 1), (nine, 2)]);
    let alone = store.load(seven, 1).await.expect("it can be read");
    assert!(read.iter().take(2).map(|(_, change)| change).eq(&alone));
    let mut attended = nodes(&*store).attended_among(vec![seven, eight, ten]).await.expect("it can be queried");
    attended.sort();
    assert_eq!(attended, [seven]);
    // New changes are found even if all changes of the table have been merged into one row.
    store.append(listed(7, 3, 1000, (TableState::Over, false, false))).await.expect("it is the next one");
    assert_eq!(store.merge(2000, 9).await.expect("it can be merged"), 1);
    let read = nodes(&*store).load_all(vec![(seven, 2)]).await.expect("it can be read");
    let versions: Vec<_> = read.iter().map(|(table, change)| (*table, change.version)).collect();
    assert_eq!(versions, [(seven, 3), (seven, 4)]);
}

pub async fn a_stalled_transaction_does_not_hold_up_others(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.append(plain(7, 0)).await.expect("it opens the table");
    // Another transaction has inserted the next change and does not commit.
    let mut stalled = backend.connect_postgres().await;
    let begun = "BEGIN; INSERT INTO changes (table_id, version, at_ms, body) VALUES (7, 2, 1, '[]')";
    sqlx::raw_sql(begun).execute(&mut stalled).await.expect("the statement is right");
    let begun = std::time::Instant::now();
    store.append(plain(7, 1)).await.expect_err("it cannot be known yet which of them comes first");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    store.append(plain(8, 0)).await.expect("other nodes continue");
    drop(stalled);
    in_time(async {
        while store.append(plain(7, 1)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

pub async fn the_line_to_the_server_is_kept_until_it_is_cut(backend: Arc<Backend>) {
    // Longer than the idle time after which the store checks a connection before using it.
    let pause = || tokio::time::sleep(Duration::from_millis(1200));
    let line = async || {
        let writes = "SELECT pid::bigint FROM pg_stat_activity \
                      WHERE datname = current_database() AND query LIKE 'INSERT INTO changes%'";
        backend.number(writes).await
    };
    let store = backend.open().await;
    store.append(plain(7, 0)).await.expect("it opens the table");
    let first = line().await;
    store.append(plain(7, 1)).await.expect("it is the next one");
    assert_eq!(line().await, first);
    pause().await;
    store.append(plain(7, 2)).await.expect("it is the next one");
    assert_eq!(line().await, first, "it was not used for a while, and is still there");
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    backend.execute(cut).await;
    pause().await;
    store.append(plain(7, 3)).await.expect("no error is raised");
    assert_eq!(store.load(TableId::new(7), 0).await.expect("read").len(), 4);
    assert_ne!(line().await, first);
}

pub async fn a_change_is_told_until_that_succeeds(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut news = nodes(&*store).notifications();
    assert_eq!(told(&mut news).await, Notification::Missed);
    let table = TableId::new(7);
    for version in 0..4 {
        store.append(plain(7, version)).await.expect("it is the next one");
        assert_eq!(told(&mut news).await, Notification::Changed(table, version + 1));
        // The connection was just used, so the store does not check it before the next use.
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND query LIKE 'SELECT pg_notify(%'";
        backend.execute(cut).await;
    }
}
