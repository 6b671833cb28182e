//! The real binary, killed without warning while people play, on both databases.

use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_testkit::kills::survive;
use sultan_testkit::{on_postgres, within};

/// How often it is killed on each database.
const KILLS: u32 = 50;
/// How many tables are played at meanwhile.
const TABLES: u64 = 16;

fn killed(db: &str) -> Result<(), Failed> {
    let binary = env!("CARGO_BIN_EXE_sultan").as_ref();
    let survived = within(Duration::from_mins(10), survive(binary, db, TABLES, KILLS))?;
    // That little was done would make the test mean little.
    if survived.games < 20 || survived.actions < 200 {
        return Err(format!("too little was played: {survived:?}").into());
    }
    println!("{survived:?}");
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let sqlite = || {
        let folder = tempfile::tempdir()?;
        killed(&format!("sqlite:{}", folder.path().join("killed.db").display()))
    };
    let trials =
        vec![Trial::test("sqlite::killed", sqlite), on_postgres("killed", |server| killed(&server.database()))];
    run(&arguments, trials).exit_code()
}
