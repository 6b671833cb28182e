//! How a database is brought up to date. A migration that was released is never edited: a new one is added.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::StoreError;

pub(crate) const SQLITE: &[&str] = &[
    include_str!("migrations/sqlite_1.sql"),
    OPEN,
    include_str!("migrations/sqlite_3.sql"),
    include_str!("migrations/sqlite_4.sql"),
];
pub(crate) const POSTGRES: &[&str] = &[
    include_str!("migrations/postgres_1.sql"),
    OPEN,
    include_str!("migrations/postgres_3.sql"),
    include_str!("migrations/postgres_4.sql"),
];

/// The same for both.
const OPEN: &str = include_str!("migrations/both_2.sql");

/// The migrations made of these scripts, numbered from 1.
pub(crate) fn migrator(scripts: &[&'static str]) -> Migrator {
    let migration = |(&script, number): (&&'static str, i64)| {
        Migration::new(number, "schema".into(), MigrationType::Simple, AssertSqlSafe(script).into_sql_str(), false)
    };
    Migrator::with_migrations(scripts.iter().zip(1..).map(migration).collect())
}

/// Says it plainly when a newer program has been at the database.
pub(crate) fn failure(error: MigrateError, scripts: &[&str]) -> StoreError {
    match error {
        MigrateError::VersionMissing(found) => {
            StoreError::TooNew { found, known: i64::try_from(scripts.len()).unwrap_or(i64::MAX) }
        }
        error => StoreError::Migration(error),
    }
}
