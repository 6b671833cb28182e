//! The interface of a store.

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

/// Errors of a store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The newest stored version of the table is not the version on which the change is based. The change was not
    /// stored.
    #[error("the table has changed since")]
    Stale,
    /// The database was made by a newer version of this program.
    #[error("the database has schema {found}, but this program supports only {supported}: use a newer sultan")]
    TooNew {
        /// The schema of the database.
        found: i64,
        /// The newest schema that this program supports.
        supported: i64,
    },
    /// The database is down: its server does not answer.
    #[error("the database server does not answer: {0}")]
    Unreachable(String),
    /// TLS with the database server failed or is not offered.
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
    /// The stored data cannot be decoded.
    #[error("table {table} cannot be read: {reason}")]
    Unreadable {
        /// The table.
        table: TableId,
        /// The reason.
        reason: String,
    },
    /// A database operation failed.
    #[error("the database failed: {}", error_text(.0))]
    Database(Arc<sqlx::Error>),
    /// A migration failed.
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

/// The text of a database error. `Display` of a Postgres error would also print a position in the source code of
/// Postgres.
fn error_text(error: &sqlx::Error) -> String {
    match error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>()) {
        Some(error) => error.message().to_owned(),
        None => error.to_string(),
    }
}

/// The state of a table in lists of tables. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableState {
    /// Waiting for players.
    Waiting = 0,
    /// The game is in play.
    Playing = 1,
    /// The game is over.
    Over = 2,
}

/// The properties of a table by which it is found in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The state of the table.
    pub state: TableState,
    /// Whether it is listed publicly.
    pub public: bool,
    /// Whether the table has bots or clocks, so that a node must run it even without requests. The database column is
    /// called `attended`.
    pub has_bots_or_clocks: bool,
}

/// A change to be stored atomically.
#[derive(Clone, Debug)]
pub struct Append {
    /// The table.
    pub table: TableId,
    /// The change. It is stored only if the newest stored version is the version before; version 1 opens a table.
    pub change: Change,
    /// The new listing, if it changed.
    pub listing: Option<Listing>,
    /// The browsers that get a seat with this change.
    pub visitors: Vec<VisitorSeat>,
}

/// A browser that has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitorSeat {
    /// The hash that identifies the browser.
    pub visitor: VisitorHash,
    /// The table.
    pub table: TableId,
    /// The seat.
    pub seat: Seat,
}

/// A change of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The version after the change.
    pub version: u32,
    /// The time of the change, in milliseconds since 1970.
    pub at_ms: i64,
    /// The events, rarely more than one.
    pub events: Vec<EventRecord>,
}

/// A table in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedTable {
    /// The table.
    pub table: TableId,
    /// When it was opened or its state changed last, in milliseconds since 1970.
    pub changed_ms: i64,
}

/// Which tables to delete, by the time of their last change. Times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeleteBefore {
    /// Tables without changes since this time, except the tables in play with bots or clocks.
    pub idle_ms: i64,
    /// Tables in play with bots or clocks but without changes since this time: they wait for an absent player.
    pub stalled_ms: i64,
}

/// A commitment issued to a host before a table was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredCommitment {
    /// The hash of the server seed.
    pub commitment: Commitment,
    /// The seed, which stays secret until the game is over.
    pub server_seed: ServerSeed,
    /// The time of issue, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Storage for the changes of all tables.
pub trait Store: Send + Sync {
    /// Adds a change to a table, for example a player's bid. When this returns, the change is saved: it is durable, and
    /// survives a crash of the program or the machine.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if the table has another version; the change is not stored then.
    fn append(&self, append: Append) -> StoreFuture<'_, ()>;

    /// All changes of a table with a version higher than `after_version`, in order; empty for an unknown table.
    fn load(&self, table: TableId, after_version: u32) -> StoreFuture<'_, Vec<Change>>;

    /// At most `limit` public tables in a state. The tables with the newest [`ListedTable::changed_ms`] are first.
    fn public_tables(&self, state: TableState, limit: u32) -> StoreFuture<'_, Vec<ListedTable>>;

    /// Counts the tables whose game is not over. The result is at most `limit`.
    fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64>;

    /// At most `limit` tables in play with bots or clocks, in order of their ids: the tables after `after`, or the
    /// first tables.
    fn tables_with_bots_or_clocks(&self, after: Option<TableId>, limit: u32) -> StoreFuture<'_, Vec<TableId>>;

    /// Lists a table as over, if it is listed as in play.
    ///
    /// Usually the last change of a game does that. At a table with an even pace (the players see every action after a
    /// delay) the end of the game must stay hidden at first, so this is called after the delay.
    fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()>;

    /// At most `limit` seats that a browser has. The seats that it got last are first.
    fn seats_of(&self, visitor: VisitorHash, limit: u32) -> StoreFuture<'_, Vec<VisitorSeat>>;

    /// Stores a commitment that no table has used yet.
    fn store_commitment(&self, commitment: StoredCommitment) -> StoreFuture<'_, ()>;

    /// Removes a commitment. Returns it if it was issued at `since_ms` or later; an older commitment is removed, too.
    fn take_commitment(&self, commitment: Commitment, since_ms: i64) -> StoreFuture<'_, Option<StoredCommitment>>;

    /// Deletes all commitments that were issued before a time.
    fn delete_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()>;

    /// Stores the analysis of a finished game, unless one is already stored or the table was deleted.
    fn store_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()>;

    /// The stored analysis of a game; `None` if no analysis is stored.
    fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>>;

    /// The secret for signing cookies, which all nodes share. If the database has no secret yet, stores `new_secret`
    /// and returns it.
    fn cookie_secret(&self, new_secret: [u8; 64]) -> StoreFuture<'_, [u8; 64]>;

    /// Deletes up to `limit` old tables with all their data, and all commitments issued before `idle_ms`. Returns the
    /// number of deleted tables.
    fn delete_tables(&self, before: DeleteBefore, limit: u32) -> StoreFuture<'_, u64>;

    /// Compacts up to `limit` tables whose games ended before a time: merges the changes of each table into one row, to
    /// save space. Reading and appending work as before. Returns the number of compacted tables.
    fn compact(&self, before_ms: i64, limit: u32) -> StoreFuture<'_, u64>;

    /// The interface for nodes that share the database; `None` for SQLite.
    fn nodes(&self) -> Option<&dyn Nodes>;

    /// Checks that the database answers a read.
    fn ready(&self) -> StoreFuture<'_, ()>;

    /// Finishes pending writes and closes the database.
    fn close(&self) -> StoreFuture<'_, ()>;
}
