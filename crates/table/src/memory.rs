//! The tables in memory: a bounded number of those used last, and all that somebody watches.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Weak};

use lru::LruCache;
use sultan_domain::TableId;

use crate::publish::LiveTable;

/// The tables in memory.
pub(crate) struct Tables {
    /// Those used last.
    recent: LruCache<TableId, Arc<LiveTable>>,
    /// Those and all that somebody still watches: never two of one.
    all: HashMap<TableId, Weak<LiveTable>>,
    /// With so many names, those are let go that are nobody's any more.
    sweep_at: usize,
}

/// So many names are always kept.
const FEW: usize = 1000;

impl Tables {
    /// No tables yet; so many are kept while nobody watches them.
    pub(crate) fn new(most: NonZeroUsize) -> Self {
        Self { recent: LruCache::new(most), all: HashMap::new(), sweep_at: FEW }
    }

    pub(crate) fn slot(&mut self, table: TableId) -> Arc<LiveTable> {
        if let Some(slot) = self.recent.get(&table) {
            return Arc::clone(slot);
        }
        if self.all.len() >= self.sweep_at {
            self.all.retain(|_, slot| slot.strong_count() > 0);
            // All that are left may be watched: they are looked through again when they are twice as many.
            self.sweep_at = 2 * self.all.len() + FEW;
        }
        let known = self.all.get(&table).and_then(Weak::upgrade);
        let slot = known.unwrap_or_else(|| Arc::new(LiveTable::new()));
        self.all.insert(table, Arc::downgrade(&slot));
        self.recent.put(table, Arc::clone(&slot));
        slot
    }

    /// A table that is in memory.
    pub(crate) fn in_memory(&self, table: TableId) -> Option<Arc<LiveTable>> {
        self.all.get(&table).and_then(Weak::upgrade)
    }

    pub(crate) fn let_go(&mut self, table: TableId) {
        self.recent.pop(&table);
    }

    pub(crate) fn slots(&self) -> Vec<(TableId, Arc<LiveTable>)> {
        self.all.iter().filter_map(|(&table, slot)| Some((table, slot.upgrade()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nobodys_any_more_are_let_go_and_watched_tables_are_not() {
        let mut tables = Tables::new(NonZeroUsize::new(2).unwrap());
        let watched: Vec<_> = (0..50).map(|table| tables.slot(TableId::new(table))).collect();
        for table in 50..10_000 {
            tables.slot(TableId::new(table));
            assert!(tables.all.len() <= 2 * (watched.len() + 2) + FEW + 1, "{} names", tables.all.len());
        }
        for (table, slot) in (0..).zip(&watched) {
            assert!(Arc::ptr_eq(&tables.slot(TableId::new(table)), slot), "there is never a second one");
        }
        assert!(tables.in_memory(TableId::new(60)).is_none());
        assert!(tables.slots().len() <= watched.len() + 2);
    }
}
