//! Storage for all tables: an append-only list of changes per table.
//!
//! [`Store`] is the only interface; [`open`] returns an implementation on a SQLite file or a Postgres database. The
//! stored events are [`EventRecord`]s, which no crate with a user interface can name. This crate makes no decisions:
//! permissions are checked in `sultan-table`, legality in `sultan-rules`.

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

// Other nodes.
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
