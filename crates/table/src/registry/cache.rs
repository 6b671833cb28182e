//! The tables in memory: all tables in use (for example watched), and a limited number of recently used tables (by
//! default 10,000). Above that limit the least recently used tables are evicted.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Weak};

use lru::LruCache;
use sultan_domain::TableId;

use super::LiveTable;

/// The tables in memory.
pub(super) struct TableCache {
    recent: LruCache<TableId, Arc<LiveTable>>,
    /// The recent tables and all tables in use. An evicted table that is still in use is found here, so no table is in
    /// memory twice. The entry of a dropped table stays until the next sweep, which removes such entries.
    all: HashMap<TableId, Weak<LiveTable>>,
    /// The number of entries in `all` at which the next sweep is due.
    sweep_at: usize,
}

/// No sweep is made for fewer entries than this.
const MIN_SWEEP_ENTRIES: usize = 1000;

impl TableCache {
    /// An empty cache. `capacity` is the maximum number of recently used tables.
    pub(super) fn new(capacity: NonZeroUsize) -> Self {
        Self { recent: LruCache::new(capacity), all: HashMap::new(), sweep_at: MIN_SWEEP_ENTRIES }
    }

    /// The entry of a table, added if it is missing. Marks the table as recently used.
    pub(super) fn get_or_insert(&mut self, table: TableId) -> Arc<LiveTable> {
        if let Some(live) = self.recent.get(&table) {
            return Arc::clone(live);
        }
        if self.all.len() >= self.sweep_at {
            self.all.retain(|_, live| live.strong_count() > 0);
            // All remaining entries may be in use, so the next sweep is due when their number has doubled.
            self.sweep_at = 2 * self.all.len() + MIN_SWEEP_ENTRIES;
        }
        let live = self.get(table).unwrap_or_default();
        self.all.insert(table, Arc::downgrade(&live));
        self.recent.put(table, Arc::clone(&live));
        live
    }

    /// The entry of a table that is recent or in use.
    pub(super) fn get(&self, table: TableId) -> Option<Arc<LiveTable>> {
        self.all.get(&table).and_then(Weak::upgrade)
    }

    /// Removes a table from the recent ones. It stays in memory only while it is in use.
    pub(super) fn remove(&mut self, table: TableId) {
        self.recent.pop(&table);
    }

    /// All tables that are recent or in use.
    pub(super) fn all(&self) -> Vec<(TableId, Arc<LiveTable>)> {
        self.all.iter().filter_map(|(&table, live)| Some((table, live.upgrade()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweep_removes_unused_entries_and_keeps_tables_in_use() {
        let mut cache = TableCache::new(NonZeroUsize::new(2).unwrap());
        let in_use: Vec<_> = (0..50).map(|table| cache.get_or_insert(TableId::new(table))).collect();
        // The tables in use, and two recent tables.
        let max_kept = in_use.len() + 2;
        for table in 50..10_000 {
            cache.get_or_insert(TableId::new(table));
            let entries = cache.all.len();
            // A sweep leaves at most `max_kept` entries, and the next is due at `2 * max_kept + MIN_SWEEP_ENTRIES`.
            assert!(entries <= 2 * max_kept + MIN_SWEEP_ENTRIES + 1, "the sweep left {entries} entries");
        }
        for (table, live) in (0..).zip(&in_use) {
            let found = cache.get_or_insert(TableId::new(table));
            assert!(Arc::ptr_eq(&found, live), "table {table} is in memory twice");
        }
        assert!(cache.get(TableId::new(60)).is_none(), "an unused table was not evicted");
        assert!(cache.all().len() <= max_kept);
    }
}
