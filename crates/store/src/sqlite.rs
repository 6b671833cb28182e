//! The store on a SQLite file: one connection writes, others read beside it.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Error, Sqlite, SqliteConnection};
use sultan_domain::TableId;

use crate::batch::{Write, Writer};
use crate::database::{body, id, is_plain, key};
use crate::migrations::{self, migrate};
use crate::timely::PATIENCE;
use crate::{Append, StoreError};

/// How many connections read.
const READERS: u32 = 4;

pub(crate) struct SqliteStore {
    pub(crate) pool: SqlitePool,
    pub(crate) writer: Writer,
}

impl SqliteStore {
    /// Opens a file, makes it if there is none, and brings it up to date.
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = options(path);
        let writer = SqliteWriter::open(options.clone()).await?;
        let pool = SqlitePoolOptions::new().max_connections(READERS).min_connections(1).acquire_timeout(PATIENCE);
        let pool = pool.connect_with(options).await?;
        bring_up_to_date(&pool).await?;
        Ok(Self { pool, writer: Writer::start(writer) })
    }
}

/// How a file of ours is opened.
pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Every commit reaches the disk before it is acknowledged.
        .synchronous(SqliteSynchronous::Full)
        // A move changes a page of its table, all of which is written and checked: small pages cost less.
        .page_size(2048)
        // The same pages change again and again: they are moved into the file seldom.
        .pragma("wal_autocheckpoint", "8000")
        .busy_timeout(Duration::from_secs(10))
}

/// Brings the file up to date. Others may open it at the same time, and SQLite keeps nobody out meanwhile: whoever stumbles over
/// the work of another finds it done when looking again.
async fn bring_up_to_date(pool: &SqlitePool) -> Result<(), StoreError> {
    const TRIES: usize = 10;
    for _ in 1..TRIES {
        match migrate!(pool, migrations::SQLITE) {
            Err(StoreError::Migration(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..))) => {}
            done => return done,
        }
    }
    migrate!(pool, migrations::SQLITE)
}

struct SqliteWriter {
    options: SqliteConnectOptions,
    /// None after something failed, until there is something to write again.
    connection: Option<SqliteConnection>,
}

impl SqliteWriter {
    async fn open(options: SqliteConnectOptions) -> Result<Self, Error> {
        let connection = Some(SqliteConnection::connect_with(&options).await?);
        Ok(Self { options, connection })
    }
}

const APPEND: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.value->>0, new.value->>1, new.value->>2, new.value->>3 FROM json_each($1) AS new
WHERE CASE WHEN new.value->>1 = 1 THEN NOT EXISTS (SELECT 1 FROM changes AS old WHERE old.table_id = new.value->>0)
ELSE EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.value->>0 AND last.version = new.value->>1 - 1
) END
ON CONFLICT DO NOTHING RETURNING table_id";

const LIST: &str = "INSERT INTO tables (id, state, public, attended, changed_ms)
SELECT new.value->>0, new.value->>1, new.value->>2, new.value->>3, new.value->>4 FROM json_each($1) AS new WHERE TRUE
ON CONFLICT (id) DO UPDATE SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms";

const VISIT: &str =
    "INSERT INTO visitors (visitor, table_id, seat, at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

impl Write for SqliteWriter {
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        let written = write(&mut connection, batch).await;
        if written.is_ok() {
            self.connection = Some(connection);
        } else {
            // Where the disk is full, SQLite takes the transaction back by itself; the connection would take itself to be in it
            // for ever, and begin no other. What it says when it is closed is no news.
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

async fn write(connection: &mut SqliteConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    if batch.iter().all(is_plain) {
        // A statement by itself is a transaction.
        return append(connection, batch).await;
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let written = append(&mut transaction, batch).await?;
    let mut rows = Vec::new();
    for done in batch.iter().filter(|append| written.contains(&append.table)) {
        if let Some(listing) = done.listing {
            let (state, public) = (listing.state.number(), listing.public);
            rows.push(json!([key(done.table), state, public, listing.attended, done.at_ms]));
        }
        for seat in &done.visitors {
            let visit = sqlx::query::<Sqlite>(VISIT).bind(seat.visitor.0.to_vec()).bind(key(seat.table));
            visit.bind(i32::from(seat.seat.number())).bind(done.at_ms).execute(&mut *transaction).await?;
        }
    }
    if !rows.is_empty() {
        sqlx::query(LIST).bind(json!(rows).to_string()).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(written)
}

async fn append(connection: &mut SqliteConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let row =
        |append: &Append| json!([key(append.table), append.version.saturating_add(1), append.at_ms, body(append)]);
    let rows = json!(batch.iter().map(row).collect::<Vec<_>>()).to_string();
    let written = sqlx::query_scalar(APPEND).bind(rows).fetch_all(connection).await?;
    Ok(written.into_iter().map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Listing, TableState};
    use crate::timely::timely;
    use crate::{EventRecord, StoreError};

    fn opened(number: u64) -> Append {
        Append {
            table: TableId::new(number),
            version: 0,
            at_ms: 1,
            events: vec![EventRecord::Started],
            listing: Some(Listing { state: TableState::Waiting, public: true, attended: false }),
            visitors: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_disk_that_was_full_is_written_to_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let mut writer = SqliteWriter::open(options(&path)).await.unwrap();
        // As on a full disk: what was begun is taken back by SQLite itself, in the middle.
        let full = "CREATE TEMP TRIGGER full BEFORE INSERT ON tables WHEN new.id = 1
        BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
        sqlx::query(full).execute(writer.connection.as_mut().unwrap()).await.unwrap();
        let error = writer.write(&[opened(1)]).await.unwrap_err().to_string();
        assert!(error.contains("full"), "{error}");
        for number in 2..4 {
            assert_eq!(writer.write(&[opened(number)]).await.unwrap(), HashSet::from([TableId::new(number)]));
        }
        writer.close().await.unwrap();
        store.pool.close().await;
    }

    #[tokio::test]
    async fn a_connection_on_which_something_failed_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("failed.db")).await.unwrap();
        // All connections of the pool, one after the other.
        for _ in 0..2 * READERS {
            let failed: Result<(), StoreError> = timely!(store, |connection| {
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                // SQLite does so by itself where the disk is full.
                sqlx::query("ROLLBACK").execute(&mut *transaction).await?;
                Err(Error::WorkerCrashed.into())
            })
            .await;
            failed.unwrap_err();
        }
        store.merge_some(0, 1).await.unwrap();
        let begun: Result<(), StoreError> = timely!(store, |connection| {
            connection.begin_with("BEGIN IMMEDIATE").await?.commit().await?;
            Ok(())
        })
        .await;
        begun.unwrap();
    }
}
