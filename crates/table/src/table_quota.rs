//! What is kept here for others, and how much of it: tables that are open and over, browsers of a seat, promises.

use sultan_domain::{Commitment, Seat, ServerSeed};
use sultan_store::{EventRecord, VisitorHash};

use crate::service::{Inner, Service};
use crate::table::{Guest, Table};
use crate::{Rejection, ServiceError};

/// How long a promise is kept for its host.
const PROMISE_MS: i64 = 10 * 60 * 1000;
/// So long the number of open tables is not asked for again.
const COUNTED_MS: i64 = 5000;
/// So long after a game its changes are left as they are: those who played often go on to a rematch, or come to see the end.
const SETTLED_MS: i64 = 10_000;
/// The most browsers that may know a seat by its link.
const LINKS: usize = 32;

/// How many tables were open when they were counted last, with those opened here since.
#[derive(Default)]
pub(crate) struct TableQuota(tokio::sync::Mutex<Option<Counted>>);

struct Counted {
    at_ms: i64,
    open: u64,
}

impl Inner {
    /// Makes sure that there may be one table more.
    pub(crate) async fn has_room(&self) -> Result<(), ServiceError> {
        // Whoever comes meanwhile waits for the same number.
        let mut room = self.room.0.lock().await;
        let (now, most) = (self.now_ms(), self.settings.most_tables);
        let counted = room.take().filter(|counted| (0..COUNTED_MS).contains(&(now - counted.at_ms)));
        let counted = match counted {
            Some(counted) => counted,
            None => Counted { at_ms: now, open: self.store.open_tables(most).await? },
        };
        let full = counted.open >= u64::from(most);
        *room = Some(Counted { open: counted.open + u64::from(!full), ..counted });
        if full { Err(Rejection::Full.into()) } else { Ok(()) }
    }

    /// The server's seed of a new table: the one that was promised, or a fresh one. A promise is good once.
    pub(crate) async fn promised(&self, promise: Option<Commitment>) -> Result<ServerSeed, ServiceError> {
        let Some(commitment) = promise else { return Ok(ServerSeed((self.settings.random_bytes)())) };
        let kept = self.store.take_promise(commitment, self.now_ms() - PROMISE_MS).await?;
        Ok(kept.ok_or(Rejection::NoSuchCommitment)?.server_seed)
    }
}

impl Service {
    /// Forgets promises that are too old, from time to time. Does not come back.
    pub(crate) async fn forget_promises(&self) {
        let inner = &self.0;
        loop {
            let now = inner.now_ms();
            if let Err(error) = inner.store.forget_promises(now - PROMISE_MS).await {
                tracing::error!(%error, "old promises could not be forgotten");
            }
            (inner.settings.sleep_until)(now + PROMISE_MS).await;
        }
    }
}

impl Service {
    /// Keeps what happened in games that are over in less room. Says how many games it was done for.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when the store does not.
    pub async fn merge_before(&self, before_ms: i64) -> Result<u64, ServiceError> {
        const PAGE: u32 = 100;
        let mut all = 0;
        loop {
            let some = self.0.store.merge(before_ms, PAGE).await?;
            all += some;
            // Some of a page may have changed just now, or another node was faster.
            if some == 0 {
                return Ok(all);
            }
        }
    }

    /// Does so from time to time, first with what the program left when it ended last. Does not come back.
    pub(crate) async fn merge_settled(&self) {
        let inner = &self.0;
        loop {
            let now = inner.now_ms();
            match self.merge_before(now - SETTLED_MS).await {
                Ok(0) => {}
                Ok(tables) => tracing::debug!(tables, "games that are over were merged"),
                Err(error) => tracing::error!(%error, "games that are over could not be merged"),
            }
            (inner.settings.sleep_until)(now + SETTLED_MS).await;
        }
    }
}

impl Table {
    /// A browser has a seat, as its link proves.
    pub(crate) fn link(&self, seat: Seat, visitor: VisitorHash) -> Result<Vec<EventRecord>, Rejection> {
        let known = self.guest(seat).map_or(&[][..], |guest| &guest.visitors);
        if known.contains(&visitor) {
            return Ok(Vec::new());
        }
        if known.len() >= LINKS {
            Err(Rejection::TooManyLinks)
        } else {
            Ok(vec![EventRecord::Linked { seat, visitor }])
        }
    }
}

impl Guest {
    /// The browsers that also have the seat in a rematch: those that came last, so that there is room for more.
    pub(crate) fn visitors_of_rematch(&self) -> &[VisitorHash] {
        &self.visitors[self.visitors.len().saturating_sub(LINKS / 2)..]
    }
}
