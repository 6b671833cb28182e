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

use crate::nodes::LEASE_MS;
use crate::publish::locked;
use crate::service::Inner;
use crate::{Service, ServiceError};

/// The chance in every analysis comes from this: pages show what `sultan analyze` shows where nobody says otherwise.
const SEED: u64 = 1;
/// So many games may wait to be analysed; whoever asks for more asks again later.
const MOST_WAITING: usize = 64;
/// So long the analysis waits at a time while somebody plays.
const WAIT: Duration = Duration::from_millis(1);
/// So often a node says which games it has.
const RENEW: Duration = Duration::from_millis(500);
/// So often it waits before it goes on a little: where somebody always plays, it still comes to its end.
const WAITS: u32 = 50;

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

/// The games to be analysed, and whether somebody plays meanwhile.
#[derive(Default)]
pub(crate) struct Studies {
    queue: Mutex<Queue>,
    calm: Arc<Calm>,
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

/// What the analysis looks at to know whether it may go on.
#[derive(Default)]
struct Calm {
    /// How many people and bots wait for something just now.
    playing: AtomicUsize,
    ended: AtomicBool,
}

impl Calm {
    /// Leaves time to those who play. Says whether to stop altogether.
    fn stop(&self) -> bool {
        for _ in 0..WAITS {
            if self.ended.load(Ordering::Relaxed) || self.playing.load(Ordering::Relaxed) == 0 {
                break;
            }
            std::thread::sleep(WAIT);
        }
        self.ended.load(Ordering::Relaxed)
    }
}

/// Somebody plays, for as long as this is there.
pub(crate) struct Playing(Arc<Calm>);

impl Drop for Playing {
    fn drop(&mut self) {
        self.0.playing.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Nobody will ask for what is still being worked out.
impl Drop for Studies {
    fn drop(&mut self) {
        self.end();
    }
}

impl Studies {
    /// Somebody acts, or a bot thinks: the analysis waits meanwhile.
    pub(crate) fn playing(&self) -> Playing {
        self.calm.playing.fetch_add(1, Ordering::Relaxed);
        Playing(Arc::clone(&self.calm))
    }

    /// Stops all of it.
    pub(crate) fn end(&self) {
        self.calm.ended.store(true, Ordering::Relaxed);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        locked(&self.queue)
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
}

impl Service {
    /// The analysis of a game that is over. It is begun when somebody asks for it first, and kept.
    ///
    /// # Errors
    /// [`Rejection::NotOver`](crate::Rejection::NotOver) while the game is secret,
    /// [`Rejection::Branch`](crate::Rejection::Branch) where there is no record of it.
    pub async fn analysis(&self, table: TableId) -> Result<Studied, ServiceError> {
        self.record(table).await?;
        if let Some(json) = self.0.store.analysis(table).await? {
            let read = serde_json::from_str(&json);
            let unreadable = |error: serde_json::Error| StoreError::Unreadable { table, reason: error.to_string() };
            return Ok(Studied::Done(read.map_err(unreadable)?));
        }
        let inner = &self.0;
        let known = || inner.studies.progress(table);
        let waits = || Some(Progress { ahead: inner.studies.full()?, ..Progress::default() });
        let progress = if let Some(here) = known().or_else(waits) {
            here
        } else if let Some(elsewhere) = inner.claim(table).await? {
            elsewhere
        } else {
            inner.begin_study(table);
            known().unwrap_or_default()
        };
        Ok(Studied::Underway(progress))
    }

    /// Analyses a game. Says whether that came to its end, and was not stopped.
    async fn study(&self, table: TableId, steps: Arc<Steps>) -> Result<bool, ServiceError> {
        let record = self.record(table).await?;
        let calm = Arc::clone(&self.0.studies.calm);
        let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let plan = Plan { playouts: self.0.settings.playouts, ..Plan::new(SEED, jobs) };
        let work = move || {
            let progress = |done: usize, of: usize| {
                steps.done.store(done, Ordering::Relaxed);
                steps.of.store(of, Ordering::Relaxed);
            };
            analyse(&record, &plan, &Watch { progress: &progress, stop: &|| calm.stop() })
        };
        let unreadable = |reason: String| StoreError::Unreadable { table, reason };
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(analysis)) => {
                let json = serde_json::to_string(&analysis).map_err(|error| unreadable(error.to_string()))?;
                self.0.store.keep_analysis(table, json).await?;
                self.0.store.end_study(table).await?;
                Ok(true)
            }
            // Another node goes on with it, or this one after its next start.
            Ok(Err(AnalysisError::Stopped)) => Ok(false),
            Ok(Err(error)) => Err(unreadable(error.to_string()).into()),
            Err(error) => Err(unreadable(error.to_string()).into()),
        }
    }
}

impl Inner {
    /// Makes a game this node's, unless it is another's: then says how far that one has come.
    async fn claim(&self, table: TableId) -> Result<Option<Progress>, StoreError> {
        let (now, wanted) = (self.now_ms(), vec![Study { table, done: 0, of: 0 }]);
        let others = self.store.study(self.neighbours.own, wanted, now, now - LEASE_MS).await?;
        let progress = |study: &Study| Progress { ahead: 0, done: study.done as usize, of: study.of as usize };
        Ok(others.first().map(progress))
    }

