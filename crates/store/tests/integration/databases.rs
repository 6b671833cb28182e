//! Runs the tests of `sultan_testkit::store_contract`, and tests of transfers, on SQLite, and on Postgres if it is
//! installed.

use std::path::Path;
use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::{
    Append, Change, CopyError, EventRecord, Listing, Location, StoreError, TableState, TransferCounts, transfer,
};
use sultan_testkit::{Backend, database_folder, postgres_or_skip, store_contract, store_contract_for_nodes};

/// Asserts that a failed transfer left no file in the folder of its target.
fn assert_is_empty(folder: &Path) {
    let entries: Vec<_> = folder.read_dir().expect("the folder exists").collect();
    assert!(entries.is_empty(), "{entries:?}");
}

/// An empty Postgres database, if Postgres is installed.
fn postgres() -> Option<Backend> {
    postgres_or_skip().map(Backend::postgres)
}

/// A user may name a database of another program by mistake.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transfer_rejects_a_postgres_database_of_another_program() {
    let Some(backend) = postgres() else { return };
    backend.execute("CREATE TABLE theirs (id INTEGER)").await;
    let folder = database_folder();
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let transferred = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(transferred, Err(CopyError::Foreign(_))), "{transferred:?}");
    let count_tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(backend.query_number(count_tables).await, 1, "the database was changed");
    assert_is_empty(folder.path());
}

/// A server that is started during a transfer of its database cannot store changes: they would be missing in the copy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn source_of_a_transfer_is_locked_against_writes() {
    let Some(backend) = postgres() else { return };
    backend.open().await.close().await.expect("the store closes");
    // Opening the store has created the database tables. The only row is this secret.
    backend.execute("INSERT INTO secrets (name, value) VALUES ('cookies', decode(repeat('07', 64), 'hex'))").await;
    let folder = database_folder();
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let insert = "SET lock_timeout = '50ms'; INSERT INTO secrets (name, value) VALUES ('late', '')";
    let mut failed_inserts = 0;
    // The transfer reports its progress several times. Each time, another connection tries to write. The function that
    // gets the reports is not async, so it blocks its thread.
    let mut try_to_write = |_| {
        let written = tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                let mut connection = backend.connect_postgres().await;
                sqlx::raw_sql(insert).execute(&mut connection).await
            })
        });
        written.expect_err("the insert waits for the lock until its timeout");
        failed_inserts += 1;
    };
    let counts = transfer(&backend.location(), &to, &mut try_to_write).await.expect("the transfer succeeds");
    assert_eq!(counts.secrets, 1);
    assert!(failed_inserts > 1, "{failed_inserts} reports of progress");
    // After the transfer, the source can be written again.
    backend.execute(insert).await;
}

/// Also checks that a transfer needs an empty target, and a source that no server uses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transfer_to_postgres_and_back_keeps_all_data() {
    let Some(backend) = postgres() else { return };
    let folder = database_folder();
    let [from, back, unused] =
        ["from.db", "back.db", "unused.db"].map(|name| Location::Sqlite(folder.path().join(name)));
    let store = sultan_store::open(&from).await.expect("the store opens");
    let table = TableId::new(7);
    for version in 1..=3 {
        let change = Change { version, at_ms: 5, events: vec![EventRecord::Ended] };
        let listing = Some(Listing { state: TableState::Over, public: true, has_bots_or_clocks: false });
        let append = Append { table, change, listing, visitors: Vec::new() };
        store.append(append).await.expect("the version is the next one");
    }
    let original_changes = store.load(table, 0).await.expect("the table can be read");
    store.close().await.expect("the store closes");
    let (postgres, mut reports) = (backend.location(), Vec::new());
    let counts = transfer(&from, &postgres, &mut |progress| reports.push(progress)).await;
    let counts = counts.expect("the transfer succeeds");
    assert_eq!(counts, TransferCounts { tables: 1, changes: 3, events: 3, ..TransferCounts::default() });
    let last_report = reports.last().map(|progress| (progress.done, progress.total));
    assert_eq!(last_report, Some((8, 8)), "3 changes and 1 table were written and compared");
    match transfer(&from, &postgres, &mut |_| {}).await {
        Err(CopyError::NotEmpty { database_table: "changes", rows: 3, location }) => {
            assert_eq!(location, postgres.to_string());
        }
        other => panic!("the target has three changes already, but the transfer returned {other:?}"),
    }
    assert_eq!(transfer(&postgres, &back, &mut |_| {}).await.expect("the transfer succeeds"), counts);
    let store = sultan_store::open(&back).await.expect("the store opens");
    assert_eq!(store.load(table, 0).await.expect("the table can be read"), original_changes);
    store.close().await.expect("the store closes");
    let store_of_a_server = backend.open().await;
    let transferred = transfer(&postgres, &unused, &mut |_| {}).await;
    assert!(
        matches!(&transferred, Err(CopyError::InUse(location)) if *location == postgres.to_string()),
        "{transferred:?}"
    );
    store_of_a_server.close().await.expect("the store closes");
}

