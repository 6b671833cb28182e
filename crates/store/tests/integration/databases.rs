//! The same tests on every database: SQLite always, Postgres if it is installed.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::{
    Append, Change, CopyError, EventRecord, Listing, Location, StoreError, TableState, TransferCounts, transfer,
};
use sultan_testkit::{Backend, database_folder, postgres_or_skip, store_contract, store_contract_for_nodes};

/// An empty Postgres database, if Postgres is installed.
fn postgres() -> Option<Backend> {
    postgres_or_skip().map(Backend::postgres)
}

/// A database of another program, named by mistake, is left unchanged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_postgres_database_is_not_moved() {
    let Some(backend) = postgres() else { return };
    backend.execute("CREATE TABLE theirs (id INTEGER)").await;
    let folder = database_folder();
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let moved = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Foreign(_))), "{moved:?}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(backend.query_number(tables).await, 1, "nothing was made there");
    assert_eq!(folder.path().read_dir().expect("it is there").count(), 0);
}

/// A server that is started during a transfer of its database cannot store any change, which would be missing in the
/// copy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn source_is_locked_during_a_move() {
    let Some(backend) = postgres() else { return };
    backend.open().await.close().await.expect("closed");
    backend.execute("INSERT INTO secrets (name, value) VALUES ('cookies', decode(repeat('07', 64), 'hex'))").await;
    let folder = database_folder();
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
    // Afterwards the source can be written again.
    backend.execute(write).await;
}

/// A round trip is complete, and is allowed only into an empty database that is not in use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn move_to_postgres_and_back_keeps_all_data() {
    let Some(backend) = postgres() else { return };
    let folder = database_folder();
    let [from, back, late] = ["from.db", "back.db", "late.db"].map(|name| Location::Sqlite(folder.path().join(name)));
    let store = sultan_store::open(&from).await.expect("it opens");
    let table = TableId::new(7);
    for version in 1..=3 {
        let change = Change { version, at_ms: 5, events: vec![EventRecord::Ended] };
        let listing = Some(Listing { state: TableState::Over, public: true, has_bots_or_clocks: false });
        let append = Append { table, change, listing, visitors: Vec::new() };
        store.append(append).await.expect("it is the next one");
    }
    let before = store.load(table, 0).await.expect("read");
    store.close().await.expect("closed");
    let (there, mut progress) = (backend.location(), Vec::new());
    let moved = transfer(&from, &there, &mut |now| progress.push(now)).await.expect("it is moved");
    assert_eq!(moved, TransferCounts { tables: 1, changes: 3, events: 3, ..TransferCounts::default() });
    assert_eq!(progress.last().map(|now| (now.done, now.total)), Some((8, 8)), "four rows were written and compared");
    match transfer(&from, &there, &mut |_| {}).await {
        Err(CopyError::NotEmpty { database_table: "changes", rows: 3, location }) => {
            assert_eq!(location, there.to_string());
        }
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

/// A transfer would lose data that only a newer program knows, even if its schema is compatible.
async fn newer_schema_is_not_moved(backend: Backend) {
    backend.open().await.close().await.expect("closed");
    let folder = database_folder();
    let to = Location::Sqlite(folder.path().join("moved.db"));
    let newer = "INSERT INTO compatible (schema, since) VALUES (99, 4);
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(newer).await;
    let moved = transfer(&backend.location(), &to, &mut |_| {}).await;
    assert!(matches!(moved, Err(CopyError::Store(StoreError::TooNew { found: 99, .. }))), "{moved:?}");
    assert_eq!(folder.path().read_dir().expect("it is there").count(), 0);
}

/// The message of Postgres, without the position in the source of Postgres; errors of authentication have their own
/// variant.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_database_is_reported_in_one_sentence() {
    let Some(server) = postgres_or_skip() else { return };
    let (address, stranger) = (server.database_url("nowhere"), server.database_url("postgres"));
    let stranger = stranger.replace("user=postgres", "user=stranger");
    let refused = async |address: &str| {
        let location = address.parse().expect("an address");
        let Err(error) = sultan_store::open(&location).await else { panic!("there is no {address}") };
        error
    };
    let missing = refused(&address).await;
    assert_eq!(missing.to_string(), "the database failed: database \"nowhere\" does not exist");
    let unknown = refused(&stranger).await;
    assert!(matches!(unknown, StoreError::AuthenticationFailed { .. }), "{unknown:?}");
    assert!(unknown.to_string().ends_with("role \"stranger\" does not exist"), "{unknown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newer_schema_is_not_moved_from_sqlite() {
    newer_schema_is_not_moved(Backend::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newer_schema_is_not_moved_from_postgres() {
    let Some(backend) = postgres() else { return };
    newer_schema_is_not_moved(backend).await;
}

macro_rules! on_sqlite {
    ($($module:ident::$part:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $part() {
                sultan_testkit::store_contract::$module::$part(Arc::new(Backend::sqlite())).await;
            }
        )*
    };
}

macro_rules! on_postgres {
    ($($module:ident::$part:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $part() {
                let Some(backend) = postgres() else { return };
                sultan_testkit::store_contract::$module::$part(Arc::new(backend)).await;
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
