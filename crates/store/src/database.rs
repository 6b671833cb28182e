//! The queries that are the same for both databases.

use std::sync::Arc;

use serde::Serialize;
use sultan_domain::{Commitment, Seat, ServerSeed, TableId};

use crate::compress::{compress, decompress};
use crate::deadline::{execute_with_deadline, with_deadline};
use crate::location::Location;
use crate::merged;
use crate::nodes::Nodes;
use crate::postgres::PostgresStore;
use crate::record::VisitorHash;
use crate::sqlite::SqliteStore;
use crate::store::{
    Append, Change, DeleteBefore, ListedTable, Listing, Store, StoreError, StoreFuture, StoredCommitment, TableState,
    VisitorSeat,
};

/// Opens a store, and migrates its database.
///
/// # Errors
/// [`StoreError`], for example if the database cannot be reached or was made by a newer program.
pub async fn open(location: &Location) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match location {
        Location::Sqlite(path) => Arc::new(SqliteStore::open(path).await?),
        Location::Postgres(options) => Arc::new(PostgresStore::open((**options).clone()).await?),
    })
}

/// A table ID as a database integer.
pub(crate) fn table_key(table: TableId) -> i64 {
    i64::try_from(table.number()).expect("a table ID has sixty bits")
}

/// The table ID of a database integer.
pub(crate) fn table_id(key: i64) -> TableId {
    TableId::new(key.unsigned_abs())
}

/// Returns whether only the database table `changes` has to be written: the lists of tables and seats stay the same.
pub(crate) fn updates_no_list(append: &Append) -> bool {
    append.listing.is_none() && append.visitors.is_empty()
}

/// The new rows of the database table `tables`, as a JSON list of lists: `id`, `state`, `public`, `attended`,
/// `changed_ms`. Changes without a listing are omitted.
pub(crate) fn listing_rows<'a>(appends: impl Iterator<Item = &'a Append>) -> String {
    let row = |append: &'a Append| {
        let Listing { state, public, has_bots_or_clocks } = append.listing?;
        Some((table_key(append.table), state as i32, public, has_bots_or_clocks, append.change.at_ms))
    };
    json(&appends.filter_map(row).collect::<Vec<_>>())
}

/// The new rows of the database table `visitors`, as a JSON list of lists: `visitor` (hexadecimal), `table_id`, `seat`,
/// `at_ms`.
pub(crate) fn visitor_rows<'a>(appends: impl Iterator<Item = &'a Append>) -> String {
    let seats = appends.flat_map(|append| append.visitors.iter().map(move |seat| (seat, append.change.at_ms)));
    let row = |(seat, at_ms): (&'a VisitorSeat, i64)| (seat.visitor, table_key(seat.table), seat.seat.number(), at_ms);
    json(&seats.map(row).collect::<Vec<_>>())
}

/// A value as stored JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("no map has keys that are not strings")
}

/// A row of the database table `changes`: version, time, events as JSON. If the changes of the table were merged, the
/// last row has all of them as the fourth value (see `merged`), and no events.
pub(crate) type ChangeRow = (i32, i64, String, Option<Vec<u8>>);

/// Decodes a row. Returns its changes with a version higher than `after_version` (0 for all). Only a merged row has
/// several changes.
pub(crate) fn decode_row(table: TableId, row: ChangeRow, after_version: u32) -> Result<Vec<Change>, StoreError> {
    let (version, at_ms, body, merged) = row;
    let version = u32::try_from(version).unwrap_or(0);
    let changes = match merged {
        Some(merged) => merged::split(&merged).map_err(|error| error.kind().to_string()),
        None => serde_json::from_str(&body)
            .map(|events| vec![Change { version, at_ms, events }])
            // The error message may quote the stored text, which may contain hidden cards.
            .map_err(|error| format!("{:?} error at column {}", error.classify(), error.column())),
    };
    let mut changes =
        changes.map_err(|error| StoreError::Unreadable { table, reason: format!("version {version}: {error}") })?;
    changes.retain(|change| change.version > after_version);
    Ok(changes)
}

fn visitor_seat(visitor: VisitorHash, (key, seat): (i64, i32)) -> Option<VisitorSeat> {
    Some(VisitorSeat { visitor, table: table_id(key), seat: u8::try_from(seat).ok().and_then(Seat::new)? })
}

fn fixed_length<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| sqlx::Error::Decode("a value has the wrong length".into()).into())
}

