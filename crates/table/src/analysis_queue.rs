//! The analysis of finished games: one game at a time, in the background, slowed down while players or bots are active.
//!
//! The node that runs a table's bots also analyses its game. Any other node forwards every client request to that node.
//! After a crash another node runs the table: the next request of the client reaches it and starts the analysis again.
//! While two nodes disagree about which of them runs the table, both may analyse the game: their results are equal, and
//! the store keeps one.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use lru::LruCache;
use sultan_analysis::{AnalysisError, Plan, Watch, analyse};
use sultan_domain::{Analysis, TableId};
use sultan_store::StoreError;

use crate::ServiceError;
use crate::compute_pool::ComputePool;
use crate::node_message::{AnalysisMessage, NodeMessage};
use crate::registry::Registry;
use crate::sync::locked;
use crate::table::Table;

/// Seeds the randomness of every analysis. `sultan analyze` has the same default, so both give the same result.
const SEED: u64 = 1;
/// The capacity of the queue. A further game is not queued, but its client repeats the request.
const MAX_WAITING_GAMES: usize = 64;
/// The maximum number of games on other nodes for which the last reported progress is kept.
const MAX_FORWARDED_GAMES: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");
/// One pause of the analysis while the compute pool is busy.
const PAUSE: Duration = Duration::from_millis(1);
/// The maximum number of pauses in a row. After them the analysis continues for a short time: it must finish even if
/// the compute pool is always busy.
const MAX_PAUSES: u32 = 50;

/// The analysis of a game.
#[derive(Clone, Debug)]
pub enum AnalysisState {
    /// The analysis is finished and stored.
    Done(Box<Analysis>),
    /// The analysis waits in the queue, or runs.
    Underway(AnalysisProgress),
}

/// The progress of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnalysisProgress {
    /// Games queued or running before this game.
    pub ahead: usize,
    /// The number of finished steps.
    pub done: usize,
    /// The number of all steps; zero before the analysis has started.
    pub total: usize,
}

/// Analyses finished games one after another. Clones share the queue.
#[derive(Clone)]
pub(crate) struct AnalysisQueue(Arc<Shared>);

struct Shared {
    registry: Registry,
    queue: Mutex<Queue>,
    /// The progress of games that were requested here and are analysed by other nodes, as last reported.
    forwarded: Mutex<LruCache<TableId, AnalysisProgress>>,
    /// Whether the running analysis and all waiting analyses must stop.
    is_stopped: Arc<AtomicBool>,
}

/// Stops the running analysis when the service is dropped.
impl Drop for Shared {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// The waiting games, and the game that is being analysed.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<TableId>,
    running: Option<(TableId, RunningProgress)>,
    /// Whether a task processes the queue.
    has_worker: bool,
}

/// The progress of the running analysis, written by its threads.
type RunningProgress = Arc<Mutex<AnalysisProgress>>;

impl Queue {
    /// The progress of a running or waiting game.
    fn progress(&self, table: TableId) -> Option<AnalysisProgress> {
        if let Some((_, progress)) = self.running.as_ref().filter(|(running, _)| *running == table) {
            return Some(*locked(progress));
        }
        let index = self.waiting.iter().position(|&waiting| waiting == table)?;
        Some(AnalysisProgress { ahead: index + usize::from(self.running.is_some()), ..AnalysisProgress::default() })
    }

    /// Adds a game, unless it is already queued or the queue is full. Returns its progress.
    fn add(&mut self, table: TableId) -> AnalysisProgress {
        if let Some(progress) = self.progress(table) {
            return progress;
        }
        let ahead = self.waiting.len() + usize::from(self.running.is_some());
        if self.waiting.len() < MAX_WAITING_GAMES {
            self.waiting.push_back(table);
        }
        AnalysisProgress { ahead, ..AnalysisProgress::default() }
    }

    /// Makes the first waiting game the running game. `None` if no game waits: then the worker task ends.
    fn start_next(&mut self) -> Option<(TableId, RunningProgress)> {
        self.running = self.waiting.pop_front().map(|table| (table, Arc::default()));
        self.has_worker = self.running.is_some();
        self.running.clone()
    }
}

