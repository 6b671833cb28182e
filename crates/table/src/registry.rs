//! All tables: the only place where they are loaded, changed and published.
//!
//! Every change takes the same path, [`Registry::update`]: decide on a copy, store the events, publish the copy. A
//! change is never visible before it is durable.

mod cache;
mod live;
mod snapshot;
mod watch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sultan_domain::{Observer, Seat, TableId};
use sultan_store::{Append, Change, EventRecord, StoreError, VisitorSeat};

use self::cache::TableCache;
pub(crate) use self::live::{LiveTable, TableLock};
pub(crate) use self::snapshot::Snapshot;
pub use self::snapshot::{JsonView, ObserverSnapshot};
pub use self::watch::Watch;
use crate::node::NodeContext;
use crate::request::Caller;
use crate::sync::{locked, spawn_uncancellable};
use crate::table::Table;
use crate::{Rejection, ServiceError};

/// The maximum number of attempts at one update. An attempt fails if another node stores a change first, and the bots
/// on another node may take many quick turns in a row.
const MAX_UPDATE_ATTEMPTS: usize = 50;

/// Up to this number of new changes by another node are published one by one. If there are more, only the newest state
/// is published.
const MAX_SINGLE_PUBLICATIONS: usize = 8;

/// All tables. Clones share them.
#[derive(Clone)]
pub(crate) struct Registry(Arc<Shared>);

struct Shared {
    node: NodeContext,
    cache: Mutex<TableCache>,
    /// Whether the server stops. New watches then end at once.
    is_stopping: AtomicBool,
}

impl Registry {
    pub(crate) fn new(node: NodeContext) -> Self {
        let cache = Mutex::new(TableCache::new(node.settings.cached_tables));
        Self(Arc::new(Shared { node, cache, is_stopping: AtomicBool::new(false) }))
    }

    /// The store, the settings, and the passive state of this node.
    pub(crate) fn node(&self) -> &NodeContext {
        &self.0.node
    }

    /// The entry of a table in the cache; added if it is missing. Its state may not be loaded yet.
    pub(crate) fn live_table(&self, id: TableId) -> Arc<LiveTable> {
        locked(&self.0.cache).get_or_insert(id)
    }

    /// The entry of a table in the cache, if there is one.
    pub(crate) fn cached_table(&self, id: TableId) -> Option<Arc<LiveTable>> {
        locked(&self.0.cache).get(id)
    }

    /// All tables in the cache.
    pub(crate) fn cached_tables(&self) -> Vec<(TableId, Arc<LiveTable>)> {
        locked(&self.0.cache).all()
    }

    /// Locks a table, for loading and changing it.
    pub(crate) async fn lock(&self, id: TableId) -> TableLock {
        self.live_table(id).lock(id).await
    }

    /// The state of a table as this node knows it. Another node may have stored newer changes.
    pub(crate) async fn snapshot(&self, id: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        self.current_or_load(&self.live_table(id), id).await
    }

    /// [`Registry::snapshot`] for a caller that already has the table's entry.
    async fn current_or_load(&self, live: &Arc<LiveTable>, id: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        match live.current() {
            Some(current) => Ok(current),
            None => self.load(&live.lock(id).await).await,
        }
    }

    /// The state of a table, bound to the caller's seat or, without a seat, to spectators.
    pub(crate) async fn observe(&self, id: TableId, caller: &Caller) -> Result<ObserverSnapshot, ServiceError> {
        if self.0.node.membership.is_cut_off() {
            // The database is down, so the state in memory may be outdated: the client should try another node.
            return Err(StoreError::Unreachable("this node is cut off from it".to_owned()).into());
        }
        let live = self.live_table(id);
        let mut snapshot = self.current_or_load(&live, id).await?;
        let seat = if let Ok(seat) = snapshot.table().seat_of(caller) {
            seat
        } else {
            // The seat may have been taken on another node.
            snapshot = self.load_newest(&live.lock(id).await).await?;
            snapshot.table().seat_of(caller)?
        };
        Ok(ObserverSnapshot { snapshot, observer: seat.map_or(Observer::Public, Observer::Seat), live })
    }

