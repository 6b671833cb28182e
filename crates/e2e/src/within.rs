//! Tests that wait for others: one that waits for ever fails.

use std::time::Duration;

use anyhow::{Context, Result};

/// Runs a test to its end, on a runtime of its own.
///
/// # Errors
/// When it fails, or does not end in time.
pub fn within<T>(limit: Duration, test: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(async {
        tokio::time::timeout(limit, test).await.with_context(|| format!("it does not end within {limit:?}"))?
    });
    // Whatever still waits is not waited for.
    runtime.shutdown_background();
    ended
}
