//! Deletes old tables, and compacts the stored history of finished games.

use std::time::Duration;

use sultan_store::{DeleteBefore, StoreError};

use crate::node::NodeContext;
use crate::registry::Registry;
use crate::table::MAX_SECONDS_PER_ACTION;

/// How long after the end of a game its history is compacted: at first, players often start a rematch or look at the
/// end again.
const COMPACT_DELAY_MS: i64 = 10_000;
/// Tables per request to the store.
const PAGE_TABLES: u32 = 100;
/// A table in play with bots or clocks that has not changed for this long has stalled: within the longest time limit, a
/// player or bot acts. A day is added for downtime of the server.
const STALLED_AFTER_MS: i64 = (MAX_SECONDS_PER_ACTION as i64 + 24 * 3600) * 1000;

/// Compacts the history of games that ended before a time. Returns their number.
pub(crate) async fn compact_before(node: &NodeContext, before_ms: i64) -> Result<u64, StoreError> {
    let mut total = 0;
    loop {
        match node.store.compact(before_ms, PAGE_TABLES).await? {
            // Fewer games than `PAGE_TABLES` do not mean the end: another node may have compacted some of them.
            0 => return Ok(total),
            compacted => total += compacted,
        }
    }
}

/// Compacts finished games periodically. Never returns.
pub(crate) async fn compact_finished_games(node: &NodeContext) {
    loop {
        let now_ms = node.settings.now_ms();
        match compact_before(node, now_ms - COMPACT_DELAY_MS).await {
            Ok(0) => {}
            Ok(tables) => tracing::debug!(tables, "compacted the history of finished games"),
            Err(error) => tracing::error!(%error, "cannot compact the history of finished games; retrying later"),
        }
        node.settings.sleep_until(now_ms + COMPACT_DELAY_MS).await;
    }
}

/// Deletes tables that have not changed for `age`, by the time that all nodes share. Returns their number.
pub(crate) async fn delete_older_than(registry: &Registry, age: Duration) -> Result<u64, StoreError> {
    let node = registry.node();
    let now_ms = node.settings.now_ms();
    let before_ms = now_ms.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
    // Tables in play with bots or clocks are kept until they have stalled, even if `age` is shorter.
    let old = DeleteBefore { idle_ms: before_ms, stalled_ms: before_ms.min(now_ms - STALLED_AFTER_MS) };
    let mut total = 0;
    loop {
        match node.store.delete_tables(old, PAGE_TABLES).await? {
            // Fewer tables than `PAGE_TABLES` do not mean the end: some may have changed just before their deletion.
            0 => break,
            deleted => total += deleted,
        }
    }
    // Unload all tables of this age, since another node may have deleted them. If a table still exists, the next
    // request reads it again.
    registry.unload_unchanged_since(before_ms);
    Ok(total)
}
