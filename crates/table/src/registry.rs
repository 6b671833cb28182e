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

/// How many times an update is decided again because another node stored a change first. Bots on another node may take
/// many quick turns in a row.
const MAX_UPDATE_ATTEMPTS: usize = 50;

/// Up to this number of changes by another node are published one by one. Of more, only the newest state is published.
const MAX_SINGLE_PUBLICATIONS: usize = 8;

/// All tables. Clones share them.
#[derive(Clone)]
pub(crate) struct Registry(Arc<Shared>);

struct Shared {
    node: NodeContext,
    cache: Mutex<TableCache>,
    /// Whether the server stops, so that new watches end at once.
    stopping: AtomicBool,
}

impl Registry {
    pub(crate) fn new(node: NodeContext) -> Self {
        let cache = Mutex::new(TableCache::new(node.settings.cached_tables));
        Self(Arc::new(Shared { node, cache, stopping: AtomicBool::new(false) }))
    }

    /// The store, the settings, and the passive state of this node.
    pub(crate) fn node(&self) -> &NodeContext {
        &self.0.node
    }

    /// The live table, which may not be loaded yet; creates it if necessary.
    pub(crate) fn live(&self, id: TableId) -> Arc<LiveTable> {
        locked(&self.0.cache).get_or_insert(id)
    }

    /// The live table, if it is in memory.
    pub(crate) fn in_memory(&self, id: TableId) -> Option<Arc<LiveTable>> {
        locked(&self.0.cache).get(id)
    }

    /// All tables in memory.
    pub(crate) fn all_in_memory(&self) -> Vec<(TableId, Arc<LiveTable>)> {
        locked(&self.0.cache).all()
    }

    /// Locks a table, for loading and changing it.
    pub(crate) async fn lock(&self, id: TableId) -> TableLock {
        self.live(id).lock(id).await
    }

    /// The state of a table as known to this node.
    pub(crate) async fn snapshot(&self, id: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        self.current(&self.live(id), id).await
    }

    async fn current(&self, live: &Arc<LiveTable>, id: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        match live.current() {
            Some(current) => Ok(current),
            None => self.load(&live.lock(id).await).await,
        }
    }

    /// The newest state of a table, including changes of other nodes.
    pub(crate) async fn newest(&self, id: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        let lock = self.lock(id).await;
        self.load_newest(&lock).await
    }

    /// The state of a table, bound to the observer that the caller is.
    pub(crate) async fn observe(&self, id: TableId, caller: &Caller) -> Result<ObserverSnapshot, ServiceError> {
        if self.0.node.membership.is_cut_off() {
            // The database is down, so the state in memory may be outdated: the client should try another node.
            return Err(StoreError::Unreachable("this node is cut off from it".to_owned()).into());
        }
        let live = self.live(id);
        let mut snapshot = self.current(&live, id).await?;
        let seat = if let Ok(seat) = snapshot.table().seat_of(caller) {
            seat
        } else {
            // The seat may have been taken on another node.
            snapshot = self.newest(id).await?;
            snapshot.table().seat_of(caller)?
        };
        Ok(ObserverSnapshot::new(snapshot, seat.map_or(Observer::Public, Observer::Seat), live))
    }

    /// Reads from a finished game. If `read` rejects the local state, which may be outdated, it gets the newest state.
    pub(crate) async fn read_finished<T>(
        &self,
        id: TableId,
        read: impl Fn(&Table) -> Result<T, Rejection>,
    ) -> Result<T, ServiceError> {
        match read(self.snapshot(id).await?.table()) {
            Ok(value) => Ok(value),
            Err(_) => Ok(read(self.newest(id).await?.table())?),
        }
    }

    /// Watches a table, starting after a version that the client already has.
    pub(crate) async fn watch(&self, id: TableId, caller: Caller, after: Option<u32>) -> Result<Watch, ServiceError> {
        let live = self.live(id);
        // From now on the table counts as watched: if the cluster unloads it, the cluster also loads and publishes it
        // again.
        let snapshots = live.subscribe();
        let observed = self.observe(id, &caller).await?;
        let snapshot = if after.is_some_and(|version| version > observed.version()) {
            // Another node has shown a newer version.
            self.newest(id).await?
        } else {
            observed.into_snapshot()
        };
        let watch = Watch::new(Arc::clone(&live), snapshots, snapshot, caller, after)?;
        // `stop_watches` sets the flag before it disconnects: either the flag is seen here, or this watch is disconnected there.
        if self.0.stopping.load(Ordering::SeqCst) {
            live.disconnect_watchers();
        }
        Ok(watch)
    }

