//! Deletes old tables, and compacts the stored history of finished games.

use std::time::Duration;

use sultan_store::{DeleteBefore, StoreError};

use crate::node::NodeContext;
use crate::registry::Registry;
use crate::table::MAX_SECONDS_PER_ACTION;

/// How long the history of a finished game is not compacted: its players often start a rematch or look at the end again.
const COMPACT_DELAY_MS: i64 = 10_000;
/// Tables per request to the store.
const PAGE_TABLES: u32 = 100;
/// A table with bots or clocks changes within the longest time limit, plus a day for downtime of the server.
const STALLED_AFTER_MS: i64 = (MAX_SECONDS_PER_ACTION as i64 + 24 * 3600) * 1000;

/// Compacts the history of games that ended before a time. Returns their number.
pub(crate) async fn compact_before(node: &NodeContext, before_ms: i64) -> Result<u64, StoreError> {
    let mut total = 0;
    loop {
        // Another node may have compacted a part of a page, so only an empty page is the last.
        let compacted = node.store.compact(before_ms, PAGE_TABLES).await?;
        total += compacted;
        if compacted == 0 {
            return Ok(total);
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
    let old = DeleteBefore { idle_ms: before_ms, stalled_ms: before_ms.min(now_ms - STALLED_AFTER_MS) };
    let mut total = 0;
    loop {
        // Some tables of a page may have changed just now, so only an empty page is the last.
        let deleted = node.store.delete_tables(old, PAGE_TABLES).await?;
        total += deleted;
        if deleted == 0 {
            break;
        }
    }
    // Another node may have deleted more. Existing tables are read again at the next request.
    registry.unload_older_than(before_ms);
    Ok(total)
}
