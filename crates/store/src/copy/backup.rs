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
    /// Number of tables.
    pub tables: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Copies a SQLite file in a consistent state: it contains every change that was acknowledged before the call. Other
/// programs are not blocked, and the copy becomes visible only when it is complete and verified.
///
/// # Errors
/// [`CopyError`], for example if the target already exists. The incomplete copy is deleted then.
pub async fn backup(from: &Path, to: &Path) -> Result<BackupSummary, CopyError> {
    let mut original = open(from, SqliteConnectOptions::new().busy_timeout(Duration::from_secs(10))).await?;
    let copy = PendingFile::new(to)?;
    // SQLite needs the path as UTF-8 text.
    let path = copy.path();
    let name = path.to_str().ok_or_else(|| {
        CopyError::file(to)(std::io::Error::new(std::io::ErrorKind::InvalidInput, "the name is not valid UTF-8"))
    })?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(&mut original).await?;
    original.close().await?;
    let tables = verify_copy(path).await?;
    let bytes = path.metadata().map_err(CopyError::file(path))?.len();
    copy.publish()?;
    Ok(BackupSummary { tables, bytes })
}

/// Opens a file of sultan as it is: it is neither created nor migrated.
pub(super) async fn open(path: &Path, options: SqliteConnectOptions) -> Result<SqliteConnection, CopyError> {
    const TABLES: &str = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('changes', 'tables')";
    // An error leaves open whether the file exists (permissions, for example).
    if !path.try_exists().map_err(CopyError::file(path))? {
        return Err(CopyError::Missing(path.to_owned()));
    }
    let mut connection = SqliteConnection::connect_with(&options.filename(path)).await?;
    if sqlx::query_scalar::<_, i64>(TABLES).fetch_one(&mut connection).await? != 2 {
        return Err(CopyError::Foreign(path.display().to_string()));
    }
    Ok(connection)
}

/// Reads a whole copy and counts its tables.
async fn verify_copy(path: &Path) -> Result<u64, CopyError> {
    let mut copy = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await?;
    let result: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copy).await?;
    if result != "ok" {
        return Err(CopyError::Damaged(result));
    }
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM tables").fetch_one(&mut copy).await?;
    copy.close().await?;
    Ok(tables.unsigned_abs())
}
