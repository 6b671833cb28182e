//! An empty SQLite or Postgres database for one test.

use sqlx::postgres::PgListener;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};
use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use sultan_store::{Location, Store};
use tempfile::TempDir;

use crate::Postgres;

/// A new folder for SQLite files, deleted after the test.
///
/// It is in memory (`/dev/shm`) if possible: these tests check behaviour, not durability, and would mostly wait for the
/// disk. (The end-to-end tests kill real servers on real disks.)
///
/// # Panics
/// If the folder cannot be created.
#[must_use]
pub fn database_folder() -> TempDir {
    let parent = Some("/dev/shm".into()).filter(|memory: &PathBuf| memory.is_dir()).unwrap_or_else(env::temp_dir);
    TempDir::with_prefix_in("sultan-store", parent).expect("a folder can be created")
}

/// An empty database for one test. A SQLite file is deleted when this is dropped.
#[derive(Debug)]
pub struct Backend {
    url: String,
    _folder: Option<TempDir>,
}

impl Backend {
    /// A SQLite file.
    ///
    /// # Panics
    /// If the folder cannot be created.
    #[must_use]
    pub fn sqlite() -> Self {
        let folder = database_folder();
        Self { url: format!("sqlite:{}", folder.path().join("games.db").display()), _folder: Some(folder) }
    }

    /// A new database on a Postgres server.
    #[must_use]
    pub fn postgres(server: &Postgres) -> Self {
        Self { url: server.new_database_url(), _folder: None }
    }

    /// An existing database at this connection URL.
    #[must_use]
    pub fn from_url(url: String) -> Self {
        Self { url, _folder: None }
    }

    /// The parsed connection URL.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn location(&self) -> Location {
        self.url.parse().expect("the URL is valid")
    }

    /// Whether this is a Postgres database.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres")
    }

    /// Opens a store on this database.
    ///
    /// # Panics
    /// If the store cannot be opened.
    pub async fn open(&self) -> Arc<dyn Store> {
        sultan_store::open(&self.location()).await.expect("the store opens")
    }

    /// A direct connection to a Postgres database, bypassing the store.
    ///
    /// # Panics
    /// If the connection fails.
    pub async fn connect_postgres(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.expect("Postgres accepts connections")
    }

    /// Listens to the notifications on a channel of a Postgres database (`LISTEN`).
    ///
    /// # Panics
    /// If the connection fails.
    pub async fn listen(&self, channel: &str) -> PgListener {
        let mut listener = PgListener::connect(&self.url).await.expect("Postgres accepts connections");
        listener.listen(channel).await.expect("LISTEN succeeds");
        listener
    }

    /// Executes SQL directly on the database, bypassing the store.
    ///
    /// # Panics
    /// If the statement fails.
    pub async fn execute(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_postgres() {
            let mut connection = self.connect_postgres().await;
            sqlx::raw_sql(sql).execute(&mut connection).await.expect("the statement succeeds");
        } else {
            let mut connection = SqliteConnection::connect(&self.url).await.expect("the file opens");
            sqlx::raw_sql(sql).execute(&mut connection).await.expect("the statement succeeds");
        }
    }

    /// The highest version that a table has.
    pub async fn newest_version(&self) -> i64 {
        self.query_number("SELECT max(version) FROM changes").await
    }

    /// Runs a query that returns one number.
    ///
    /// # Panics
    /// If the statement fails.
    pub async fn query_number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_postgres() {
            let mut connection = self.connect_postgres().await;
            sqlx::query(sql).fetch_one(&mut connection).await.expect("the statement succeeds").get(0)
        } else {
            let mut connection = SqliteConnection::connect(&self.url).await.expect("the file opens");
            sqlx::query(sql).fetch_one(&mut connection).await.expect("the statement succeeds").get(0)
        }
    }
}
