//! A time limit for tests.

use std::time::Duration;

use anyhow::{Context, Result};

/// Runs a test on a new runtime, with a time limit.
///
/// # Errors
/// If the test fails or exceeds the time limit.
pub fn run_with_limit<T>(limit: Duration, test: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let result = runtime.block_on(async {
        tokio::time::timeout(limit, test)
            .await
            .with_context(|| format!("the test did not end within its time limit of {limit:?}"))?
    });
    // Do not wait for tasks that are still running.
    runtime.shutdown_background();
    result
}
