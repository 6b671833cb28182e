//! The tables in memory: a bounded number of recently used tables, and all watched tables.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Weak};

use lru::LruCache;
use sultan_domain::TableId;

use super::LiveTable;

/// The tables in memory.
pub(super) struct TableCache {
    recent: LruCache<TableId, Arc<LiveTable>>,
    /// The recent tables and all tables still in use, so that no table is in memory twice.
    all: HashMap<TableId, Weak<LiveTable>>,
    /// At this size, unused entries are removed from `all`.
    sweep_at: usize,
}

/// Entries that are always kept before the first sweep.
const MIN_SWEEP_ENTRIES: usize = 1000;

impl TableCache {
    /// An empty cache. `capacity` is the maximum number of tables kept without being in use.
    pub(super) fn new(capacity: NonZeroUsize) -> Self {
        Self { recent: LruCache::new(capacity), all: HashMap::new(), sweep_at: MIN_SWEEP_ENTRIES }
    }

    /// The live table, which may not be loaded yet.
    pub(super) fn get_or_insert(&mut self, table: TableId) -> Arc<LiveTable> {
        if let Some(live) = self.recent.get(&table) {
            return Arc::clone(live);
        }
        if self.all.len() >= self.sweep_at {
            self.all.retain(|_, live| live.strong_count() > 0);
            // All remaining entries may be in use, so the next sweep is due when their number has doubled.
            self.sweep_at = 2 * self.all.len() + MIN_SWEEP_ENTRIES;
        }
        let in_use = self.all.get(&table).and_then(Weak::upgrade);
        let live = in_use.unwrap_or_default();
        self.all.insert(table, Arc::downgrade(&live));
        self.recent.put(table, Arc::clone(&live));
        live
    }

    pub(super) fn get(&self, table: TableId) -> Option<Arc<LiveTable>> {
        self.all.get(&table).and_then(Weak::upgrade)
    }

    /// Removes a table from the recent ones. It stays in memory only while it is in use.
    pub(super) fn remove(&mut self, table: TableId) {
        self.recent.pop(&table);
    }

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
        let used: Vec<_> = (0..50).map(|table| cache.get_or_insert(TableId::new(table))).collect();
        for table in 50..10_000 {
            cache.get_or_insert(TableId::new(table));
            assert!(cache.all.len() <= 2 * (used.len() + 2) + MIN_SWEEP_ENTRIES + 1, "{} entries", cache.all.len());
        }
        for (table, live) in (0..).zip(&used) {
            assert!(Arc::ptr_eq(&cache.get_or_insert(TableId::new(table)), live), "no table is in memory twice");
        }
        assert!(cache.get(TableId::new(60)).is_none());
        assert!(cache.all().len() <= used.len() + 2);
    }
}
