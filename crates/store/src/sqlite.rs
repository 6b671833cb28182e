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
        let connection = SqliteConnection::connect_with(&options).await?;
        let pool = SqlitePoolOptions::new().max_connections(READERS).min_connections(1).acquire_timeout(PATIENCE);
        let pool = pool.connect_with(options).await?;
        bring_up_to_date(&pool).await?;
        Ok(Self { pool, writer: Writer::start(SqliteWriter(connection)) })
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

struct SqliteWriter(SqliteConnection);

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
        if batch.iter().all(is_plain) {
            // A statement by itself is a transaction.
            return append(&mut self.0, batch).await;
        }
        let mut transaction = self.0.begin_with("BEGIN IMMEDIATE").await?;
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

    async fn close(self) -> Result<(), Error> {
        self.0.close().await
    }
}

async fn append(connection: &mut SqliteConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let row =
        |append: &Append| json!([key(append.table), append.version.saturating_add(1), append.at_ms, body(append)]);
    let rows = json!(batch.iter().map(row).collect::<Vec<_>>()).to_string();
    let written = sqlx::query_scalar(APPEND).bind(rows).fetch_all(connection).await?;
    Ok(written.into_iter().map(id).collect())
}
