//! Presence across nodes: the guard of a connection.
//!
//! A node only sees its own connections. Before it shows a player as absent, it asks the other nodes, since the same
//! player may be connected to one of them.

use std::fmt;
use std::sync::Arc;

use sultan_domain::{Observer, TableId};
use tokio::runtime::Handle;

use super::Cluster;
use crate::presence::PresenceStatus;
use crate::registry::LiveTable;

/// How long a player may be disconnected from this node before it asks the other nodes: reloading a page or changing
/// the network takes a few seconds.
const RECONNECT_TIME_MS: i64 = 10_000;
/// How long other nodes have to answer that the player is connected to them.
const ANSWER_TIME_MS: i64 = 1000;

/// An open connection of the players of some seats, or of a spectator. They are present at least until the guard is
/// dropped.
pub struct PresenceGuard {
    pub(super) cluster: Cluster,
    pub(super) table: TableId,
    pub(super) live: Arc<LiveTable>,
    /// Each seat (or the spectators) with its owner number, as returned by [`Presence::connect`](crate::presence::Presence::connect).
    pub(super) observers: Vec<(Observer, u32)>,
}

impl fmt::Debug for PresenceGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let observers: Vec<Observer> = self.observers.iter().map(|(observer, _)| *observer).collect();
        f.debug_struct("PresenceGuard")
            .field("table", &self.table)
            .field("observers", &observers)
            .finish_non_exhaustive()
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        for &(observer, owner) in &self.observers {
            let last_activity = self.live.presence.disconnect(observer, owner);
            if let (Some(activity), Ok(runtime)) = (last_activity, Handle::try_current()) {
                runtime.spawn(self.mark_absent_later(observer, activity));
            }
        }
    }
}

impl PresenceGuard {
    /// Marks a player, or all spectators, as absent after some time, unless the player connects to any node or sends a request before that.
    /// `activity` is the count returned by [`Presence::disconnect`](crate::presence::Presence::disconnect). Holds only
    /// weak references while it waits, so the service and the table can be dropped.
    fn mark_absent_later(&self, observer: Observer, activity: u32) -> impl Future<Output = ()> + Send + use<> {
        let (cluster, live, table) = (Arc::downgrade(&self.cluster.0), Arc::downgrade(&self.live), self.table);
        // Returns the cluster and the table if both still exist and the player is still missing.
        let if_still_missing = move || {
            let (cluster, live) = (Cluster(cluster.upgrade()?), live.upgrade()?);
            live.presence.is_missing(observer, activity).then_some((cluster, live))
        };
        let reconnect_time = self.cluster.node().settings.sleep(RECONNECT_TIME_MS);
        async move {
            reconnect_time.await;
            let Some((cluster, _)) = if_still_missing() else { return };
            let answer_time = cluster.node().store.nodes().map(|_| {
                cluster.send_status(table, observer, PresenceStatus::Missing);
                cluster.node().settings.sleep(ANSWER_TIME_MS)
            });
            drop(cluster);
            if let Some(answer_time) = answer_time {
                answer_time.await;
            }
            if let Some((cluster, live)) = if_still_missing()
                && live.set_absent(observer, true)
            {
                cluster.send_status(table, observer, PresenceStatus::Absent);
            }
        }
    }
}
