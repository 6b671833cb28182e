//! The address of a database, as given on the command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use thiserror::Error;

/// The address of a database.
#[derive(Clone)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A Postgres database.
    Postgres(Box<PgConnectOptions>),
}

/// A text is not the address of a database.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a database is given as sqlite:FILE or postgres://USER@HOST/NAME: {0}")]
pub struct LocationError(String);

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        if let Some(file) = text.strip_prefix("sqlite:") {
            let file = file.strip_prefix("//").unwrap_or(file);
            return match file {
                "" => Err(LocationError("there is no file name".to_owned())),
                // With `:memory:`, every connection of the pool would have its own database.
                ":memory:" => Err(LocationError("games are kept in a file, and not in memory".to_owned())),
                _ if file.contains('?') => Err(LocationError("a file is given without options".to_owned())),
                _ => Ok(Self::Sqlite(file.into())),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            // The error may quote a part of the address, which may contain a password.
            let options = text.parse().map_err(|_| LocationError("the address cannot be read".to_owned()))?;
            return Ok(Self::Postgres(Box::new(options)));
        }
        Err(LocationError("it must begin with sqlite: or postgres:".to_owned()))
    }
}

/// Omits the user and the password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(options) => {
                // Without a name, the database has the name of the user.
                let name = options.get_database().unwrap_or_else(|| options.get_username());
                write!(f, "postgres://{}:{}/{name}", options.get_host(), options.get_port())
            }
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Location {
    /// The same database with this password; `None` for a file.
    #[must_use]
    pub fn with_password(self, password: &str) -> Option<Self> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(options) => Some(Self::Postgres(Box::new(options.password(password)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn location_is_parsed_and_printed_without_its_password() {
        let parse_and_print = |text: &str| text.parse::<Location>().map(|location| location.to_string());
        assert_eq!(parse_and_print("sqlite:games.db").unwrap(), "sqlite:games.db");
        assert_eq!(parse_and_print("sqlite:///tmp/games.db").unwrap(), "sqlite:/tmp/games.db");
        let printed = parse_and_print("postgres://ana:secret@db.example:5433/sultan").unwrap();
        assert_eq!(printed, "postgres://db.example:5433/sultan");
        for wrong in ["sqlite::memory:", "sqlite://:memory:", "sqlite:games.db?mode=ro"] {
            assert!(parse_and_print(wrong).unwrap_err().to_string().contains("file"), "{wrong}");
        }
        for wrong in ["", "sqlite:", "games.db", "mysql://x/y", "postgres://ana:secret@host:port/x"] {
            let error = parse_and_print(wrong).unwrap_err().to_string();
            assert!(error.contains("sqlite:FILE") && !error.contains("secret"), "{wrong}: {error}");
        }
    }

    #[test]
    fn with_password_is_for_postgres_only_and_never_prints_the_password() {
        let location: Location = "postgres://ana@db.example/sultan".parse().unwrap();
        assert_eq!(format!("{:?}", location.with_password("secret").unwrap()), "postgres://db.example:5432/sultan");
        assert!("sqlite:x.db".parse::<Location>().unwrap().with_password("secret").is_none());
    }
}
