//! Databases of released versions open with this program: their games continue to the end, and their records verify.
//!
//! `fixture.rs` reads and writes the committed databases, `games.rs` plays and writes their games, `continuation.rs` continues
//! their games. README.md describes how to add the databases of another version.

mod continuation;
mod fixture;
mod games;

use std::path::Path;

use fixture::{Contents, Fixture};
use sultan_testkit::{Backend, Postgres, postgres_or_skip};

/// The environment variable with the folder for the databases of this version, for the next release.
const WRITE_TO: &str = "SULTAN_WRITE_FIXTURES";

async fn check_released_version(version: &str, backend: Backend) {
    let fixture = Fixture::of_version(version);
    fixture.load(&backend).await;
    Box::pin(continuation::check(&backend, &fixture.contents())).await;
}

/// Writes and checks the games with the current program too, so that it works when a version is released.
async fn check_this_version(backend: Backend, empty: Backend, server: Option<&Postgres>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let kept = std::env::var_os(WRITE_TO);
    let fixture = Fixture::in_folder(kept.as_deref().map_or(folder.path(), Path::new));
    let (node, games) = games::write(&backend).await;
    fixture.save(&backend, server).await;
    let time = node.time.clone();
    node.shut_down().await;
    fixture.load(&empty).await;
    let contents = Contents::of(&empty, &time, games).await;
    fixture.save_contents(&contents);
    drop(empty);
    let fresh = server.map_or_else(Backend::sqlite, Backend::postgres);
    fixture.load(&fresh).await;
    Box::pin(continuation::check(&fresh, &contents)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_database_of_0_1_0_with_staged_changes_opens_continues_and_verifies() {
    let staged = Backend::sqlite();
    Fixture::of_version("0.1.0").load(&staged).await;
    assert!(staged.query_number("SELECT count(*) FROM recent WHERE body <> '[]'").await > 0, "no change is staged");
    check_released_version("0.1.0", Backend::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_database_of_0_1_0_opens_continues_and_verifies() {
    let Some(server) = postgres_or_skip() else { return };
    check_released_version("0.1.0", Backend::postgres(server)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_database_of_this_program_opens_continues_and_verifies() {
    check_this_version(Backend::sqlite(), Backend::sqlite(), None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_database_of_this_program_opens_continues_and_verifies() {
    let Some(server) = postgres_or_skip() else { return };
    check_this_version(Backend::postgres(server), Backend::postgres(server), Some(server)).await;
}
