//! The tables in memory: a bounded number of those used last, and all that somebody watches.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Weak};

use lru::LruCache;
use sultan_domain::TableId;

use crate::publish::Slot;

/// The tables in memory.
pub(crate) struct Tables {
    /// Those used last.
    recent: LruCache<TableId, Arc<Slot>>,
    /// Those and all that somebody still watches: never two of one.
    all: HashMap<TableId, Weak<Slot>>,
}

impl Tables {
    /// No tables yet; so many are kept while nobody watches them.
    pub(crate) fn new(most: NonZeroUsize) -> Self {
        Self { recent: LruCache::new(most), all: HashMap::new() }
    }

    pub(crate) fn slot(&mut self, table: TableId) -> Arc<Slot> {
        if let Some(slot) = self.recent.get(&table) {
            return Arc::clone(slot);
        }
        if self.all.len() > 2 * self.recent.len() + 1000 {
            self.all.retain(|_, slot| slot.strong_count() > 0);
        }
        let known = self.all.get(&table).and_then(Weak::upgrade);
        let slot = known.unwrap_or_else(|| Arc::new(Slot::new()));
        self.all.insert(table, Arc::downgrade(&slot));
        self.recent.put(table, Arc::clone(&slot));
        slot
    }

    /// A table that is in memory.
    pub(crate) fn in_memory(&self, table: TableId) -> Option<Arc<Slot>> {
        self.all.get(&table).and_then(Weak::upgrade)
    }

    pub(crate) fn let_go(&mut self, table: TableId) {
        self.recent.pop(&table);
    }

    pub(crate) fn slots(&self) -> Vec<(TableId, Arc<Slot>)> {
        self.all.iter().filter_map(|(&table, slot)| Some((table, slot.upgrade()?))).collect()
    }
}
