//! When something will happen at a table by itself. Only a time and a name are kept, so that a table may leave memory meanwhile.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use sultan_domain::TableId;
use tokio::sync::Notify;

use crate::publish::locked;

/// All times to come, at most one per table.
#[derive(Default)]
pub(crate) struct Schedule {
    times: Mutex<Times>,
    /// Something is sooner than it was.
    sooner: Notify,
}

#[derive(Default)]
struct Times {
    by_table: HashMap<TableId, i64>,
    by_time: BTreeSet<(i64, TableId)>,
}

impl Schedule {
    fn times(&self) -> std::sync::MutexGuard<'_, Times> {
        locked(&self.times)
    }

    /// Says when the next thing happens at a table, if anything does.
    pub(crate) fn set(&self, table: TableId, due_ms: Option<i64>) {
        let mut times = self.times();
        let old = match due_ms {
            Some(due) => times.by_table.insert(table, due),
            None => times.by_table.remove(&table),
        };
        if old == due_ms {
            return;
        }
        if let Some(old) = old {
            times.by_time.remove(&(old, table));
        }
        if let Some(due) = due_ms {
            times.by_time.insert((due, table));
            if times.by_time.first() == Some(&(due, table)) {
                self.sooner.notify_one();
            }
        }
    }

    /// Whether something is to happen at a table.
    pub(crate) fn has(&self, table: TableId) -> bool {
        self.times().by_table.contains_key(&table)
    }

    /// Takes out all tables whose time has come, and says when the next one's comes.
    pub(crate) fn due(&self, now_ms: i64) -> (Vec<TableId>, Option<i64>) {
        let mut times = self.times();
        let mut tables = Vec::new();
        while let Some(&(due, table)) = times.by_time.first() {
            if due > now_ms {
                return (tables, Some(due));
            }
            times.by_time.pop_first();
            times.by_table.remove(&table);
            tables.push(table);
        }
        (tables, None)
    }

    /// Waits until something is sooner than it was.
    pub(crate) async fn sooner(&self) {
        self.sooner.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_one_time_and_comes_in_order() {
        let schedule = Schedule::default();
        let [a, b, c] = [1, 2, 3].map(TableId::new);
        schedule.set(a, Some(30));
        schedule.set(b, Some(10));
        schedule.set(c, Some(20));
        schedule.set(a, Some(15));
        schedule.set(c, None);
        assert_eq!(schedule.due(9), (vec![], Some(10)));
        assert_eq!(schedule.due(15), (vec![b, a], None));
        assert_eq!(schedule.due(100), (vec![], None));
    }
}
