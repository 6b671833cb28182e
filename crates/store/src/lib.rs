//! Storage of tables: for every table an append-only list of changes.
//!
//! A *table* is one game with its seats and players; a table of SQL is called a *database table*. A *change* is a list
//! of [`EventRecord`]s that are stored together, and its *version* is its number, counted from 1. A *node* is a running
//! server program; several nodes can share a Postgres database.
//!
//! [`Store`] is the only interface; [`open`] returns an implementation on a SQLite file or a Postgres database. No
//! crate with a user interface can name an [`EventRecord`]. This crate makes no decisions: permissions are checked in
//! `sultan-table`, legality in `sultan-rules`.

// Stored data, and the interface to it.
mod record;
mod store;

// Implementations.
mod batch;
mod cleanup;
mod compress;
mod copy;
mod database;
mod deadline;
mod location;
mod merged;
mod migrations;
mod postgres;
mod sqlite;

// Messages between the nodes that share a database.
mod nodes;
mod notifications;

pub use copy::{BackupSummary, CopyError, Progress, TransferCounts, backup, transfer};
pub use database::open;
pub use location::{Location, LocationError};
pub use nodes::{LivingNodes, NodeId, Nodes, Notification};
pub use record::{BranchRecord, EventRecord, OpenedRecord, SatRecord, TokenHash, VisitorHash};
pub use store::{
    Append, Change, DeleteBefore, ListedTable, Listing, Store, StoreError, StoreFuture, StoredCommitment, TableState,
    VisitorSeat,
};