    /// Ends all watches permanently, because the server stops.
    pub(crate) fn stop_watches(&self) {
        self.0.stopping.store(true, Ordering::SeqCst);
        self.disconnect_watchers();
    }

    /// Ends all watches.
    pub(crate) fn disconnect_watchers(&self) {
        self.all_in_memory().iter().for_each(|(_, live)| live.disconnect_watchers());
    }

    /// Drops all tables from memory that have not changed since a time.
    pub(crate) fn unload_older_than(&self, before_ms: i64) {
        for (_, live) in self.all_in_memory() {
            if live.current().is_some_and(|current| current.table().changed_ms() < before_ms) {
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

    /// The newest state of a locked table.
    pub(crate) async fn load_newest(&self, lock: &TableLock) -> Result<Arc<Snapshot>, ServiceError> {
        let current = self.load(lock).await?;
        if self.refresh(lock, &current).await? { self.load(lock).await } else { Ok(current) }
    }

    /// Reads and publishes the changes of other nodes since `current`. Returns whether there were any.
    async fn refresh(&self, lock: &TableLock, current: &Snapshot) -> Result<bool, ServiceError> {
        let changes = self.0.node.store.load(lock.id, current.table().version()).await?;
        let has_changed = !changes.is_empty();
        self.publish_changes(lock, current, changes)?;
        Ok(has_changed)
    }

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
        let live = self.live(id);
        if let Some(lock) = live.try_lock(id) {
            self.apply_remote_changes_locked(&lock, changes);
            return;
        }
        // The table is being changed. The caller must not wait for that.
        let registry = self.clone();
        tokio::spawn(async move { registry.apply_remote_changes_locked(&live.lock(id).await, changes) });
    }

    fn apply_remote_changes_locked(&self, lock: &TableLock, mut changes: Vec<Change>) {
        let Some(current) = lock.live.current() else { return };
        changes.retain(|change| change.version > current.table().version());
        if let Err(error) = self.publish_changes(lock, &current, changes) {
            tracing::error!(table = %lock.id, %error, "cannot decode a change of another node; table unloaded");
            lock.live.unload();
        }
    }

    /// Publishes the actions whose beat is due (even pace). Stores nothing.
    pub(crate) async fn reveal_due_actions(&self, id: TableId) -> Result<(), ServiceError> {
        let lock = self.lock(id).await;
        let mut table = self.load(&lock).await?.table().clone();
        table.reveal_due_actions(self.0.node.settings.now_ms());
        self.publish(&lock, table);
        Ok(())
    }

    /// Schedules the next wake-up of a table from its current state. Takes the lock, so that no newer plan is
    /// overwritten.
    pub(crate) async fn reschedule(&self, id: TableId) -> Result<(), ServiceError> {
        let lock = self.lock(id).await;
        let current = self.load(&lock).await?;
        self.0.node.schedule.plan(current.table());
        self.mark_if_over(current.table());
        Ok(())
    }

    fn publish(&self, lock: &TableLock, table: Table) -> Arc<Snapshot> {
        let snapshot = Arc::new(Snapshot::new(table));
        lock.live.publish(&snapshot);
        self.0.node.schedule.plan(snapshot.table());
        self.mark_if_over(snapshot.table());
        snapshot
    }

    /// Lists a finished game as over. With an even pace the end becomes visible with a beat, which stores nothing, so
    /// the lists need a separate update.
    pub(crate) fn mark_if_over(&self, table: &Table) {
        if !table.options().even_pace || table.play().is_none() || !table.is_over(Observer::Public) {
            return;
        }
        let (registry, id, now_ms) = (self.clone(), table.id(), self.0.node.settings.now_ms());
        tokio::spawn(async move {
            if let Err(error) = registry.0.node.store.mark_as_over(id, now_ms).await {
                tracing::error!(table = %id, %error, "cannot list a finished table as over; retrying");
                registry.0.node.schedule.retry(id);
            }
        });
    }

    /// Stores and publishes a new table.
    pub(crate) async fn create(&self, table: Table) -> Result<(), ServiceError> {
        let lock = self.lock(table.id()).await;
        let registry = self.clone();
        let stored = spawn_uncancellable(async move { registry.store_and_publish(&lock, None, table).await });
        stored.await.map(|_| ()).map_err(ServiceError::from)
    }

    /// Applies one change to a table: decide, store, publish.
    ///
    /// `decide` gets a copy of the newest table and changes it through [`Table::apply`], which also collects the events. The
    /// copy becomes the table once its events are durable. If another node stored a change first, `decide` runs again on the
    /// new state.
    ///
    /// # Errors
    /// [`Rejection`] if `decide` refuses; nothing changed then. On a [`StoreError`] the outcome is unknown (an append that timed
    /// out may be durable), so the cached table is dropped and the next request reads it again.
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
                // A rejection counts only if it is based on the newest state: another node may have moved on.
                Err(ServiceError::Rejected(_)) if self.refresh(&lock, &current).await? => continue,
                decided => decided?,
            };
            if next.pending_events().is_empty() {
                return Ok((decided, current));
            }
            // The client may disconnect at any await. The lock moves into the task, so the table stays locked until the
            // change is durable and published, and is returned for the next attempt.
            let registry = self.clone();
            let stored;
            (stored, lock) =
                spawn_uncancellable(
                    async move { (registry.store_and_publish(&lock, Some(&current), next).await, lock) },
                )
                .await;
            match stored {
                Err(StoreError::Stale) => {}
                stored => return Ok((decided, stored?)),
            }
        }
        Err(StoreError::Stale.into())
    }

    /// [`Registry::update`] for a caller that must have a seat. Returns the result as that seat may see it.
    pub(crate) async fn update_from_seat(
        &self,
        id: TableId,
        caller: &Caller,
        mut decide: impl FnMut(&mut Table, Seat) -> Result<(), ServiceError>,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let _foreground = self.0.node.compute.foreground();
        let live = self.live(id);
        let update = self.update_locked(live.lock(id).await, |table| {
            let seat = table.require_seat(caller)?;
            decide(table, seat).map(|()| seat)
        });
        let (seat, snapshot) = update.await?;
        Ok(ObserverSnapshot::new(snapshot, Observer::Seat(seat), live))
    }

    async fn store_and_publish(
        &self,
        lock: &TableLock,
        current: Option<&Snapshot>,
        mut table: Table,
    ) -> Result<Arc<Snapshot>, StoreError> {
        let change = table.take_change();
        let listing = Some(table.listing());
        let append = Append {
            table: lock.id,
            visitors: linked_visitors(lock.id, &change.events),
            listing: listing.filter(|listing| current.is_none_or(|current| *listing != current.table().listing())),
            change,
        };
        if let Err(error) = self.0.node.store.append(append).await {
            // Outdated if another node was first, otherwise the outcome is unknown. In both cases the table must be
            // read again.
            lock.live.unload();
            if !matches!(error, StoreError::Stale) {
                self.0.node.schedule.retry(lock.id);
            }
            return Err(error);
        }
        Ok(self.publish(lock, table))
    }
}

/// The browsers that get a seat through these events.
fn linked_visitors(table: TableId, events: &[EventRecord]) -> Vec<VisitorSeat> {
    let seat = |event: &EventRecord| match event {
        EventRecord::Sat(sat) => Some(VisitorSeat { visitor: sat.visitor?, table, seat: sat.seat }),
        EventRecord::Linked { seat, visitor } => Some(VisitorSeat { visitor: *visitor, table, seat: *seat }),
        EventRecord::Opened(_)
        | EventRecord::Changed { .. }
        | EventRecord::Freed { .. }
        | EventRecord::Filled { .. }
        | EventRecord::StoodIn { .. }
        | EventRecord::Returned { .. }
        | EventRecord::HostChanged { .. }
        | EventRecord::Started
        | EventRecord::Acted(_)
        | EventRecord::ActedByClock(_)
        | EventRecord::Ended
        | EventRecord::Rematched { .. } => None,
    };
    events.iter().filter_map(seat).collect()
}

#[cfg(test)]
mod tests;
