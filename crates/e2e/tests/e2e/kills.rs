//! The real binary, killed during games, on both databases.

use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::kills::survive;
use sultan_e2e::within;
use sultan_testkit::postgres_or_skip;

use crate::{SULTAN, machine};

/// The number of kills on each database.
const KILLS: u32 = 50;
/// The number of tables played at the same time.
const TABLES: u64 = 16;

fn survives(db: &str) -> Result<()> {
    let _machine = machine::shared();
    let survived = within(Duration::from_mins(10), survive(SULTAN.as_ref(), db, TABLES, KILLS))?;
    // A run with few games would prove little.
    ensure!(survived.games >= 20 && survived.actions >= 200, "too little was played: {survived:?}");
    println!("{survived:?}");
    Ok(())
}

#[test]
fn no_acknowledged_action_is_lost_on_sqlite() -> Result<()> {
    let folder = tempfile::tempdir()?;
    survives(&format!("sqlite:{}", folder.path().join("killed.db").display()))
}

#[test]
fn no_acknowledged_action_is_lost_on_postgres() -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    survives(&server.new_database_url())
}
