//! A table in memory: its newest snapshot and its watchers.

use std::sync::{Arc, Mutex};

use sultan_domain::{AbsentSeats, Seat, TableId};
use tokio::sync::{OwnedMutexGuard, broadcast};

use super::Snapshot;
use crate::presence::Presence;
use crate::signals::{Signal, Signals};
use crate::sync::locked;
use crate::table::Table;

/// Snapshots that are kept for a slow watcher. A slower watcher gets only the newest snapshot.
const WATCH_BUFFER: usize = 16;

/// A table in memory.
#[derive(Debug, Default)]
pub(crate) struct LiveTable {
    /// Held while the table is loaded or changed.
    lock: Arc<tokio::sync::Mutex<()>>,
    /// `None` while the table is not loaded.
    current: Mutex<Option<Arc<Snapshot>>>,
    watchers: Mutex<Option<broadcast::Sender<Arc<Snapshot>>>>,
    /// Accessible to the cluster, like `presence`: neither is stored or needs the table's lock, and both guard their
    /// own state.
    pub(crate) signals: Signals,
    pub(crate) presence: Presence,
}

/// The right to load and change a table. It can be moved into the task that stores a change.
pub(crate) struct TableLock {
    pub(super) id: TableId,
    pub(super) live: Arc<LiveTable>,
    _guard: OwnedMutexGuard<()>,
}

impl LiveTable {
    pub(super) async fn lock(self: &Arc<Self>, id: TableId) -> TableLock {
        let guard = Arc::clone(&self.lock).lock_owned().await;
        TableLock { id, live: Arc::clone(self), _guard: guard }
    }

    pub(super) fn try_lock(self: &Arc<Self>, id: TableId) -> Option<TableLock> {
        let guard = Arc::clone(&self.lock).try_lock_owned().ok()?;
        Some(TableLock { id, live: Arc::clone(self), _guard: guard })
    }

    /// The newest snapshot, if the table is loaded.
    pub(crate) fn current(&self) -> Option<Arc<Snapshot>> {
        locked(&self.current).clone()
    }

    pub(super) fn publish(&self, snapshot: &Arc<Snapshot>) {
        let before = locked(&self.current).replace(Arc::clone(snapshot));
        if let Some(before) = before {
            self.reset_presence_of_former_players(before.table(), snapshot.table());
        }
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(Arc::clone(snapshot)).is_err()) {
            // The last watcher has disconnected.
            *watchers = None;
        }
    }

    fn reset_presence_of_former_players(&self, before: &Table, now: &Table) {
        if Arc::ptr_eq(before.occupants(), now.occupants()) {
            return;
        }
        let owner = |table: &Table, seat| table.player(seat).map(|player| player.token);
        let replaced = now.seats().filter(|&seat| owner(before, seat) != owner(now, seat));
        if replaced.filter(|&seat| self.presence.reset(seat)).count() > 0 {
            self.signals.send(Signal::Presence);
        }
    }

    /// Drops the loaded state: the next request reads the table again.
    pub(crate) fn unload(&self) {
        *locked(&self.current) = None;
    }

    pub(crate) fn is_watched(&self) -> bool {
        locked(&self.watchers).as_ref().is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Ends all watches.
    pub(super) fn disconnect_watchers(&self) {
        *locked(&self.watchers) = None;
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Arc<Snapshot>> {
        locked(&self.watchers).get_or_insert_with(|| broadcast::channel(WATCH_BUFFER).0).subscribe()
    }

    /// The seats whose players are absent. Always empty at a table with an even pace, where the return of a player would
    /// reveal who acts next or has just acted.
    pub(crate) fn absent_seats(&self, table: &Table) -> AbsentSeats {
        if table.options().even_pace { AbsentSeats::default() } else { self.presence.absent_seats() }
    }

    /// Marks a player as absent or present, and signals a change to the watchers on this node. Returns whether it is a
    /// change.
    pub(crate) fn set_absent(&self, seat: Seat, absent: bool) -> bool {
        let changed = self.presence.set_absent(seat, absent);
        if changed {
            self.signals.send(Signal::Presence);
        }
        changed
    }
}
