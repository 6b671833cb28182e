//! Transfers all data of one database into another, then reads both databases and compares every row.

use std::path::Path;
use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::time::sleep;

use super::CopyError;
use super::backup::open_existing;
use super::pending_file::PendingFile;
use super::rows::{ALL, CopiedTable, Endpoint, PAGE_ROWS, Value};
use crate::database::{decode_row, table_id};
use crate::migrations::{POSTGRES, SQLITE, check_newer, migrator};
use crate::postgres::probe;
use crate::sqlite;
use crate::{Location, StoreError};

/// Progress of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of rows written so far plus the number of rows compared so far.
    pub done: u64,
    /// The value of `done` at the end: twice the number of rows.
    pub total: u64,
}

/// The numbers of rows that were transferred and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferCounts {
    /// Tables (games).
    pub tables: u64,
    /// Changes of tables.
    pub changes: u64,
    /// Events in these changes.
    pub events: u64,
    /// Seats that browsers have.
    pub visitors: u64,
    /// Unused commitments.
    pub commitments: u64,
    /// Secrets for signing.
    pub secrets: u64,
    /// Analyses of finished games.
    pub analyses: u64,
}

/// Copies all data of one database into an empty one, then reads both databases and compares every row. The original is
/// locked against writes during the transfer. It stays the same, except for migrations of its schema.
///
/// Either the target gets all data, verified, or it stays unchanged: a Postgres database gets the data in one
/// transaction, and a SQLite file gets its name at the end.
///
/// # Errors
/// [`CopyError`], for example if the target is not empty or the original is in use.
pub async fn transfer(
    from: &Location,
    to: &Location,
    report: &mut dyn FnMut(Progress),
) -> Result<TransferCounts, CopyError> {
    match from {
        Location::Sqlite(path) => {
            let mut original = open_sqlite_exclusively(path).await?;
            let counts = transfer_from(&mut original, to, report).await?;
            original.close().await?;
            Ok(counts)
        }
        Location::Postgres(options) => {
            let mut original = probe(options).await?;
            if !sqlx::query_scalar::<_, bool>(IS_SULTAN).fetch_one(&mut original).await? {
                return Err(CopyError::Foreign(from.to_string()));
            }
            migrate_unused_postgres(&mut original, from).await?;
            let mut snapshot = original.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?;
            // Without the lock, a server that is started now could acknowledge changes that are not transferred.
            sqlx::query(LOCK_OUT_WRITERS).execute(&mut *snapshot).await?;
            let counts = transfer_from(&mut *snapshot, to, report).await?;
            snapshot.rollback().await?;
            Ok(counts)
        }
    }
}

const IS_SULTAN: &str = "SELECT to_regclass('changes') IS NOT NULL AND to_regclass('tables') IS NOT NULL";

/// Opens and migrates a SQLite file with an exclusive lock.
async fn open_sqlite_exclusively(path: &Path) -> Result<SqliteConnection, CopyError> {
    // Locking fails if a server runs, because it keeps the file open.
    let options =
        SqliteConnectOptions::new().locking_mode(SqliteLockingMode::Exclusive).busy_timeout(Duration::from_secs(1));
    let mut connection = open_existing(path, options).await.map_err(|error| match error {
        CopyError::Store(StoreError::Database(error)) if sqlite::is_locked(&error) => {
            CopyError::InUse(Location::Sqlite(path.to_owned()).to_string())
        }
        error => error,
    })?;
    reject_newer_schema(migrator(SQLITE).run(&mut connection).await, SQLITE)?;
    Ok(connection)
}

/// Converts the result of migrating a database. A newer schema than that of this program is an error, even if it is
/// compatible, because it may contain data that this program would not copy.
fn reject_newer_schema(migrated: Result<(), MigrateError>, scripts: &[&str]) -> Result<(), StoreError> {
    match migrated {
        // Without a compatible older schema (`None`), `check_newer` always returns an error.
        Err(MigrateError::VersionMissing(found)) => check_newer(found, None, scripts),
        migrated => migrated.map_err(StoreError::Migration),
    }
}

/// Locks out other writers until the end of the transaction.
const LOCK_OUT_WRITERS: &str = "LOCK TABLE changes, tables, visitors, commitments, secrets, analyses IN EXCLUSIVE MODE";

