//! Databases of released versions open with this program: their games continue to the end, and their records verify.
//!
//! `fixture.rs` reads and writes the committed databases, `games.rs` plays and writes their games, `continuation.rs`
//! continues their games. README.md describes how to add the databases of another version.

mod continuation;
mod fixture;
mod games;

use std::path::Path;

use fixture::{Contents, Fixture};
use sultan_testkit::{Backend, Postgres, postgres_or_skip};

/// The environment variable with the folder for the databases of this version, for the next release.
const WRITE_TO: &str = "SULTAN_WRITE_FIXTURES";

/// Checks the committed databases of a released version.
async fn check_released_version(version: &str, backend: Backend) {
    let fixture = Fixture::of_version(version);
    fixture.load(&backend).await;
    Box::pin(continuation::check(&backend, &fixture.contents())).await;
}

/// Writes a fixture with the current program and checks it. So writing a fixture is known to work when a version is
/// released. `new_backend` makes an empty database, on `server` in the case of Postgres.
async fn check_this_version(new_backend: impl Fn() -> Backend, server: Option<&Postgres>) {
    let temporary_folder = tempfile::tempdir().expect("a temporary folder can be made");
    let release_folder = std::env::var_os(WRITE_TO);
    let fixture = Fixture::in_folder(release_folder.as_deref().map_or(temporary_folder.path(), Path::new));
    let written = new_backend();
    let (node, games) = games::write(&written).await;
    fixture.save(&written, server).await;
    let time = node.time.clone();
    node.shut_down().await;
    // Reading the contents may change the database, so the check gets another copy.
    let copy_for_contents = new_backend();
    fixture.load(&copy_for_contents).await;
    let contents = Contents::of(&copy_for_contents, &time, games).await;
    fixture.save_contents(&contents);
    let copy_for_check = new_backend();
    fixture.load(&copy_for_check).await;
    Box::pin(continuation::check(&copy_for_check, &contents)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_database_of_0_1_0_with_staged_changes_opens_continues_and_verifies() {
    let staged = Backend::sqlite();
    Fixture::of_version("0.1.0").load(&staged).await;
    let staged_changes = staged.query_number("SELECT count(*) FROM recent WHERE body <> '[]'").await;
    assert!(staged_changes > 0, "the fixture contains no staged change");
    check_released_version("0.1.0", Backend::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_database_of_0_1_0_opens_continues_and_verifies() {
    let Some(server) = postgres_or_skip() else { return };
    check_released_version("0.1.0", Backend::postgres(server)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_database_of_this_program_opens_continues_and_verifies() {
    check_this_version(Backend::sqlite, None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_database_of_this_program_opens_continues_and_verifies() {
    let Some(server) = postgres_or_skip() else { return };
    check_this_version(|| Backend::postgres(server), Some(server)).await;
}