fn analysis_json(table: TableId, compressed: &[u8]) -> Result<String, StoreError> {
    decompress(compressed).map_err(|error| StoreError::Unreadable { table, reason: format!("its analysis: {error}") })
}

// Columns of `tables`: `state` is 0 (waiting), 1 (playing) or 2 (over); `attended` means that the table has bots or
// clocks, so that a node must act for it.
const SELECT_CHANGES: &str =
    "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 AND version > $2 ORDER BY version";
const SELECT_PUBLIC_TABLES: &str =
    "SELECT id, changed_ms FROM tables WHERE public AND state = $1 ORDER BY changed_ms DESC LIMIT $2";
// `state < 2`: not over.
const COUNT_OPEN_TABLES: &str = "SELECT count(*) FROM (SELECT id FROM tables WHERE state < 2 LIMIT $1) AS open";
const SELECT_TABLES_WITH_BOTS_OR_CLOCKS: &str =
    "SELECT id FROM tables WHERE attended AND state = 1 AND id > $1 ORDER BY id LIMIT $2";
// Changes the state from playing (1) to over (2).
const MARK_AS_OVER: &str = "UPDATE tables SET state = 2, changed_ms = $2 WHERE id = $1 AND state = 1";
const SELECT_SEATS: &str =
    "SELECT table_id, seat FROM visitors WHERE visitor = $1 ORDER BY at_ms DESC, table_id, seat LIMIT $2";
const INSERT_COMMITMENT: &str = "INSERT INTO commitments (commitment, server_seed, at_ms) VALUES ($1, $2, $3)";
const TAKE_COMMITMENT: &str = "DELETE FROM commitments WHERE commitment = $1 RETURNING server_seed, at_ms";
const DELETE_COMMITMENTS: &str = "DELETE FROM commitments WHERE at_ms < $1";
// Has no effect if the table was deleted, or already has an analysis: every node computes the same.
const INSERT_ANALYSIS: &str =
    "INSERT INTO analyses (table_id, json) SELECT id, $2 FROM tables WHERE id = $1 ON CONFLICT DO NOTHING";
const SELECT_ANALYSIS: &str = "SELECT json FROM analyses WHERE table_id = $1";
const INSERT_COOKIE_SECRET: &str = "INSERT INTO secrets (name, value) VALUES ('cookies', $1) ON CONFLICT DO NOTHING";
const SELECT_COOKIE_SECRET: &str = "SELECT value FROM secrets WHERE name = 'cookies'";