/// Checks that a Postgres database has no other connections, and migrates it.
async fn migrate_unused_postgres(connection: &mut PgConnection, location: &Location) -> Result<(), CopyError> {
    const COUNT_OTHER_CONNECTIONS: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    // Postgres may still count connections that were just closed, so retry for two seconds.
    for _ in 0..20 {
        let other_connections: i64 = sqlx::query_scalar(COUNT_OTHER_CONNECTIONS).fetch_one(&mut *connection).await?;
        if other_connections == 0 {
            return Ok(reject_newer_schema(migrator(POSTGRES).run(connection).await, POSTGRES)?);
        }
        sleep(Duration::from_millis(100)).await;
    }
    Err(CopyError::InUse(location.to_string()))
}

/// Opens the target, and copies all data into it.
async fn transfer_from<F: Endpoint>(
    from: &mut F,
    to: &Location,
    report: &mut dyn FnMut(Progress),
) -> Result<TransferCounts, CopyError> {
    match to {
        Location::Sqlite(path) => {
            let file = PendingFile::new(path)?;
            // Without a write-ahead log, all data is in the main file, which is the only file that is moved to the
            // target.
            let options = sqlite::options(file.path()).journal_mode(SqliteJournalMode::Delete);
            let mut copy = SqliteConnection::connect_with(&options).await?;
            migrator(SQLITE).run(&mut copy).await.map_err(StoreError::Migration)?;
            let mut transaction = copy.begin().await?;
            let counts = copy_and_compare(from, &mut *transaction, report).await?;
            transaction.commit().await?;
            copy.close().await?;
            file.publish()?;
            Ok(counts)
        }
        Location::Postgres(options) => {
            let mut copy = probe(options).await?;
            migrate_unused_postgres(&mut copy, to).await?;
            let mut transaction = copy.begin().await?;
            // A server that is started during the transfer waits for this lock, and then finds all data.
            sqlx::query(LOCK_OUT_WRITERS).execute(&mut *transaction).await?;
            for table in &ALL {
                let rows = transaction.count(table).await?;
                if rows > 0 {
                    return Err(CopyError::NotEmpty { location: to.to_string(), database_table: table.name, rows });
                }
            }
            let counts = copy_and_compare(from, &mut *transaction, report).await?;
            transaction.commit().await?;
            Ok(counts)
        }
    }
}

/// Writes all rows, then reads both databases again and compares them.
async fn copy_and_compare<F: Endpoint, T: Endpoint>(
    from: &mut F,
    to: &mut T,
    report: &mut dyn FnMut(Progress),
) -> Result<TransferCounts, CopyError> {
    let mut progress = Progress { done: 0, total: 0 };
    for table in &ALL {
        progress.total += 2 * from.count(table).await?;
    }
    let mut add_rows = |rows: usize| {
        progress.done += rows as u64;
        report(progress);
    };
    for table in &ALL {
        let mut last_row: Option<Vec<Value>> = None;
        loop {
            let rows = from.page(table, last_row.as_deref()).await?;
            if !rows.is_empty() {
                to.insert(table, &rows).await?;
            }
            add_rows(rows.len());
            if rows.len() < PAGE_ROWS {
                break;
            }
            last_row = rows.into_iter().next_back();
        }
    }
    let mut counts = TransferCounts::default();
    for table in &ALL {
        compare(table, from, to, &mut add_rows, &mut counts).await?;
    }
    Ok(counts)
}

/// Compares all rows of a database table in both databases, and counts them.
async fn compare<F: Endpoint, T: Endpoint>(
    table: &CopiedTable,
    from: &mut F,
    to: &mut T,
    add_rows: &mut dyn FnMut(usize),
    counts: &mut TransferCounts,
) -> Result<(), CopyError> {
    let mut last_row: Option<Vec<Value>> = None;
    loop {
        let originals = from.page(table, last_row.as_deref()).await?;
        let copies = to.page(table, last_row.as_deref()).await?;
        for (index, original) in originals.iter().enumerate() {
            if copies.get(index) != Some(original) {
                return Err(CopyError::Different { database_table: table.name, table: table.game_table(original) });
            }
            count_row(table, original, counts)?;
        }
        if copies.len() > originals.len() {
            return Err(CopyError::Different { database_table: table.name, table: None });
        }
        // Both pages have the same rows.
        add_rows(originals.len());
        if originals.len() < PAGE_ROWS {
            return Ok(());
        }
        last_row = originals.into_iter().next_back();
    }
}

