//! Nodes that share a database: heartbeats and notifications about changed tables.
//!
//! Correctness does not depend on them, they only make changes visible sooner. A node that missed a notification, or
//! wrongly considers another node dead, is corrected by the version of the table when it stores a change.

use std::collections::HashMap;

use sultan_domain::TableId;
use tokio::sync::mpsc;

use crate::database::{changes, id, key};
use crate::deadline::with_deadline;
use crate::postgres::PostgresStore;
use crate::store::{Change, StoreFuture};

/// A node: one running program, from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u64);

impl NodeId {
    /// A node with the lower 63 bits of this number.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number & (u64::MAX >> 1))
    }

    /// The node's number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn key(self) -> i64 {
        i64::try_from(self.0).expect("a node's number has 63 bits")
    }
}

/// The living nodes, according to the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingNodes {
    /// Nodes with a recent heartbeat, in order.
    pub nodes: Vec<NodeId>,
    /// The database's clock, in milliseconds since 1970.
    pub now_ms: i64,
}

/// A message from any node, including this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// A table has changed: it is at this version, or a later one.
    Changed(TableId, u32),
    /// A player at a table sent a signal.
    Signal(TableId, String),
    /// Notifications may have been missed.
    Missed,
}

/// The nodes that share a database.
pub trait Nodes: Send + Sync {
    /// Records a heartbeat. Returns all nodes with a heartbeat in the last `within_ms` milliseconds.
    fn send_heartbeat(&self, node: NodeId, within_ms: i64) -> StoreFuture<'_, LivingNodes>;

    /// Removes a node that shuts down.
    fn leave(&self, node: NodeId) -> StoreFuture<'_, ()>;

    /// Subscribes to notifications, including this node's own.
    fn notifications(&self) -> mpsc::Receiver<Notification>;

    /// Sends a signal about a table to all nodes. Delivery is not guaranteed.
    fn send_signal(&self, table: TableId, signal: String);

    /// The tables that have changed since these versions, with their newest versions.
    fn changed_since(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, u32)>>;

    /// All changes of some tables after these versions, in order.
    fn load_changes(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, Change)>>;

    /// The tables among these that are in play and have bots or clocks.
    fn filter_with_bots_or_clocks(&self, tables: Vec<TableId>) -> StoreFuture<'_, Vec<TableId>>;
}

/// Rows of nodes without a heartbeat for this long are deleted.
const DELETE_NODE_AFTER_MS: i64 = 60_000;

// The statement does not see the row that it inserts, so the node adds itself to the result. Every node receives the
// notification of a heartbeat, so a node that receives no notifications has lost its connection.
const SEND_HEARTBEAT: &str = "WITH now AS MATERIALIZED (
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms
), beaten AS (
  INSERT INTO nodes (node, beat_ms) SELECT $1, ms FROM now ON CONFLICT (node) DO UPDATE SET beat_ms = excluded.beat_ms
), forgotten AS (
  DELETE FROM nodes USING now WHERE node <> $1 AND beat_ms < ms - $3
)
SELECT ms, array(SELECT node FROM nodes WHERE node <> $1 AND beat_ms > ms - $2), pg_notify('sultan_changes', '') FROM now";
const DELETE_NODE: &str = "DELETE FROM nodes WHERE node = $1";
const SELECT_CHANGED: &str =
    "SELECT known.id, last.version FROM unnest($1::bigint[], $2::int[]) AS known (id, version),
LATERAL (SELECT version FROM changes WHERE table_id = known.id ORDER BY version DESC LIMIT 1) AS last
WHERE last.version > known.version";
const SELECT_CHANGES: &str = "SELECT table_id, changes.version, at_ms, body, merged
FROM unnest($1::bigint[], $2::int[]) AS known (id, version)
JOIN changes ON table_id = known.id AND changes.version > known.version ORDER BY table_id, changes.version";
const FILTER_WITH_BOTS_OR_CLOCKS: &str = "SELECT id FROM tables WHERE id = ANY($1) AND attended AND state = 1";

/// Tables and versions as database integers.
fn keys(versions: &[(TableId, u32)]) -> (Vec<i64>, Vec<i32>) {
    versions.iter().map(|&(table, version)| (key(table), i32::try_from(version).unwrap_or(i32::MAX))).unzip()
}

impl Nodes for PostgresStore {
    fn send_heartbeat(&self, node: NodeId, within_ms: i64) -> StoreFuture<'_, LivingNodes> {
        with_deadline!(self, |connection| {
            let heartbeat = sqlx::query_as(SEND_HEARTBEAT).bind(node.key()).bind(within_ms).bind(DELETE_NODE_AFTER_MS);
            let (now_ms, others): (i64, Vec<i64>) = heartbeat.fetch_one(&mut *connection).await?;
            let mut nodes: Vec<NodeId> = others.into_iter().map(|number| NodeId::new(number.unsigned_abs())).collect();
            nodes.push(node);
            nodes.sort_unstable();
            Ok(LivingNodes { nodes, now_ms })
        })
    }

    fn leave(&self, node: NodeId) -> StoreFuture<'_, ()> {
        with_deadline!(self, |connection| {
            sqlx::query(DELETE_NODE).bind(node.key()).execute(&mut *connection).await?;
            Ok(())
        })
    }

    fn notifications(&self) -> mpsc::Receiver<Notification> {
        crate::notifications::listen((*self.pool.connect_options()).clone())
    }

    fn send_signal(&self, table: TableId, signal: String) {
        self.notifier.signal(table, signal);
    }

    fn changed_since(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, u32)>> {
        with_deadline!(self, |connection| {
            let (tables, versions) = keys(&versions);
            let changed = sqlx::query_as::<_, (i64, i32)>(SELECT_CHANGED).bind(tables).bind(versions);
            let changed = changed.fetch_all(&mut *connection).await?;
            Ok(changed.into_iter().map(|(key, version)| (id(key), version.unsigned_abs())).collect())
        })
    }

    fn load_changes(&self, versions: Vec<(TableId, u32)>) -> StoreFuture<'_, Vec<(TableId, Change)>> {
        with_deadline!(self, |connection| {
            let (table_keys, version_numbers) = keys(&versions);
            let rows = sqlx::query_as::<_, (i64, i32, i64, String, Option<Vec<u8>>)>(SELECT_CHANGES);
            let rows = rows.bind(table_keys).bind(version_numbers).fetch_all(&mut *connection).await?;
            let versions: HashMap<TableId, u32> = versions.into_iter().collect();
            let mut all = Vec::new();
            for (key, version, at_ms, body, merged) in rows {
                let table = id(key);
                let after = versions.get(&table).copied().unwrap_or(0);
                let changes = changes(table, (version, at_ms, body, merged), after)?;
                all.extend(changes.into_iter().map(|change| (table, change)));
            }
            Ok(all)
        })
    }

    fn filter_with_bots_or_clocks(&self, tables: Vec<TableId>) -> StoreFuture<'_, Vec<TableId>> {
        with_deadline!(self, |connection| {
            let tables: Vec<i64> = tables.into_iter().map(key).collect();
            let found = sqlx::query_scalar(FILTER_WITH_BOTS_OR_CLOCKS).bind(tables).fetch_all(&mut *connection).await?;
            Ok(found.into_iter().map(id).collect())
        })
    }
}