    /// Reads from a table after the end of its game. If `read` rejects the state in memory, which may be outdated,
    /// `read` runs again on the newest state.
    pub(crate) async fn read_finished<T>(
        &self,
        id: TableId,
        read: impl Fn(&Table) -> Result<T, Rejection>,
    ) -> Result<T, ServiceError> {
        match read(self.snapshot(id).await?.table()) {
            Ok(value) => Ok(value),
            Err(_) => Ok(read(self.load_newest(&self.lock(id).await).await?.table())?),
        }
    }

    /// Watches a table, starting after a version that the client already has.
    pub(crate) async fn watch(&self, id: TableId, caller: Caller, after: Option<u32>) -> Result<Watch, ServiceError> {
        let live = self.live_table(id);
        // From now on the table counts as watched: if the cluster unloads the table, the cluster also loads and
        // publishes it again.
        let snapshots = live.subscribe();
        let observed = self.observe(id, &caller).await?;
        let snapshot = if after.is_some_and(|version| version > observed.version()) {
            // Another node has shown a newer version.
            self.load_newest(&live.lock(id).await).await?
        } else {
            observed.snapshot
        };
        let watch = Watch::new(Arc::clone(&live), snapshots, snapshot, caller, after)?;
        // `stop_watches` sets `is_stopping` first and then disconnects all watchers. So if this thread does not see
        // `is_stopping` yet, `stop_watches` sees and disconnects this watcher.
        if self.0.is_stopping.load(Ordering::SeqCst) {
            live.disconnect_watchers();
        }
        Ok(watch)
    }

    /// Ends all watches permanently, because the server stops.
    pub(crate) fn stop_watches(&self) {
        self.0.is_stopping.store(true, Ordering::SeqCst);
        self.disconnect_watchers();
    }

    /// Ends all current watches. Clients may watch again.
    pub(crate) fn disconnect_watchers(&self) {
        self.cached_tables().iter().for_each(|(_, live)| live.disconnect_watchers());
    }

    /// Unloads all tables that have not changed since a time.
    pub(crate) fn unload_unchanged_since(&self, since_ms: i64) {
        for (_, live) in self.cached_tables() {
            if live.current().is_some_and(|current| current.table().changed_ms() < since_ms) {
                live.unload();
            }
        }
    }

    /// The state of a locked table, read from the store if it is not in memory.
    pub(crate) async fn load(&self, lock: &TableLock) -> Result<Arc<Snapshot>, ServiceError> {
        if let Some(current) = lock.live.current() {
            return Ok(current);
        }
        let changes = self.0.node.store.load(lock.id, 0).await?;
        let Some(mut table) = Table::load(lock.id, changes)? else {
            // Requests for made-up ids must not evict real tables.
            locked(&self.0.cache).remove(lock.id);
            return Err(Rejection::NoSuchTable.into());
        };
        table.reveal_due_actions(self.0.node.settings.now_ms());
        Ok(self.publish(lock, table))
    }

    /// The newest state of a locked table. Reads the store, since other nodes may have stored changes.
    pub(crate) async fn load_newest(&self, lock: &TableLock) -> Result<Arc<Snapshot>, ServiceError> {
        let current = self.load(lock).await?;
        if self.refresh(lock, &current).await? { self.load(lock).await } else { Ok(current) }
    }

    /// Reads and publishes the changes that other nodes have stored after `current`. Returns whether there were any.
    async fn refresh(&self, lock: &TableLock, current: &Snapshot) -> Result<bool, ServiceError> {
        let changes = self.0.node.store.load(lock.id, current.table().version()).await?;
        let has_changed = !changes.is_empty();
        self.publish_changes(lock, current, changes)?;
        Ok(has_changed)
    }

