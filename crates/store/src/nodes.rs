//! Nodes that share a database: heartbeats, and notifications about changed tables.
//!
//! Notifications only make changes visible sooner; correctness does not depend on them. If a node has missed a change,
//! or wrongly considers another node dead, then its next append to the table is rejected as stale, and it reads the
//! table again.

use std::collections::HashMap;

use sultan_domain::TableId;
use tokio::sync::mpsc;

use crate::database::{ChangeRow, decode_row, table_id, table_key};
use crate::deadline::{execute_with_deadline, with_deadline};
use crate::notifications::{self, Outgoing};
use crate::postgres::PostgresStore;
use crate::store::{Change, StoreFuture};

/// The random number of a node (a running server program), which it chooses when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u64);

impl NodeId {
    /// An id from the lower 63 bits of a number, because the integers of the database are signed.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number & (u64::MAX >> 1))
    }

    /// The node's number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// The nodes that run, according to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingNodes {
    /// Nodes with a recent heartbeat, in order.
    pub nodes: Vec<NodeId>,
    /// The database's clock, in milliseconds since 1970.
    pub now_ms: i64,
}

/// A message from any node, including this one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants describe their fields")]
pub enum Notification {
    /// The newest version of a table is this version or a higher one.
    Changed { table: TableId, version: u32 },
    /// A short message about a table, for example a player's reaction. Signals are not stored.
    Signal { table: TableId, text: String },
    /// Notifications may have been lost, for example while the connection was broken.
    Missed,
}

/// The nodes that share a database.
pub trait Nodes: Send + Sync {
    /// Stores that this node is alive (its heartbeat). Returns all nodes with a heartbeat in the last `within_ms`
    /// milliseconds.
    fn send_heartbeat(&self, node: NodeId, within_ms: i64) -> StoreFuture<'_, LivingNodes>;

    /// Removes a node that shuts down.
    fn leave(&self, node: NodeId) -> StoreFuture<'_, ()>;

    /// Subscribes to notifications, including this node's own.
    fn notifications(&self) -> mpsc::Receiver<Notification>;

    /// Sends a signal about a table to all nodes. Delivery is not guaranteed.
    fn send_signal(&self, table: TableId, signal: String);

    /// Returns those of these tables whose newest version is higher than the given version, with their newest versions.
    fn changed_since(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, u32)>>;

    /// All changes of these tables with a higher version than the given version: in order of the tables, and for each
    /// table in order of the versions.
    fn load_changes(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, Change)>>;

    /// Returns those of these tables that are in play and have bots or clocks.
    fn filter_with_bots_or_clocks(&self, tables: Vec<TableId>) -> StoreFuture<'_, Vec<TableId>>;
}

/// Rows of nodes without a heartbeat for this long are deleted.
const DELETE_NODE_AFTER_MS: i64 = 60_000;

// $1 is the node, $2 the maximum age of a heartbeat, $3 the age after which the row of a node is deleted. The final
// SELECT does not see the row that the statement inserts, so `send_heartbeat` adds its own node to the result. Every
// heartbeat also sends an empty notification to all nodes. So a node without notifications for some time has lost its
// LISTEN connection.
const SEND_HEARTBEAT: &str = "WITH now AS MATERIALIZED (
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms
), heartbeat AS (
  INSERT INTO nodes (node, beat_ms) SELECT $1, ms FROM now ON CONFLICT (node) DO UPDATE SET beat_ms = excluded.beat_ms
), deleted AS (
  DELETE FROM nodes USING now WHERE node <> $1 AND beat_ms < ms - $3
)
SELECT ms, array(SELECT node FROM nodes WHERE node <> $1 AND beat_ms > ms - $2), pg_notify('sultan_changes', '') FROM now";
const DELETE_NODE: &str = "DELETE FROM nodes WHERE node = $1";
const SELECT_NEWER_VERSIONS: &str =
    "SELECT known.id, last.version FROM unnest($1::bigint[], $2::int[]) AS known (id, version),
