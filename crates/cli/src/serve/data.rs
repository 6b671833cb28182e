//! Finds the database, by default in the data directory of the user, and makes its files private to the user.

use std::fs::{self, DirBuilder, OpenOptions};
use std::path::Path;

use anyhow::{Context, anyhow};
use directories::ProjectDirs;
use sultan_store::{Location, StoreError};

/// The default location: a file in the user's data directory.
pub(crate) fn place(file: &str) -> anyhow::Result<Location> {
    let places = ProjectDirs::from("", "", "sultan");
    let places = places.context("this user has no data directory; set HOME, or for sultan serve --db sqlite:FILE")?;
    make_directory(places.data_dir())?;
    Ok(Location::Sqlite(places.data_dir().join(file)))
}

/// The given location or the default one, with the password from a file if one is given.
pub(crate) fn located(db: Option<&str>, password_file: Option<&Path>) -> anyhow::Result<Location> {
    let location = match db {
        Some(db) => db.parse::<Location>()?,
        None => place("sultan.db")?,
    };
    let Some(file) = password_file else { return Ok(location) };
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let password = text.lines().next().filter(|line| !line.is_empty());
    let password = password.with_context(|| format!("no password in {}", file.display()))?;
    location.with_password(password).context("a password is for Postgres: db must begin with postgres:")
}

/// The error of opening a database, with a hint at `--db-password-file` if authentication failed without it.
pub(crate) fn with_password_hint(error: StoreError, password_file: Option<&Path>) -> anyhow::Error {
    match error {
        StoreError::AuthenticationFailed { .. } if password_file.is_none() => {
            anyhow!("{error}; --db-password-file FILE gives the password")
        }
        error => error.into(),
    }
}

fn make_directory(path: &Path) -> anyhow::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).with_context(|| format!("cannot make {}", path.display()))
}

/// Creates a database file that only its owner can read. SQLite gives the files beside it the same permissions.
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
    fn new_files_are_for_their_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_directory(&inner).unwrap();
        let file = inner.join("x.db");
        make_private(&Location::Sqlite(file.clone())).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&inner), mode(&file)), (0o700, 0o600));
        assert!(make_private(&Location::Sqlite(folder.path().join("none/x.db"))).is_err());
    }
}
