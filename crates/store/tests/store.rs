//! One story, told to every database: SQLite always, Postgres wherever it is installed.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_store::{CopyError, Location, transfer};
use sultan_testkit::store_story::{Part, parts, parts_for_nodes};
use sultan_testkit::{Backend, on_postgres};

fn told(story: impl Future<Output = ()>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(story);
    Ok(())
}

fn tell(part: Part, backend: Backend) -> Result<(), Failed> {
    told(part(Arc::new(backend)))
}

/// A database of somebody else, named by mistake, is left as it is.
async fn a_wrong_address_is_not_moved_from(backend: Backend) {
    backend.execute("CREATE TABLE theirs (id INTEGER)").await;
    let folder = tempfile::tempdir().expect("there is room");
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let moved = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Foreign(_))), "{moved:?}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(backend.number(tables).await, 1, "nothing was made there");
    assert_eq!(folder.path().read_dir().expect("it is there").count(), 0);
}

/// A server that is started while its database is moved acknowledges nothing that would stay behind.
async fn nobody_writes_to_what_is_moved(backend: Backend) {
    backend.open().await.close().await.expect("closed");
    backend.execute("INSERT INTO secrets (name, value) VALUES ('cookies', decode(repeat('07', 64), 'hex'))").await;
    let folder = tempfile::tempdir().expect("there is room");
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let mut tried = 0;
    let write = "SET lock_timeout = '50ms'; INSERT INTO secrets (name, value) VALUES ('late', '')";
    let mut told = |_| {
        let refused = tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                let mut other = backend.connect_postgres().await;
                sqlx::raw_sql(write).execute(&mut other).await
            })
        });
        refused.expect_err("it waits, and not for long");
        tried += 1;
    };
    let moved = transfer(&backend.location(), &to, &mut told).await.expect("it is moved");
    assert_eq!((moved.secrets, tried > 1), (1, true));
    // Afterwards it is as it was.
    backend.execute(write).await;
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        on_postgres("a_wrong_address_is_not_moved_from", |server| {
            told(a_wrong_address_is_not_moved_from(Backend::postgres(server)))
        }),
        on_postgres("nobody_writes_to_what_is_moved", |server| {
            told(nobody_writes_to_what_is_moved(Backend::postgres(server)))
        }),
    ];
    for (name, part) in parts() {
        trials.push(Trial::test(format!("sqlite::{name}"), move || tell(part, Backend::sqlite())));
        trials.push(on_postgres(name, move |server| tell(part, Backend::postgres(server))));
    }
    for (name, part) in parts_for_nodes() {
        trials.push(on_postgres(name, move |server| tell(part, Backend::postgres(server))));
    }
    run(&arguments, trials).exit_code()
}
