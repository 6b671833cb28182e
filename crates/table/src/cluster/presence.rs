//! Presence across nodes: the guard of a connection.
//!
//! A node knows only its own connections. Before it shows a player as absent, it asks the other nodes, since the same
//! player may be connected to one of them.

use std::fmt;
use std::sync::{Arc, Weak};

use sultan_domain::{Seat, TableId};
use tokio::runtime::Handle;

use super::{Cluster, Shared};
use crate::presence::PresenceStatus;
use crate::registry::LiveTable;
use crate::settings::Sleep;

/// How long a player may be disconnected before other nodes are asked: reloading a page or changing the network takes a
/// few seconds.
const RECONNECT_TIME_MS: i64 = 10_000;
/// How long other nodes have to answer that the player is connected to them.
const ANSWER_TIME_MS: i64 = 1000;

/// An open connection of the players of some seats. They are present at least until the guard is dropped.
pub struct PresenceGuard {
    pub(super) cluster: Cluster,
    pub(super) table: TableId,
    pub(super) live: Arc<LiveTable>,
    /// The seats, with their owner numbers from [`Presence`](crate::presence::Presence).
    pub(super) seats: Vec<(Seat, u32)>,
}

impl fmt::Debug for PresenceGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats: Vec<Seat> = self.seats.iter().map(|(seat, _)| *seat).collect();
        f.debug_struct("PresenceGuard").field("table", &self.table).field("seats", &seats).finish_non_exhaustive()
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        for &(seat, owner) in &self.seats {
            if let (Some(activity), Ok(runtime)) = (self.live.presence.disconnect(seat, owner), Handle::try_current()) {
                let node = self.cluster.node();
                let missing = MissingPlayer {
                    cluster: Arc::downgrade(&self.cluster.0),
                    live: Arc::downgrade(&self.live),
                    table: self.table,
                    seat,
                    activity,
                };
                let reconnect_time = node.settings.sleep_until(node.settings.now_ms() + RECONNECT_TIME_MS);
                runtime.spawn(missing.mark_absent_after(reconnect_time));
            }
        }
    }
}

/// A player whose last connection to this node has closed. Keeps neither the service nor the table in memory.
struct MissingPlayer {
    cluster: Weak<Shared>,
    live: Weak<LiveTable>,
    table: TableId,
    seat: Seat,
    activity: u32,
}

impl MissingPlayer {
    /// The cluster and the table, if both still exist and there has been no sign of life.
    fn still_missing(&self) -> Option<(Cluster, Arc<LiveTable>)> {
        let (cluster, live) = (self.cluster.upgrade()?, self.live.upgrade()?);
        live.presence.is_missing(self.seat, self.activity).then_some((Cluster(cluster), live))
    }

    async fn mark_absent_after(self, reconnect_time: Sleep) {
        reconnect_time.await;
        let answers = match self.still_missing() {
            Some((cluster, _)) if cluster.node().store.nodes().is_some() => {
                cluster.tell_status(self.table, self.seat, PresenceStatus::Missing);
                cluster.node().settings.sleep_until(cluster.node().settings.now_ms() + ANSWER_TIME_MS)
            }
            Some(_) => Box::pin(std::future::ready(())),
            None => return,
        };
        answers.await;
        if let Some((cluster, live)) = self.still_missing()
            && live.mark_absent(self.seat, true)
        {
            cluster.tell_status(self.table, self.seat, PresenceStatus::Absent);
        }
    }
}
