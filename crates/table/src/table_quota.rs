//! Limits the number of open tables.

use sultan_store::Store;

use crate::settings::Settings;
use crate::{Rejection, ServiceError};

/// How long a count of the open tables is used before they are counted again.
const COUNT_LIFETIME_MS: i64 = 5000;

/// Knows the number of open tables from its last count.
#[derive(Default)]
pub(crate) struct TableQuota(tokio::sync::Mutex<Option<Count>>);

struct Count {
    /// When the store counted the tables.
    counted_ms: i64,
    /// The number of open tables at that time, plus the tables opened on this node since.
    open_tables: u64,
}

impl TableQuota {
    /// Adds a table that is about to be opened to the count.
    ///
    /// # Errors
    /// [`Rejection::Full`] if too many tables are open.
    pub(crate) async fn take(&self, store: &dyn Store, settings: &Settings) -> Result<(), ServiceError> {
        let (limit, now_ms) = (settings.max_open_tables, settings.now_ms());
        // Concurrent callers wait here for the same count.
        let mut last_count = self.0.lock().await;
        // A count from the future is not used either: the clock was set back.
        let recent = last_count.take().filter(|count| (0..COUNT_LIFETIME_MS).contains(&(now_ms - count.counted_ms)));
        let count = match recent {
            Some(count) => count,
            None => Count { counted_ms: now_ms, open_tables: store.count_open_tables(limit).await? },
        };
        let is_allowed = count.open_tables < u64::from(limit);
        *last_count = Some(Count { open_tables: count.open_tables + u64::from(is_allowed), ..count });
        if is_allowed { Ok(()) } else { Err(Rejection::Full.into()) }
    }
}
