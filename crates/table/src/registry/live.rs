//! A table in memory: its newest snapshot and its watchers.

use std::sync::{Arc, Mutex};

use sultan_domain::{Attendance, BySeat, Observer, TableId};
use tokio::sync::{OwnedMutexGuard, broadcast};

use super::Snapshot;
use crate::presence::Presence;
use crate::signals::{Signal, Signals};
use crate::sync::locked;
use crate::table::Table;

/// The number of snapshots kept for a slow watcher. A watcher that falls further behind continues with the newest.
const WATCH_BUFFER: usize = 16;

/// A table in the cache: the owner of its current state. A [`Snapshot`] is one state, which never changes.
#[derive(Debug, Default)]
pub(crate) struct LiveTable {
    /// Held while the table is loaded or changed.
    lock: Arc<tokio::sync::Mutex<()>>,
    /// `None` while the table is not loaded.
    current: Mutex<Option<Arc<Snapshot>>>,
    /// `None` while no client watches the table.
    watchers: Mutex<Option<broadcast::Sender<Arc<Snapshot>>>>,
    /// Reactions and changes of presence, for the watchers. Like `presence`, they are never stored and have locks of
    /// their own, so the cluster uses them without the table's lock.
    pub(crate) signals: Signals,
    pub(crate) presence: Presence,
}

/// The right to load and change a table, until the lock is dropped. The task that stores a change owns the lock.
pub(crate) struct TableLock {
    pub(super) id: TableId,
    pub(super) live: Arc<LiveTable>,
    _guard: OwnedMutexGuard<()>,
}

impl LiveTable {
    /// Waits until no other task has locked the table, and locks it.
    pub(super) async fn lock(self: &Arc<Self>, id: TableId) -> TableLock {
        let guard = Arc::clone(&self.lock).lock_owned().await;
        TableLock { id, live: Arc::clone(self), _guard: guard }
    }

    /// Locks the table; `None` if another task has locked it.
    pub(super) fn try_lock(self: &Arc<Self>, id: TableId) -> Option<TableLock> {
        let guard = Arc::clone(&self.lock).try_lock_owned().ok()?;
        Some(TableLock { id, live: Arc::clone(self), _guard: guard })
    }

    /// The newest snapshot, if the table is loaded.
    pub(crate) fn current(&self) -> Option<Arc<Snapshot>> {
        locked(&self.current).clone()
    }

    /// Makes this snapshot the newest, and sends it to all watchers.
    pub(super) fn publish(&self, snapshot: &Arc<Snapshot>) {
        let replaced = locked(&self.current).replace(Arc::clone(snapshot));
        if let Some(replaced) = replaced {
            self.reset_presence_of_former_players(replaced.table(), snapshot.table());
        }
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(Arc::clone(snapshot)).is_err()) {
            // The last watcher has disconnected.
            *watchers = None;
        }
    }

    /// Resets the presence of every seat that has another player than before: the new player is not absent.
    fn reset_presence_of_former_players(&self, before: &Table, now: &Table) {
        if Arc::ptr_eq(before.occupants(), now.occupants()) {
            return;
        }
        let token = |table: &Table, seat| table.player(seat).map(|player| player.token);
        let replaced_seats = now.seats().filter(|&seat| token(before, seat) != token(now, seat));
        // `count` resets all these seats; `any` would stop at the first.
        if replaced_seats.filter(|&seat| self.presence.reset(seat)).count() > 0 {
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

    /// Ends all watches of this table.
    pub(super) fn disconnect_watchers(&self) {
        *locked(&self.watchers) = None;
    }

    /// Adds a watcher.
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Arc<Snapshot>> {
        locked(&self.watchers).get_or_insert_with(|| broadcast::channel(WATCH_BUFFER).0).subscribe()
    }

    /// The absent players, and whether somebody watches. At a table with an even pace no player is shown as absent: the
    /// return of a player would reveal that this player is about to act or has just acted. Spectators never act.
    pub(crate) fn attendance(&self, table: &Table) -> Attendance {
        let Attendance { absent, watched } = self.presence.attendance();
        Attendance { absent: if table.options().even_pace { BySeat::default() } else { absent }, watched }
    }

    /// Marks a player, or the spectators, as absent or present. Returns whether this changed anything. If so, also sends
    /// a signal to the watchers on this node.
    pub(crate) fn set_absent(&self, observer: Observer, is_absent: bool) -> bool {
        let has_changed = self.presence.set_absent(observer, is_absent);
        if has_changed {
            self.signals.send(Signal::Presence);
        }
        has_changed
    }
}
