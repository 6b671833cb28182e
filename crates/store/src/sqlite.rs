//! The store on a SQLite file: one connection writes, others read beside it.

mod recent;

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Error, SqliteConnection};
use sultan_domain::TableId;
use tokio::time::{Instant, sleep};

use crate::batch::{Write, Writer};
use crate::deadline::QUERY_TIMEOUT;
use crate::migrations::{self, migrate};
use crate::{Append, StoreError};

use recent::Recent;
pub(crate) use recent::{GATHERED, LOAD, PUT_AWAY, put_away};

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
        let writer = first_writer(&options).await?;
        let pool = SqlitePoolOptions::new().max_connections(READERS).min_connections(1).acquire_timeout(QUERY_TIMEOUT);
        let pool = pool.connect_with(options).await?;
        bring_up_to_date(&pool).await?;
        Ok(Self { pool, writer: Writer::start(writer) })
    }
}

/// Opens a file that may be new. Of many who do so at once, one gives it its log, and SQLite does not always let the others wait.
async fn first_writer(options: &SqliteConnectOptions) -> Result<SqliteWriter, Error> {
    let begun = Instant::now();
    loop {
        match SqliteWriter::open(options.clone()).await {
            Err(error) if is_locked(&error) && begun.elapsed() < QUERY_TIMEOUT => {
                sleep(Duration::from_millis(100)).await;
            }
            done => return done,
        }
    }
}

/// Whether somebody else holds the file just now.
pub(crate) fn is_locked(error: &Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "5")
}

/// How a file of ours is opened.
pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Every commit reaches the disk before it is acknowledged.
        .synchronous(SqliteSynchronous::Full)
        // So that it does on macOS too; elsewhere this changes nothing.
        .pragma("fullfsync", "1")
        .pragma("checkpoint_fullfsync", "1")
        // Whatever changes on a page, all of it is written and checked: small pages cost less.
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
    /// None until something is written, and after something failed.
    recent: Option<Recent>,
}

impl SqliteWriter {
    async fn open(options: SqliteConnectOptions) -> Result<Self, Error> {
        let connection = Some(SqliteConnection::connect_with(&options).await?);
        Ok(Self { options, connection, recent: None })
    }

    /// The connection and what is remembered, taken out: only where all went well they are put back.
    async fn take(&mut self) -> Result<(SqliteConnection, Option<Recent>), Error> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        Ok((connection, self.recent.take()))
    }

    async fn put_back<T>(
        &mut self,
        connection: SqliteConnection,
        done: Result<(T, Recent), Error>,
    ) -> Result<T, Error> {
        match done {
            Ok((done, recent)) => {
                (self.connection, self.recent) = (Some(connection), Some(recent));
                Ok(done)
            }
            Err(error) => {
                // Where the disk is full, SQLite takes the transaction back by itself; the connection would take itself to be in
                // it for ever, and begin no other. What it says when it is closed is no news.
                let _ = connection.close().await;
                Err(error)
            }
        }
    }

    async fn put_away(&mut self) -> Result<(), Error> {
        let (mut connection, recent) = self.take().await?;
        let Some(mut recent) = recent else {
            self.connection = Some(connection);
            return Ok(());
        };
        let done = recent.put_away(&mut connection).await.map(|()| ((), recent));
        self.put_back(connection, done).await
    }
}

impl Write for SqliteWriter {
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        let (mut connection, recent) = self.take().await?;
        let written = write(&mut connection, recent, batch).await;
        self.put_back(connection, written).await
    }

    async fn afterwards(&mut self) {
        if self.recent.as_ref().is_some_and(Recent::are_many)
            && let Err(error) = self.put_away().await
        {
            tracing::error!(%error, "the changes of the last moments could not be put to the others; nothing is lost");
        }
    }

    async fn close(mut self) -> Result<(), Error> {
        if self.recent.as_ref().is_some_and(Recent::are_some) {
            self.put_away().await?;
        }
        match self.connection {
            Some(connection) => connection.close().await,
            None => Ok(()),
        }
    }
}

