//! A wrapper around a store, with which a test can make calls fail, delay them, or change their results.

use std::sync::Arc;

use sultan_domain::{Commitment, TableId};
use sultan_store::{
    Append, Change, DeleteBefore, ListedTable, Nodes, Store, StoreFuture, StoredCommitment, TableState, VisitorHash,
    VisitorSeat,
};
use tokio::sync::{Notify, OwnedRwLockWriteGuard, RwLock};

/// Replaces some calls of a store. The default methods forward to the wrapped store.
pub trait StoreOverrides: Send + Sync {
    /// The wrapped store.
    fn store(&self) -> &dyn Store;

    /// Adds a change to a table.
    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        self.store().append(append)
    }

    /// All changes of a table after a version.
    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.store().load(table, after)
    }

    /// Lists a table as over.
    fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        self.store().mark_as_over(table, at_ms)
    }
}

/// A gate that a test closes to block all appends.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    closed: Arc<RwLock<()>>,
    blocked: Arc<Notify>,
}

impl Gate {
    /// Closes the gate until the returned guard is dropped.
    pub async fn close(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.closed).write_owned().await
    }

    /// Waits until an append is blocked by the gate.
    pub async fn wait_until_blocked(&self) {
        self.blocked.notified().await;
    }
}

/// Blocks appends while the gate is closed.
pub struct GatedStore {
    store: Arc<dyn Store>,
    gate: Gate,
}

impl GatedStore {
    /// Wraps a store. Returns it with its gate, which is open.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> (Self, Gate) {
        let gate = Gate::default();
        (Self { store, gate: gate.clone() }, gate)
    }
}

impl StoreOverrides for GatedStore {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if self.gate.closed.try_read().is_err() {
                self.gate.blocked.notify_one();
            }
            let _gate_is_open = self.gate.closed.read().await;
            self.store.append(append).await
        })
    }
}

/// A store whose calls go through [`StoreOverrides`].
#[derive(Debug)]
pub struct FaultyStore<O>(pub O);

impl<O: StoreOverrides> Store for FaultyStore<O> {
    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        self.0.append(append)
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.0.load(table, after)
    }

    fn public_tables(&self, state: TableState, limit: u32) -> StoreFuture<'_, Vec<ListedTable>> {
        self.0.store().public_tables(state, limit)
    }

    fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().count_open_tables(limit)
    }

    fn tables_with_bots_or_clocks(&self, after: Option<TableId>, limit: u32) -> StoreFuture<'_, Vec<TableId>> {
        self.0.store().tables_with_bots_or_clocks(after, limit)
    }

    fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        self.0.mark_as_over(table, at_ms)
    }

    fn seats_of(&self, visitor: VisitorHash, limit: u32) -> StoreFuture<'_, Vec<VisitorSeat>> {
        self.0.store().seats_of(visitor, limit)
    }

    fn cookie_secret(&self, new: [u8; 64]) -> StoreFuture<'_, [u8; 64]> {
        self.0.store().cookie_secret(new)
    }

    fn delete_tables(&self, before: DeleteBefore, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().delete_tables(before, limit)
    }

    fn compact(&self, before_ms: i64, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().compact(before_ms, limit)
    }

    fn nodes(&self) -> Option<&dyn Nodes> {
        self.0.store().nodes()
    }

    fn ready(&self) -> StoreFuture<'_, ()> {
        self.0.store().ready()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.0.store().close()
    }

    fn store_commitment(&self, commitment: StoredCommitment) -> StoreFuture<'_, ()> {
        self.0.store().store_commitment(commitment)
    }

    fn take_commitment(&self, commitment: Commitment, since_ms: i64) -> StoreFuture<'_, Option<StoredCommitment>> {
        self.0.store().take_commitment(commitment, since_ms)
    }

    fn delete_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()> {
        self.0.store().delete_commitments(before_ms)
    }

    fn store_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()> {
        self.0.store().store_analysis(table, json)
    }

    fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>> {
        self.0.store().analysis(table)
    }
}
