//! Limits the number of bots and coaches that think at the same time. While they think, background work (analyses) should
//! pause.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Semaphore;

/// Runs the computations of bots and coaches.
pub(crate) struct ComputePool {
    /// One permit per core. A thinking thread holds a permit.
    permits: Arc<Semaphore>,
    /// The number of [`ForegroundGuard`]s.
    foreground: Arc<AtomicUsize>,
}

impl Default for ComputePool {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { permits: Arc::new(Semaphore::new(cores)), foreground: Arc::default() }
    }
}

/// Background work pauses while such a guard exists.
pub(crate) struct ForegroundGuard(Arc<AtomicUsize>);

impl Drop for ForegroundGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ComputePool {
    /// Marks that a player acts or a bot thinks. Background work pauses until the guard is dropped.
    pub(crate) fn foreground(&self) -> ForegroundGuard {
        self.foreground.fetch_add(1, Ordering::Relaxed);
        ForegroundGuard(Arc::clone(&self.foreground))
    }

    /// Returns whether background work should pause.
    pub(crate) fn is_busy(&self) -> bool {
        self.foreground.load(Ordering::Relaxed) > 0
    }

    /// Runs `think` as soon as a permit is free. The permit is held until `think` returns, even if the caller is
    /// dropped, so there are never more thinking threads than permits.
    pub(crate) async fn run<T: Send + 'static>(&self, think: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let foreground = self.foreground();
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
        let thinking = tokio::task::spawn_blocking(move || {
            let _held_while_thinking = (foreground, permit);
            think()
        });
        thinking.await.ok()
    }
}
