//! One story, told to every database: SQLite always, Postgres wherever it is installed.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_store::{CopyError, Location, StoreError, transfer};
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

/// What Postgres says, without where in its own source it says so; and whether it is about who asks.
async fn a_database_that_is_not_there_is_told_in_a_sentence(address: String, stranger: String) {
    let refused = async |address: &str| {
        let location = address.parse().expect("an address");
        let Err(error) = sultan_store::open(&location).await else { panic!("there is no {address}") };
        error
    };
    let missing = refused(&address).await;
    assert_eq!(missing.to_string(), "the database failed: database \"nowhere\" does not exist");
    let unknown = refused(&stranger).await;
    assert!(matches!(unknown, StoreError::Unwelcome(_)), "{unknown:?}");
    assert!(unknown.to_string().ends_with("role \"stranger\" does not exist"), "{unknown}");
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        on_postgres("a_wrong_address_is_not_moved_from", |server| {
            told(a_wrong_address_is_not_moved_from(Backend::postgres(server)))
        }),
        on_postgres("a_database_that_is_not_there_is_told_in_a_sentence", |server| {
            let (nowhere, stranger) = (server.address_of("nowhere"), server.address_of("postgres"));
            let stranger = stranger.replace("user=postgres", "user=stranger");
            told(a_database_that_is_not_there_is_told_in_a_sentence(nowhere, stranger))
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
