//! A store with somebody in between, who fails or lies where a test wants it.

use std::sync::Arc;

use sultan_domain::{Commitment, TableId};
use sultan_store::{
    Append, Change, ForgetBefore, Listed, Nodes, Store, StoreFuture, StoredCommitment, TableState, VisitorHash,
    VisitorSeat,
};
use tokio::sync::{Notify, OwnedRwLockWriteGuard, RwLock};

/// Somebody between a service and its store. Whatever is not meddled with is passed on.
pub trait Meddler: Send + Sync {
    /// The store itself.
    fn store(&self) -> &dyn Store;

    /// Adds a change to a table.
    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        self.store().append(append)
    }

    /// All changes of a table after a version.
    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.store().load(table, after)
    }

    /// Says that a table that was in play is over.
    fn list_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        self.store().list_over(table, at_ms)
    }
}

/// What a test holds shut, so that nothing is written meanwhile.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    shut: Arc<RwLock<()>>,
    waits: Arc<Notify>,
}

impl Gate {
    /// Holds it shut as long as the answer is kept.
    pub async fn held(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.shut).write_owned().await
    }

    /// Until somebody stands before the gate.
    pub async fn somebody_waits(&self) {
        self.waits.notified().await;
    }
}

/// Somebody who lets nothing be written while the gate is held shut.
pub struct Held {
    store: Arc<dyn Store>,
    gate: Gate,
}

impl Held {
    /// In front of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> (Self, Gate) {
        let gate = Gate::default();
        (Self { store, gate: gate.clone() }, gate)
    }
}

impl Meddler for Held {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if self.gate.shut.try_read().is_err() {
                self.gate.waits.notify_one();
            }
            let _open = self.gate.shut.read().await;
            self.store.append(append).await
        })
    }
}

/// A store with somebody in between.
#[derive(Debug)]
pub struct Meddled<M>(pub M);

impl<M: Meddler> Store for Meddled<M> {
    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        self.0.append(append)
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.0.load(table, after)
    }

    fn public_tables(&self, state: TableState, limit: u32) -> StoreFuture<'_, Vec<Listed>> {
        self.0.store().public_tables(state, limit)
    }

    fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().count_open_tables(limit)
    }

    fn attended_tables(&self, after: Option<TableId>, limit: u32) -> StoreFuture<'_, Vec<TableId>> {
        self.0.store().attended_tables(after, limit)
    }

    fn list_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        self.0.list_over(table, at_ms)
    }

    fn seats_of(&self, visitor: VisitorHash, limit: u32) -> StoreFuture<'_, Vec<VisitorSeat>> {
        self.0.store().seats_of(visitor, limit)
    }

    fn secret(&self, fresh: [u8; 64]) -> StoreFuture<'_, [u8; 64]> {
        self.0.store().secret(fresh)
    }

    fn forget(&self, before: ForgetBefore, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().forget(before, limit)
    }

    fn merge(&self, before_ms: i64, limit: u32) -> StoreFuture<'_, u64> {
        self.0.store().merge(before_ms, limit)
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

    fn forget_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()> {
        self.0.store().forget_commitments(before_ms)
    }

    fn keep_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()> {
        self.0.store().keep_analysis(table, json)
    }

    fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>> {
        self.0.store().analysis(table)
    }
}
