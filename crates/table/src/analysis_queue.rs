//! The analysis of finished games: one after the other, in the background, and only while nobody at a table waits for anything.
//! Where several nodes share a database, each game is one node's; when that one dies, another goes on with it.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use sultan_analysis::{AnalysisError, Plan, Watch, analyse};
use sultan_domain::{Analysis, TableId};
use sultan_store::{StoreError, Study};

use crate::ServiceError;
use crate::cluster::NODE_LEASE_MS;
use crate::node::NodeContext;
use crate::registry::Registry;
use crate::sync::locked;
use crate::table::Table;

/// The chance in every analysis comes from this: pages show what `sultan analyze` shows where nobody says otherwise.
const SEED: u64 = 1;
/// So many games may wait to be analysed; whoever asks for more asks again later.
const MOST_WAITING: usize = 64;
/// One pause of the analysis while somebody plays.
const PAUSE: Duration = Duration::from_millis(1);
/// So often a node says which games it has.
const RENEW: Duration = Duration::from_millis(500);
/// How often a node looks for analyses of dead nodes.
const TAKE_OVER_INTERVAL: Duration = Duration::from_secs(1);
/// Pauses before the analysis goes on a little: even if somebody always plays, it comes to its end.
const MAX_PAUSES: u32 = 50;

/// The analysis of a game.
#[derive(Clone, Debug)]
pub enum Studied {
    /// It is there.
    Done(Box<Analysis>),
    /// It will be.
    Underway(Progress),
}

/// How far an analysis has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many games come before it.
    pub ahead: usize,
    /// How many steps are done.
    pub done: usize,
    /// How many there are; none before it has begun.
    pub of: usize,
}

/// Analyses finished games one after the other. Copies are the same queue.
#[derive(Clone)]
pub(crate) struct AnalysisQueue(Arc<Shared>);

struct Shared {
    registry: Registry,
    node: Arc<NodeContext>,
    queue: Mutex<Queue>,
    throttle: Arc<Throttle>,
}

/// Nobody will ask for the result.
impl Drop for Shared {
    fn drop(&mut self) {
        self.throttle.stop();
    }
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<TableId>,
    running: Option<(TableId, Arc<Steps>)>,
    /// Whether there is a task that works it off.
    worked_off: bool,
}

#[derive(Default)]
struct Steps {
    done: AtomicUsize,
    of: AtomicUsize,
}

impl Steps {
    /// How many are done, and how many there are.
    fn counts(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed))
    }
}

/// Pauses the analysis while people play, and stops it.
struct Throttle {
    node: Arc<NodeContext>,
    stopped: AtomicBool,
}

