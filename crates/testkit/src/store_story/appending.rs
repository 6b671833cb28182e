//! Contract tests for appending changes: in order, and each version once.

use std::sync::Arc;

use sultan_domain::{ClientSeed, PlayerColour, TableId};
use sultan_store::{Append, Change, EventRecord, SatRecord, Store, StoreError, TokenHash, VisitorHash};

use super::{at, host, plain, seat};
use crate::Backend;

fn with_events(events: Vec<EventRecord>, append: Append) -> Append {
    Append { change: Change { events, ..append.change }, ..append }
}

async fn versions(store: &dyn Store, table: u64) -> Vec<u32> {
    let changes = store.load(TableId::new(table), 0).await.expect("the table can be read");
    changes.into_iter().map(|change| change.version).collect()
}

pub async fn changes_come_back_in_order(backend: Arc<Backend>) {
    let store = backend.open().await;
    for version in 0..12 {
        store.append(plain(7, version)).await.expect("it is the next one");
        store.append(plain(8, version)).await.expect("it is the next one");
    }
    let table = TableId::new(7);
    let change = |version: u32| plain(7, version - 1).change;
    assert_eq!(store.load(table, 0).await.expect("read"), (1..=12).map(change).collect::<Vec<_>>());
    assert_eq!(store.load(table, 9).await.expect("read"), (10..=12).map(change).collect::<Vec<_>>());
    assert_eq!(store.load(table, 12).await.expect("read"), []);
    assert_eq!(store.load(table, u32::MAX).await.expect("read"), []);
    assert_eq!(store.load(TableId::new(9), 0).await.expect("read"), []);
    store.ready().await.expect("it answers");
}

pub async fn only_the_next_version_is_stored(backend: Arc<Backend>) {
    let store = backend.open().await;
    let stale = async |version| {
        let error = store.append(plain(7, version)).await.expect_err("it is not the next one");
        assert!(matches!(error, StoreError::Stale), "{error}");
    };
    // The first version of a table is 1.
    stale(1).await;
    stale(5).await;
    store.append(plain(7, 0)).await.expect("it opens the table");
    stale(0).await;
    stale(2).await;
    store.append(plain(7, 1)).await.expect("it is the next one");
    for version in [0, 1, 3, 4, 1000, u32::MAX] {
        stale(version).await;
    }
    assert_eq!(versions(&*store, 7).await, [1, 2]);
}

pub async fn a_change_is_stored_whole(backend: Arc<Backend>) {
    let store = backend.open().await;
    let name = "Ána “Ő” \\ \" ' 字 \u{1f451} $1 %s \0\n\\u0000";
    let sat = SatRecord {
        seat: seat(4),
        name: name.to_owned(),
        colour: PlayerColour::Gold,
        seed: Some(ClientSeed::new("'; DROP TABLE changes; --".to_owned()).expect("a seed")),
        token: TokenHash([7; 32]),
        visitor: Some(VisitorHash([8; 32])),
    };
    let events = vec![EventRecord::Sat(Box::new(sat)), host(4), EventRecord::Started, EventRecord::Ended];
    let several = with_events(events.clone(), plain(1, 0));
    store.append(several.clone()).await.expect("it opens the table");
    store.append(several).await.expect_err("it does so once");
    let largest = Append { table: TableId::new(u64::MAX), ..at(i64::MAX, plain(1, 0)) };
    store.append(largest.clone()).await.expect("every name of a table can be stored");
    let changes = store.load(TableId::new(1), 0).await.expect("read");
    assert_eq!(changes, [Change { version: 1, at_ms: 1000, events }]);
    let changes = store.load(largest.table, 0).await.expect("read");
    assert_eq!(changes, [Change { version: 1, at_ms: i64::MAX, events: largest.change.events }]);
}

/// Tries to append every version of table 3 in turn. Returns the versions that this task stored.
async fn race(store: Arc<dyn Store>, from: u32, rounds: u32, name: u8) -> Vec<u32> {
    let mut won = Vec::new();
    for version in from..rounds {
        let change = with_events(vec![host(name)], plain(3, version));
        match store.append(change).await {
            Ok(()) => won.push(version + 1),
            Err(StoreError::Stale) => {}
            Err(error) => panic!("{error}"),
        }
    }
    won
}

/// Appends to table 3 from many tasks at once, starting after the existing version `from`.
pub(super) async fn check_race(stores: &[Arc<dyn Store>], from: u32, rounds: u32) {
    let racers = (0_u8..5).flat_map(|name| stores.iter().cloned().map(move |store| (name, store)));
    let racers: Vec<_> =
        racers.map(|(name, store)| (name, tokio::spawn(race(Arc::clone(&store), from, rounds, name)))).collect();
    let mut winners = std::collections::BTreeMap::new();
    for (name, racer) in racers {
        for version in racer.await.expect("the task does not panic") {
            assert!(winners.insert(version, name).is_none(), "version {version} was won twice");
        }
    }
    // Each version was stored by exactly one task, and the stored change is from that task.
    let changes = stores[0].load(TableId::new(3), from).await.expect("read");
    assert_eq!(changes.len(), winners.len());
    for (change, (version, name)) in changes.into_iter().zip(winners) {
        assert_eq!((change.version, change.events), (version, vec![host(name)]));
    }
    assert_eq!(versions(&*stores[0], 3).await, (1..=rounds).collect::<Vec<_>>());
}

pub async fn of_many_at_once_one_wins_every_version(backend: Arc<Backend>) {
    check_race(&[backend.open().await], 0, 100).await;
}

pub async fn two_who_opened_the_store_share_one_history(backend: Arc<Backend>) {
    check_race(&[backend.open().await, backend.open().await], 0, 50).await;
}

pub async fn thousands_of_changes_at_many_tables(backend: Arc<Backend>) {
    let store = backend.open().await;
    let table = |number: u64| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for version in 0..10 {
                store.append(plain(number, version)).await.expect("it is the next one");
            }
        })
    };
    let tables: Vec<_> = (0..400).map(table).collect();
    for table in tables {
        table.await.expect("every change is stored");
    }
    for number in 0..400 {
        assert_eq!(versions(&*store, number).await, (1..=10).collect::<Vec<_>>(), "table {number}");
    }
}
