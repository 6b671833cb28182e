//! Stores many changes in one transaction: while the database writes one batch to disk, the next batch is collected.

use std::collections::HashSet;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use sqlx::Error;
use sultan_domain::TableId;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::{Append, StoreError};

/// The maximum number of changes in one transaction.
const MAX_BATCH_CHANGES: usize = 512;

/// A database connection that stores batches.
pub(crate) trait BatchWriter: Send + 'static {
    /// Stores the changes, at most one per table, in one transaction. Returns the tables whose change was stored. A
    /// change is stored only if the newest stored version of its table is the version before it.
    fn write(&mut self, batch: &[Append]) -> impl Future<Output = Result<HashSet<TableId>, Error>> + Send;

    /// Closes the connection. When this returns, another program can open a SQLite file exclusively.
    fn close(self) -> impl Future<Output = Result<(), Error>> + Send;
}

/// A change in the queue, and the sender that reports to the caller whether the change was stored.
struct QueuedAppend {
    append: Append,
    result: ResultSender,
}

type ResultSender = oneshot::Sender<Result<(), StoreError>>;

/// The queue to the task that writes to the database, and that task; `None` once it is closed.
pub(crate) struct WriteQueue(Mutex<Option<(mpsc::Sender<QueuedAppend>, JoinHandle<()>)>>);

impl WriteQueue {
    pub(crate) fn start(writer: impl BatchWriter) -> Self {
        // Callers of `append` wait while four full batches are queued.
        let (sender, receiver) = mpsc::channel(4 * MAX_BATCH_CHANGES);
        let task = tokio::spawn(write_batches(writer, receiver));
        Self(Mutex::new(Some((sender, task))))
    }

    /// Saves a change. Returns when it is durable.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(sender, _)| sender.clone());
        let (result, stored) = oneshot::channel();
        // `sender` is dropped at the end of this statement, before the wait for the result: `close` waits until the
        // task ends, and the task ends only when no sender exists.
        let sent = sender.ok_or(StoreError::Closed)?.send(QueuedAppend { append, result }).await;
        sent.map_err(|_| StoreError::Closed)?;
        stored.await.map_err(|_| StoreError::Closed)?
    }

    /// Writes all queued changes, then stops. A repeated call returns at once.
    pub(crate) async fn close(&self) {
        let queue = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((sender, task)) = queue else { return };
        drop(sender);
        if let Err(error) = task.await {
            tracing::error!(%error, "the task that writes to the database panicked");
        }
    }
}

/// The task of a [`WriteQueue`]: writes batches until the queue is closed and empty, and closes the connection.
async fn write_batches(mut writer: impl BatchWriter, mut queue: mpsc::Receiver<QueuedAppend>) {
    let mut queued = Vec::with_capacity(MAX_BATCH_CHANGES);
    // Changes are left over if the last batch already had a change of their table. Then this does not wait for new
    // ones.
    while !queued.is_empty() || queue.recv_many(&mut queued, MAX_BATCH_CHANGES).await > 0 {
        collect_ready_appends(&mut queue, &mut queued).await;
        let (batch, results) = next_batch(&mut queued);
        let written = writer.write(&batch).await.map_err(Arc::new);
        for (append, result) in batch.iter().zip(results) {
            let stored = match &written {
                Ok(tables) if tables.contains(&append.table) => Ok(()),
                Ok(_) => Err(StoreError::Stale),
                Err(error) => Err(StoreError::Database(Arc::clone(error))),
            };
            // Sending fails if the caller no longer waits. Its change is stored anyway.
            let _ = result.send(stored);
        }
    }
    if let Err(error) = writer.close().await {
        tracing::warn!(%error, "closing the database connection failed");
    }
}

/// Lets all ready tasks run once, and moves the changes that are then in the queue to `queued`, because a transaction
/// of many changes costs about as much as a transaction of one change. Does not wait for tasks that are not ready.
async fn collect_ready_appends(queue: &mut mpsc::Receiver<QueuedAppend>, queued: &mut Vec<QueuedAppend>) {
    tokio::task::yield_now().await;
    while queued.len() < MAX_BATCH_CHANGES
        && let Ok(append) = queue.try_recv()
    {
        queued.push(append);
    }
}

