//! Contract tests for merging the changes of finished tables and for deleting tables, also during changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sultan_domain::TableId;
use sultan_store::TableState::{Over, Playing, Waiting};
use sultan_store::{Store, StoreError};

use super::appending::check_race;
use super::{at, idle_before, listed_append, next_append};
use crate::{Backend, in_time};

/// Opens a table with twelve changes and a game that was over at `over_ms`.
async fn open_finished_table(store: &dyn Store, table: u64, over_ms: i64) {
    for version in 0..11 {
        store.append(next_append(table, version)).await.expect("the version is the next one");
    }
    store.append(listed_append(table, 11, over_ms, (Over, true, false))).await.expect("the version is the next one");
}

/// The number of rows with the changes of a table: one after merging.
async fn row_count(backend: &Backend, table: u64) -> i64 {
    backend.query_number(&format!("SELECT count(*) FROM changes WHERE table_id = {table}")).await
}

pub async fn merged_table_loads_and_appends_as_before(backend: Arc<Backend>) {
    let (store, other) = (backend.open().await, backend.open().await);
    let table = TableId::new(7);
    open_finished_table(&*store, 7, 5000).await;
    let mut before = Vec::new();
    for after in 0..14 {
        before.push(store.load(table, after).await.expect("the read succeeds"));
    }
    assert_eq!(store.compact(5000, 9).await.expect("no table is that old"), 0);
    // The number of rows before the call, and the number of compacted tables.
    assert_eq!((row_count(&backend, 7).await, store.compact(5001, 9).await.expect("the call succeeds")), (12, 1));
    assert_eq!((row_count(&backend, 7).await, store.compact(5001, 9).await.expect("the call succeeds")), (1, 0));
    for (after, before) in (0..).zip(&before) {
        assert_eq!(&other.load(table, after).await.expect("the read succeeds"), before, "after {after}");
    }
    // Only the next version can be appended.
    for version in (0..12).chain(13..20) {
        let error = other.append(next_append(7, version)).await.expect_err("the version is not the next one");
        assert!(matches!(error, StoreError::Stale), "version {version}: {error}");
    }
    other.append(next_append(7, 12)).await.expect("the version is the next one");
    let extended = store.load(table, 0).await.expect("the read succeeds");
    assert_eq!((&extended[..12], extended.len()), (&before[0][..], 13));
    assert_eq!(store.load(table, 11).await.expect("the read succeeds"), extended[11..]);
    // Merge again, with the later change.
    backend.execute("UPDATE tables SET merged = FALSE").await;
    assert_eq!((store.compact(5001, 9).await.expect("the call succeeds"), row_count(&backend, 7).await), (1, 1));
    assert_eq!(other.load(table, 0).await.expect("the read succeeds"), extended);
    assert_eq!(store.public_tables(Over, 9).await.expect("the read succeeds").len(), 1);
    assert_eq!(store.delete_tables(idle_before(6000), 9).await.expect("the call succeeds"), 1);
    assert_eq!((other.load(table, 0).await.expect("the read succeeds"), row_count(&backend, 7).await), (Vec::new(), 0));
    store.append(next_append(7, 0)).await.expect("the table ID is free again");
}

