//! Asking a database that may stall: whoever asks is answered in time, and a connection that does not answer is given up.

use std::io;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::StoreError;

/// So long a database may take. A connection that is silent for longer is closed, and what it was asked for may be done or not.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// What is said of a database that took too long.
pub(crate) fn late() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time"))
}

/// Waits for what was begun.
pub(crate) async fn answered<T>(begun: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
    match begun.await {
        Ok(answer) => answer,
        Err(broken) if broken.is_panic() => std::panic::resume_unwind(broken.into_panic()),
        // The program ends.
        Err(_) => Err(StoreError::Closed),
    }
}

/// Asks on a connection of a store's pool, as a task of its own: whoever asked may go away meanwhile, and still the connection is
/// either given back in order or closed. Otherwise those that stall would use up the pool. So is one on which something failed:
/// where the disk is full, SQLite takes a transaction back by itself, and the connection takes itself to be in it for ever.
macro_rules! timely {
    ($store:expr, $patience:expr, |$connection:ident| $work:block) => {{
        let pool = $store.pool.clone();
        Box::pin(crate::timely::answered(tokio::spawn(async move {
            // Whoever waits for a connection waits for the answer already.
            let deadline = tokio::time::Instant::now() + $patience;
            let acquired = tokio::time::timeout_at(deadline, pool.acquire()).await;
            let mut $connection = acquired.map_err(|_| crate::timely::late())??;
            let late = |_| Err(crate::timely::late().into());
            let answer = tokio::time::timeout_at(deadline, async { $work }).await.unwrap_or_else(late);
            if answer.is_err() {
                drop($connection.detach());
            }
            answer
        })))
    }};
    ($store:expr, |$connection:ident| $work:block) => {
        crate::timely::timely!($store, crate::timely::PATIENCE, |$connection| $work)
    };
}

pub(crate) use timely;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_broken_off_at_the_end_of_the_program_is_no_panic() {
        let begun = tokio::spawn(std::future::pending::<Result<(), StoreError>>());
        begun.abort();
        let answer = answered(begun).await;
        assert!(matches!(answer, Err(StoreError::Closed)), "{answer:?}");
    }

    #[tokio::test]
    #[should_panic(expected = "a mistake")]
    async fn a_mistake_is_not_hidden() {
        let begun = tokio::spawn(async { panic!("a mistake") });
        let _: Result<(), StoreError> = answered(begun).await;
    }
}
