//! Saves space: compacts finished tables (merges the changes of each into one row), and deletes old tables.
//!
//! Both delete rows while other nodes may append changes to the same table. So both lock all rows of the table first.
//! An append on Postgres locks the last row until the new change is stored (`postgres.rs`): a cleanup that starts
//! during the append waits, and an append that starts during the cleanup waits, and is stale if it then finds the last
//! row deleted. On SQLite a write transaction excludes all other writers anyway.

use sqlx::Connection;

use crate::StoreError;
use crate::database::{ChangeRow, decode_row, table_id};
use crate::deadline::with_deadline;
use crate::merged;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{DeleteBefore, StoreFuture};

/// The condition of [`DeleteBefore`], with `idle_ms` as $1 and `stalled_ms` as $2. `attended AND state = 1` are the
/// tables in play with bots or clocks.
macro_rules! condition_of_old_tables {
    () => {
        "changed_ms < $1 AND coalesce((SELECT at_ms FROM changes WHERE table_id = id ORDER BY version DESC LIMIT 1), 0)
          < CASE WHEN attended AND state = 1 THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END"
    };
}

const SELECT_OLD: &str = concat!("SELECT id FROM tables WHERE ", condition_of_old_tables!(), " LIMIT $3");
/// Returns 1 if the table $3 is still old and its newest version is still $4, and 0 otherwise.
const COUNT_STILL_OLD: &str = concat!(
    "SELECT count(*) FROM tables WHERE ",
    condition_of_old_tables!(),
    " AND id = $3 AND coalesce((SELECT max(version) FROM changes WHERE table_id = id), 0) = $4"
);
const DELETE_TABLE: [&str; 4] = [
    "DELETE FROM analyses WHERE table_id = $1",
    "DELETE FROM visitors WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1",
    "DELETE FROM changes WHERE table_id = $1",
];

/// Selects finished tables (`state = 2`) that ended before $1 and are not merged yet.
const SELECT_UNMERGED: &str =
    "SELECT id FROM tables WHERE state = 2 AND NOT merged AND changed_ms < $1 ORDER BY changed_ms LIMIT $2";
const SELECT_ALL_CHANGES: &str =
    "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 ORDER BY version";
// To merge a table, its last row gets all changes in the column `merged`, and the other rows are deleted.
const UPDATE_MERGED: &str = "UPDATE changes SET body = '', merged = $3 WHERE table_id = $1 AND version = $2";
const DELETE_OTHER_CHANGES: &str = "DELETE FROM changes WHERE table_id = $1 AND version < $2";
const MARK_AS_MERGED: &str = "UPDATE tables SET merged = TRUE WHERE id = $1";

/// Tables compacted per transaction. Few, because appends to these tables (on SQLite: to all tables) wait until the
/// transaction ends.
const COMPACT_BATCH_TABLES: usize = 20;

/// All changes of a table as one value. `None` if the table has only one row, or if a row cannot be decoded or a
/// version is missing. The table then keeps its rows, and is still marked as merged, so that it is not tried again.
fn merge_rows(table_key: i64, rows: Vec<ChangeRow>) -> Option<Vec<u8>> {
    if rows.len() < 2 {
        return None;
    }
    let changes: Result<Vec<_>, _> = rows.into_iter().map(|row| decode_row(table_id(table_key), row, 0)).collect();
    match changes {
        Ok(changes) => merged::merge(&changes.concat()),
        Err(error) => {
            tracing::error!(%error, "cannot compact a finished table");
            None
        }
    }
}

