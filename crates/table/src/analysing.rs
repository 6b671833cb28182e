//! The analysis of finished games: one after the other, in the background, and only while nobody at a table waits for anything.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sultan_bots::analysis::{AnalysisError, Plan, Watch, analyse};
use sultan_domain::{Analysis, TableId};
use sultan_store::StoreError;

use crate::service::Inner;
use crate::{Service, Trouble};

/// The chance in every analysis comes from this: pages show what `sultan analyze` shows where nobody says otherwise.
const SEED: u64 = 1;
/// So many games may wait to be analysed; whoever asks for more asks again later.
const MOST_WAITING: usize = 64;
/// So long the analysis waits at a time while somebody plays.
const WAIT: Duration = Duration::from_millis(1);
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
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a game's turn. Says how far it is, and whether somebody must begin to work.
    fn ask(&self, table: TableId) -> (Progress, bool) {
        let mut queue = self.queue();
        if let Some((_, steps)) = queue.running.as_ref().filter(|(running, _)| *running == table) {
            let [done, of] = [&steps.done, &steps.of].map(|count| count.load(Ordering::Relaxed));
            return (Progress { ahead: 0, done, of }, false);
        }
        let place = queue.waiting.iter().position(|&waiting| waiting == table);
        let ahead = place.unwrap_or(queue.waiting.len()) + usize::from(queue.running.is_some());
        if place.is_none() && queue.waiting.len() < MOST_WAITING {
            queue.waiting.push_back(table);
        }
        let begin = !std::mem::replace(&mut queue.worked_off, true);
        (Progress { ahead, ..Progress::default() }, begin)
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
    /// [`Refused::NotOver`](crate::Refused) while the game is secret.
    pub async fn analysis(&self, table: TableId) -> Result<Studied, Trouble> {
        self.record(table).await?;
        if let Some(json) = self.0.store.analysis(table).await? {
            let read = serde_json::from_str(&json);
            let unreadable = |error: serde_json::Error| StoreError::Unreadable { table, reason: error.to_string() };
            return Ok(Studied::Done(read.map_err(unreadable)?));
        }
        let (progress, begin) = self.0.studies.ask(table);
        if begin {
            tokio::spawn(Self::work_off(Arc::clone(&self.0)));
        }
        Ok(Studied::Underway(progress))
    }

    async fn work_off(inner: Arc<Inner>) {
        while let Some((table, steps)) = inner.studies.next() {
            match Self(Arc::clone(&inner)).study(table, steps).await {
                Ok(()) => tracing::debug!(%table, "a game was analysed"),
                Err(error) => tracing::error!(%table, %error, "a game could not be analysed"),
            }
        }
    }

    async fn study(&self, table: TableId, steps: Arc<Steps>) -> Result<(), Trouble> {
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
                Ok(self.0.store.keep_analysis(table, json).await?)
            }
            Ok(Err(AnalysisError::Stopped)) => Ok(()),
            Ok(Err(error)) => Err(unreadable(error.to_string()).into()),
            Err(error) => Err(unreadable(error.to_string()).into()),
        }
    }
}
