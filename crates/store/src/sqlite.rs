//! The store on a SQLite file: one connection writes, several connections read.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Error, SqliteConnection};
use sultan_domain::TableId;
use tokio::time::{Instant, sleep};

use crate::batch::{BatchWriter, WriteQueue};
use crate::database::{json, listing_rows, table_id, table_key, updates_no_list, visitor_rows};
use crate::deadline::QUERY_TIMEOUT;
use crate::migrations::{self, migrate};
use crate::{Append, StoreError};

/// Number of connections that only read.
const READERS: u32 = 4;

/// Wait before opening a file again that another program is setting up.
const RETRY_DELAY: Duration = Duration::from_millis(100);

pub(crate) struct SqliteStore {
    pub(crate) pool: SqlitePool,
    pub(crate) writer: WriteQueue,
}

impl SqliteStore {
    /// Opens or creates a file, and migrates it.
    ///
    /// If several programs open a new file at the same time, the first program enables the write-ahead log and applies
    /// the migrations. SQLite does not always let the other programs wait: they fail, and succeed when they try again.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let started = Instant::now();
        loop {
            match Self::try_open(options(path)).await {
                Err(error) if may_succeed_on_retry(&error) && started.elapsed() < QUERY_TIMEOUT => {
                    sleep(RETRY_DELAY).await;
                }
                opened => return opened,
            }
        }
    }

    async fn try_open(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let writer = SqliteWriter { connection: Some(SqliteConnection::connect_with(&options).await?), options };
        let pool = SqlitePoolOptions::new().max_connections(READERS).min_connections(1).acquire_timeout(QUERY_TIMEOUT);
        let pool = pool.connect_with(writer.options.clone()).await?;
        migrate!(&pool, migrations::SQLITE)?;
        Ok(Self { pool, writer: WriteQueue::start(writer) })
    }
}

fn may_succeed_on_retry(error: &StoreError) -> bool {
    match error {
        StoreError::Database(error) => is_locked(error),
        // Another program may be applying the same migrations.
        StoreError::Migration(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..)) => true,
        _ => false,
    }
}

/// Returns whether a query failed because another program has locked the file (`SQLITE_BUSY`).
pub(crate) fn is_locked(error: &Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "5")
}

/// The options of every connection to a file of sultan.
pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // A commit returns only after it was written to disk.
        .synchronous(SqliteSynchronous::Full)
        // Needed on macOS for a real flush; elsewhere it has no effect.
        .pragma("fullfsync", "1")
        .pragma("checkpoint_fullfsync", "1")
        // SQLite always writes whole pages, so a small change costs less with small pages.
        .page_size(2048)
        // A checkpoint copies changed pages from the log to the main file. The same pages change repeatedly, so rare
        // checkpoints copy less.
        .pragma("wal_autocheckpoint", "8000")
        .busy_timeout(Duration::from_secs(10))
}

struct SqliteWriter {
    options: SqliteConnectOptions,
    /// `None` after an error; the next batch opens a new connection.
    connection: Option<SqliteConnection>,
}

impl BatchWriter for SqliteWriter {
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        let written = write(&mut connection, batch).await;
        if written.is_ok() {
            self.connection = Some(connection);
        } else {
            // When the disk is full, SQLite rolls the transaction back by itself, and the connection object would still
            // assume that it is inside a transaction. The caller gets the first error, so an error of `close` is
            // ignored.
            let _ = connection.close().await;
        }
        written
    }

    async fn close(self) -> Result<(), Error> {
        match self.connection {
            Some(connection) => connection.close().await,
            None => Ok(()),
        }
    }
}

/// Stores every change whose table has the version before it as its newest version. The rows are passed as one JSON
/// list of lists (table, version, time, events). With one parameter per value, SQLite would have to parse another
/// statement for every number of rows.
const INSERT_CHANGES: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.value->>0, new.value->>1, new.value->>2, new.value->3 FROM json_each($1) AS new
WHERE new.value->>1 - 1 = coalesce((SELECT max(version) FROM changes WHERE table_id = new.value->>0), 0)
RETURNING table_id";

// Without `WHERE TRUE`, SQLite would parse `ON CONFLICT` as the condition of a join.
const INSERT_LISTINGS: &str = "INSERT INTO tables (id, state, public, attended, changed_ms)
SELECT new.value->>0, new.value->>1, new.value->>2, new.value->>3, new.value->>4 FROM json_each($1) AS new WHERE TRUE
ON CONFLICT (id) DO UPDATE SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms";