/// Implements the cleanup for one kind of store. `$begin` begins a transaction, and `$select_and_lock_versions` selects
/// the versions of the rows of a table in order. Together they lock these rows against other writers. A macro, because
/// the queries of the two databases have different types.
macro_rules! implement_cleanup {
    ($store:ty, $begin:literal, $select_and_lock_versions:expr) => {
        impl $store {
            pub(crate) async fn delete_old_tables(&self, before: DeleteBefore, limit: u32) -> Result<u64, StoreError> {
                let tables: Vec<i64> = with_deadline!(self, |connection| {
                    let select = sqlx::query_scalar(SELECT_OLD).bind(before.idle_ms).bind(before.stalled_ms);
                    Ok(select.bind(i64::from(limit)).fetch_all(connection).await?)
                })
                .await?;
                let mut deleted = 0;
                for table_key in tables {
                    deleted += u64::from(self.delete_table(table_key, before).await?);
                }
                Ok(deleted)
            }

            /// Deletes a table if it is still old. Returns whether it was deleted.
            fn delete_table(&self, table_key: i64, before: DeleteBefore) -> StoreFuture<'_, bool> {
                with_deadline!(self, |connection| {
                    let mut transaction = connection.begin_with($begin).await?;
                    let lock = sqlx::query_scalar($select_and_lock_versions).bind(table_key);
                    let versions: Vec<i32> = lock.fetch_all(&mut *transaction).await?;
                    // From now on no change can be appended to this table. If a change was appended before the rows
                    // were locked, the count is 0.
                    let last_version = versions.last().copied().unwrap_or(0);
                    let count = sqlx::query_scalar(COUNT_STILL_OLD).bind(before.idle_ms).bind(before.stalled_ms);
                    let still_old: i64 = count.bind(table_key).bind(last_version).fetch_one(&mut *transaction).await?;
                    if still_old == 0 {
                        return Ok(false);
                    }
                    for statement in DELETE_TABLE {
                        sqlx::query(statement).bind(table_key).execute(&mut *transaction).await?;
                    }
                    transaction.commit().await?;
                    Ok(true)
                })
            }

            pub(crate) async fn compact_tables(&self, before_ms: i64, limit: u32) -> Result<u64, StoreError> {
                let mut tables: Vec<i64> = with_deadline!(self, |connection| {
                    let tables = sqlx::query_scalar(SELECT_UNMERGED).bind(before_ms).bind(i64::from(limit));
                    Ok(tables.fetch_all(connection).await?)
                })
                .await?;
                // All programs lock tables in the order of their keys, so that they cannot deadlock.
                tables.sort_unstable();
                let mut compacted = 0;
                for batch in tables.chunks(COMPACT_BATCH_TABLES) {
                    compacted += self.compact_batch(batch.to_vec()).await?;
                }
                Ok(compacted)
            }

            fn compact_batch(&self, table_keys: Vec<i64>) -> StoreFuture<'_, u64> {
                with_deadline!(self, |connection| {
                    // Reads and merges before the transaction begins, so that appends wait only for the updates.
                    let mut tables = Vec::new();
                    for table_key in table_keys {
                        let select = sqlx::query_as(SELECT_ALL_CHANGES).bind(table_key);
                        let rows: Vec<ChangeRow> = select.fetch_all(&mut *connection).await?;
                        let versions: Vec<i32> = rows.iter().map(|(version, ..)| *version).collect();
                        tables.push((table_key, versions, merge_rows(table_key, rows)));
                    }
                    let mut compacted = 0;
                    let mut transaction = connection.begin_with($begin).await?;
                    for (table_key, versions, merged) in tables {
                        let lock = sqlx::query_scalar($select_and_lock_versions).bind(table_key);
                        let locked_versions: Vec<i32> = lock.fetch_all(&mut *transaction).await?;
                        if locked_versions != versions {
                            // Another program has merged the table, or a change was added since the rows were read: the
                            // next run tries again.
                            continue;
                        }
                        if let (Some(merged), Some(last_version)) = (merged, versions.last()) {
                            let update = sqlx::query(UPDATE_MERGED).bind(table_key).bind(last_version).bind(merged);
                            update.execute(&mut *transaction).await?;
                            let delete = sqlx::query(DELETE_OTHER_CHANGES).bind(table_key).bind(last_version);
                            delete.execute(&mut *transaction).await?;
                        }
                        sqlx::query(MARK_AS_MERGED).bind(table_key).execute(&mut *transaction).await?;
                        compacted += 1;
                    }
                    transaction.commit().await?;
                    Ok(compacted)
                })
            }
        }
    };
}

const SELECT_VERSIONS: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version";
const SELECT_AND_LOCK_VERSIONS: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version FOR UPDATE";

// On SQLite, `BEGIN IMMEDIATE` already locks the whole file against other writers.
implement_cleanup!(SqliteStore, "BEGIN IMMEDIATE", SELECT_VERSIONS);
implement_cleanup!(PostgresStore, "BEGIN", SELECT_AND_LOCK_VERSIONS);