pub async fn merge_skips_tables_that_are_not_over(backend: Arc<Backend>) {
    let store = backend.open().await;
    for (table, state) in [(1, Waiting), (2, Playing), (3, Over), (4, Over), (5, Over), (6, Playing)] {
        store
            .append(listed_append(table, 0, 100, (state, true, false)))
            .await
            .expect("the first version opens the table");
        store.append(next_append(table, 1)).await.expect("the version is the next one");
    }
    store.mark_as_over(TableId::new(6), 300).await.expect("the call succeeds");
    assert_eq!(store.compact(0, 2).await.expect("no table is that old"), 0);
    // An unreadable table keeps its rows and does not block merging of other tables. It counts as compacted, because it
    // is not tried again.
    backend.execute("UPDATE changes SET body = 'garbage' WHERE table_id = 3 AND version = 2").await;
    assert_eq!(store.compact(200, 2).await.expect("the call succeeds"), 2);
    assert_eq!(store.compact(200, 2).await.expect("the call succeeds"), 1);
    assert_eq!(store.compact(200, 2).await.expect("the call succeeds"), 0);
    let mut row_counts = Vec::new();
    for table in 1..=6 {
        row_counts.push(row_count(&backend, table).await);
    }
    assert_eq!(row_counts, [2, 2, 2, 1, 1, 2]);
    assert_eq!((store.compact(301, 2).await.expect("the call succeeds"), row_count(&backend, 6).await), (1, 1));
    // An empty value is not a merged list of changes.
    let empty = if backend.is_postgres() { r"'\x'" } else { "x''" };
    backend.execute(&format!("UPDATE changes SET merged = {empty} WHERE table_id = 4")).await;
    let error = store.load(TableId::new(4), 0).await.expect_err("the row is unreadable");
    assert!(matches!(&error, StoreError::Unreadable { table, .. } if table.number() == 4), "{error}");
}

pub async fn merge_during_appends_loses_no_change(backend: Arc<Backend>) {
    let stores = [backend.open().await, backend.open().await];
    // The table is listed as over from the start, so that two tasks can merge it all the time.
    stores[0].append(listed_append(3, 0, 100, (Over, true, false))).await.expect("the first version opens the table");
    let (ended, merged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let merging = stores.clone().map(|store| {
        let (ended, merged, backend) = (Arc::clone(&ended), Arc::clone(&merged), Arc::clone(&backend));
        tokio::spawn(async move {
            while !ended.load(Ordering::Relaxed) {
                // A table that is marked as merged would not be merged again.
                backend.execute("UPDATE tables SET merged = FALSE").await;
                merged.fetch_add(store.compact(200, 9).await.expect("the call succeeds"), Ordering::Relaxed);
            }
        })
    });
    for (from, end) in [(1, 20), (20, 40), (40, 60)] {
        // Wait for a merge, so that the table is merged before, during and between the appends.
        let merged_before = merged.load(Ordering::Relaxed);
        in_time(async {
            while merged.load(Ordering::Relaxed) == merged_before {
                tokio::task::yield_now().await;
            }
        })
        .await;
        check_race(&stores, from, end).await;
    }
    ended.store(true, Ordering::Relaxed);
    for task in merging {
        task.await.expect("the task does not panic");
    }
}

pub async fn table_changed_during_deletion_is_kept_whole_or_deleted_whole(backend: Arc<Backend>) {
    let (store, other) = (backend.open().await, backend.open().await);
    for table in 0..400 {
        store
            .append(listed_append(table, 0, 100, (Waiting, true, false)))
            .await
            .expect("the first version opens the table");
        let append = async {
            // Delays the change by a varying time.
            for _ in 0..table % 8 {
                store.ready().await.expect("the database answers");
            }
            store.append(at(900, next_append(table, 1))).await
        };
        let delete = other.delete_tables(idle_before(500), 9);
        // Table 0 is changed first, table 1 is deleted first. For all other tables, both run at the same time.
        let (appended, deleted) = match table {
            0 => (append.await, delete.await),
            1 => {
                let deleted = delete.await;
                (append.await, deleted)
            }
            _ => tokio::join!(append, delete),
        };
        if table < 2 {
            assert_eq!(appended.is_ok(), table == 0, "{appended:?}");
        }
        // The table has all its versions if the change was stored, and none otherwise.
        let versions = match appended {
            Ok(()) => vec![1, 2],
            Err(StoreError::Stale) => Vec::new(),
            Err(error) => panic!("{error}"),
        };
        let changes = store.load(TableId::new(table), 0).await.expect("the read succeeds");
        assert_eq!(changes.into_iter().map(|change| change.version).collect::<Vec<_>>(), versions, "table {table}");
        assert_eq!(deleted.expect("the call succeeds"), u64::from(versions.is_empty()));
    }
}
