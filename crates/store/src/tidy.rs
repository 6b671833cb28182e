//! What makes room: the changes of tables that are over are merged into one row, old tables are removed.
//!
//! Both take rows away while others may be adding some, so both lock the rows of the table first, in order. Whoever adds a change
//! holds the last row until that is done (`postgres.rs`): it is waited for, and whoever comes later finds its row gone and is
//! told that the table has changed. On SQLite whoever writes keeps all others out anyway.

use sqlx::Connection;

use crate::StoreError;
use crate::database::{Row, changes, id};
use crate::deadline::with_deadline;
use crate::merged;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{Old, StoreFuture};

/// What makes a table one that may be forgotten. What goes on by itself comes to its end by itself; what could, and has
/// not for longer than it may take, waits for somebody who does not come.
macro_rules! old {
    () => {
        "changed_ms < $1 AND coalesce((SELECT at_ms FROM changes WHERE table_id = id ORDER BY version DESC LIMIT 1), 0)
          < CASE WHEN attended AND state = 1 THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END"
    };
}

const OLD: &str = concat!("SELECT id FROM tables WHERE ", old!(), " LIMIT $3");
const STILL_OLD: &str = concat!(
    "SELECT count(*) FROM tables WHERE ",
    old!(),
    " AND id = $3 AND coalesce((SELECT max(version) FROM changes WHERE table_id = id), 0) = $4"
);
const FORGET: [&str; 4] = [
    "DELETE FROM analyses WHERE table_id = $1",
    "DELETE FROM visitors WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1",
    "DELETE FROM changes WHERE table_id = $1",
];

const UNMERGED: &str =
    "SELECT id FROM tables WHERE state = 2 AND NOT merged AND changed_ms < $1 ORDER BY changed_ms LIMIT $2";
const ALL: &str = "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 ORDER BY version";
const MERGE: &str = "UPDATE changes SET body = '', merged = $3 WHERE table_id = $1 AND version = $2";
const REST: &str = "DELETE FROM changes WHERE table_id = $1 AND version < $2";
const MERGED: &str = "UPDATE tables SET merged = TRUE WHERE id = $1";

/// So many tables are merged in one transaction: those who write wait for it.
const FEW: usize = 20;

/// All changes in one, where they can be merged at all.
fn all_in_one(key: i64, rows: Vec<Row>) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for row in rows {
        match changes(id(key), row) {
            Ok(some) => all.extend(some),
            Err(error) => {
                tracing::error!(%error, "a table that is over stays as it is");
                return None;
            }
        }
    }
    merged::merge(&all)
}

/// One text for both databases.
macro_rules! tidy {
    ($store:ty, $begin:literal, $lock:expr) => {
        impl $store {
            pub(crate) async fn forget_some(&self, old: Old, most: u32) -> Result<u64, StoreError> {
                let tables: Vec<i64> = with_deadline!(self, |connection| {
                    let old = sqlx::query_scalar(OLD).bind(old.before_ms).bind(old.stalled_ms).bind(i64::from(most));
                    Ok(old.fetch_all(&mut *connection).await?)
                })
                .await?;
                let mut forgotten = 0;
                for key in tables {
                    forgotten += u64::from(self.forget_one(key, old).await?);
                }
                Ok(forgotten)
            }

            fn forget_one(&self, key: i64, old: Old) -> StoreFuture<'_, bool> {
                with_deadline!(self, |connection| {
                    let mut transaction = connection.begin_with($begin).await?;
                    let rows: Vec<i32> = sqlx::query_scalar($lock).bind(key).fetch_all(&mut *transaction).await?;
                    // Now nobody can add anything after the last of these.
                    let last = rows.last().copied().unwrap_or(0);
                    let old = sqlx::query_scalar::<_, i64>(STILL_OLD).bind(old.before_ms).bind(old.stalled_ms);
                    if old.bind(key).bind(last).fetch_one(&mut *transaction).await? == 0 {
                        return Ok(false);
                    }
                    for statement in FORGET {
                        sqlx::query(statement).bind(key).execute(&mut *transaction).await?;
                    }
                    transaction.commit().await?;
                    Ok(true)
                })
            }

            pub(crate) async fn merge_some(&self, before_ms: i64, most: u32) -> Result<u64, StoreError> {
                let tables: Vec<i64> = with_deadline!(self, |connection| {
                    let tables = sqlx::query_scalar(UNMERGED).bind(before_ms).bind(i64::from(most));
                    Ok(tables.fetch_all(&mut *connection).await?)
                })
                .await?;
                let mut merged = 0;
                for few in tables.chunks(FEW) {
                    merged += self.merge_few(few.to_vec()).await?;
                }
                Ok(merged)
            }

            fn merge_few(&self, mut keys: Vec<i64>) -> StoreFuture<'_, u64> {
                // Two who lock rows of the same tables wait for each other, and not in a circle.
                keys.sort_unstable();
                with_deadline!(self, |connection| {
                    let mut tables = Vec::new();
                    for key in keys {
                        let rows: Vec<Row> = sqlx::query_as(ALL).bind(key).fetch_all(&mut *connection).await?;
                        let versions: Vec<i32> = rows.iter().map(|row| row.0).collect();
                        tables.push((key, versions, if rows.len() > 1 { all_in_one(key, rows) } else { None }));
                    }
                    let mut done = 0;
                    let mut transaction = connection.begin_with($begin).await?;
                    for (key, versions, merged) in tables {
                        let locked: Vec<i32> = sqlx::query_scalar($lock).bind(key).fetch_all(&mut *transaction).await?;
                        if locked != versions {
                            // Somebody added something, or was faster: it is looked at again.
                            continue;
                        }
                        if let (Some(merged), Some(last)) = (merged, versions.last()) {
                            sqlx::query(MERGE).bind(key).bind(last).bind(merged).execute(&mut *transaction).await?;
                            sqlx::query(REST).bind(key).bind(last).execute(&mut *transaction).await?;
                        }
                        sqlx::query(MERGED).bind(key).execute(&mut *transaction).await?;
                        done += 1;
                    }
                    transaction.commit().await?;
                    Ok(done)
                })
            }
        }
    };
}

const SQLITE_LOCK: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version";
const POSTGRES_LOCK: &str = "SELECT version FROM changes WHERE table_id = $1 ORDER BY version FOR UPDATE";

tidy!(SqliteStore, "BEGIN IMMEDIATE", SQLITE_LOCK);
tidy!(PostgresStore, "BEGIN", POSTGRES_LOCK);
