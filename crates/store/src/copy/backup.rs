//! A copy of a SQLite file that others read and write meanwhile.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::beside::Beside;
use super::{CopyError, must_be_there};

/// What is in a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackedUp {
    /// How many tables.
    pub tables: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// Copies a SQLite file as it is at one moment: everything that was acknowledged before this was called is in it. Nobody waits for it,
/// and nothing of it is seen before it is whole and was read back.
///
/// # Errors
/// [`CopyError`], above all where the target is there already. Then nothing is left of the copy.
pub async fn backup(from: &Path, to: &Path) -> Result<BackedUp, CopyError> {
    let mut original = open(from).await?;
    let copy = Beside::new(to)?;
    // The name is text for SQLite.
    let path = copy.path();
    let name = path.to_str().ok_or_else(|| {
        CopyError::file(to)(std::io::Error::new(std::io::ErrorKind::InvalidInput, "the name is no text"))
    })?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(&mut original).await?;
    original.close().await?;
    let tables = checked(&path).await?;
    let bytes = path.metadata().map_err(CopyError::file(&path))?.len();
    copy.show()?;
    Ok(BackedUp { tables, bytes })
}

/// Opens a file of ours as it is; it is neither made nor changed.
async fn open(path: &Path) -> Result<SqliteConnection, CopyError> {
    must_be_there(path)?;
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(Duration::from_secs(10));
    let mut connection = SqliteConnection::connect_with(&options).await?;
    if !is_ours(&mut connection).await? {
        return Err(CopyError::Foreign(path.display().to_string()));
    }
    Ok(connection)
}

pub(super) async fn is_ours(connection: &mut SqliteConnection) -> Result<bool, CopyError> {
    const OURS: &str = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('changes', 'tables')";
    Ok(sqlx::query_scalar::<_, i64>(OURS).fetch_one(connection).await? == 2)
}

/// Reads a copy from one end to the other. Says how many tables are in it.
async fn checked(path: &Path) -> Result<u64, CopyError> {
    let mut copy = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await?;
    let found: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copy).await?;
    if found != "ok" {
        return Err(CopyError::Damaged(found));
    }
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM tables").fetch_one(&mut copy).await?;
    copy.close().await?;
    Ok(tables.unsigned_abs())
}