impl Throttle {
    /// Waits a little while somebody plays. Returns whether to stop altogether.
    fn pause(&self) -> bool {
        for _ in 0..MAX_PAUSES {
            if self.is_stopped() || !self.node.compute.is_busy() {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl AnalysisQueue {
    pub(crate) fn new(registry: Registry, node: Arc<NodeContext>) -> Self {
        let throttle = Arc::new(Throttle { node: Arc::clone(&node), stopped: AtomicBool::new(false) });
        Self(Arc::new(Shared { registry, node, queue: Mutex::default(), throttle }))
    }

    /// Stops the analysis that is running, and those that wait.
    pub(crate) fn stop(&self) {
        self.0.throttle.stop();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        locked(&self.0.queue)
    }

    /// How far a game is that has its place here.
    fn progress(&self, table: TableId) -> Option<Progress> {
        let queue = self.queue();
        if let Some((_, steps)) = queue.running.as_ref().filter(|(running, _)| *running == table) {
            let (done, of) = steps.counts();
            return Some(Progress { ahead: 0, done, of });
        }
        let place = queue.waiting.iter().position(|&waiting| waiting == table)?;
        Some(Progress { ahead: place + usize::from(queue.running.is_some()), ..Progress::default() })
    }

    /// How many games have their place here, where there is none for more.
    fn full(&self) -> Option<usize> {
        let waiting = self.queue().waiting.len();
        (waiting >= MOST_WAITING).then_some(waiting + 1)
    }

    /// Gives a game its place. Says whether somebody must begin to work.
    fn enqueue(&self, table: TableId) -> bool {
        let mut queue = self.queue();
        let running = queue.running.as_ref().is_some_and(|(running, _)| *running == table);
        if !running && !queue.waiting.contains(&table) {
            queue.waiting.push_back(table);
        }
        !std::mem::replace(&mut queue.worked_off, true)
    }

    /// All games that have their place here, and how far they are.
    fn all(&self) -> Vec<Study> {
        let queue = self.queue();
        let running = queue.running.iter().map(|(table, steps)| {
            let [done, of] = <[usize; 2]>::from(steps.counts()).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
            Study { table: *table, done, of }
        });
        running.chain(queue.waiting.iter().map(|&table| Study { table, done: 0, of: 0 })).collect()
    }

    /// The next game, if there is one.
    fn next(&self) -> Option<(TableId, Arc<Steps>)> {
        let mut queue = self.queue();
        queue.running = queue.waiting.pop_front().map(|table| (table, Arc::default()));
        queue.worked_off = queue.running.is_some();
        queue.running.clone()
    }

    /// The analysis of a game that is over. It is begun when somebody asks for it first, and kept.
    pub(crate) async fn analysis(&self, table: TableId) -> Result<Studied, ServiceError> {
        self.0.registry.read_finished(table, Table::record).await?;
        if let Some(json) = self.0.node.store.analysis(table).await? {
            let read = serde_json::from_str(&json);
            let unreadable = |error: serde_json::Error| StoreError::Unreadable { table, reason: error.to_string() };
            return Ok(Studied::Done(read.map_err(unreadable)?));
        }
        let known = || self.progress(table);
        let waits = || Some(Progress { ahead: self.full()?, ..Progress::default() });
        let progress = if let Some(here) = known().or_else(waits) {
            here
        } else if let Some(elsewhere) = self.claim(table).await? {
            elsewhere
        } else {
            self.begin_study(table);
            known().unwrap_or_default()
        };
        Ok(Studied::Underway(progress))
    }

    /// Analyses a game. Says whether that came to its end, and was not stopped.
    async fn study(&self, table: TableId, steps: Arc<Steps>) -> Result<bool, ServiceError> {
        let record = self.0.registry.read_finished(table, Table::record).await?;
        let throttle = Arc::clone(&self.0.throttle);
        let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let plan = Plan { playouts: self.0.node.settings.playouts, ..Plan::new(SEED, jobs) };
        let work = move || {
            let progress = |done: usize, of: usize| {
                steps.done.store(done, Ordering::Relaxed);
                steps.of.store(of, Ordering::Relaxed);
            };
            analyse(&record, &plan, &Watch { progress: &progress, stop: &|| throttle.pause() })
        };
        let unreadable = |reason: String| StoreError::Unreadable { table, reason };
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(analysis)) => {
                let json = serde_json::to_string(&analysis).map_err(|error| unreadable(error.to_string()))?;
                self.0.node.store.keep_analysis(table, json).await?;
                self.0.node.store.end_study(table).await?;
                Ok(true)
            }
            // Another node goes on with it, or this one after its next start.
            Ok(Err(AnalysisError::Stopped)) => Ok(false),
            Ok(Err(error)) => Err(unreadable(error.to_string()).into()),
            Err(error) => Err(unreadable(error.to_string()).into()),
        }
    }

    /// Makes a game this node's, unless it is another's: then says how far that one has come.
    async fn claim(&self, table: TableId) -> Result<Option<Progress>, StoreError> {
        let (now, wanted) = (self.0.node.now_ms(), vec![Study { table, done: 0, of: 0 }]);
        let others = self.0.node.store.study(self.0.node.membership.own(), wanted, now, now - NODE_LEASE_MS).await?;
        let progress = |study: &Study| Progress { ahead: 0, done: study.done as usize, of: study.of as usize };
        Ok(others.first().map(progress))
    }

    fn begin_study(&self, table: TableId) {
        if self.enqueue(table) {
            let queue = self.clone();
            tokio::spawn(async move {
                tokio::select! {
                    () = queue.work_off() => {}
                    () = queue.keep_studies() => {}
                }
            });
        }
    }

    /// Continues the analyses that a former process or a dead node left unfinished. Returns at once if there cannot be
    /// other nodes, otherwise never.
    pub(crate) async fn run(&self) {
        if self.0.node.store.nodes().is_none() {
            return self.take_over_studies(i64::MAX).await;
        }
        loop {
            self.take_over_studies(self.0.node.now_ms() - NODE_LEASE_MS).await;
            tokio::time::sleep(TAKE_OVER_INTERVAL).await;
        }
    }

    /// Goes on with games that a node had which has not said so since a time.
    async fn take_over_studies(&self, lapsed_ms: i64) {
        match self.0.node.store.take_over_studies(self.0.node.membership.own(), self.0.node.now_ms(), lapsed_ms).await {
            Ok(tables) => tables.into_iter().for_each(|table| self.begin_study(table)),
            Err(error) => tracing::warn!(%error, "no games could be taken over for analysis"),
        }
    }

    async fn work_off(&self) {
        while let Some((table, steps)) = self.next() {
            match self.study(table, steps).await {
                Ok(true) => tracing::debug!(%table, "a game was analysed"),
                Ok(false) => tracing::debug!(%table, "the analysis of a game was stopped"),
                Err(error) => {
                    tracing::error!(%table, %error, "a game could not be analysed");
                    // Whoever asks for it again begins anew.
                    if let Err(error) = self.0.node.store.end_study(table).await {
                        tracing::warn!(%table, %error, "a game stays this node's for a while");
                    }
                }
            }
        }
    }

    /// Says which games this node has, for as long as it has some. Does not come back.
    async fn keep_studies(&self) {
        if self.0.node.store.nodes().is_none() {
            // Nobody else asks.
            std::future::pending::<()>().await;
        }
        loop {
            tokio::time::sleep(RENEW).await;
            let now = self.0.node.now_ms();
            if let Err(error) =
                self.0.node.store.study(self.0.node.membership.own(), self.all(), now, now - NODE_LEASE_MS).await
            {
                tracing::warn!(%error, "the database does not learn which games are analysed here");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sultan_testkit::Backend;

    use super::*;
    use crate::Settings;

    async fn queue() -> (Backend, AnalysisQueue) {
        let backend = Backend::sqlite();
        let node = Arc::new(NodeContext::new(backend.open().await, Settings::default()));
        (backend, AnalysisQueue::new(Registry::new(Arc::clone(&node)), node))
    }

    #[tokio::test]
    async fn only_so_many_wait_and_each_knows_its_place() {
        let (_backend, studies) = queue().await;
        let tables: Vec<TableId> = (0..MOST_WAITING as u64).map(TableId::new).collect();
        assert!(studies.enqueue(tables[0]), "somebody must begin");
        for &table in &tables[1..] {
            assert_eq!(studies.full(), None);
            assert!(!studies.enqueue(table), "somebody has begun");
        }
        assert_eq!(studies.full(), Some(MOST_WAITING + 1));
        let (running, steps) = studies.next().unwrap();
        steps.of.store(9, Ordering::Relaxed);
        assert_eq!((running, studies.full()), (tables[0], None), "there is room again");
        assert_eq!(studies.progress(tables[0]), Some(Progress { ahead: 0, done: 0, of: 9 }));
        assert_eq!(studies.progress(tables[3]), Some(Progress { ahead: 3, ..Progress::default() }));
        assert_eq!(studies.progress(TableId::new(999)), None);
        // Asking again changes nothing.
        studies.enqueue(tables[0]);
        studies.enqueue(tables[3]);
        assert_eq!(studies.all().len(), MOST_WAITING);
        while studies.next().is_some() {}
        assert!(studies.enqueue(tables[0]), "nobody works any more");
    }

    #[tokio::test]
    async fn analysis_pauses_for_players_and_runs_until_it_is_stopped() {
        let (_backend, queue) = queue().await;
        let throttle = Arc::clone(&queue.0.throttle);
        assert!(!throttle.pause());
        let playing = queue.0.node.compute.foreground();
        let begun = std::time::Instant::now();
        assert!(!throttle.pause(), "it still comes to its end");
        assert!(begun.elapsed() >= PAUSE * MAX_PAUSES);
        drop(playing);
        assert!(!queue.0.node.compute.is_busy());
        queue.stop();
        assert!(throttle.pause());
    }

    #[tokio::test]
    async fn analysis_stops_when_the_service_is_dropped() {
        let (_backend, queue) = queue().await;
        let throttle = Arc::clone(&queue.0.throttle);
        drop(queue);
        assert!(throttle.pause());
    }
}
