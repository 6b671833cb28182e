//! Many changes, one transaction: while one batch is being made durable, the next one gathers.

use std::collections::HashSet;
use std::future::Future;
use std::sync::{Arc, Mutex};

use sqlx::Error;
use sultan_domain::TableId;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::{Append, StoreError};

/// The most changes of one transaction.
const MOST: usize = 512;

/// Something that can make changes durable, all of those that fit in one transaction.
pub(crate) trait Write: Send + 'static {
    /// Writes the changes, of which no two are for one table. Says which tables were at the right version.
    fn write(&mut self, batch: &[Append]) -> impl Future<Output = Result<HashSet<TableId>, Error>> + Send;

    /// Lets go of the database, and comes back when that is done: a file must not be in use any more then.
    fn close(self) -> impl Future<Output = Result<(), Error>> + Send;
}

struct Waiting {
    append: Append,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

/// The way to the one who writes.
pub(crate) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Waiting>>>,
    task: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(crate) fn start(write: impl Write) -> Self {
        let (queue, waiting) = mpsc::channel(4 * MOST);
        let task = tokio::spawn(work(write, waiting));
        Self { queue: Mutex::new(Some(queue)), task: tokio::sync::Mutex::new(Some(task)) }
    }

    /// Answers when the change is durable.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let (answer, answered) = oneshot::channel();
        let sent = queue.ok_or(StoreError::Closed)?.send(Waiting { append, answer }).await;
        sent.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Writes what is waiting, then stops.
    pub(crate) async fn close(&self) {
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the writer of the store broke down");
        }
    }
}

async fn work(mut write: impl Write, mut queue: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(MOST);
    while !waiting.is_empty() || queue.recv_many(&mut waiting, MOST).await > 0 {
        gather(&mut queue, &mut waiting).await;
        let (batch, answers) = next_batch(&mut waiting);
        let written = write.write(&batch).await.map_err(Arc::new);
        for (append, answer) in batch.iter().zip(answers) {
            let result = match &written {
                Ok(tables) if tables.contains(&append.table) => Ok(()),
                Ok(_) => Err(StoreError::Stale),
                Err(error) => Err(StoreError::Database(Arc::clone(error))),
            };
            // Whoever asked may have gone away; what is stored is stored.
            let _ = answer.send(result);
        }
    }
    if let Err(error) = write.close().await {
        tracing::warn!(%error, "the writer of the store did not let go of it in order");
    }
}

/// Lets those who are about to ask for something ask first: the more changes share a transaction, the less each of them costs. Where
/// nobody else has anything to do, nobody waits for it.
async fn gather(queue: &mut mpsc::Receiver<Waiting>, waiting: &mut Vec<Waiting>) {
    tokio::task::yield_now().await;
    while waiting.len() < MOST
        && let Ok(one) = queue.try_recv()
    {
        waiting.push(one);
    }
}

/// Takes out one change per table, in the order of the tables' names, so that two nodes that write to the same tables
/// wait for each other and not in a circle.
fn next_batch(waiting: &mut Vec<Waiting>) -> (Vec<Append>, Vec<oneshot::Sender<Result<(), StoreError>>>) {
    let mut tables = HashSet::with_capacity(waiting.len());
    let (mut now, later): (Vec<_>, Vec<_>) = waiting.drain(..).partition(|one| tables.insert(one.append.table));
    *waiting = later;
    now.sort_by_key(|one| one.append.table);
    now.into_iter().map(|Waiting { append, answer }| (append, answer)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventRecord;

    fn waiting(table: u64, version: u32) -> Waiting {
        let (table, events) = (TableId::new(table), vec![EventRecord::Started]);
        let append = Append { table, version, at_ms: 1, events, listing: None, visitors: Vec::new() };
        Waiting { append, answer: oneshot::channel().0 }
    }

    fn named(appends: &[Append]) -> Vec<(u64, u32)> {
        appends.iter().map(|append| (append.table.number(), append.version)).collect()
    }

    #[test]
    fn a_batch_has_one_change_of_each_table_in_the_order_of_their_names() {
        let mut all = [(9, 0), (3, 5), (9, 1), (7, 2), (3, 6), (9, 2)].map(|(table, from)| waiting(table, from)).into();
        let mut batches = Vec::new();
        while !Vec::is_empty(&all) {
            let (batch, answers) = next_batch(&mut all);
            assert_eq!(batch.len(), answers.len());
            batches.push(named(&batch));
        }
        assert_eq!(batches, [vec![(3, 5), (7, 2), (9, 0)], vec![(3, 6), (9, 1)], vec![(9, 2)]]);
    }

    #[tokio::test]
    async fn who_asks_in_time_shares_the_batch_up_to_the_most() {
        let (queue, mut asked) = mpsc::channel(2 * MOST);
        let mut all = vec![waiting(0, 0)];
        gather(&mut asked, &mut all).await;
        assert_eq!(all.len(), 1, "nobody else asks, and nobody waits");
        for table in 1..MOST as u64 + 9 {
            assert!(queue.send(waiting(table, 0)).await.is_ok());
        }
        gather(&mut asked, &mut all).await;
        assert_eq!((all.len(), asked.len()), (MOST, 9));
        assert!(all.iter().map(|one| one.append.table.number()).eq(0..MOST as u64), "in the order in which they asked");
    }

    /// Keeps what it was given, and tells when it was closed.
    struct Kept {
        batches: mpsc::UnboundedSender<Vec<(u64, u32)>>,
    }

    impl Write for Kept {
        async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
            if batch.iter().any(|append| append.version == 9) {
                return Err(Error::WorkerCrashed);
            }
            self.batches.send(named(batch)).unwrap();
            Ok(batch.iter().filter(|append| append.version == 0).map(|append| append.table).collect())
        }

        async fn close(self) -> Result<(), Error> {
            self.batches.send(Vec::new()).unwrap();
            Ok(())
        }
    }

    #[tokio::test]
    async fn everybody_is_told_what_came_of_the_own_change() {
        let (batches, mut written) = mpsc::unbounded_channel();
        let writer = Writer::start(Kept { batches });
        let append = |table, from| writer.append(waiting(table, from).append);
        let (new, stale) = tokio::join!(append(1, 0), append(2, 1));
        new.unwrap();
        assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
        let failed = append(3, 9).await;
        assert!(matches!(failed, Err(StoreError::Database(_))), "{failed:?}");
        append(4, 0).await.unwrap();
        writer.close().await;
        let closed = append(5, 0).await;
        assert!(matches!(closed, Err(StoreError::Closed)), "{closed:?}");
        let mut all = Vec::new();
        while let Some(batch) = written.recv().await {
            all.push(batch);
        }
        assert_eq!(
            all,
            [vec![(1, 0), (2, 1)], vec![(4, 0)], vec![]],
            "both came in one batch, and it was closed at the end"
        );
    }
}