const INSERT_VISITORS: &str = "INSERT INTO visitors (visitor, table_id, seat, at_ms)
SELECT unhex(new.value->>0), new.value->>1, new.value->>2, new.value->>3 FROM json_each($1) AS new WHERE TRUE
ON CONFLICT DO NOTHING";

async fn write(connection: &mut SqliteConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    if batch.iter().all(updates_no_list) {
        // A single statement is its own transaction.
        return append(connection, batch).await;
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let written = append(&mut transaction, batch).await?;
    let stored = || batch.iter().filter(|append| written.contains(&append.table));
    sqlx::query(INSERT_LISTINGS).bind(listing_rows(stored())).execute(&mut *transaction).await?;
    sqlx::query(INSERT_VISITORS).bind(visitor_rows(stored())).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(written)
}

async fn append(connection: &mut SqliteConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let rows = batch
        .iter()
        .map(|Append { table, change, .. }| (table_key(*table), change.version, change.at_ms, &change.events));
    let rows = json(&rows.collect::<Vec<_>>());
    let written = sqlx::query_scalar(INSERT_CHANGES).bind(rows).fetch_all(connection).await?;
    Ok(written.into_iter().map(table_id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::with_deadline;
    use crate::store::{Listing, TableState};
    use crate::{Change, EventRecord, Store};

    async fn writer(path: &Path) -> SqliteWriter {
        let options = options(path);
        SqliteWriter { connection: Some(SqliteConnection::connect_with(&options).await.unwrap()), options }
    }

    /// The first change of a table.
    fn opening_change(number: u64) -> Append {
        Append {
            table: TableId::new(number),
            change: Change { version: 1, at_ms: 1, events: vec![EventRecord::Started] },
            listing: Some(Listing { state: TableState::Waiting, public: true, has_bots_or_clocks: false }),
            visitors: Vec::new(),
        }
    }

    #[tokio::test]
    async fn writer_stores_changes_again_after_an_error_of_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let mut writer = writer(&path).await;
        // As on a full disk, SQLite itself rolls the transaction back when table 1 is inserted.
        let trigger = "CREATE TEMP TRIGGER full BEFORE INSERT ON tables WHEN new.id = 1
        BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
        sqlx::query(trigger).execute(writer.connection.as_mut().unwrap()).await.unwrap();
        let error = writer.write(&[opening_change(1)]).await.unwrap_err().to_string();
        assert!(error.contains("full"), "{error}");
        for number in 2..4 {
            assert_eq!(writer.write(&[opening_change(number)]).await.unwrap(), HashSet::from([TableId::new(number)]));
        }
        writer.close().await.unwrap();
        store.pool.close().await;
    }

    #[tokio::test]
    async fn two_programs_that_write_to_one_file_store_every_version_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let mut first_writer = writer(&path).await;
        let mut second_writer = writer(&path).await;
        let later_change = |number, version: u32| {
            let opening = opening_change(number);
            Append { change: Change { version, ..opening.change }, listing: None, ..opening }
        };
        let tables = |numbers: &[u64]| numbers.iter().map(|number| TableId::new(*number)).collect::<HashSet<_>>();
        assert_eq!(first_writer.write(&[opening_change(1), opening_change(2)]).await.unwrap(), tables(&[1, 2]));
        assert_eq!(
            second_writer.write(&[opening_change(1), later_change(2, 2), later_change(3, 2)]).await.unwrap(),
            tables(&[2]),
            "table 1 already has version 1, and table 3 has no version 1"
        );
        let written = first_writer.write(&[later_change(1, 2), later_change(2, 2)]).await.unwrap();
        assert_eq!(written, tables(&[1]), "table 2 already has version 2");
        let written = first_writer.write(&[later_change(2, 4)]).await.unwrap();
        assert_eq!(written, tables(&[]), "table 2 has no version 3");
        assert_eq!(first_writer.write(&[later_change(2, 3)]).await.unwrap(), tables(&[2]));
        let stored: Vec<(i64, i32)> =
            sqlx::query_as("SELECT table_id, version FROM changes ORDER BY 1, 2").fetch_all(&store.pool).await.unwrap();
        assert_eq!(stored, [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)]);
    }

    /// The statements of program version 0.1 that use the database table `recent`. Version 0.1 first stored changes
    /// there, and moved them to `changes` later (migrations 6 and 7). In order: append a batch, move the changes (three
    /// statements), look for changes to move, read a table.
    const STATEMENTS_OF_0_1: [&str; 6] = [
        "INSERT INTO recent (number, body) SELECT 2 + 1, '[[1,3,1,[]]]' WHERE (SELECT max(number) FROM recent) = 2",
        "INSERT OR FAIL INTO changes (table_id, version, at_ms, body)
         SELECT one.value->>0, one.value->>1, one.value->>2, one.value->3 FROM recent, json_each(recent.body) AS one",
        "DELETE FROM recent WHERE number < (SELECT max(number) FROM recent)",
        "UPDATE recent SET number = number + 1, body = '[]'",
        "SELECT count(*) FROM recent WHERE body <> '[]'",
        "SELECT version FROM changes WHERE table_id = 1 UNION ALL
         SELECT one.value->>1 FROM recent, json_each(recent.body) AS one WHERE one.value->>0 = 1",
    ];

    #[tokio::test]
    async fn program_of_0_1_fails_on_an_upgraded_file_without_changing_it() {
        const MIGRATIONS_OF_0_1: &[&str] = migrations::SQLITE.split_at(6).0;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.db");
        let pool_of_0_1 = SqlitePool::connect_with(options(&path)).await.unwrap();
        migrate!(&pool_of_0_1, MIGRATIONS_OF_0_1).unwrap();
        // An entry of `recent` is a list: table, version, time, events.
        let insert_changes = r#"INSERT INTO changes (table_id, version, at_ms, body) VALUES (1, 1, 5, '["started"]');
            INSERT INTO recent VALUES (2, '[[1,2,6,["started","ended"]],[7,1,6,["started"]]]')"#;
        sqlx::raw_sql(insert_changes).execute(&pool_of_0_1).await.unwrap();
        // Before the upgrade, all statements succeed.
        let mut transaction = pool_of_0_1.begin().await.unwrap();
        for statement in STATEMENTS_OF_0_1 {
            sqlx::query(statement).execute(&mut *transaction).await.unwrap();
        }
        transaction.rollback().await.unwrap();

        let store = SqliteStore::open(&path).await.unwrap();
        for statement in STATEMENTS_OF_0_1 {
            let error = sqlx::query(statement).execute(&pool_of_0_1).await.unwrap_err().to_string();
            assert!(error.contains("no such table: recent"), "{statement}: {error}");
        }
        let refused: Result<(), StoreError> = migrate!(&pool_of_0_1, MIGRATIONS_OF_0_1);
        assert!(matches!(refused, Err(StoreError::TooNew { found: 7, supported: 6 })), "{refused:?}");
        // The changes in `recent` were moved to `changes`.
        let versions_times_and_event_counts = async |table| {
            let changes = store.load(TableId::new(table), 0).await.unwrap();
            changes.into_iter().map(|change| (change.version, change.at_ms, change.events.len())).collect::<Vec<_>>()
        };
        assert_eq!(versions_times_and_event_counts(1).await, [(1, 5, 1), (2, 6, 2)]);
        assert_eq!(versions_times_and_event_counts(7).await, [(1, 6, 1)]);
    }

    #[tokio::test]
    async fn connection_is_closed_after_an_error_and_not_reused() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("failed.db")).await.unwrap();
        // An error on every connection of the pool, and on the connections that replace them.
        for _ in 0..2 * READERS {
            let failed: Result<(), StoreError> = with_deadline!(store, |connection| {
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                // SQLite rolls back by itself when the disk is full.
                sqlx::query("ROLLBACK").execute(&mut *transaction).await?;
                Err(Error::WorkerCrashed.into())
            })
            .await;
            failed.unwrap_err();
        }
        // Both calls succeed: no connection in the pool is still inside a failed transaction.
        store.compact_tables(0, 1).await.unwrap();
        let started: Result<(), StoreError> = with_deadline!(store, |connection| {
            connection.begin_with("BEGIN IMMEDIATE").await?.commit().await?;
            Ok(())
        })
        .await;
        started.unwrap();
    }
}
