//! The real binary, killed during games, on both databases.

use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::kills::play_while_killing;
use sultan_e2e::run_with_limit;
use sultan_testkit::postgres_or_skip;

use crate::{SULTAN, machine};

/// The number of kills on each database.
const KILLS: u32 = 50;
/// The number of tables played at the same time.
const TABLES: u64 = 16;

/// Plays on this database while the server is killed repeatedly.
fn check_kills(db: &str) -> Result<()> {
    let _lock = machine::lock_shared();
    let results = run_with_limit(Duration::from_mins(10), play_while_killing(SULTAN.as_ref(), db, TABLES, KILLS))?;
    // A run with few games would prove little.
    ensure!(results.games >= 20 && results.actions >= 200, "too few games or actions: {results:?}");
    println!("{results:?}");
    Ok(())
}

#[test]
fn no_acknowledged_action_is_lost_on_sqlite() -> Result<()> {
    let folder = tempfile::tempdir()?;
    check_kills(&format!("sqlite:{}", folder.path().join("killed.db").display()))
}

#[test]
fn no_acknowledged_action_is_lost_on_postgres() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    check_kills(&server.new_database_url())
}
