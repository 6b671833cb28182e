//! Databases of released versions open with this program: their games continue to the end, and their records verify.
//!
//! `fixture.rs` reads and writes the committed databases, `story.rs` wrote what is in them, `continuation.rs` plays on.
//! README.md says how to add those of another version.

mod continuation;
mod fixture;
mod story;

use std::path::Path;
use std::process::ExitCode;

use fixture::{Contents, Fixture};
use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_testkit::{Backend, Postgres, on_postgres};

/// The released versions whose databases are committed.
const VERSIONS: [&str; 1] = ["0.1.0"];

/// Where a run should leave the databases that this program wrote, for the next release.
const WRITE_TO: &str = "SULTAN_WRITE_FIXTURES";

async fn released(version: &str, backend: Backend) {
    let fixture = Fixture::of_version(version);
    fixture.load(&backend).await;
    continuation::check(&backend, &fixture.contents()).await;
}

/// The story is told to the current program too, so that it is there when a version is released.
async fn current(backend: Backend, empty: Backend, server: Option<&Postgres>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let kept = std::env::var_os(WRITE_TO);
    let fixture = Fixture::in_folder(kept.as_deref().map_or(folder.path(), Path::new));
    let (house, games) = story::write(&backend).await;
    fixture.save(&backend, server).await;
    let time = house.time.clone();
    house.end().await;
    fixture.load(&empty).await;
    let contents = Contents::of(&empty, &time, games).await;
    fixture.save_contents(&contents);
    drop(empty);
    let fresh = server.map_or_else(Backend::sqlite, Backend::postgres);
    fixture.load(&fresh).await;
    continuation::check(&fresh, &contents).await;
}

fn block_on(story: impl Future<Output = ()>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(story);
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for version in VERSIONS {
        let name = format!("database_of_{version}_opens_continues_and_verifies");
        trials.push(Trial::test(format!("sqlite::{name}"), move || block_on(released(version, Backend::sqlite()))));
        trials.push(on_postgres(&name, move |server| block_on(released(version, Backend::postgres(server)))));
    }
    let name = "database_of_this_program_opens_continues_and_verifies";
    trials
        .push(Trial::test(format!("sqlite::{name}"), || block_on(current(Backend::sqlite(), Backend::sqlite(), None))));
    trials.push(on_postgres(name, |server| {
        block_on(current(Backend::postgres(server), Backend::postgres(server), Some(server)))
    }));
    run(&arguments, trials).exit_code()
}
