//! One story, told to every database: SQLite always, Postgres wherever it is installed.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_testkit::store_story::{Part, parts};
use sultan_testkit::{Backend, HOW_TO_INSTALL, Postgres};

fn tell(part: Part, backend: Backend) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(part(Arc::new(backend)));
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let missing = Postgres::installed().is_none();
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    if missing {
        eprintln!("\n!!! {HOW_TO_INSTALL}\n");
    }
    let mut trials = Vec::new();
    for (name, part) in parts() {
        trials.push(Trial::test(format!("sqlite::{name}"), move || tell(part, Backend::sqlite())));
        let on_postgres = move || match Postgres::shared() {
            Some(server) => tell(part, Backend::postgres(server)),
            None => Err(HOW_TO_INSTALL.into()),
        };
        trials.push(Trial::test(format!("postgres::{name}"), on_postgres).with_ignored_flag(missing && !must));
    }
    run(&arguments, trials).exit_code()
}