/// Removes the first change of each table from `queued`. The batch is sorted by table: two nodes that write to the same
/// tables lock them in the same order, so they cannot deadlock.
fn next_batch(queued: &mut Vec<QueuedAppend>) -> (Vec<Append>, Vec<ResultSender>) {
    let mut tables = HashSet::with_capacity(queued.len());
    // `insert` returns false for the second and every further change of a table.
    let (mut batch, later): (Vec<_>, Vec<_>) = queued.drain(..).partition(|queued| tables.insert(queued.append.table));
    *queued = later;
    batch.sort_by_key(|queued| queued.append.table);
    batch.into_iter().map(|QueuedAppend { append, result }| (append, result)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Change, EventRecord};

    fn queued(table: u64, version: u32) -> QueuedAppend {
        let (table, events) = (TableId::new(table), vec![EventRecord::Started]);
        let change = Change { version, at_ms: 1, events };
        let append = Append { table, change, listing: None, visitors: Vec::new() };
        QueuedAppend { append, result: oneshot::channel().0 }
    }

    fn tables_and_versions(appends: &[Append]) -> Vec<(u64, u32)> {
        appends.iter().map(|append| (append.table.number(), append.change.version)).collect()
    }

    #[test]
    fn batch_has_one_change_per_table_in_order_of_table_ids() {
        let tables_and_versions_in_queue = [(9, 0), (3, 5), (9, 1), (7, 2), (3, 6), (9, 2)];
        let mut queue: Vec<_> = tables_and_versions_in_queue.map(|(table, version)| queued(table, version)).into();
        let mut batches = Vec::new();
        while !queue.is_empty() {
            let (batch, results) = next_batch(&mut queue);
            assert_eq!(batch.len(), results.len());
            batches.push(tables_and_versions(&batch));
        }
        assert_eq!(batches, [vec![(3, 5), (7, 2), (9, 0)], vec![(3, 6), (9, 1)], vec![(9, 2)]]);
    }

    #[tokio::test]
    async fn appends_that_are_ready_share_a_batch_up_to_its_limit() {
        let (sender, mut receiver) = mpsc::channel(2 * MAX_BATCH_CHANGES);
        let mut collected = vec![queued(0, 0)];
        collect_ready_appends(&mut receiver, &mut collected).await;
        assert_eq!(collected.len(), 1, "no other append is ready, so the function returns at once");
        // Together with the collected append, 9 more than fit into a batch.
        for table in 1..MAX_BATCH_CHANGES as u64 + 9 {
            assert!(sender.send(queued(table, 0)).await.is_ok());
        }
        collect_ready_appends(&mut receiver, &mut collected).await;
        assert_eq!((collected.len(), receiver.len()), (MAX_BATCH_CHANGES, 9));
        assert!(
            collected.iter().map(|queued| queued.append.table.number()).eq(0..MAX_BATCH_CHANGES as u64),
            "the appends keep their order"
        );
    }

    /// Reports every batch as a list of tables and versions, and `close` as an empty list. Stores changes with version
    /// 0, returns an error for a batch with version 9, and treats all other versions as stale.
    struct FakeDatabase {
        batches: mpsc::UnboundedSender<Vec<(u64, u32)>>,
    }

    impl BatchWriter for FakeDatabase {
        async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
            if batch.iter().any(|append| append.change.version == 9) {
                return Err(Error::WorkerCrashed);
            }
            self.batches.send(tables_and_versions(batch)).unwrap();
            Ok(batch.iter().filter(|append| append.change.version == 0).map(|append| append.table).collect())
        }

        async fn close(self) -> Result<(), Error> {
            self.batches.send(Vec::new()).unwrap();
            Ok(())
        }
    }

    #[tokio::test]
    async fn every_append_gets_its_own_result() {
        let (batches, mut written) = mpsc::unbounded_channel();
        let queue = WriteQueue::start(FakeDatabase { batches });
        let append = |table, version| queue.append(queued(table, version).append);
        let (stored, stale) = tokio::join!(append(1, 0), append(2, 1));
        stored.unwrap();
        assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
        let failed = append(3, 9).await;
        assert!(matches!(failed, Err(StoreError::Database(_))), "{failed:?}");
        append(4, 0).await.unwrap();
        queue.close().await;
        let closed = append(5, 0).await;
        assert!(matches!(closed, Err(StoreError::Closed)), "{closed:?}");
        let mut reported = Vec::new();
        while let Some(batch) = written.recv().await {
            reported.push(batch);
        }
        assert_eq!(
            reported,
            [vec![(1, 0), (2, 1)], vec![(4, 0)], vec![]],
            "the first two appends share a batch, the failed batch is missing, and the writer is closed at the end"
        );
    }
}
