//! Whole databases, copied: a backup of a file that is in use, and everything moved from one database into another.
//!
//! Both make their copy where nobody looks for it and publish it when it is complete: `rows` says what there is to copy, and how it
//! is read and written, `pending_file` how a file gets its name.

mod backup;
mod pending_file;
mod rows;
mod transfer;

use std::io;
use std::path::{Path, PathBuf};

use sultan_domain::TableId;
use thiserror::Error;

use crate::StoreError;

pub use backup::{BackedUp, backup};
pub use transfer::{Moved, Progress, transfer};

/// Why there is no copy.
#[derive(Debug, Error)]
pub enum CopyError {
    /// Something is there that would be lost.
    #[error("{} already exists and is never overwritten: choose another name", .0.display())]
    Exists(PathBuf),
    /// There is nothing to copy.
    #[error("file {} not found", .0.display())]
    Missing(PathBuf),
    /// There is no place for the copy.
    #[error("folder {} not found", .0.display())]
    NoFolder(PathBuf),
    /// It is something else.
    #[error("{0} is not a database of sultan")]
    Foreign(String),
    /// Somebody works with it.
    #[error("{0} is in use: stop every sultan that serves from it first")]
    InUse(String),
    /// Something is there that would be mixed with the copy.
    #[error("{place} is not empty: {rows} rows in {what}")]
    NotEmpty {
        /// Where.
        place: String,
        /// Which of its tables.
        what: &'static str,
        /// How many.
        rows: u64,
    },
    /// What was written is not what was read.
    #[error("the copy differs from the original in {what}{}; the copy was deleted", of_table(*.table))]
    Different {
        /// Which of the database's tables.
        what: &'static str,
        /// Whose row.
        table: Option<TableId>,
    },
    /// SQLite finds the copy damaged.
    #[error("the copy is damaged, and so may be the original: {0}")]
    Damaged(String),
    /// A file could not be made.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A database did not do it.
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

fn of_table(table: Option<TableId>) -> String {
    table.map_or_else(String::new, |table| format!(" of table {table}"))
}
