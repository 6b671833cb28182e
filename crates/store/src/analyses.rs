//! What was found out about games that are over, kept so that it is worked out once.

use std::fmt::Display;

use sultan_domain::TableId;

use crate::StoreError;
use crate::database::key;
use crate::deadline::with_deadline;
use crate::packed::{packed, unpacked};
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{Analyses, StoreFuture};

// Of a table that was forgotten meanwhile nothing is kept. The first analysis stays: every node finds the same.
const KEEP: &str =
    "INSERT INTO analyses (table_id, json) SELECT id, $2 FROM tables WHERE id = $1 ON CONFLICT DO NOTHING";
const READ: &str = "SELECT json FROM analyses WHERE table_id = $1";

fn json(table: TableId, packed: &[u8]) -> Result<String, StoreError> {
    let unreadable = |error: &dyn Display| StoreError::Unreadable { table, reason: format!("its analysis: {error}") };
    let bytes = unpacked(packed).map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|error| unreadable(&error))
}

/// One text for both databases.
macro_rules! analyses {
    ($store:ty) => {
        impl Analyses for $store {
            fn keep_analysis(&self, table: TableId, json: String) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    let packed = packed(json.as_bytes()).map_err(sqlx::Error::Io)?;
                    sqlx::query(KEEP).bind(key(table)).bind(packed).execute(&mut *connection).await?;
                    Ok(())
                })
            }

            fn analysis(&self, table: TableId) -> StoreFuture<'_, Option<String>> {
                with_deadline!(self, |connection| {
                    let read = sqlx::query_scalar::<_, Vec<u8>>(READ).bind(key(table));
                    let packed = read.fetch_optional(&mut *connection).await?;
                    packed.map(|packed| json(table, &packed)).transpose()
                })
            }
        }
    };
}

analyses!(SqliteStore);
analyses!(PostgresStore);
