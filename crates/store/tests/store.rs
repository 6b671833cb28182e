//! One story, told to every database: SQLite always, Postgres wherever it is installed.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sultan_domain::TableId;
use sultan_store::{Append, CopyError, EventRecord, Listing, Location, Moved, StoreError, TableState, transfer};
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

/// There and back again: all of it, and only into a database that is empty and that nobody uses.
async fn everything_is_moved_to_postgres_and_back(backend: Backend) {
    let folder = tempfile::tempdir().expect("there is room");
    let [from, back, late] = ["from.db", "back.db", "late.db"].map(|name| Location::Sqlite(folder.path().join(name)));
    let store = sultan_store::open(&from).await.expect("it opens");
    let table = TableId::new(7);
    for version in 0..3 {
        let listing = Some(Listing { state: TableState::Over, public: true, attended: false });
        let append =
            Append { table, version, at_ms: 5, events: vec![EventRecord::Ended], listing, visitors: Vec::new() };
        store.append(append).await.expect("it is the next one");
    }
    let before = store.load(table, 0).await.expect("read");
    store.close().await.expect("closed");
    let (there, mut progress) = (backend.location(), Vec::new());
    let moved = transfer(&from, &there, &mut |now| progress.push(now)).await.expect("it is moved");
    assert_eq!(moved, Moved { tables: 1, changes: 3, events: 3, ..Moved::default() });
    assert_eq!(progress.last().map(|now| (now.done, now.of)), Some((8, 8)), "four rows were written and compared");
    match transfer(&from, &there, &mut |_| {}).await {
        Err(CopyError::NotEmpty { what: "changes", rows: 3, place }) => assert_eq!(place, there.to_string()),
        other => panic!("{other:?}"),
    }
    assert_eq!(transfer(&there, &back, &mut |_| {}).await.expect("it is moved"), moved);
    let store = sultan_store::open(&back).await.expect("it opens");
    assert_eq!(store.load(table, 0).await.expect("read"), before);
    store.close().await.expect("closed");
    let serving = backend.open().await;
    let used = transfer(&there, &late, &mut |_| {}).await;
    assert!(matches!(&used, Err(CopyError::InUse(place)) if *place == there.to_string()), "{used:?}");
    serving.close().await.expect("closed");
}

/// What a newer program keeps could be left behind, also where this one could go on beside it.
async fn what_a_newer_program_keeps_is_not_moved(backend: Backend) {
    backend.open().await.close().await.expect("closed");
    let folder = tempfile::tempdir().expect("there is room");
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let newer = "INSERT INTO compatible (schema, since) VALUES (99, 4);
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(newer).await;
    let moved = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Store(StoreError::TooNew { found: 99, known: 6 }))), "{moved:?}");
    assert_eq!(folder.path().read_dir().expect("it is there").count(), 0);
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
        on_postgres("everything_is_moved_to_postgres_and_back", |server| {
            told(everything_is_moved_to_postgres_and_back(Backend::postgres(server)))
        }),
        on_postgres("what_a_newer_program_keeps_is_not_moved", |server| {
            told(what_a_newer_program_keeps_is_not_moved(Backend::postgres(server)))
        }),
        Trial::test("sqlite::what_a_newer_program_keeps_is_not_moved", || {
            told(what_a_newer_program_keeps_is_not_moved(Backend::sqlite()))
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
