//! Finds the database, by default in the data directory of the user, and makes its files private to the user.

use std::fs::{self, DirBuilder, OpenOptions};
use std::path::Path;

use anyhow::{Context, anyhow};
use directories::ProjectDirs;
use sultan_store::{Location, StoreError};

/// A SQLite file with this name in the user's data directory. Creates the directory.
pub(crate) fn default_location(file_name: &str) -> anyhow::Result<Location> {
    let directories = ProjectDirs::from("", "", "sultan");
    let no_directory = "this user has no data directory; set HOME, or for sultan serve --db sqlite:FILE";
    let folder = directories.as_ref().context(no_directory)?.data_dir();
    make_directory(folder)?;
    Ok(Location::Sqlite(folder.join(file_name)))
}

/// The location given with `--db`, by default `sultan.db` in the data directory. `password_file` has the password of a
/// Postgres database in its first line.
pub(crate) fn location(db: Option<&str>, password_file: Option<&Path>) -> anyhow::Result<Location> {
    let location = match db {
        Some(db) => db.parse::<Location>()?,
        None => default_location("sultan.db")?,
    };
    let Some(file) = password_file else { return Ok(location) };
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let password = text.lines().next().filter(|line| !line.is_empty());
    let password = password.with_context(|| format!("no password in {}", file.display()))?;
    location.with_password(password).context("a password is for Postgres: db must begin with postgres:")
}

/// Adds a hint at `--db-password-file` to the error of opening a database if authentication failed without this option.
pub(crate) fn with_password_hint(error: StoreError, password_file: Option<&Path>) -> anyhow::Error {
    match error {
        StoreError::AuthenticationFailed { .. } if password_file.is_none() => {
            anyhow!("{error}; --db-password-file FILE gives the password")
        }
        error => error.into(),
    }
}

/// Creates a directory that only its owner can read, unless it exists.
fn make_directory(path: &Path) -> anyhow::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).with_context(|| format!("cannot create the directory {}", path.display()))
}

/// Creates the file of a SQLite database, unless it exists, so that only its owner can read it. SQLite gives the files
/// beside it the same permissions.
pub(crate) fn make_private(location: &Location) -> anyhow::Result<()> {
    let Location::Sqlite(path) = location else { return Ok(()) };
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).with_context(|| format!("cannot open {location}"))?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn failed_authentication_hints_at_the_password_file() {
        let failed = || StoreError::AuthenticationFailed { user: "ana".to_owned(), reason: "no".to_owned() };
        let message = |file| format!("{:#}", with_password_hint(failed(), file));
        assert!(message(None).contains("--db-password-file"));
        assert!(!message(Some(Path::new("x"))).contains("--db-password-file"));
    }

    #[test]
    fn new_directory_and_database_are_readable_by_their_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("a/b");
        make_directory(&directory).unwrap();
        let file = directory.join("x.db");
        make_private(&Location::Sqlite(file.clone())).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&directory), mode(&file)), (0o700, 0o600));
        // `make_private` creates no folder.
        assert!(make_private(&Location::Sqlite(folder.path().join("none/x.db"))).is_err());
    }
}
