//! Limits the number of open tables.

use sultan_store::Store;

use crate::settings::Settings;
use crate::{Rejection, ServiceError};

/// How long a count of the open tables is used before they are counted again.
const COUNT_LIFETIME_MS: i64 = 5000;

/// The number of open tables at the last count, plus the tables opened on this node since.
#[derive(Default)]
pub(crate) struct TableQuota(tokio::sync::Mutex<Option<Count>>);

struct Count {
    at_ms: i64,
    open: u64,
}

impl TableQuota {
    /// Counts a new table.
    ///
    /// # Errors
    /// [`Rejection::Full`] if too many tables are open.
    pub(crate) async fn take(&self, store: &dyn Store, settings: &Settings) -> Result<(), ServiceError> {
        let (limit, now_ms) = (settings.max_open_tables, settings.now_ms());
        // Concurrent callers wait here for the same count.
        let mut last_count = self.0.lock().await;
        let recent = last_count.take().filter(|count| (0..COUNT_LIFETIME_MS).contains(&(now_ms - count.at_ms)));
        let count = match recent {
            Some(count) => count,
            None => Count { at_ms: now_ms, open: store.count_open_tables(limit).await? },
        };
        let is_free = count.open < u64::from(limit);
        *last_count = Some(Count { open: count.open + u64::from(is_free), ..count });
        if is_free { Ok(()) } else { Err(Rejection::Full.into()) }
    }
}