/// Counts a row. Rows of changes are decoded, so a row that cannot be decoded is an error.
fn count_row(table: &CopiedTable, row: &[Value], counts: &mut TransferCounts) -> Result<(), CopyError> {
    use Value::{Bytes, Number, Text};
    match table.name {
        "changes" => {
            let [Number(key), Number(version), Number(at_ms), Text(body), Bytes(merged)] = row else {
                return Err(CopyError::Different { database_table: table.name, table: table.game_table(row) });
            };
            let row = (i32::try_from(*version).unwrap_or(0), *at_ms, body.clone(), merged.clone());
            let changes = decode_row(table_id(*key), row, 0)?;
            counts.changes += changes.len() as u64;
            counts.events += changes.iter().map(|change| change.events.len() as u64).sum::<u64>();
        }
        "tables" => counts.tables += 1,
        "visitors" => counts.visitors += 1,
        "commitments" => counts.commitments += 1,
        "secrets" => counts.secrets += 1,
        _ => counts.analyses += 1,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn database_with_rows() -> SqliteConnection {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrator(SQLITE).run(&mut connection).await.unwrap();
        // 2500 changes, more than two pages of rows. Change n has the version n, and belongs to table n / 10.
        let fill = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500)
            INSERT INTO changes (table_id, version, at_ms, body) SELECT n / 10, n, n, '[\"started\"]' FROM n;
            INSERT INTO tables (id, state, public, attended, changed_ms) VALUES (7, 1, TRUE, FALSE, 5);
            INSERT INTO secrets (name, value) VALUES ('cookies', x'07')";
        sqlx::raw_sql(fill).execute(&mut connection).await.unwrap();
        connection
    }

    /// Changes a copy of a database by an SQL statement, and compares it with the original.
    async fn compare_after(statement: &'static str) -> Result<TransferCounts, CopyError> {
        let (mut original, mut copy) = (database_with_rows().await, database_with_rows().await);
        sqlx::raw_sql(statement).execute(&mut copy).await.unwrap();
        let mut counts = TransferCounts::default();
        for table in &ALL {
            compare(table, &mut original, &mut copy, &mut |_| {}, &mut counts).await?;
        }
        Ok(counts)
    }

    #[tokio::test]
    async fn comparison_finds_every_changed_missing_or_additional_row() {
        let counts = compare_after("SELECT 1").await.unwrap();
        assert_eq!((counts.changes, counts.events, counts.tables, counts.secrets), (2500, 2500, 1, 1));
        // A statement, the database table that differs, and the number of the game table that the row belongs to.
        for (statement, expected_table, expected_number) in [
            ("UPDATE changes SET at_ms = 0 WHERE version = 2345", "changes", Some(234)),
            ("DELETE FROM changes WHERE version = 1", "changes", Some(0)),
            ("DELETE FROM changes WHERE version > 2499", "changes", Some(250)),
            ("INSERT INTO changes (table_id, version, at_ms, body) VALUES (900, 1, 1, '[]')", "changes", None),
            ("UPDATE tables SET public = FALSE", "tables", Some(7)),
            ("UPDATE secrets SET value = x'08'", "secrets", None),
            ("INSERT INTO analyses (table_id, json) VALUES (1, x'00')", "analyses", None),
        ] {
            match compare_after(statement).await {
                Err(error @ CopyError::Different { database_table, table: game_table }) => {
                    let number = game_table.map(sultan_domain::TableId::number);
                    assert_eq!((database_table, number), (expected_table, expected_number), "{statement}");
                    let suffix = game_table.map_or_else(String::new, |table| format!(" of table {table}"));
                    let message =
                        format!("the copy differs from the original in {expected_table}{suffix}; the copy was deleted");
                    assert_eq!(error.to_string(), message);
                }
                other => panic!("{statement}: {other:?}"),
            }
        }
    }
}
