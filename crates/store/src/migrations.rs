//! Schema migrations. Never edit a released migration, not even a comment (sqlx compares checksums): add a new one.
//!
//! During an upgrade, nodes of two program versions may share a database. So a change of the schema takes two releases:
//! the first one only adds the parts that the new program needs, and a later one removes the parts that only the old
//! program needed. The migration of the first release also inserts a row into the database table `compatible`: programs
//! with the schema in the column `since`, or a newer schema, can use a database with the schema in the column `schema`.
//!
//! The database table `studies` (schema 5) is not removed yet: nodes of 0.1 use it to claim the analysis of games, and
//! later versions neither read nor write it. It can be dropped with 0.4, when no node of 0.1 or 0.2 can share the
//! database.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

use crate::StoreError;

// The scripts in order. The schema of a program is the number of scripts; each script changes the previous schema.
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

// These scripts are the same for both databases.
const INDEX_OF_OPEN_TABLES: &str = include_str!("migrations/both_2.sql");
const STUDIES_TABLE: &str = include_str!("migrations/both_5.sql");

/// Selects the oldest schema whose programs can use this database.
pub(crate) const SELECT_OLDEST_COMPATIBLE_SCHEMA: &str =
    "SELECT since FROM compatible WHERE schema = (SELECT max(version) FROM _sqlx_migrations)";

/// Migrations that run these scripts, numbered from 1.
pub(crate) fn migrator(scripts: &[&'static str]) -> Migrator {
    let migration = |(&script, number): (&&'static str, i64)| {
        // `false`: the script runs in a transaction.
        Migration::new(number, "schema".into(), MigrationType::Simple, AssertSqlSafe(script).into_sql_str(), false)
    };
    Migrator::with_migrations(scripts.iter().zip(1..).map(migration).collect())
}

/// Checks whether this program, with the migrations `scripts`, can use a database with the newer schema `found`.
/// Programs with at least the schema `since` can use it; `None` means that only programs with the schema `found` can.
pub(crate) fn check_newer(found: i64, since: Option<i64>, scripts: &[&str]) -> Result<(), StoreError> {
    let supported = i64::try_from(scripts.len()).unwrap_or(i64::MAX);
    if since.is_some_and(|since| since <= supported) {
        tracing::warn!(found, supported, "the database is used by a newer, compatible sultan");
        return Ok(());
    }
    Err(StoreError::TooNew { found, supported })
}

/// Applies the migrations that a database lacks. A macro, because the pools of the two databases have different types.
macro_rules! migrate {
    ($pool:expr, $scripts:expr) => {{
        match crate::migrations::migrator($scripts).run($pool).await {
            // The database has a migration that this program does not have.
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
