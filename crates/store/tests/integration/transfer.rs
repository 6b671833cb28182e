//! Backups and transfers of SQLite files: copies are complete, and no incomplete copy is visible.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sultan_domain::{Commitment, Seat, ServerSeed, TableId};
use sultan_store::{
    Append, Change, CopyError, EventRecord, Listing, Location, Store, StoreError, StoredCommitment, TableState,
    TransferCounts, VisitorHash, VisitorSeat, backup, transfer,
};
use sultan_testkit::database_folder;

/// The number of tables in a filled database.
const TABLES: u64 = 40;
/// The number of changes of each table.
const CHANGES: u32 = 40;

fn sqlite(path: &Path) -> Location {
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
    let commitment = StoredCommitment { commitment: Commitment([3; 32]), server_seed: ServerSeed([4; 32]), at_ms: 5 };
    store.store_commitment(commitment).await.unwrap();
    // Stores the secret, because the database has none.
    store.cookie_secret([9; 64]).await.unwrap();
    // Merges the changes of seven tables into one row each.
    assert_eq!(store.compact(5000, 7).await.unwrap(), 7);
}

/// Creates `games.db` in a folder, with every kind of data.
async fn filled_database(folder: &Path) -> PathBuf {
    let path = folder.join("games.db");
    let store = sultan_store::open(&sqlite(&path)).await.unwrap();
    fill(&*store).await;
    store.close().await.unwrap();
    path
}

/// Asserts that a copy has the same contents as the original, which `fill` has filled.
async fn assert_same_contents(original: Arc<dyn Store>, copy: Arc<dyn Store>) {
    for table in (0..TABLES).map(TableId::new) {
        let changes = original.load(table, 0).await.unwrap();
        assert_eq!(changes.len(), CHANGES as usize);
        assert!(changes == copy.load(table, 0).await.unwrap(), "the changes of table {table} differ");
        assert_eq!(copy.analysis(table).await.unwrap(), Some(format!("analysis of {table}")));
    }
    let visitor = VisitorHash([1; 32]);
    assert_eq!(copy.seats_of(visitor, 99).await.unwrap(), original.seats_of(visitor, 99).await.unwrap());
    assert_eq!(copy.public_tables(TableState::Over, 99).await.unwrap().len(), usize::try_from(TABLES).unwrap());
    let secret_if_none_is_stored = [7; 64];
    assert_eq!(copy.cookie_secret(secret_if_none_is_stored).await.unwrap(), [9; 64]);
    assert!(copy.take_commitment(Commitment([3; 32]), 0).await.unwrap().is_some());
    original.close().await.unwrap();
    copy.close().await.unwrap();
}

/// The sorted names of the files in a folder.
fn file_names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn transfer_between_files_copies_everything_into_one_file() {
    let folder = database_folder();
    let (from, to) = (filled_database(folder.path()).await, folder.path().join("copy.db"));
    let mut reports = Vec::new();
    let counts = transfer(&sqlite(&from), &sqlite(&to), &mut |progress| reports.push(progress)).await.unwrap();
    let changes = TABLES * u64::from(CHANGES);
    let expected = TransferCounts {
        tables: TABLES,
        changes,
        events: 2 * changes,
        visitors: TABLES,
        commitments: 1,
        secrets: 1,
        analyses: TABLES,
    };
    assert_eq!(counts, expected);
    let last_report = reports.last().unwrap();
    assert_eq!(last_report.done, last_report.total);
    // More than one report for each of the 6 database tables, written and compared: `changes` has several pages.
    assert!(reports.len() > 12 && reports.is_sorted_by_key(|progress| progress.done), "{reports:?}");
    assert_eq!(file_names(folder.path()), ["copy.db", "games.db"]);
    // The copy does not use a write-ahead log: bytes 18 and 19 of a SQLite file are 1 then.
    assert_eq!(std::fs::read(&to).unwrap()[18..20], [1, 1]);
    let repeated = transfer(&sqlite(&from), &sqlite(&to), &mut |_| {}).await;
    assert!(matches!(repeated, Err(CopyError::Exists(_))), "{repeated:?}");
    assert_same_contents(
        sultan_store::open(&sqlite(&from)).await.unwrap(),
        sultan_store::open(&sqlite(&to)).await.unwrap(),
    )
    .await;
}

