//! Contract tests for appending changes: in order, and each version once.

use std::sync::Arc;

use sultan_domain::{ClientSeed, PlayerColour, TableId};
use sultan_store::{Append, Change, EventRecord, SatRecord, Store, StoreError, TokenHash, VisitorHash};

use super::{at, host_changed, next_append, seat};
use crate::Backend;

fn with_events(events: Vec<EventRecord>, append: Append) -> Append {
    Append { change: Change { events, ..append.change }, ..append }
}

async fn versions(store: &dyn Store, table: u64) -> Vec<u32> {
    let changes = store.load(TableId::new(table), 0).await.expect("the read succeeds");
    changes.into_iter().map(|change| change.version).collect()
}

pub async fn changes_are_loaded_in_order(backend: Arc<Backend>) {
    let store = backend.open().await;
    for version in 0..12 {
        store.append(next_append(7, version)).await.expect("the version is the next one");
        store.append(next_append(8, version)).await.expect("the version is the next one");
    }
    let table = TableId::new(7);
    let change = |version: u32| next_append(7, version - 1).change;
    assert_eq!(store.load(table, 0).await.expect("the read succeeds"), (1..=12).map(change).collect::<Vec<_>>());
    assert_eq!(store.load(table, 9).await.expect("the read succeeds"), (10..=12).map(change).collect::<Vec<_>>());
    assert_eq!(store.load(table, 12).await.expect("the read succeeds"), []);
    assert_eq!(store.load(table, u32::MAX).await.expect("the read succeeds"), []);
    assert_eq!(store.load(TableId::new(9), 0).await.expect("the read succeeds"), []);
    store.ready().await.expect("the database answers");
}

pub async fn append_accepts_only_the_next_version(backend: Arc<Backend>) {
    let store = backend.open().await;
    // Asserts that a change for a table with this version is stale.
    let check_stale = async |version| {
        let error = store.append(next_append(7, version)).await.expect_err("the version is not the next one");
        assert!(matches!(error, StoreError::Stale), "{error}");
    };
    // A new table has version 0 before its first change.
    check_stale(1).await;
    check_stale(5).await;
    store.append(next_append(7, 0)).await.expect("the first version opens the table");
    check_stale(0).await;
    check_stale(2).await;
    store.append(next_append(7, 1)).await.expect("the version is the next one");
    for version in [0, 1, 3, 4, 1000, u32::MAX] {
        check_stale(version).await;
    }
    assert_eq!(versions(&*store, 7).await, [1, 2]);
}

pub async fn append_stores_all_events_and_text_unchanged(backend: Arc<Backend>) {
    let store = backend.open().await;
    let name = "Ána “Ő” \\ \" ' 字 \u{1f451} $1 %s \0\n\\u0000";
    let sat = SatRecord {
        seat: seat(4),
        name: name.to_owned(),
        colour: PlayerColour::Gold,
        seed: Some(ClientSeed::try_from("'; DROP TABLE changes; --".to_owned()).expect("a seed")),
        token: TokenHash([7; 32]),
        visitor: Some(VisitorHash([8; 32])),
    };
    let events = vec![EventRecord::Sat(Box::new(sat)), host_changed(4), EventRecord::Started, EventRecord::Ended];
    let append = with_events(events.clone(), next_append(1, 0));
    store.append(append.clone()).await.expect("the first version opens the table");
    store.append(append).await.expect_err("the table exists already");
    let largest_numbers = Append { table: TableId::new(u64::MAX), ..at(i64::MAX, next_append(1, 0)) };
    store.append(largest_numbers.clone()).await.expect("every table ID can be stored");
    let changes = store.load(TableId::new(1), 0).await.expect("the read succeeds");
    assert_eq!(changes, [Change { version: 1, at_ms: 1000, events }]);
    let changes = store.load(largest_numbers.table, 0).await.expect("the read succeeds");
    assert_eq!(changes, [Change { version: 1, at_ms: i64::MAX, events: largest_numbers.change.events }]);
}

/// Tries to append a change to table 3 at each version from `from` to `end`, `end` excluded. Each change names this
/// seat. Returns the versions that this task stored.
async fn try_to_append(store: Arc<dyn Store>, from: u32, end: u32, seat: u8) -> Vec<u32> {
    let mut stored = Vec::new();
    for version in from..end {
        let change = with_events(vec![host_changed(seat)], next_append(3, version));
        match store.append(change).await {
            Ok(()) => stored.push(version + 1),
            Err(StoreError::Stale) => {}
            Err(error) => panic!("{error}"),
        }
    }
    stored
}

/// Appends to table 3, which has the version `from`, with five tasks per store at once, up to the version `end`. Checks
/// that each version was stored by exactly one task, and that the stored change is from this task.
pub(super) async fn check_race(stores: &[Arc<dyn Store>], from: u32, end: u32) {
    let seats_and_stores = (0_u8..5).flat_map(|seat| stores.iter().cloned().map(move |store| (seat, store)));
    let tasks: Vec<_> =
        seats_and_stores.map(|(seat, store)| (seat, tokio::spawn(try_to_append(store, from, end, seat)))).collect();
    let mut winners = std::collections::BTreeMap::new();
    for (seat, task) in tasks {
        for version in task.await.expect("the task does not panic") {
            assert!(winners.insert(version, seat).is_none(), "version {version} was stored twice");
        }
    }
    let changes = stores[0].load(TableId::new(3), from).await.expect("the read succeeds");
    assert_eq!(changes.len(), winners.len());
    for (change, (version, seat)) in changes.into_iter().zip(winners) {
        assert_eq!((change.version, change.events), (version, vec![host_changed(seat)]));
    }
    assert_eq!(versions(&*stores[0], 3).await, (1..=end).collect::<Vec<_>>());
}

pub async fn concurrent_appends_have_one_winner_per_version(backend: Arc<Backend>) {
    check_race(&[backend.open().await], 0, 100).await;
}

pub async fn concurrent_appends_of_two_stores_have_one_winner_per_version(backend: Arc<Backend>) {
    check_race(&[backend.open().await, backend.open().await], 0, 50).await;
}

pub async fn concurrent_appends_at_many_tables_are_all_stored(backend: Arc<Backend>) {
    let store = backend.open().await;
    let append_to_table = |number: u64| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for version in 0..10 {
                store.append(next_append(number, version)).await.expect("the version is the next one");
            }
        })
    };
    let tasks: Vec<_> = (0..400).map(append_to_table).collect();
    for task in tasks {
        task.await.expect("every change is stored");
    }
    for number in 0..400 {
        assert_eq!(versions(&*store, number).await, (1..=10).collect::<Vec<_>>(), "table {number}");
    }
}
