//! Copies of whole databases: the backup of a SQLite file in use, and the transfer of all data from one database to
//! another.
//!
//! Both write a temporary copy and publish it when it is complete: `rows` defines the data to copy, and
//! reads and writes it; `pending_file` gives a finished file its name.

mod backup;
mod pending_file;
mod rows;
mod transfer;

use std::io;
use std::path::{Path, PathBuf};

use sultan_domain::TableId;
use thiserror::Error;

use crate::StoreError;

pub use backup::{BackupSummary, backup};
pub use transfer::{Progress, TransferCounts, transfer};

/// Errors of backups and transfers.
#[derive(Debug, Error)]
pub enum CopyError {
    /// The target already exists.
    #[error("{} already exists and is never overwritten: choose another name", .0.display())]
    Exists(PathBuf),
    /// The source does not exist.
    #[error("file {} not found", .0.display())]
    Missing(PathBuf),
    /// The target's folder does not exist.
    #[error("folder {} not found", .0.display())]
    NoFolder(PathBuf),
    /// It is not a database of sultan.
    #[error("{0} is not a database of sultan")]
    Foreign(String),
    /// The database is in use.
    #[error("{0} is in use: stop every sultan that serves from it first")]
    InUse(String),
    /// The target database is not empty.
    #[error("{location} is not empty: {rows} rows in {database_table}")]
    NotEmpty {
        /// The target.
        location: String,
        /// The table of the database that has rows.
        database_table: &'static str,
        /// The number of rows.
        rows: u64,
    },
    /// The copy differs from the original.
    #[error("the copy differs from the original in {database_table}{}; the copy was deleted", table_suffix(*.table))]
    Different {
        /// The table of the database that differs.
        database_table: &'static str,
        /// The game table that the row belongs to.
        table: Option<TableId>,
    },
    /// SQLite finds the copy damaged.
    #[error("the copy is damaged, and so may be the original: {0}")]
    Damaged(String),
    /// A file operation failed.
    #[error("{}: {error}", .path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A database operation failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl CopyError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::File { path: path.to_owned(), error }
    }
}

fn table_suffix(table: Option<TableId>) -> String {
    table.map_or_else(String::new, |table| format!(" of table {table}"))
}