#[tokio::test]
async fn file_in_use_can_be_backed_up_but_not_transferred() {
    let folder = database_folder();
    let (from, to) = (filled_database(folder.path()).await, folder.path().join("backup.db"));
    let original = sultan_store::open(&sqlite(&from)).await.unwrap();
    let transferred = transfer(&sqlite(&from), &sqlite(&to), &mut |_| {}).await;
    assert!(matches!(transferred, Err(CopyError::InUse(_))), "{transferred:?}");
    assert!(!to.exists());
    let summary = backup(&from, &to).await.unwrap();
    assert_eq!((summary.tables, summary.bytes), (TABLES, to.metadata().unwrap().len()));
    assert!(matches!(backup(&from, &to).await, Err(CopyError::Exists(_))));
    let missing = backup(&folder.path().join("none.db"), &folder.path().join("x.db")).await;
    assert!(matches!(missing, Err(CopyError::Missing(_))), "{missing:?}");
    // For some paths the system cannot determine whether a file exists. Here the parent of the path is a file.
    #[cfg(unix)]
    {
        let (path_in_file, target) = (from.join("x.db"), folder.path().join("x.db"));
        let copied = backup(&path_in_file, &target).await;
        assert!(matches!(copied, Err(CopyError::File { .. })), "{copied:?}");
        let transferred = transfer(&sqlite(&path_in_file), &sqlite(&target), &mut |_| {}).await;
        assert!(matches!(transferred, Err(CopyError::File { .. })), "{transferred:?}");
    }
    assert_same_contents(original, sultan_store::open(&sqlite(&to)).await.unwrap()).await;
}

#[tokio::test]
async fn backup_of_a_file_in_use_and_its_transfer_contain_the_latest_changes() {
    let folder = database_folder();
    let [in_use, backed_up, transferred] =
        ["in_use.db", "backup.db", "transferred.db"].map(|name| folder.path().join(name));
    let store = sultan_store::open(&sqlite(&in_use)).await.unwrap();
    let table = TableId::new(7);
    for version in 1..=5 {
        let change = Change { version, at_ms: 1, events: vec![EventRecord::Started] };
        store.append(Append { table, change, listing: None, visitors: Vec::new() }).await.unwrap();
    }
    backup(&in_use, &backed_up).await.unwrap();
    assert_eq!(transfer(&sqlite(&backed_up), &sqlite(&transferred), &mut |_| {}).await.unwrap().changes, 5);
    for path in [&backed_up, &transferred] {
        let copy = sultan_store::open(&sqlite(path)).await.unwrap();
        assert_eq!(copy.load(table, 0).await.unwrap(), store.load(table, 0).await.unwrap());
    }
}

#[tokio::test]
async fn file_without_a_database_of_sultan_is_not_copied() {
    let folder = database_folder();
    let [notes, empty, to] = ["notes.db", "empty.db", "to.db"].map(|name| folder.path().join(name));
    std::fs::write(&notes, "a text and no database".repeat(1000)).unwrap();
    std::fs::write(&empty, "").unwrap();
    let transferred = transfer(&sqlite(&notes), &sqlite(&to), &mut |_| {}).await;
    assert!(matches!(transferred, Err(CopyError::Store(StoreError::Database(_)))), "{transferred:?}");
    let copied = backup(&notes, &to).await;
    assert!(matches!(copied, Err(CopyError::Store(StoreError::Database(_)))), "{copied:?}");
    let transferred = transfer(&sqlite(&empty), &sqlite(&to), &mut |_| {}).await;
    assert!(matches!(transferred, Err(CopyError::Foreign(_))), "{transferred:?}");
    let copied = backup(&empty, &to).await;
    assert!(matches!(copied, Err(CopyError::Foreign(_))), "{copied:?}");
    assert_eq!(file_names(folder.path()), ["empty.db", "notes.db"]);
}
