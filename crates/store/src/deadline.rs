//! Deadlines for all queries. When a query times out, its connection is closed.

use std::io;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::StoreError;

/// Time limit for one query, including the wait for a connection. After it, the connection is closed, and it is unknown
/// whether the query was executed.
pub(crate) const QUERY_TIMEOUT: Duration = Duration::from_secs(5);

/// The error of a query that took too long.
pub(crate) fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time"))
}

/// Waits for a query that runs as its own task.
pub(crate) async fn join<T>(query: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    match query.await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is shutting down.
        Err(_) => Err(StoreError::Closed),
    }
}

/// Runs a block with a connection of the store's pool, within [`QUERY_TIMEOUT`].
///
/// It runs as its own task: the caller may be cancelled at any time, and the connection is still either returned in
/// order or closed. Otherwise stalled connections would use up the pool. After any error the connection is closed too:
/// when the disk is full, SQLite rolls a transaction back by itself, and the connection would still assume that it is
/// inside a transaction.
macro_rules! with_deadline {
    ($store:expr, |$connection:ident| $work:block) => {{
        let pool = $store.pool.clone();
        Box::pin(crate::deadline::join(tokio::spawn(async move {
            let deadline = tokio::time::Instant::now() + crate::deadline::QUERY_TIMEOUT;
            let acquired = tokio::time::timeout_at(deadline, pool.acquire()).await;
            let mut $connection = acquired.map_err(|_| crate::deadline::timed_out())??;
            let timed_out = |_| Err(crate::deadline::timed_out().into());
            let result = tokio::time::timeout_at(deadline, async { $work }).await.unwrap_or_else(timed_out);
            if result.is_err() {
                drop($connection.detach());
            }
            result
        })))
    }};
}

pub(crate) use with_deadline;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn query_aborted_at_shutdown_is_an_error_and_no_panic() {
        let query = tokio::spawn(std::future::pending::<Result<(), StoreError>>());
        query.abort();
        let result = join(query).await;
        assert!(matches!(result, Err(StoreError::Closed)), "{result:?}");
    }

    #[tokio::test]
    #[should_panic(expected = "a mistake")]
    async fn panic_in_a_query_is_passed_on() {
        let query = tokio::spawn(async { panic!("a mistake") });
        let _: Result<(), StoreError> = join(query).await;
    }
}
