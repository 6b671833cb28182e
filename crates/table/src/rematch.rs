//! The same people play once more: a new table, and word of it at the old one.

use std::sync::Arc;

use sultan_domain::{Commitment, ServerSeed, TableId};
use sultan_store::{EventRecord, StoreError};

use crate::ServiceError;
use crate::change::spawn_uncancellable;
use crate::request::{Caller, SeatChange};
use crate::service::{Inner, Service};

impl Service {
    /// Opens a table where the same people play once more. Who asks second is told the first one's.
    ///
    /// # Errors
    /// [`Rejection`](crate::Rejection) until the game is over, or while there are too many tables.
    pub async fn rematch(&self, table: TableId, caller: &Caller, wish: SeatChange) -> Result<TableId, ServiceError> {
        self.rematch_with_commitment(table, caller, wish, None).await
    }

    /// The same, with a promise that was given for it: so the one who asks can see it before giving a seed.
    ///
    /// # Errors
    /// As [`Service::rematch`], and [`Rejection::NoSuchCommitment`](crate::Rejection::NoSuchCommitment).
    pub async fn rematch_with_commitment(
        &self,
        table: TableId,
        caller: &Caller,
        wish: SeatChange,
        promise: Option<Commitment>,
    ) -> Result<TableId, ServiceError> {
        let (inner, caller) = (Arc::clone(&self.0), *caller);
        // No table is opened that the old one does not tell of, though whoever asked goes away meanwhile.
        spawn_uncancellable(async move { inner.rematch(table, &caller, &wish, promise).await }).await
    }
}

impl Inner {
    async fn rematch(
        self: &Arc<Self>,
        table: TableId,
        caller: &Caller,
        wish: &SeatChange,
        promise: Option<Commitment>,
    ) -> Result<TableId, ServiceError> {
        let slot = self.slot(table);
        let mut turn = Arc::clone(&slot.turn).lock_owned().await;
        let mut now = self.newest_known(&slot, table).await?;
        let seat = now.table.seated(caller)?;
        if let Some(rematch) = now.table.rematch {
            return Ok(rematch);
        }
        let rematch = self.random_id();
        // What cannot be is refused before a promise is used up.
        now.table.once_more(seat, wish, ServerSeed([0; 32]), rematch)?;
        self.has_room().await?;
        let server_seed = self.promised(promise).await?;
        let (events, told) = now.table.once_more(seat, wish, server_seed, rematch)?;
        self.found_as(rematch, events).await?;
        loop {
            let stored;
            (stored, turn) = self.store_change(&slot, &now, vec![told.clone()], turn).await;
            match stored {
                Ok(_) => return Ok(rematch),
                Err(StoreError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
            now = self.known(&slot, table).await?;
            if let Some(first) = now.table.rematch {
                // Somebody was faster on another node: that table counts, and nobody comes to ours.
                self.change(rematch, |_| Ok(vec![EventRecord::Ended])).await?;
                return Ok(first);
            }
        }
    }
}
