//! Saves space: compacts finished tables (merges the changes of each into one row), and deletes old tables.
//!
//! Both delete rows while other nodes may add rows, so both lock the rows of the table first, in order. An append on
//! Postgres locks the last row until it is stored (`postgres.rs`): cleanup waits for it, and a later append finds that
//! row deleted and is stale. On SQLite a write transaction excludes all other writers anyway.

use sqlx::Connection;

use crate::StoreError;
use crate::database::{Row, changes, id};
use crate::deadline::with_deadline;
use crate::merged;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{DeleteBefore, StoreFuture};

/// The condition of [`DeleteBefore`], with `idle_ms` as $1 and `stalled_ms` as $2.
macro_rules! condition_of_old_tables {
    () => {
        "changed_ms < $1 AND coalesce((SELECT at_ms FROM changes WHERE table_id = id ORDER BY version DESC LIMIT 1), 0)
          < CASE WHEN attended AND state = 1 THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END"
    };
}

const SELECT_OLD: &str = concat!("SELECT id FROM tables WHERE ", condition_of_old_tables!(), " LIMIT $3");
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

const SELECT_UNMERGED: &str =
    "SELECT id FROM tables WHERE state = 2 AND NOT merged AND changed_ms < $1 ORDER BY changed_ms LIMIT $2";
const SELECT_ALL_CHANGES: &str =
    "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 ORDER BY version";
const UPDATE_MERGED: &str = "UPDATE changes SET body = '', merged = $3 WHERE table_id = $1 AND version = $2";
const DELETE_OTHER_CHANGES: &str = "DELETE FROM changes WHERE table_id = $1 AND version < $2";
const MARK_AS_MERGED: &str = "UPDATE tables SET merged = TRUE WHERE id = $1";

/// Tables compacted per transaction; few, because appends wait for it.
const COMPACT_BATCH_TABLES: usize = 20;

/// The merged row of a table. `None` if its rows cannot be read or there is only one.
fn merged_row(key: i64, rows: Vec<Row>) -> Option<Vec<u8>> {
    if rows.len() < 2 {
        return None;
    }
    let all: Result<Vec<_>, _> = rows.into_iter().map(|row| changes(id(key), row, 0)).collect();
    match all {
        Ok(all) => merged::merge(&all.concat()),
        Err(error) => {
            tracing::error!(%error, "cannot compact a finished table");
            None
        }
    }
}

/// The same code for both databases.
macro_rules! cleanup {
    ($store:ty, $begin:literal, $lock:expr) => {
        impl $store {
            pub(crate) async fn delete_old_tables(&self, before: DeleteBefore, limit: u32) -> Result<u64, StoreError> {
                let tables: Vec<i64> = with_deadline!(self, |connection| {
                    let old = sqlx::query_scalar(SELECT_OLD).bind(before.idle_ms).bind(before.stalled_ms);
                    Ok(old.bind(i64::from(limit)).fetch_all(&mut *connection).await?)
                })
                .await?;
                let mut deleted = 0;
                for key in tables {
                    deleted += u64::from(self.delete_table(key, before).await?);
                }
                Ok(deleted)
            }

            fn delete_table(&self, key: i64, before: DeleteBefore) -> StoreFuture<'_, bool> {
                with_deadline!(self, |connection| {
                    let mut transaction = connection.begin_with($begin).await?;
                    let rows: Vec<i32> = sqlx::query_scalar($lock).bind(key).fetch_all(&mut *transaction).await?;
                    // From now on no change can be added after the last of these rows.
                    let last = rows.last().copied().unwrap_or(0);
                    let old =
                        sqlx::query_scalar::<_, i64>(COUNT_STILL_OLD).bind(before.idle_ms).bind(before.stalled_ms);
                    if old.bind(key).bind(last).fetch_one(&mut *transaction).await? == 0 {
                        return Ok(false);
                    }
                    for statement in DELETE_TABLE {
                        sqlx::query(statement).bind(key).execute(&mut *transaction).await?;
                    }
                    transaction.commit().await?;
                    Ok(true)
                })
            }

            pub(crate) async fn compact_tables(&self, before_ms: i64, limit: u32) -> Result<u64, StoreError> {
                let mut tables: Vec<i64> = with_deadline!(self, |connection| {
                    let tables = sqlx::query_scalar(SELECT_UNMERGED).bind(before_ms).bind(i64::from(limit));
                    Ok(tables.fetch_all(&mut *connection).await?)
                })
                .await?;
                // In order, so that two programs that lock rows of the same tables cannot deadlock.
                tables.sort_unstable();
                let mut compacted = 0;
                for batch in tables.chunks(COMPACT_BATCH_TABLES) {
                    compacted += self.compact_batch(batch.to_vec()).await?;
                }
                Ok(compacted)
            }

            fn compact_batch(&self, keys: Vec<i64>) -> StoreFuture<'_, u64> {
                with_deadline!(self, |connection| {
                    let mut tables = Vec::new();
                    for key in keys {
                        let rows: Vec<Row> =
                            sqlx::query_as(SELECT_ALL_CHANGES).bind(key).fetch_all(&mut *connection).await?;
                        let versions: Vec<i32> = rows.iter().map(|row| row.0).collect();
                        tables.push((key, versions, merged_row(key, rows)));
                    }
                    let mut done = 0;
                    let mut transaction = connection.begin_with($begin).await?;
                    for (key, versions, merged) in tables {
                        let locked: Vec<i32> = sqlx::query_scalar($lock).bind(key).fetch_all(&mut *transaction).await?;
                        if locked != versions {
                            // A change was added, or another program merged the table: the next run tries again.
                            continue;
                        }
                        if let (Some(merged), Some(last)) = (merged, versions.last()) {
                            sqlx::query(UPDATE_MERGED)
                                .bind(key)
                                .bind(last)
                                .bind(merged)
                                .execute(&mut *transaction)
                                .await?;
                            sqlx::query(DELETE_OTHER_CHANGES).bind(key).bind(last).execute(&mut *transaction).await?;
                        }
                        sqlx::query(MARK_AS_MERGED).bind(key).execute(&mut *transaction).await?;
                        done += 1;
                    }
                    transaction.commit().await?;
                    Ok(done)
                })
            }
        }
    };
}

const SELECT_SQLITE_VERSIONS: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version";
const LOCK_POSTGRES_VERSIONS: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version FOR UPDATE";

cleanup!(SqliteStore, "BEGIN IMMEDIATE", SELECT_SQLITE_VERSIONS);
cleanup!(PostgresStore, "BEGIN", LOCK_POSTGRES_VERSIONS);
