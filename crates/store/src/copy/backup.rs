//! Backup of a SQLite file while it is in use.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::CopyError;
use super::pending_file::PendingFile;

/// The contents of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// Number of tables (games).
    pub tables: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Copies a SQLite file that may be in use. The copy contains every change that was acknowledged before the call. Other
/// programs are not blocked. The target gets its name only when the copy is complete and verified.
///
/// # Errors
/// [`CopyError`], for example if the target already exists. An incomplete copy is deleted.
pub async fn backup(from: &Path, to: &Path) -> Result<BackupSummary, CopyError> {
    let wait_for_lock = SqliteConnectOptions::new().busy_timeout(Duration::from_secs(10));
    let mut original = open_existing(from, wait_for_lock).await?;
    let copy = PendingFile::new(to)?;
    let path = copy.path();
    // SQLite needs the path as UTF-8 text.
    let path_text = path.to_str().ok_or_else(|| {
        CopyError::file(to)(std::io::Error::new(std::io::ErrorKind::InvalidInput, "the name is not valid UTF-8"))
    })?;
    // `VACUUM INTO` writes a copy of the database into a file, which must be missing or empty.
    sqlx::query("VACUUM INTO $1").bind(path_text).execute(&mut original).await?;
    original.close().await?;
    let tables = verify_copy(path).await?;
    let bytes = path.metadata().map_err(CopyError::file(path))?.len();
    copy.publish()?;
    Ok(BackupSummary { tables, bytes })
}

/// Opens an existing database file of sultan. The file is neither created nor migrated.
pub(super) async fn open_existing(path: &Path, options: SqliteConnectOptions) -> Result<SqliteConnection, CopyError> {
    const COUNT_OWN_TABLES: &str =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('changes', 'tables')";
    // An error (of missing permissions, for example) does not mean that the file is missing.
    if !path.try_exists().map_err(CopyError::file(path))? {
        return Err(CopyError::Missing(path.to_owned()));
    }
    let mut connection = SqliteConnection::connect_with(&options.filename(path)).await?;
    let own_tables: i64 = sqlx::query_scalar(COUNT_OWN_TABLES).fetch_one(&mut connection).await?;
    if own_tables != 2 {
        return Err(CopyError::Foreign(path.display().to_string()));
    }
    Ok(connection)
}

/// Checks a copy with SQLite's integrity check, and counts its tables (games).
async fn verify_copy(path: &Path) -> Result<u64, CopyError> {
    let mut copy = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await?;
    // Returns `ok` or the first fault.
    let result: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copy).await?;
    if result != "ok" {
        return Err(CopyError::Damaged(result));
    }
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM tables").fetch_one(&mut copy).await?;
    copy.close().await?;
    Ok(tables.unsigned_abs())
}
