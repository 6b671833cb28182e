//! Where the truth of all tables is kept: a list of changes per table that only ever grows.
//!
//! [`Store`] is the one way in and out; [`open`] gives a SQLite file or a Postgres database behind it. What is stored is
//! an [`EventRecord`], and no crate that talks to people can name one. Nothing here decides anything: who may do what is in
//! `sultan-table`, what is legal in `sultan-rules`.

// What is stored, and how it is asked for.
mod record;
mod store;

// Where.
mod batch;
mod compress;
mod copy;
mod database;
mod deadline;
mod location;
mod merged;
mod migrations;
mod postgres;
mod sqlite;
mod tidy;

// Other nodes.
mod nodes;
mod notifications;

pub use copy::{BackedUp, CopyError, Moved, Progress, backup, transfer};
pub use database::open;
pub use location::{Location, LocationError};
pub use nodes::{Living, NodeId, Nodes, Notification};
pub use record::{BranchRecord, EventRecord, OpenedRecord, SatRecord, TokenHash, VisitorHash};
pub use store::{
    Append, Change, ForgetBefore, Listed, Listing, Store, StoreError, StoreFuture, StoredCommitment, TableState,
    VisitorSeat,
};