    fn begin_study(self: &Arc<Self>, table: TableId) {
        if self.studies.enqueue(table) {
            let inner = Arc::clone(self);
            tokio::spawn(async move {
                tokio::select! {
                    () = inner.work_off() => {}
                    () = inner.keep_studies() => {}
                }
            });
        }
    }

    /// Goes on with games that a node had which has not said so since a time.
    pub(crate) async fn take_over_studies(self: &Arc<Self>, lapsed_ms: i64) {
        match self.store.take_over_studies(self.neighbours.own, self.now_ms(), lapsed_ms).await {
            Ok(tables) => tables.into_iter().for_each(|table| self.begin_study(table)),
            Err(error) => tracing::warn!(%error, "no games could be taken over for analysis"),
        }
    }

    async fn work_off(self: &Arc<Self>) {
        while let Some((table, steps)) = self.studies.next() {
            match Service(Arc::clone(self)).study(table, steps).await {
                Ok(true) => tracing::debug!(%table, "a game was analysed"),
                Ok(false) => tracing::debug!(%table, "the analysis of a game was stopped"),
                Err(error) => {
                    tracing::error!(%table, %error, "a game could not be analysed");
                    // Whoever asks for it again begins anew.
                    if let Err(error) = self.store.end_study(table).await {
                        tracing::warn!(%table, %error, "a game stays this node's for a while");
                    }
                }
            }
        }
    }

    /// Says which games this node has, for as long as it has some. Does not come back.
    async fn keep_studies(&self) {
        if self.store.nodes().is_none() {
            // Nobody else asks.
            std::future::pending::<()>().await;
        }
        loop {
            tokio::time::sleep(RENEW).await;
            let now = self.now_ms();
            if let Err(error) = self.store.study(self.neighbours.own, self.studies.all(), now, now - LEASE_MS).await {
                tracing::warn!(%error, "the database does not learn which games are analysed here");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_wait_and_each_knows_its_place() {
        let studies = Studies::default();
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

    #[test]
    fn an_analysis_goes_on_until_the_service_ends_and_waits_a_little_for_those_who_play() {
        let studies = Studies::default();
        let calm = Arc::clone(&studies.calm);
        assert!(!calm.stop());
        let playing = studies.playing();
        let begun = std::time::Instant::now();
        assert!(!calm.stop(), "it still comes to its end");
        assert!(begun.elapsed() >= WAIT * WAITS);
        drop(playing);
        assert_eq!(calm.playing.load(Ordering::Relaxed), 0);
        studies.end();
        assert!(calm.stop());
        // A service that is let go of without a word ends its work, too.
        let studies = Studies::default();
        let calm = Arc::clone(&studies.calm);
        drop(studies);
        assert!(calm.stop());
    }
}
