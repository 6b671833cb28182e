//! Time limits for all queries. When a query times out, its connection is closed.

use std::io;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::StoreError;

/// Time limit for one query, including the wait for a connection. After a timeout it is unknown whether the database
/// has executed the query.
pub(crate) const QUERY_TIMEOUT: Duration = Duration::from_secs(5);

/// The error of a query that took too long.
pub(crate) fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time"))
}

/// Waits for a query that runs in its own task. A panic of the task continues in the caller.
pub(crate) async fn join<T>(query: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    match query.await {
        Ok(result) => result,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The task was cancelled, because the runtime is shutting down.
        Err(_) => Err(StoreError::Closed),
    }
}

/// Runs a block with a connection of the store's pool, within [`QUERY_TIMEOUT`].
///
/// The block runs in its own task, so that it ends even if the caller is cancelled: the connection is then either
/// returned to the pool in a usable state or closed. Otherwise stalled connections would use up the pool.
///
/// After any error the connection is closed too: when the disk is full, SQLite rolls a transaction back by itself, and
/// the connection object would still assume that it is inside a transaction.
macro_rules! with_deadline {
    ($store:expr, |$connection:ident| $work:block) => {{
        let pool = $store.pool.clone();
        Box::pin(crate::deadline::join(tokio::spawn(async move {
            let deadline = tokio::time::Instant::now() + crate::deadline::QUERY_TIMEOUT;
            let acquired = tokio::time::timeout_at(deadline, pool.acquire()).await;
            let mut pooled = acquired.map_err(|_| crate::deadline::timed_out())??;
            let $connection = &mut *pooled;
            let timed_out = |_| Err(crate::deadline::timed_out().into());
            let result = tokio::time::timeout_at(deadline, async { $work }).await.unwrap_or_else(timed_out);
            if result.is_err() {
                // A detached connection does not return to the pool: dropping it closes it.
                drop(pooled.detach());
            }
            result
        })))
    }};
}

/// Executes one statement that returns no rows, with [`with_deadline`].
macro_rules! execute_with_deadline {
    ($store:expr, $statement:expr) => {
        crate::deadline::with_deadline!($store, |connection| {
            $statement.execute(connection).await?;
            Ok(())
        })
    };
}

pub(crate) use {execute_with_deadline, with_deadline};

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn query_aborted_at_shutdown_returns_closed_and_does_not_panic() {
        let query = tokio::spawn(std::future::pending::<Result<(), StoreError>>());
        query.abort();
        let result = join(query).await;
        assert!(matches!(result, Err(StoreError::Closed)), "{result:?}");
    }

    #[tokio::test]
    #[should_panic(expected = "a mistake")]
    async fn panic_in_a_query_panics_in_the_caller() {
        let query = tokio::spawn(async { panic!("a mistake") });
        let _: Result<(), StoreError> = join(query).await;
    }
}
