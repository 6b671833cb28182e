//! What a store can do.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use sqlx::postgres::PgDatabaseError;
use sultan_domain::{Commitment, Seat, ServerSeed, TableId};
use thiserror::Error;

use crate::nodes::Nodes;
use crate::record::{EventRecord, VisitorHash};

/// A boxed future, so that `dyn Store` can be used.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Why a store could not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The table has changed since: nothing was stored.
    #[error("the table has changed since")]
    Stale,
    /// The database was made by a newer version of this program.
    #[error("the database has schema {found}, but this program supports only {known}: use a newer sultan")]
    TooNew {
        /// The schema of the database.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// The database server does not answer.
    #[error("the database server does not answer: {0}")]
    Unreachable(String),
    /// TLS with the database server failed, or it has none.
    #[error("no TLS connection to the database server: {0}")]
    Tls(String),
    /// The database server does not accept the user or the password.
    #[error("authentication failed for database user \"{user}\": {reason}")]
    AuthenticationFailed {
        /// The user.
        user: String,
        /// The message of the server.
        reason: String,
    },
    /// What is stored cannot be read.
    #[error("table {table} cannot be read: {reason}")]
    Unreadable {
        /// Which table.
        table: TableId,
        /// Why.
        reason: String,
    },
    /// The database did not do it.
    #[error("the database failed: {}", in_words(.0))]
    Database(Arc<sqlx::Error>),
    /// The database could not be brought up to date.
    #[error("the database could not be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

/// What is wrong, without the line of Postgres's own source that found it.
fn in_words(error: &sqlx::Error) -> String {
    match error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>()) {
        Some(error) => error.message().to_owned(),
        None => error.to_string(),
    }
}

/// A table's state, as far as lists of tables ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableState {
    /// Not everybody is there yet.
    Waiting = 0,
    /// The game is on.
    Playing = 1,
    /// The game is over.
    Over = 2,
}

impl TableState {
    /// The number that stands for it in the database.
    pub(crate) const fn number(self) -> i32 {
        self as i32
    }
}

/// What lists of tables need to know of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Its state.
    pub state: TableState,
    /// Whether everybody may find it.
    pub public: bool,
    /// Whether it goes on by itself: bots play, or time runs.
    pub attended: bool,
}

/// A change to be stored: all of it or nothing.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which table.
    pub table: TableId,
    /// The version the change was made from: what the table must have had last. Zero opens a table.
    pub version: u32,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened; seldom more than one thing.
    pub events: Vec<EventRecord>,
    /// What lists should say from now on, where that has changed.
    pub listing: Option<Listing>,
    /// Browsers that have a seat from now on.
    pub visitors: Vec<VisitorSeat>,
}

/// A browser that has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitorSeat {
    /// What the browser is known by.
    pub visitor: VisitorHash,
    /// The table.
    pub table: TableId,
    /// The seat.
    pub seat: Seat,
}

/// A stored change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The version it led to.
    pub version: u32,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened.
    pub events: Vec<EventRecord>,
}

/// A table in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which.
    pub table: TableId,
    /// When it was opened or its state changed last, in milliseconds since 1970.
    pub changed_ms: i64,
}

/// Which tables are forgotten, by their last change. Times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForgetBefore {
    /// Those that have not changed since then.
    pub idle_ms: i64,
    /// Those in play that would go on by themselves, and have not since then: they wait for somebody who does not come.
    pub stalled_ms: i64,
}

/// A commitment given to a host before a table was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredCommitment {
    /// The hash of the server seed.
    pub commitment: Commitment,
    /// The seed, which stays secret until the game is over.
    pub server_seed: ServerSeed,
    /// When it was given, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Where the changes of all tables are kept.
///
/// What `append` has answered is durable: no crash of this program or of the machine loses it.
pub trait Store: Send + Sync {
    /// Adds a change to a table.
    ///
    /// # Errors
    /// [`StoreError::Stale`] when the table is not at that version: nothing is stored then.
    fn append(&self, append: Append) -> StoreFuture<'_, ()>;

    /// All changes of a table after a version, in order; none if there is no such table.
    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>>;

    /// The tables in a state that everybody may find, the newest first.
    fn public_tables(&self, state: TableState, limit: u32) -> StoreFuture<'_, Vec<Listed>>;

    /// Counts open tables, up to `limit`.
    fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64>;

    /// The tables in play that go on by themselves, in the order of their names, after one of them.
    fn attended_tables(&self, after: Option<TableId>, limit: u32) -> StoreFuture<'_, Vec<TableId>>;

    /// Says that a table that was in play is over, where its changes were not to tell that at once.
    fn list_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()>;

    /// The seats a browser has, the newest first.
    fn seats_of(&self, visitor: VisitorHash, limit: u32) -> StoreFuture<'_, Vec<VisitorSeat>>;

    /// Stores a commitment that no table has used yet.
    fn store_commitment(&self, commitment: StoredCommitment) -> StoreFuture<'_, ()>;

    /// Removes and returns a commitment, if it was given at this time or later. It can be taken only once.
    fn take_commitment(&self, commitment: Commitment, since_ms: i64) -> StoreFuture<'_, Option<StoredCommitment>>;

    /// Deletes all commitments that were given before a time.
    fn forget_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()>;

    /// Stores the analysis of a finished game, unless there is one already.
    fn keep_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()>;

    /// The stored analysis of a game.
    fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>>;

    /// The secret that all nodes sign with: this one, if there is none yet.
    fn secret(&self, fresh: [u8; 64]) -> StoreFuture<'_, [u8; 64]>;

    /// Removes old tables with everything that belongs to them, up to `limit`, and commitments that are as old. Returns the number of
    /// removed tables.
    fn forget(&self, before: ForgetBefore, limit: u32) -> StoreFuture<'_, u64>;

    /// Merges the changes of tables that have been over since before a time, up to `limit`, so that they take less room; they are
    /// read and added to as before. Returns the number of merged tables.
    fn merge(&self, before_ms: i64, limit: u32) -> StoreFuture<'_, u64>;

    /// The other nodes, where the database may have some.
    fn nodes(&self) -> Option<&dyn Nodes>;

    /// Whether the database answers those who read.
    fn ready(&self) -> StoreFuture<'_, ()>;

    /// Stores what is under way and lets go of the database.
    fn close(&self) -> StoreFuture<'_, ()>;
}