/// Pauses the analysis while the compute pool is busy, up to [`MAX_PAUSES`] times. The analysis calls this between its
/// steps, and stops if it returns true.
fn pause_while_busy(compute: &ComputePool, is_stopped: &AtomicBool) -> bool {
    for _ in 0..MAX_PAUSES {
        if is_stopped.load(Ordering::Relaxed) || !compute.is_busy() {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    is_stopped.load(Ordering::Relaxed)
}

impl AnalysisQueue {
    pub(crate) fn new(registry: Registry) -> Self {
        let forwarded = Mutex::new(LruCache::new(MAX_FORWARDED_GAMES));
        Self(Arc::new(Shared { registry, queue: Mutex::default(), forwarded, is_stopped: Arc::default() }))
    }

    /// Stops the running analysis and all waiting analyses.
    pub(crate) fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The analysis of a finished game. If no analysis is stored yet, starts it on the node that runs the table.
    pub(crate) async fn analysis(&self, table: TableId) -> Result<AnalysisState, ServiceError> {
        let node = self.0.registry.node();
        // Rejects a game that has no record.
        self.0.registry.read_finished(table, Table::record).await?;
        if let Some(json) = node.store.analysis(table).await? {
            locked(&self.0.forwarded).pop(&table);
            return Ok(AnalysisState::Done(serde_json::from_str(&json).map_err(|error| unreadable(table, &error))?));
        }
        let progress = if node.membership.runs(table) {
            self.start(table)
        } else {
            node.send_to_nodes(table, NodeMessage::Analysis(AnalysisMessage::Request));
            *locked(&self.0.forwarded).get_or_insert(table, AnalysisProgress::default)
        };
        Ok(AnalysisState::Underway(progress))
    }

    /// Handles the messages of other nodes. Never returns.
    pub(crate) async fn run(&self) {
        let node = self.0.registry.node();
        let mut messages = node.analysis_messages.subscribe();
        loop {
            // The only possible error is that too many messages have arrived, so that some were dropped.
            let Ok((table, message)) = messages.recv().await else { continue };
            match message {
                AnalysisMessage::Request if node.membership.runs(table) => {
                    let progress = self.start(table);
                    node.send_to_nodes(table, NodeMessage::Analysis(AnalysisMessage::Progress(progress)));
                }
                // Every node gets the request; the node that runs the table answers.
                AnalysisMessage::Request => {}
                AnalysisMessage::Progress(progress) => {
                    if let Some(last_reported) = locked(&self.0.forwarded).peek_mut(&table) {
                        *last_reported = progress;
                    }
                }
            }
        }
    }

    /// Queues a game, and starts a task that processes the queue unless one exists.
    fn start(&self, table: TableId) -> AnalysisProgress {
        let mut queue = locked(&self.0.queue);
        let progress = queue.add(table);
        if !std::mem::replace(&mut queue.has_worker, true) {
            tokio::spawn(process_queue(Arc::downgrade(&self.0)));
        }
        progress
    }
}

/// Analyses the waiting games one after another. Holds only a weak reference to the queue while a game is analysed, so
/// the service can be dropped during the analysis, which stops it.
async fn process_queue(queue: Weak<Shared>) {
    while let Some(shared) = queue.upgrade() {
        let next = locked(&shared.queue).start_next();
        let Some((table, progress)) = next else { return };
        let (registry, is_stopped) = (shared.registry.clone(), Arc::clone(&shared.is_stopped));
        drop(shared);
        match analyse_and_store(&registry, is_stopped, table, progress).await {
            Ok(true) => tracing::debug!(%table, "analysis stored"),
            Ok(false) => tracing::debug!(%table, "analysis stopped; the next request starts it again"),
            Err(error) => tracing::error!(%table, %error, "analysis failed; the next request starts it again"),
        }
    }
}

/// Analyses a game and stores the result. Returns false if the analysis was stopped before its end.
async fn analyse_and_store(
    registry: &Registry,
    is_stopped: Arc<AtomicBool>,
    table: TableId,
    progress: RunningProgress,
) -> Result<bool, ServiceError> {
    let node = registry.node();
    if node.store.analysis(table).await?.is_some() {
        // The game was queued again by a request that arrived just before its analysis was stored.
        return Ok(true);
    }
    let record = registry.read_finished(table, Table::record).await?;
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let plan = Plan { playouts: node.settings.playouts, ..Plan::new(SEED, jobs) };
    let analysing_registry = registry.clone();
    let run_analysis = move || {
        let progress = |done, total| *locked(&progress) = AnalysisProgress { ahead: 0, done, total };
        let stop = || pause_while_busy(&analysing_registry.node().compute, &is_stopped);
        analyse(&record, &plan, &Watch { progress: &progress, stop: &stop })
    };
    match tokio::task::spawn_blocking(run_analysis).await.map_err(|error| unreadable(table, &error))? {
        Ok(analysis) => {
            let json = serde_json::to_string(&analysis).map_err(|error| unreadable(table, &error))?;
            node.store.store_analysis(table, json).await?;
            Ok(true)
        }
        Err(AnalysisError::Stopped) => Ok(false),
        Err(error) => Err(unreadable(table, &error).into()),
    }
}

/// The error if a game cannot be analysed, or its analysis cannot be written as JSON or read.
fn unreadable(table: TableId, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unreadable { table, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use sultan_testkit::Backend;

    use super::*;
    use crate::Settings;
    use crate::node::{MAX_WAITING_ANALYSIS_MESSAGES, NodeContext};

    async fn empty_queue() -> (Backend, AnalysisQueue) {
        let backend = Backend::sqlite();
        let node = NodeContext::new(backend.open().await, Settings::default());
        (backend, AnalysisQueue::new(Registry::new(node)))
    }

    #[test]
    fn full_queue_takes_no_game_and_progress_counts_the_games_ahead() {
        let mut queue = Queue::default();
        let waiting = |ahead| AnalysisProgress { ahead, ..AnalysisProgress::default() };
        // One table more than the queue has room for.
        let tables: Vec<TableId> = (0..=MAX_WAITING_GAMES as u64).map(TableId::new).collect();
        for (index, &table) in tables.iter().enumerate() {
            assert_eq!(queue.add(table), waiting(index));
        }
        assert_eq!(queue.progress(tables[MAX_WAITING_GAMES]), None, "the queue was full");
        let (running, progress) = queue.start_next().unwrap();
        locked(&progress).total = 9;
        assert_eq!(running, tables[0]);
        assert_eq!(queue.add(tables[0]), AnalysisProgress { ahead: 0, done: 0, total: 9 });
        assert_eq!(queue.add(tables[3]), waiting(3));
        assert_eq!(queue.add(tables[MAX_WAITING_GAMES]), waiting(MAX_WAITING_GAMES), "a slot is free again");
        assert_eq!(queue.waiting.len(), MAX_WAITING_GAMES, "nothing was added twice");
        while queue.start_next().is_some() {}
        assert!(!queue.has_worker);
    }

    #[tokio::test]
    async fn request_of_another_node_is_handled_after_too_many_messages() {
        let (_backend, queue) = empty_queue().await;
        // While its table is locked, the analysis cannot end, so the last loop cannot miss its progress.
        let _lock = queue.0.registry.lock(TableId::new(1)).await;
        let messages = queue.0.registry.node().analysis_messages.clone();
        let running_queue = queue.clone();
        tokio::spawn(async move { running_queue.run().await });
        tokio::task::yield_now().await;
        // More messages than the buffer holds.
        for _ in 0..2 * MAX_WAITING_ANALYSIS_MESSAGES {
            messages.send((TableId::new(2), AnalysisMessage::Progress(AnalysisProgress::default()))).unwrap();
        }
        messages.send((TableId::new(1), AnalysisMessage::Request)).unwrap();
        while queue.0.queue.lock().unwrap().progress(TableId::new(1)).is_none() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn analysis_pauses_while_players_act_until_it_is_stopped() {
        let (_backend, queue) = empty_queue().await;
        let compute = &queue.0.registry.node().compute;
        assert!(!pause_while_busy(compute, &queue.0.is_stopped), "the analysis was not stopped");
        let foreground = compute.foreground();
        let started = std::time::Instant::now();
        assert!(!pause_while_busy(compute, &queue.0.is_stopped), "the analysis must continue after its pauses");
        assert!(started.elapsed() >= PAUSE * MAX_PAUSES, "the analysis paused for only {:?}", started.elapsed());
        drop(foreground);
        assert!(!compute.is_busy());
        queue.stop();
        assert!(pause_while_busy(compute, &queue.0.is_stopped), "the analysis must stop");
    }

    #[tokio::test]
    async fn analysis_stops_when_the_service_is_dropped() {
        let (_backend, queue) = empty_queue().await;
        let is_stopped = Arc::clone(&queue.0.is_stopped);
        // While the table is locked, the analysis cannot end, so the loop below cannot miss that it runs.
        let _lock = queue.0.registry.lock(TableId::new(1)).await;
        queue.start(TableId::new(1));
        while queue.0.queue.lock().unwrap().running.is_none() {
            tokio::task::yield_now().await;
        }
        drop(queue);
        assert!(is_stopped.load(Ordering::Relaxed), "the worker task keeps the queue in memory");
    }
}
