//! The next wake-up of each table: the time at which the driver must let a bot act, act for a player whose time has run
//! out, or reveal an action. Only the time and the table's id are kept, so the table can be unloaded until then.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use sha2::{Digest, Sha256};
use sultan_domain::TableId;
use sultan_store::StoreError;
use tokio::sync::Notify;

use crate::membership::Membership;
use crate::settings::Settings;
use crate::sync::locked;
use crate::table::{Play, Table};
use crate::{Rejection, ServiceError};

/// Time limit for one bot decision.
///
/// A bot starts thinking this long before its action is due, so the time of the action does not reveal how long the
/// decision took.
pub(crate) const BOT_TIME_LIMIT: Duration = Duration::from_millis(BOT_TIME_LIMIT_MS.unsigned_abs());
const BOT_TIME_LIMIT_MS: i64 = 2000;

/// After a start of the server, no player's clock expires for this long, so that players can reconnect first.
const RECONNECT_GRACE_MS: i64 = 5000;

/// Wait before retrying after a database error.
pub(crate) const RETRY_DELAY_MS: i64 = 1000;

/// Wait before retrying a table that cannot be decoded. Only an upgrade can help, so retry rarely.
const UNREADABLE_RETRY_DELAY_MS: i64 = 600_000;

/// The reason for a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// A delayed action becomes visible to all observers (even pace).
    Beat,
    /// A bot is to act.
    Bot,
    /// A player's time has run out: a bot acts instead.
    Clock,
}

/// The wake-up times of all tables, at most one per table.
pub(crate) struct Schedule {
    settings: Arc<Settings>,
    membership: Arc<Membership>,
    /// When this node started to run tables.
    started_ms: OnceLock<i64>,
    wake_ups: Mutex<WakeUps>,
    /// Notified when a wake-up is scheduled that is earlier than all others.
    pub(crate) earlier_wake_up: Notify,
}

/// The wake-up times, stored twice: to find the time of a table, and to find the earliest time.
#[derive(Default)]
struct WakeUps {
    by_table: HashMap<TableId, i64>,
    by_time: BTreeSet<(i64, TableId)>,
}

impl Schedule {
    pub(crate) fn new(settings: Arc<Settings>, membership: Arc<Membership>) -> Self {
        let (started_ms, wake_ups, earlier_wake_up) = Default::default();
        Self { settings, membership, started_ms, wake_ups, earlier_wake_up }
    }

    /// When this node started to run tables. The first call sets this time.
    pub(crate) fn started_ms(&self) -> i64 {
        *self.started_ms.get_or_init(|| self.settings.now_ms())
    }

    /// The next wake-up of a table on this node: its reason and its time. `None` if nothing happens until a request.
    pub(crate) fn next_wake_up(&self, table: &Table) -> Option<(Due, i64)> {
        // Every node reveals actions to its own clients, even if another node runs the table.
        if let Some(beat_ms) = table.play().and_then(Play::next_beat_ms) {
            return Some((Due::Beat, beat_ms));
        }
        if !self.membership.runs(table.id()) {
            return None;
        }
        let seat = table.to_act().filter(|_| !table.info().paused)?;
        if table.occupant(seat).bot().is_some() {
            let turn_since_ms = table.play()?.stored.turn_since_ms;
            return Some((Due::Bot, turn_since_ms.max(self.bot_due_ms(table)? - BOT_TIME_LIMIT_MS)));
        }
        Some((Due::Clock, table.clock_ms()?.max(self.started_ms() + RECONNECT_GRACE_MS)))
    }

    /// When the bot whose turn it is acts: after a pause that looks random, but depends only on the table's id and the
    /// number of actions, so that all nodes compute the same time.
    pub(crate) fn bot_due_ms(&self, table: &Table) -> Option<i64> {
        let position = &table.play()?.stored;
        let mut hash = Sha256::new_with_prefix(table.id().number().to_le_bytes());
        hash.update(position.game.action_count().to_le_bytes());
        let random_byte = i64::from(hash.finalize()[0]);
        let mean_ms = i64::try_from(self.settings.bot_pause.as_millis()).unwrap_or(i64::MAX);
        // The pause is between half the mean and one and a half times the mean.
        Some(position.turn_since_ms + mean_ms / 2 + mean_ms.saturating_mul(random_byte) / 255)
    }

    /// Schedules the next wake-up of a table in this state.
    pub(crate) fn plan(&self, table: &Table) {
        self.set(table.id(), self.next_wake_up(table).map(|(_, due_ms)| due_ms));
    }

    /// Schedules a retry after a short delay: if the database is down, it may answer again by then.
    pub(crate) fn retry(&self, table: TableId) {
        self.set(table, Some(self.settings.now_ms() + RETRY_DELAY_MS));
    }

    /// Schedules a retry after a failure, and logs it.
    pub(crate) fn retry_after(&self, table: TableId, error: &ServiceError) {
        let delay_ms = match error {
            // The table was deleted: no retry.
            ServiceError::Rejected(Rejection::NoSuchTable) => return,
            ServiceError::Rejected(_) | ServiceError::Store(StoreError::Unreadable { .. }) => UNREADABLE_RETRY_DELAY_MS,
            ServiceError::Store(_) => RETRY_DELAY_MS,
        };
        let retry_in = Duration::from_millis(delay_ms.unsigned_abs());
        tracing::error!(%table, ?retry_in, %error, "bot turn or clock failed; retrying");
        self.set(table, Some(self.settings.now_ms() + delay_ms));
    }

    /// Sets the next wake-up of a table, or removes it.
    pub(crate) fn set(&self, table: TableId, due_ms: Option<i64>) {
        let mut wake_ups = locked(&self.wake_ups);
        let old_due_ms = match due_ms {
            Some(due_ms) => wake_ups.by_table.insert(table, due_ms),
            None => wake_ups.by_table.remove(&table),
        };
        if old_due_ms == due_ms {
            return;
        }
        if let Some(old_due_ms) = old_due_ms {
            wake_ups.by_time.remove(&(old_due_ms, table));
        }
        if let Some(due_ms) = due_ms {
            wake_ups.by_time.insert((due_ms, table));
            if wake_ups.by_time.first() == Some(&(due_ms, table)) {
                self.earlier_wake_up.notify_one();
            }
        }
    }

    pub(crate) fn is_scheduled(&self, table: TableId) -> bool {
        locked(&self.wake_ups).by_table.contains_key(&table)
    }

    /// Removes all due wake-ups. Returns their tables, and the time of the next wake-up.
    pub(crate) fn take_due(&self, now_ms: i64) -> (Vec<TableId>, Option<i64>) {
        let mut wake_ups = locked(&self.wake_ups);
        let mut due_tables = Vec::new();
        while let Some(&(due_ms, table)) = wake_ups.by_time.first() {
            if due_ms > now_ms {
                return (due_tables, Some(due_ms));
            }
            wake_ups.by_time.pop_first();
            wake_ups.by_table.remove(&table);
            due_tables.push(table);
        }
        (due_tables, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_tables_are_returned_once_ordered_by_time() {
        let schedule = Schedule::new(Arc::default(), Arc::default());
        let [moved, early, removed] = [1, 2, 3].map(TableId::new);
        schedule.set(moved, Some(30));
        schedule.set(early, Some(10));
        schedule.set(removed, Some(20));
        schedule.set(moved, Some(15));
        schedule.set(removed, None);
        assert_eq!(schedule.take_due(9), (vec![], Some(10)), "no table is due before 10");
        assert_eq!(schedule.take_due(15), (vec![early, moved], None));
        assert_eq!(schedule.take_due(100), (vec![], None), "every table was already returned");
    }
}