/// Implements [`Store`]. `$nodes` returns the interface for nodes. `$before_close` runs after the last write, before
/// the connections are closed. A macro, because the queries of the two databases have different types.
macro_rules! implement_store {
    ($store:ty, $nodes:expr, $before_close:expr) => {
        impl Store for $store {
            fn append(&self, append: Append) -> StoreFuture<'_, ()> {
                Box::pin(self.writer.append(append))
            }

            fn load(&self, table: TableId, after_version: u32) -> StoreFuture<'_, Vec<Change>> {
                with_deadline!(self, |connection| {
                    let select = sqlx::query_as(SELECT_CHANGES).bind(table_key(table));
                    let select = select.bind(i32::try_from(after_version).unwrap_or(i32::MAX));
                    let mut changes = Vec::new();
                    for row in select.fetch_all(connection).await? {
                        changes.extend(decode_row(table, row, after_version)?);
                    }
                    Ok(changes)
                })
            }

            fn public_tables(&self, state: TableState, limit: u32) -> StoreFuture<'_, Vec<ListedTable>> {
                with_deadline!(self, |connection| {
                    let select = sqlx::query_as(SELECT_PUBLIC_TABLES).bind(state as i32).bind(i64::from(limit));
                    let rows: Vec<(i64, i64)> = select.fetch_all(connection).await?;
                    let listed = |(key, changed_ms)| ListedTable { table: table_id(key), changed_ms };
                    Ok(rows.into_iter().map(listed).collect())
                })
            }

            fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64> {
                with_deadline!(self, |connection| {
                    let count = sqlx::query_scalar(COUNT_OPEN_TABLES).bind(i64::from(limit));
                    let open_tables: i64 = count.fetch_one(connection).await?;
                    Ok(open_tables.unsigned_abs())
                })
            }

            fn tables_with_bots_or_clocks(&self, after: Option<TableId>, limit: u32) -> StoreFuture<'_, Vec<TableId>> {
                with_deadline!(self, |connection| {
                    // All ids are higher than -1.
                    let select =
                        sqlx::query_scalar(SELECT_TABLES_WITH_BOTS_OR_CLOCKS).bind(after.map_or(-1, table_key));
                    let keys = select.bind(i64::from(limit)).fetch_all(connection).await?;
                    Ok(keys.into_iter().map(table_id).collect())
                })
            }

            fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
                execute_with_deadline!(self, sqlx::query(MARK_AS_OVER).bind(table_key(table)).bind(at_ms))
            }

            fn seats_of(&self, visitor: VisitorHash, limit: u32) -> StoreFuture<'_, Vec<VisitorSeat>> {
                with_deadline!(self, |connection| {
                    let select = sqlx::query_as(SELECT_SEATS).bind(visitor.0.to_vec()).bind(i64::from(limit));
                    let rows = select.fetch_all(connection).await?;
                    Ok(rows.into_iter().filter_map(|row| visitor_seat(visitor, row)).collect())
                })
            }

            fn store_commitment(&self, new: StoredCommitment) -> StoreFuture<'_, ()> {
                let StoredCommitment { commitment, server_seed, at_ms } = new;
                let insert = sqlx::query(INSERT_COMMITMENT).bind(commitment.0.to_vec()).bind(server_seed.0.to_vec());
                execute_with_deadline!(self, insert.bind(at_ms))
            }

            fn take_commitment(
                &self,
                commitment: Commitment,
                since_ms: i64,
            ) -> StoreFuture<'_, Option<StoredCommitment>> {
                with_deadline!(self, |connection| {
                    let take = sqlx::query_as(TAKE_COMMITMENT).bind(commitment.0.to_vec());
                    let row: Option<(Vec<u8>, i64)> = take.fetch_optional(connection).await?;
                    // The statement has also removed an expired commitment, which is not returned.
                    let Some((server_seed, at_ms)) = row else { return Ok(None) };
                    let server_seed = ServerSeed(fixed_length(server_seed)?);
                    Ok((at_ms >= since_ms).then_some(StoredCommitment { commitment, server_seed, at_ms }))
                })
            }

            fn delete_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()> {
                execute_with_deadline!(self, sqlx::query(DELETE_COMMITMENTS).bind(before_ms))
            }

            fn store_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    let compressed = compress(&json).map_err(sqlx::Error::Io)?;
                    sqlx::query(INSERT_ANALYSIS).bind(table_key(table)).bind(compressed).execute(connection).await?;
                    Ok(())
                })
            }

            fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>> {
                with_deadline!(self, |connection| {
                    let select = sqlx::query_scalar(SELECT_ANALYSIS).bind(table_key(table));
                    let compressed: Option<Vec<u8>> = select.fetch_optional(connection).await?;
                    compressed.map(|compressed| analysis_json(table, &compressed)).transpose()
                })
            }

            fn cookie_secret(&self, new_secret: [u8; 64]) -> StoreFuture<'_, [u8; 64]> {
                with_deadline!(self, |connection| {
                    sqlx::query(INSERT_COOKIE_SECRET).bind(new_secret.to_vec()).execute(&mut *connection).await?;
                    fixed_length(sqlx::query_scalar(SELECT_COOKIE_SECRET).fetch_one(connection).await?)
                })
            }

            fn delete_tables(&self, before: DeleteBefore, limit: u32) -> StoreFuture<'_, u64> {
                Box::pin(async move {
                    self.delete_commitments(before.idle_ms).await?;
                    self.delete_old_tables(before, limit).await
                })
            }

            fn compact(&self, before_ms: i64, limit: u32) -> StoreFuture<'_, u64> {
                Box::pin(self.compact_tables(before_ms, limit))
            }

            fn ready(&self) -> StoreFuture<'_, ()> {
                execute_with_deadline!(self, sqlx::query("SELECT 1"))
            }

            fn nodes(&self) -> Option<&dyn Nodes> {
                $nodes(self)
            }

            fn close(&self) -> StoreFuture<'_, ()> {
                Box::pin(async move {
                    self.writer.close().await;
                    $before_close(self).await;
                    self.pool.close().await;
                    Ok(())
                })
            }
        }
    };
}

implement_store!(SqliteStore, |_| None, async |_: &SqliteStore| {});
implement_store!(PostgresStore, Some, async |store: &PostgresStore| store.notifier.finish().await);