/// Asserts that a database with a newer schema is not transferred, even if the schema is compatible with this program:
/// a transfer would lose data that only the newer program knows.
async fn assert_newer_schema_is_not_transferred(backend: Backend) {
    backend.open().await.close().await.expect("the store closes");
    let folder = database_folder();
    let to = Location::Sqlite(folder.path().join("moved.db"));
    // Schema 99, which programs with schema 4 or newer can use. The row says that its migration was applied.
    let add_newer_schema = "INSERT INTO compatible (schema, since) VALUES (99, 4);
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(add_newer_schema).await;
    let transferred = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(transferred, Err(CopyError::Store(StoreError::TooNew { found: 99, .. }))), "{transferred:?}");
    assert_is_empty(folder.path());
}

/// The sentence is the message of Postgres, without the position in the source code of Postgres. Errors of
/// authentication have their own variant.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_database_and_unknown_user_are_reported_in_one_sentence() {
    let Some(server) = postgres_or_skip() else { return };
    let open_error = async |address: &str| {
        let location = address.parse().expect("the address is valid");
        let Err(error) = sultan_store::open(&location).await else { panic!("{address} can be opened") };
        error
    };
    let missing_database = open_error(&server.database_url("nowhere")).await;
    assert_eq!(missing_database.to_string(), "the database failed: database \"nowhere\" does not exist");
    let address_of_stranger = server.database_url("postgres").replace("user=postgres", "user=stranger");
    let unknown_user = open_error(&address_of_stranger).await;
    assert!(matches!(unknown_user, StoreError::AuthenticationFailed { .. }), "{unknown_user:?}");
    assert!(unknown_user.to_string().ends_with("role \"stranger\" does not exist"), "{unknown_user}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transfer_from_sqlite_rejects_a_newer_schema() {
    assert_newer_schema_is_not_transferred(Backend::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transfer_from_postgres_rejects_a_newer_schema() {
    let Some(backend) = postgres() else { return };
    assert_newer_schema_is_not_transferred(backend).await;
}

/// Defines a test on SQLite for every function of the contract.
macro_rules! on_sqlite {
    ($($module:ident::$test:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                sultan_testkit::store_contract::$module::$test(Arc::new(Backend::sqlite())).await;
            }
        )*
    };
}

/// Defines a test on Postgres for every function of the contract.
macro_rules! on_postgres {
    ($($module:ident::$test:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let Some(backend) = postgres() else { return };
                sultan_testkit::store_contract::$module::$test(Arc::new(backend)).await;
            }
        )*
    };
}

mod on_sqlite {
    use super::*;

    store_contract!(on_sqlite);
}

mod on_postgres {
    use super::*;

    store_contract!(on_postgres);
    store_contract_for_nodes!(on_postgres);
}
