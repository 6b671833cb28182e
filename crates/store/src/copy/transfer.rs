//! Transfers all data of one database into another, and compares both row by row and event by event.

use std::path::Path;
use std::time::Duration;

use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::time::sleep;

use super::CopyError;
use super::backup::open;
use super::pending_file::PendingFile;
use super::rows::{ALL, CopiedTable, Endpoint, PAGE_ROWS, Value};
use crate::database::{changes, id};
use crate::migrations::{POSTGRES, SQLITE, check_newer, migrator};
use crate::postgres::probe;
use crate::sqlite;
use crate::{Location, StoreError};

/// Progress of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows written and rows compared.
    pub done: u64,
    /// Rows in total.
    pub total: u64,
}

/// The numbers of rows that were transferred and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferCounts {
    /// Tables.
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

/// Copies all data of one database into another that is empty, and then reads both to compare every event of every
/// table and all other rows. The original is unchanged except for migrations of its schema; it is locked against writes
/// during the transfer.
///
/// The target gets all data, verified, or stays empty: in Postgres by one transaction, and a SQLite file is renamed at
/// the end.
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
            let moved = transfer_from(&mut original, to, report).await?;
            original.close().await?;
            Ok(moved)
        }
        Location::Postgres(options) => {
            let mut original = probe(options).await?;
            if !sqlx::query_scalar::<_, bool>(IS_SULTAN).fetch_one(&mut original).await? {
                return Err(CopyError::Foreign(from.to_string()));
            }
            migrate_unused_postgres(&mut original, from).await?;
            let mut snapshot = original.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?;
            // The lock prevents a server started now from acknowledging changes that would not be transferred.
            sqlx::query(LOCK).execute(&mut *snapshot).await?;
            let moved = transfer_from(&mut *snapshot, to, report).await?;
            snapshot.rollback().await?;
            Ok(moved)
        }
    }
}

const IS_SULTAN: &str = "SELECT to_regclass('changes') IS NOT NULL AND to_regclass('tables') IS NOT NULL";

/// Opens and migrates a SQLite file with an exclusive lock.
async fn open_sqlite_exclusively(path: &Path) -> Result<SqliteConnection, CopyError> {
    // A running server keeps its file open, so locking fails.
    let options =
        SqliteConnectOptions::new().locking_mode(SqliteLockingMode::Exclusive).busy_timeout(Duration::from_secs(1));
    let mut connection = open(path, options).await.map_err(|error| match error {
        CopyError::Store(StoreError::Database(error)) if sqlite::is_locked(&error) => {
            CopyError::InUse(Location::Sqlite(path.to_owned()).to_string())
        }
        error => error,
    })?;
    reject_newer_schema(migrator(SQLITE).run(&mut connection).await, SQLITE)?;
    Ok(connection)
}

/// Even a compatible newer schema is refused: it may contain data that this program would not copy.
fn reject_newer_schema(result: Result<(), MigrateError>, scripts: &[&str]) -> Result<(), StoreError> {
    match result {
        Err(MigrateError::VersionMissing(found)) => check_newer(found, None, scripts),
        result => result.map_err(StoreError::Migration),
    }
}

/// Locks out other writers.
const LOCK: &str = "LOCK TABLE changes, tables, visitors, commitments, secrets, analyses IN EXCLUSIVE MODE";

/// Checks that a Postgres database has no other connections, and migrates it.
async fn migrate_unused_postgres(connection: &mut PgConnection, location: &Location) -> Result<(), CopyError> {
    const OTHERS: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    // Recently closed connections may still be counted.
    for _ in 0..20 {
        if sqlx::query_scalar::<_, i64>(OTHERS).fetch_one(&mut *connection).await? == 0 {
            return Ok(reject_newer_schema(migrator(POSTGRES).run(connection).await, POSTGRES)?);
        }
        sleep(Duration::from_millis(100)).await;
    }
    Err(CopyError::InUse(location.to_string()))
}

