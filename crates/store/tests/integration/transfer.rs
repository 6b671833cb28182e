//! Copies of whole databases: they are complete, and invisible until they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sultan_domain::{Commitment, Seat, ServerSeed, TableId};
use sultan_store::{
    Append, Change, CopyError, EventRecord, Listing, Location, Store, StoreError, StoredCommitment, TableState,
    TransferCounts, VisitorHash, VisitorSeat, backup, transfer,
};
use sultan_testkit::database_folder;

const TABLES: u64 = 40;
const CHANGES: u32 = 40;

fn file(path: &Path) -> Location {
    Location::Sqlite(path.to_owned())
}

/// Adds every kind of data, and more rows than are read at once.
async fn fill(store: &dyn Store) {
    for table in (0..TABLES).map(TableId::new) {
        for version in 0..CHANGES {
            let (at_ms, events) = (1000 + i64::from(version), vec![EventRecord::Started, EventRecord::Ended]);
            let change = Change { version: version + 1, at_ms, events };
            let listing = Listing { state: TableState::Over, public: true, has_bots_or_clocks: false };
            let visitor = VisitorSeat { visitor: VisitorHash([1; 32]), table, seat: Seat::default() };
            let (listing, visitors) = if version == 0 { (Some(listing), vec![visitor]) } else { (None, Vec::new()) };
            store.append(Append { table, change, listing, visitors }).await.unwrap();
        }
        store.store_analysis(table, format!("analysis of {table}")).await.unwrap();
    }
    let promise = StoredCommitment { commitment: Commitment([3; 32]), server_seed: ServerSeed([4; 32]), at_ms: 5 };
    store.store_commitment(promise).await.unwrap();
    store.cookie_secret([9; 64]).await.unwrap();
    // Merge some of the tables.
    assert_eq!(store.compact(5000, 7).await.unwrap(), 7);
}

async fn filled(folder: &Path) -> PathBuf {
    let path = folder.join("games.db");
    let store = sultan_store::open(&file(&path)).await.unwrap();
    fill(&*store).await;
    store.close().await.unwrap();
    path
}