LATERAL (SELECT version FROM changes WHERE table_id = known.id ORDER BY version DESC LIMIT 1) AS last
WHERE last.version > known.version";
const SELECT_CHANGES: &str = "SELECT table_id, changes.version, at_ms, body, merged
FROM unnest($1::bigint[], $2::int[]) AS known (id, version)
JOIN changes ON table_id = known.id AND changes.version > known.version ORDER BY table_id, changes.version";
// `attended`: the table has bots or clocks. `state = 1`: it is in play.
const FILTER_WITH_BOTS_OR_CLOCKS: &str = "SELECT id FROM tables WHERE id = ANY($1) AND attended AND state = 1";

/// Tables and versions as database integers.
fn keys_and_versions(versions: &[(TableId, u32)]) -> (Vec<i64>, Vec<i32>) {
    versions.iter().map(|&(table, version)| (table_key(table), i32::try_from(version).unwrap_or(i32::MAX))).unzip()
}

impl Nodes for PostgresStore {
    fn send_heartbeat(&self, node: NodeId, within_ms: i64) -> StoreFuture<'_, LivingNodes> {
        with_deadline!(self, |connection| {
            let heartbeat = sqlx::query_as(SEND_HEARTBEAT).bind(node.0.cast_signed());
            let heartbeat = heartbeat.bind(within_ms).bind(DELETE_NODE_AFTER_MS);
            let (now_ms, other_nodes): (i64, Vec<i64>) = heartbeat.fetch_one(connection).await?;
            let mut nodes: Vec<NodeId> =
                other_nodes.into_iter().map(|number| NodeId::new(number.unsigned_abs())).collect();
            nodes.push(node);
            nodes.sort_unstable();
            Ok(LivingNodes { nodes, now_ms })
        })
    }

    fn leave(&self, node: NodeId) -> StoreFuture<'_, ()> {
        execute_with_deadline!(self, sqlx::query(DELETE_NODE).bind(node.0.cast_signed()))
    }

    fn notifications(&self) -> mpsc::Receiver<Notification> {
        notifications::listen((*self.pool.connect_options()).clone())
    }

    fn send_signal(&self, table: TableId, signal: String) {
        self.notifier.send(Outgoing::Signal { table, text: signal });
    }

    fn changed_since(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, u32)>> {
        with_deadline!(self, |connection| {
            let (keys, versions) = keys_and_versions(&versions);
            let select = sqlx::query_as(SELECT_NEWER_VERSIONS).bind(keys).bind(versions);
            let rows: Vec<(i64, i32)> = select.fetch_all(connection).await?;
            Ok(rows.into_iter().map(|(key, version)| (table_id(key), version.unsigned_abs())).collect())
        })
    }

    fn load_changes(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, Change)>> {
        with_deadline!(self, |connection| {
            let (keys, known_versions) = keys_and_versions(&versions);
            let select = sqlx::query_as::<_, (i64, i32, i64, String, Option<Vec<u8>>)>(SELECT_CHANGES);
            let rows = select.bind(keys).bind(known_versions).fetch_all(connection).await?;
            let versions: HashMap<TableId, u32> = versions.into_iter().collect();
            let mut all_changes = Vec::new();
            for (key, version, at_ms, body, merged) in rows {
                let table = table_id(key);
                let row: ChangeRow = (version, at_ms, body, merged);
                let changes = decode_row(table, row, versions.get(&table).copied().unwrap_or(0))?;
                all_changes.extend(changes.into_iter().map(|change| (table, change)));
            }
            Ok(all_changes)
        })
    }

    fn filter_with_bots_or_clocks(&self, tables: Vec<TableId>) -> StoreFuture<'_, Vec<TableId>> {
        with_deadline!(self, |connection| {
            let keys: Vec<i64> = tables.into_iter().map(table_key).collect();
            let found = sqlx::query_scalar(FILTER_WITH_BOTS_OR_CLOCKS).bind(keys).fetch_all(connection).await?;
            Ok(found.into_iter().map(table_id).collect())
        })
    }
}
