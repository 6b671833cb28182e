//! What was found out about games that are over, kept so that it is worked out once.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sultan_domain::TableId;

use crate::StoreError;
use crate::database::key;
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{Analyses, Answer};
use crate::timely::timely;

// Of a table that was forgotten meanwhile nothing is kept. The first analysis stays: every node finds the same.
const KEEP: &str =
    "INSERT INTO analyses (table_id, json) SELECT id, $2 FROM tables WHERE id = $1 ON CONFLICT DO NOTHING";
const READ: &str = "SELECT json FROM analyses WHERE table_id = $1";

fn packed(json: &str) -> Option<Vec<u8>> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(json.as_bytes()).and_then(|()| packed.finish()).ok()
}

fn unpacked(table: TableId, packed: &[u8]) -> Result<String, StoreError> {
    let mut json = String::new();
    let read = ZlibDecoder::new(packed).read_to_string(&mut json);
    read.map_err(|error| StoreError::Unreadable { table, reason: format!("its analysis: {error}") })?;
    Ok(json)
}

/// One text for both databases.
macro_rules! analyses {
    ($store:ty) => {
        impl Analyses for $store {
            fn keep_analysis(&self, table: TableId, json: String) -> Answer<'_, ()> {
                timely!(self, |connection| {
                    let Some(packed) = packed(&json) else { return Ok(()) };
                    sqlx::query(KEEP).bind(key(table)).bind(packed).execute(&mut *connection).await?;
                    Ok(())
                })
            }

            fn analysis(&self, table: TableId) -> Answer<'_, Option<String>> {
                timely!(self, |connection| {
                    let read = sqlx::query_scalar::<_, Vec<u8>>(READ).bind(key(table));
                    let packed = read.fetch_optional(&mut *connection).await?;
                    packed.map(|packed| unpacked(table, &packed)).transpose()
                })
            }
        }
    };
}

analyses!(SqliteStore);
analyses!(PostgresStore);