/// Asserts that two stores have the same contents.
async fn assert_same_contents(one: Arc<dyn Store>, other: Arc<dyn Store>) {
    for table in (0..TABLES).map(TableId::new) {
        let changes = one.load(table, 0).await.unwrap();
        assert_eq!(changes.len(), CHANGES as usize);
        assert!(changes == other.load(table, 0).await.unwrap(), "{table}");
        assert_eq!(other.analysis(table).await.unwrap(), Some(format!("analysis of {table}")));
    }
    let visitor = VisitorHash([1; 32]);
    assert_eq!(other.seats_of(visitor, 99).await.unwrap(), one.seats_of(visitor, 99).await.unwrap());
    assert_eq!(other.public_tables(TableState::Over, 99).await.unwrap().len(), usize::try_from(TABLES).unwrap());
    assert_eq!(other.cookie_secret([7; 64]).await.unwrap(), [9; 64]);
    assert!(other.take_commitment(Commitment([3; 32]), 0).await.unwrap().is_some());
    one.close().await.unwrap();
    other.close().await.unwrap();
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn move_between_files_copies_everything_into_one_file() {
    let folder = database_folder();
    let (from, to) = (filled(folder.path()).await, folder.path().join("moved.db"));
    let mut progress = Vec::new();
    let moved = transfer(&file(&from), &file(&to), &mut |now| progress.push(now)).await.unwrap();
    let changes = TABLES * u64::from(CHANGES);
    let counts = TransferCounts {
        tables: TABLES,
        changes,
        events: 2 * changes,
        visitors: TABLES,
        commitments: 1,
        secrets: 1,
        analyses: TABLES,
    };
    assert_eq!(moved, counts);
    let last = progress.last().unwrap();
    assert!(
        progress.len() > 12 && last.done == last.total && progress.is_sorted_by_key(|now| now.done),
        "{progress:?}"
    );
    assert_eq!(entries(folder.path()), ["games.db", "moved.db"]);
    // The file is complete without a write-ahead log: the read and write versions in its header are 1.
    assert_eq!(std::fs::read(&to).unwrap()[18..20], [1, 1]);
    let again = transfer(&file(&from), &file(&to), &mut |_| {}).await;
    assert!(matches!(again, Err(CopyError::Exists(_))), "{again:?}");
    assert_same_contents(
        sultan_store::open(&file(&from)).await.unwrap(),
        sultan_store::open(&file(&to)).await.unwrap(),
    )
    .await;
}

#[tokio::test]
async fn file_in_use_can_be_backed_up_but_not_moved() {
    let folder = database_folder();
    let (from, to) = (filled(folder.path()).await, folder.path().join("backup.db"));
    let original = sultan_store::open(&file(&from)).await.unwrap();
    let moved = transfer(&file(&from), &file(&to), &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::InUse(_))), "{moved:?}");
    assert!(!to.exists());
    let done = backup(&from, &to).await.unwrap();
    assert_eq!((done.tables, done.bytes), (TABLES, to.metadata().unwrap().len()));
    assert!(matches!(backup(&from, &to).await, Err(CopyError::Exists(_))));
    let missing = backup(&folder.path().join("none.db"), &folder.path().join("x.db")).await;
    assert!(matches!(missing, Err(CopyError::Missing(_))), "{missing:?}");
    // The existence of a file cannot always be determined; here its parent is not a folder.
    #[cfg(unix)]
    {
        let unseen = from.join("x.db");
        let copied = backup(&unseen, &folder.path().join("x.db")).await;
        assert!(matches!(copied, Err(CopyError::File { .. })), "{copied:?}");
        let moved = transfer(&file(&unseen), &file(&folder.path().join("x.db")), &mut |_| {}).await;
        assert!(matches!(moved, Err(CopyError::File { .. })), "{moved:?}");
    }
    assert_same_contents(original, sultan_store::open(&file(&to)).await.unwrap()).await;
}

/// The backup of a file in use contains the latest changes, and a transfer copies them.
#[tokio::test]
async fn latest_changes_are_moved() {
    let folder = database_folder();
    let [live, copy, moved] = ["live.db", "copy.db", "moved.db"].map(|name| folder.path().join(name));
    let store = sultan_store::open(&file(&live)).await.unwrap();
    let table = TableId::new(7);
    for version in 1..=5 {
        let change = Change { version, at_ms: 1, events: vec![EventRecord::Started] };
        let plain = Append { table, change, listing: None, visitors: Vec::new() };
        store.append(plain).await.unwrap();
    }
    backup(&live, &copy).await.unwrap();
    assert_eq!(transfer(&file(&copy), &file(&moved), &mut |_| {}).await.unwrap().changes, 5);
    for path in [&copy, &moved] {
        let other = sultan_store::open(&file(path)).await.unwrap();
        assert_eq!(other.load(table, 0).await.unwrap(), store.load(table, 0).await.unwrap());
    }
}

#[tokio::test]
async fn foreign_database_is_not_reported_as_in_use() {
    let folder = database_folder();
    let [notes, empty, to] = ["notes.db", "empty.db", "to.db"].map(|name| folder.path().join(name));
    std::fs::write(&notes, "what to buy ".repeat(1000)).unwrap();
    std::fs::write(&empty, "").unwrap();
    let moved = transfer(&file(&notes), &file(&to), &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Store(StoreError::Database(_)))), "{moved:?}");
    let copied = backup(&notes, &to).await;
    assert!(matches!(copied, Err(CopyError::Store(StoreError::Database(_)))), "{copied:?}");
    let moved = transfer(&file(&empty), &file(&to), &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Foreign(_))), "{moved:?}");
    let copied = backup(&empty, &to).await;
    assert!(matches!(copied, Err(CopyError::Foreign(_))), "{copied:?}");
    assert_eq!(entries(folder.path()), ["empty.db", "notes.db"]);
}