    /// Applies stored changes to `current`, and publishes the state after each change or, if there are more than
    /// [`MAX_SINGLE_PUBLICATIONS`], only the last state.
    fn publish_changes(&self, lock: &TableLock, current: &Snapshot, changes: Vec<Change>) -> Result<(), StoreError> {
        let mut table = current.table().clone();
        let count = changes.len();
        for (number, change) in (1..).zip(changes) {
            table.apply_change(change)?;
            if number == count || count <= MAX_SINGLE_PUBLICATIONS {
                table.reveal_due_actions(self.0.node.settings.now_ms());
                self.publish(lock, table.clone());
            }
        }
        Ok(())
    }

    /// Applies changes that another node has stored. Changes that this node already has are skipped.
    pub(crate) fn apply_remote_changes(&self, id: TableId, changes: Vec<Change>) {
        let live = self.live_table(id);
        if let Some(lock) = live.try_lock(id) {
            self.apply_remote_changes_locked(&lock, changes);
            return;
        }
        // A request or a bot is changing this table. The caller handles the changes of many tables, so it must not
        // wait.
        let registry = self.clone();
        tokio::spawn(async move { registry.apply_remote_changes_locked(&live.lock(id).await, changes) });
    }

    fn apply_remote_changes_locked(&self, lock: &TableLock, mut changes: Vec<Change>) {
        // A table that is not loaded needs no update: the next request reads it from the store.
        let Some(current) = lock.live.current() else { return };
        changes.retain(|change| change.version > current.table().version());
        if let Err(error) = self.publish_changes(lock, &current, changes) {
            tracing::error!(table = %lock.id, %error, "cannot decode a change of another node; table unloaded");
            lock.live.unload();
        }
    }

    /// Makes the due delayed actions visible to all observers, and publishes the table (even pace). Stores nothing.
    pub(crate) async fn reveal_due_actions(&self, id: TableId) -> Result<(), ServiceError> {
        let lock = self.lock(id).await;
        let mut table = self.load(&lock).await?.table().clone();
        table.reveal_due_actions(self.0.node.settings.now_ms());
        self.publish(&lock, table);
        Ok(())
    }

    /// Schedules the next wake-up of a table from its current state. Locks the table: otherwise this call could replace
    /// the wake-up of a newer state that is published at the same time.
    pub(crate) async fn reschedule(&self, id: TableId) -> Result<(), ServiceError> {
        let lock = self.lock(id).await;
        let current = self.load(&lock).await?;
        self.0.node.schedule.plan(current.table());
        self.mark_if_over(current.table());
        Ok(())
    }

    /// Makes a state the current state of a locked table, sends it to the watchers, and schedules the next wake-up.
    fn publish(&self, lock: &TableLock, table: Table) -> Arc<Snapshot> {
        let snapshot = Arc::new(Snapshot::new(table));
        lock.live.publish(&snapshot);
        self.0.node.schedule.plan(snapshot.table());
        self.mark_if_over(snapshot.table());
        snapshot
    }

    /// Marks a finished game as over in the store's lists of tables.
    ///
    /// Only an even pace needs this: its players see the last action some time after it was stored, and then the end.
    pub(crate) fn mark_if_over(&self, table: &Table) {
        if !table.options().even_pace || table.play().is_none() || !table.is_over(Observer::Public) {
            return;
        }
        let (registry, id, now_ms) = (self.clone(), table.id(), self.0.node.settings.now_ms());
        tokio::spawn(async move {
            if let Err(error) = registry.0.node.store.mark_as_over(id, now_ms).await {
                tracing::error!(table = %id, %error, "cannot mark a finished game as over in the lists; retrying");
                registry.0.node.schedule.retry(id);
            }
        });
    }

    /// Stores and publishes a new table.
    pub(crate) async fn create(&self, table: Table) -> Result<(), ServiceError> {
        let lock = self.lock(table.id()).await;
        let (stored, _lock) = spawn_uncancellable(self.clone().store_and_publish(lock, None, table)).await;
        stored?;
        Ok(())
    }

