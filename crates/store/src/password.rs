//! A password that comes by another way than the address.

use crate::Location;

impl Location {
    /// The same place, entered with this password. A file has none, and so nothing is given back for one.
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
    fn a_password_is_for_postgres_and_never_shown() {
        let place: Location = "postgres://ana@db.example/sultan".parse().unwrap();
        assert_eq!(format!("{:?}", place.with_password("secret").unwrap()), "postgres://db.example:5432/sultan");
        assert!("sqlite:x.db".parse::<Location>().unwrap().with_password("secret").is_none());
    }
}