/// Writes a batch; where somebody else has written to the file meanwhile, it is looked at anew.
async fn write(
    connection: &mut SqliteConnection,
    mut recent: Option<Recent>,
    batch: &[Append],
) -> Result<(HashSet<TableId>, Recent), Error> {
    // Each time somebody else was faster.
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let mut known = match recent.take() {
            Some(recent) => recent,
            None => Recent::begin(connection).await?,
        };
        if let Some(written) = known.add(connection, batch).await? {
            return Ok((written, known));
        }
    }
    Err(Error::Io(io::Error::other("somebody else writes to the file all the time")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::with_deadline;
    use crate::store::{Listing, TableState};
    use crate::{EventRecord, Old, StoreError};

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

    fn next(number: u64, version: u32) -> Append {
        Append { version, listing: None, ..opened(number) }
    }

    #[tokio::test]
    async fn whoever_puts_changes_away_learns_what_others_have_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let (mut one, mut other) = (store.pool.acquire().await.unwrap(), store.pool.acquire().await.unwrap());
        let (none, the_table) = (Some(HashSet::new()), Some(HashSet::from([TableId::new(1)])));
        let mut here = Recent::begin(&mut one).await.unwrap();
        assert_eq!(here.add(&mut one, &[opened(1)]).await.unwrap(), the_table);
        let mut there = Recent::begin(&mut other).await.unwrap();
        assert_eq!(there.add(&mut other, &[next(1, 1)]).await.unwrap(), the_table);
        here.put_away(&mut one).await.unwrap();
        assert_eq!(here.add(&mut one, &[next(1, 1)]).await.unwrap(), none, "somebody else was faster");
        assert_eq!(here.add(&mut one, &[next(1, 2)]).await.unwrap(), the_table);
        // Nobody has written since: what is remembered is true.
        here.put_away(&mut one).await.unwrap();
        assert_eq!(here.add(&mut one, &[next(1, 3)]).await.unwrap(), the_table);
    }

    #[tokio::test]
    async fn changes_are_put_away_when_they_are_many_and_an_idle_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.db");
        let store = SqliteStore::open(&path).await.unwrap();
        let recent = async || -> (i64, i64) {
            let mut connection = store.pool.acquire().await.unwrap();
            let query = sqlx::query_as("SELECT max(number), sum(json_array_length(body)) FROM recent");
            query.fetch_one(&mut *connection).await.unwrap()
        };
        let mut writer = SqliteWriter::open(options(&path)).await.unwrap();
        for batch in 0..25 {
            let batch: Vec<Append> = (100 * batch..100 * (batch + 1)).map(opened).collect();
            assert_eq!(writer.write(&batch).await.unwrap().len(), 100);
            writer.afterwards().await;
            assert!(recent().await.1 < 2000, "as many as are put away");
        }
        assert_eq!(recent().await.1, 500);
        store.merge_some(0, 1).await.unwrap();
        let (number, none) = recent().await;
        assert_eq!(none, 0, "also those that are few, when there is time");
        for _ in 0..3 {
            store.merge_some(0, 1).await.unwrap();
            store.forget_some(Old { before_ms: 0, stalled_ms: 0 }, 1).await.unwrap();
        }
        assert_eq!(recent().await.0, number, "there was nothing to do");
        writer.close().await.unwrap();
    }

    #[tokio::test]
    async fn a_connection_on_which_something_failed_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("failed.db")).await.unwrap();
        // All connections of the pool, one after the other.
        for _ in 0..2 * READERS {
            let failed: Result<(), StoreError> = with_deadline!(store, |connection| {
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                // SQLite does so by itself where the disk is full.
                sqlx::query("ROLLBACK").execute(&mut *transaction).await?;
                Err(Error::WorkerCrashed.into())
            })
            .await;
            failed.unwrap_err();
        }
        store.merge_some(0, 1).await.unwrap();
        let begun: Result<(), StoreError> = with_deadline!(store, |connection| {
            connection.begin_with("BEGIN IMMEDIATE").await?.commit().await?;
            Ok(())
        })
        .await;
        begun.unwrap();
    }
}
