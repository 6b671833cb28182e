//! The real binary, killed without warning while people play, on both databases.

use std::time::Duration;

use anyhow::{Result, ensure};
use sultan_e2e::kills::survive;
use sultan_e2e::within;
use sultan_testkit::postgres_or_skip;

use crate::{SULTAN, machine};

/// How often it is killed on each database.
const KILLS: u32 = 50;
/// How many tables are played at meanwhile.
const TABLES: u64 = 16;

fn survives(db: &str) -> Result<()> {
    let _machine = machine::shared();
    let survived = within(Duration::from_mins(10), survive(SULTAN.as_ref(), db, TABLES, KILLS))?;
    // That little was done would make the test mean little.
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
    survives(&server.database())
}