async fn transfer_from<F: Endpoint>(
    from: &mut F,
    to: &Location,
    report: &mut dyn FnMut(Progress),
) -> Result<TransferCounts, CopyError> {
    match to {
        Location::Sqlite(path) => {
            let file = PendingFile::new(path)?;
            // Moves committed data from the WAL into the main file.
            let options = sqlite::options(file.path()).journal_mode(SqliteJournalMode::Delete);
            let mut copy = SqliteConnection::connect_with(&options).await?;
            migrator(SQLITE).run(&mut copy).await.map_err(StoreError::Migration)?;
            let mut transaction = copy.begin().await?;
            let moved = copy_and_compare(from, &mut *transaction, report).await?;
            transaction.commit().await?;
            copy.close().await?;
            file.publish()?;
            Ok(moved)
        }
        Location::Postgres(options) => {
            let mut copy = probe(options).await?;
            migrate_unused_postgres(&mut copy, to).await?;
            let mut transaction = copy.begin().await?;
            // A server started during the transfer waits for the lock and finds everything afterwards.
            sqlx::query(LOCK).execute(&mut *transaction).await?;
            for table in &ALL {
                let rows = transaction.count(table).await?;
                if rows > 0 {
                    return Err(CopyError::NotEmpty { location: to.to_string(), database_table: table.name, rows });
                }
            }
            let moved = copy_and_compare(from, &mut *transaction, report).await?;
            transaction.commit().await?;
            Ok(moved)
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
        let mut last: Option<Vec<Value>> = None;
        loop {
            let rows = from.page(table, last.as_deref()).await?;
            if !rows.is_empty() {
                to.insert(table, &rows).await?;
            }
            add_rows(rows.len());
            if rows.len() < PAGE_ROWS {
                break;
            }
            last = rows.into_iter().next_back();
        }
    }
    let mut moved = TransferCounts::default();
    for table in &ALL {
        compare(table, from, to, &mut add_rows, &mut moved).await?;
    }
    Ok(moved)
}

async fn compare<F: Endpoint, T: Endpoint>(
    table: &CopiedTable,
    from: &mut F,
    to: &mut T,
    add_rows: &mut dyn FnMut(usize),
    moved: &mut TransferCounts,
) -> Result<(), CopyError> {
    let mut last: Option<Vec<Value>> = None;
    loop {
        let originals = from.page(table, last.as_deref()).await?;
        let copies = to.page(table, last.as_deref()).await?;
        for (number, original) in originals.iter().enumerate() {
            if copies.get(number) != Some(original) {
                return Err(CopyError::Different { database_table: table.name, table: table.game_table(original) });
            }
            count(table, original, moved)?;
        }
        if copies.len() > originals.len() {
            return Err(CopyError::Different { database_table: table.name, table: None });
        }
        add_rows(originals.len());
        if originals.len() < PAGE_ROWS {
            return Ok(());
        }
        last = originals.into_iter().next_back();
    }
}

/// Counts a row. Changes are decoded, so that unreadable ones are detected.
fn count(table: &CopiedTable, row: &[Value], moved: &mut TransferCounts) -> Result<(), CopyError> {
    use Value::{Bytes, Number, Text};
    match table.name {
        "changes" => {
            let [Number(key), Number(version), Number(at_ms), Text(body), Bytes(merged)] = row else {
                return Err(CopyError::Different { database_table: table.name, table: table.game_table(row) });
            };
            let row = (i32::try_from(*version).unwrap_or(0), *at_ms, body.clone(), merged.clone());
            let changes = changes(id(*key), row, 0)?;
            moved.changes += changes.len() as u64;
            moved.events += changes.iter().map(|change| change.events.len() as u64).sum::<u64>();
        }
        "tables" => moved.tables += 1,
        "visitors" => moved.visitors += 1,
        "commitments" => moved.commitments += 1,
        "secrets" => moved.secrets += 1,
        _ => moved.analyses += 1,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn database_with_rows() -> SqliteConnection {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrator(SQLITE).run(&mut connection).await.unwrap();
        // More rows than are read at once.
        let fill = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500)
            INSERT INTO changes (table_id, version, at_ms, body) SELECT n / 10, n, n, '[\"started\"]' FROM n;
            INSERT INTO tables (id, state, public, attended, changed_ms) VALUES (7, 1, TRUE, FALSE, 5);
            INSERT INTO secrets (name, value) VALUES ('cookies', x'07')";
        sqlx::raw_sql(fill).execute(&mut connection).await.unwrap();
        connection
    }

    /// The error after one change to the copy.
    async fn error_after(spoil: &'static str) -> Result<TransferCounts, CopyError> {
        let (mut original, mut copy) = (database_with_rows().await, database_with_rows().await);
        sqlx::raw_sql(spoil).execute(&mut copy).await.unwrap();
        let mut moved = TransferCounts::default();
        for table in &ALL {
            compare(table, &mut original, &mut copy, &mut |_| {}, &mut moved).await?;
        }
        Ok(moved)
    }

    #[tokio::test]
    async fn every_row_is_compared() {
        let moved = error_after("SELECT 1").await.unwrap();
        assert_eq!((moved.changes, moved.events, moved.tables, moved.secrets), (2500, 2500, 1, 1));
        for (spoil, expected_table, expected_number) in [
            ("UPDATE changes SET at_ms = 0 WHERE version = 2345", "changes", Some(234)),
            ("DELETE FROM changes WHERE version = 1", "changes", Some(0)),
            ("DELETE FROM changes WHERE version > 2499", "changes", Some(250)),
            ("INSERT INTO changes (table_id, version, at_ms, body) VALUES (900, 1, 1, '[]')", "changes", None),
            ("UPDATE tables SET public = FALSE", "tables", Some(7)),
            ("UPDATE secrets SET value = x'08'", "secrets", None),
            ("INSERT INTO analyses (table_id, json) VALUES (1, x'00')", "analyses", None),
        ] {
            match error_after(spoil).await {
                Err(error @ CopyError::Different { database_table, table: game_table }) => {
                    let number = game_table.map(sultan_domain::TableId::number);
                    assert_eq!((database_table, number), (expected_table, expected_number), "{spoil}");
                    let suffix = game_table.map_or_else(String::new, |table| format!(" of table {table}"));
                    let wanted =
                        format!("the copy differs from the original in {expected_table}{suffix}; the copy was deleted");
                    assert_eq!(error.to_string(), wanted);
                }
                other => panic!("{spoil}: {other:?}"),
            }
        }
    }
}
