//! Copies of whole databases: `backup` copies a SQLite file that is in use, and `transfer` copies all data of one
//! database into another, for example from SQLite to Postgres.
//!
//! In both cases an incomplete copy is never visible under the name of the target. `rows` reads and writes the rows of
//! both databases; `pending_file` gives a SQLite file its name when it is complete.

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
    /// The source file does not exist.
    #[error("file {} not found", .0.display())]
    Missing(PathBuf),
    /// The target's folder does not exist.
    #[error("folder {} not found", .0.display())]
    NoFolder(PathBuf),
    /// The source is not a database of sultan.
    #[error("{0} is not a database of sultan")]
    Foreign(String),
    /// Another program uses the database.
    #[error("{0} is in use: stop every sultan that serves from it first")]
    InUse(String),
    /// The target database is not empty.
    #[error("{location} is not empty: {rows} rows in {database_table}")]
    NotEmpty {
        /// The target.
        location: String,
        /// The first database table that has rows.
        database_table: &'static str,
        /// The number of rows.
        rows: u64,
    },
    /// The copy differs from the original.
    #[error("the copy differs from the original in {database_table}{}; the copy was deleted", of_table(*.table))]
    Different {
        /// The database table that differs.
        database_table: &'static str,
        /// The table (game) that the first different row belongs to, if any.
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
    /// Returns a function that converts an I/O error on this file.
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::File { path: path.to_owned(), error }
    }
}

/// The part of an error message that names the table (game) of a row; empty without a table.
fn of_table(table: Option<TableId>) -> String {
    table.map_or_else(String::new, |table| format!(" of table {table}"))
}
