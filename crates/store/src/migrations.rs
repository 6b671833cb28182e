//! Schema migrations. Never edit a released migration: add a new one.
//!
//! Nodes of two versions may share a database during an upgrade. So a change of the schema takes two releases: the
//! first only adds the parts that the new program needs (and records in `compatible` the oldest schema whose programs
//! can still use the database), a later release removes the parts that only the old program needed.
//!
//! The table `studies` (schema 5) is such a remainder: nodes of 0.1 use it to claim the analysis of games, and later
//! versions neither read nor write it. It can be dropped with 0.4, when no node of 0.1 or 0.2 can share the database.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::StoreError;

pub(crate) const SQLITE: &[&str] = &[
    include_str!("migrations/sqlite_1.sql"),
    INDEX_OF_OPEN_TABLES,
    include_str!("migrations/sqlite_3.sql"),
    include_str!("migrations/sqlite_4.sql"),
    STUDIES_TABLE,
    include_str!("migrations/sqlite_6.sql"),
    include_str!("migrations/sqlite_7.sql"),
];
pub(crate) const POSTGRES: &[&str] = &[
    include_str!("migrations/postgres_1.sql"),
    INDEX_OF_OPEN_TABLES,
    include_str!("migrations/postgres_3.sql"),
    include_str!("migrations/postgres_4.sql"),
    STUDIES_TABLE,
    include_str!("migrations/postgres_6.sql"),
];

/// The same script for both databases.
const INDEX_OF_OPEN_TABLES: &str = include_str!("migrations/both_2.sql");
const STUDIES_TABLE: &str = include_str!("migrations/both_5.sql");

/// The oldest schema whose programs can use the newest schema of the database.
pub(crate) const SELECT_OLDEST_COMPATIBLE_SCHEMA: &str =
    "SELECT since FROM compatible WHERE schema = (SELECT max(version) FROM _sqlx_migrations)";

/// The migrations made of these scripts, numbered from 1.
pub(crate) fn migrator(scripts: &[&'static str]) -> Migrator {
    let migration = |(&script, number): (&&'static str, i64)| {
        Migration::new(number, "schema".into(), MigrationType::Simple, AssertSqlSafe(script).into_sql_str(), false)
    };
    Migrator::with_migrations(scripts.iter().zip(1..).map(migration).collect())
}

/// Checks whether a program with these scripts can use a database with a newer schema. Programs that know at least the
/// schema `since` can.
pub(crate) fn check_newer(found: i64, since: Option<i64>, scripts: &[&str]) -> Result<(), StoreError> {
    let supported = i64::try_from(scripts.len()).unwrap_or(i64::MAX);
    if since.is_some_and(|since| since <= supported) {
        tracing::warn!(found, supported, "the database is used by a newer, compatible sultan");
        return Ok(());
    }
    Err(StoreError::TooNew { found, supported })
}

/// Migrates a database. The same code for both databases.
macro_rules! migrate {
    ($pool:expr, $scripts:expr) => {{
        match crate::migrations::migrator($scripts).run($pool).await {
            Err(sqlx::migrate::MigrateError::VersionMissing(found)) => {
                let since =
                    sqlx::query_scalar(crate::migrations::SELECT_OLDEST_COMPATIBLE_SCHEMA).fetch_optional($pool).await;
                crate::migrations::check_newer(found, since.ok().flatten(), $scripts)
            }
            done => done.map_err(StoreError::Migration),
        }
    }};
}

pub(crate) use migrate;