    /// Applies one change to a table: decide, store, publish.
    ///
    /// `decide` gets a copy of the newest table and changes it through [`Table::apply`], which also collects the
    /// events. The copy becomes the table once its events are durable. If another node stored a change first, `decide`
    /// runs again on the new state.
    ///
    /// # Errors
    /// [`Rejection`] if `decide` refuses; nothing changed then. On a [`StoreError`] the outcome is unknown (an append
    /// that timed out may be durable), so the cached table is dropped and the next request reads it again.
    pub(crate) async fn update<T>(
        &self,
        id: TableId,
        decide: impl FnMut(&mut Table) -> Result<T, ServiceError>,
    ) -> Result<(T, Arc<Snapshot>), ServiceError> {
        let _foreground = self.0.node.compute.foreground();
        let lock = self.lock(id).await;
        self.update_locked(lock, decide).await
    }

    /// [`Registry::update`] for a caller that has locked the table.
    pub(crate) async fn update_locked<T>(
        &self,
        mut lock: TableLock,
        mut decide: impl FnMut(&mut Table) -> Result<T, ServiceError>,
    ) -> Result<(T, Arc<Snapshot>), ServiceError> {
        for _ in 0..MAX_UPDATE_ATTEMPTS {
            let current = self.load(&lock).await?;
            let mut next = current.table().copy_for_change(self.0.node.settings.now_ms());
            let decided = match decide(&mut next) {
                // A rejection counts only if it is based on the newest state: another node may have changed the table.
                Err(ServiceError::Rejected(_)) if self.refresh(&lock, &current).await? => continue,
                decided => decided?,
            };
            if next.pending_events().is_empty() {
                return Ok((decided, current));
            }
            // If the client disconnects, this function is dropped at one of its awaits, but the spawned task runs to
            // its end. The task owns the lock, so the table stays locked until the change is durable and published.
            let stored;
            (stored, lock) = spawn_uncancellable(self.clone().store_and_publish(lock, Some(current), next)).await;
            match stored {
                Err(StoreError::Stale) => {}
                stored => return Ok((decided, stored?)),
            }
        }
        Err(StoreError::Stale.into())
    }

    /// [`Registry::update`] for a caller that must have a seat. Returns the new state, bound to that seat.
    pub(crate) async fn update_from_seat(
        &self,
        id: TableId,
        caller: &Caller,
        mut decide: impl FnMut(&mut Table, Seat) -> Result<(), ServiceError>,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let _foreground = self.0.node.compute.foreground();
        let live = self.live_table(id);
        let update = self.update_locked(live.lock(id).await, |table| {
            let seat = table.require_seat(caller)?;
            decide(table, seat).map(|()| seat)
        });
        let (seat, snapshot) = update.await?;
        Ok(ObserverSnapshot { snapshot, observer: Observer::Seat(seat), live })
    }

    /// Stores the pending events of `table`, and publishes `table` once they are durable. `current` is the last
    /// published state, `None` for a new table. Returns the lock for a further attempt.
    async fn store_and_publish(
        self,
        lock: TableLock,
        current: Option<Arc<Snapshot>>,
        mut table: Table,
    ) -> (Result<Arc<Snapshot>, StoreError>, TableLock) {
        let change = table.take_change();
        let (listing, old_listing) = (table.listing(), current.map(|current| current.table().listing()));
        let append = Append {
            table: lock.id,
            visitors: linked_visitors(lock.id, &change.events),
            listing: (old_listing != Some(listing)).then_some(listing),
            change,
        };
        let stored = self.0.node.store.append(append).await;
        if let Err(error) = stored {
            // If another node stored a change first, the state in memory is outdated. After any other error it is
            // unknown whether the change was stored. In both cases the next request must read the table again.
            lock.live.unload();
            if !matches!(error, StoreError::Stale) {
                self.0.node.schedule.retry(lock.id);
            }
            return (Err(error), lock);
        }
        (Ok(self.publish(&lock, table)), lock)
    }
}

/// The seats that these events link to browsers.
fn linked_visitors(table: TableId, events: &[EventRecord]) -> Vec<VisitorSeat> {
    let linked = events.iter().filter_map(EventRecord::linked_visitor);
    linked.map(|(visitor, seat)| VisitorSeat { visitor, table, seat }).collect()
}

#[cfg(test)]
mod tests;
