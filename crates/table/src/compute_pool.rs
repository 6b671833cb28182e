//! Limits the number of bots and coaches that think at the same time. While they think, background work (analyses)
//! should pause.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// Runs the computations of bots and coaches.
pub(crate) struct ComputePool {
    /// One permit per core. A thinking thread holds a permit.
    permits: Arc<Semaphore>,
    /// Each guard is a clone of this value, so a reference count above one shows that guards exist.
    foreground: ForegroundGuard,
}

/// Background work pauses while such a guard exists.
pub(crate) type ForegroundGuard = Arc<()>;

impl Default for ComputePool {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { permits: Arc::new(Semaphore::new(cores)), foreground: Arc::default() }
    }
}

impl ComputePool {
    /// Marks that a player acts or a bot thinks. Background work pauses until the guard is dropped.
    pub(crate) fn foreground(&self) -> ForegroundGuard {
        Arc::clone(&self.foreground)
    }

    /// Returns whether background work should pause.
    pub(crate) fn is_busy(&self) -> bool {
        Arc::strong_count(&self.foreground) > 1
    }

    /// Runs `think` as soon as a permit is free. From its start, `think` has this time limit: its argument returns
    /// whether the time is over. `None` if `think` returns `None` or panics.
    ///
    /// The permit is held until `think` returns, even if the caller is dropped, so there are never more thinking
    /// threads than permits.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        time_limit: Duration,
        think: impl FnOnce(&dyn Fn() -> bool) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let foreground = self.foreground();
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        let thinking = tokio::task::spawn_blocking(move || {
            let _held_while_thinking = (foreground, permit);
            let started = Instant::now();
            think(&|| started.elapsed() > time_limit)
        });
        thinking.await.ok()?
    }
}
