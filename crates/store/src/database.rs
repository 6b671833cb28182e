//! What both databases have in common: how they are named and opened, and what is asked of both in the same words.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;
use sultan_domain::{Commitment, Seat, ServerSeed, TableId};
use thiserror::Error;

use crate::deadline::with_deadline;
use crate::merged;
use crate::nodes::Nodes;
use crate::postgres::PostgresStore;
use crate::record::VisitorHash;
use crate::sqlite::SqliteStore;
use crate::store::{
    Append, Change, Commitments, Listed, Old, Store, StoreError, StoreFuture, StoredCommitment, TableState, VisitorSeat,
};

/// Where a store is.
#[derive(Clone)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A Postgres database.
    Postgres(Box<PgConnectOptions>),
}

/// Not the place of a store.
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
                // Every connection would have a database of its own.
                ":memory:" => Err(LocationError("games are kept in a file, and not in memory".to_owned())),
                _ if file.contains('?') => Err(LocationError("a file is given without options".to_owned())),
                _ => Ok(Self::Sqlite(file.into())),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            // The reason may repeat a part of the address, and there may be a password in it.
            let options = text.parse().map_err(|_| LocationError("the address cannot be read".to_owned()))?;
            return Ok(Self::Postgres(Box::new(options)));
        }
        Err(LocationError("it must begin with sqlite: or postgres:".to_owned()))
    }
}

/// Where it is, without any password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(options) => {
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

/// Opens a store, and brings its database up to date.
///
/// # Errors
/// [`StoreError`], above all when the database cannot be reached or was made by a newer program.
pub async fn open(location: &Location) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match location {
        Location::Sqlite(path) => Arc::new(SqliteStore::open(path).await?),
        Location::Postgres(options) => Arc::new(PostgresStore::open((**options).clone()).await?),
    })
}

/// A table's name as databases know it.
pub(crate) fn key(table: TableId) -> i64 {
    i64::try_from(table.number()).expect("a name has sixty bits")
}

pub(crate) fn id(key: i64) -> TableId {
    TableId::new(key.unsigned_abs())
}

/// Whether nothing but the change itself is to be written.
pub(crate) fn is_plain(append: &Append) -> bool {
    append.listing.is_none() && append.visitors.is_empty()
}

/// A stored row: the version, the time, what happened then, and perhaps all that happened until then.
pub(crate) type Row = (i32, i64, String, Option<Vec<u8>>);

/// The changes that a row holds.
pub(crate) fn changes(table: TableId, (version, at_ms, body, merged): Row) -> Result<Vec<Change>, StoreError> {
    let version = u32::try_from(version).unwrap_or(0);
    let changes = match merged {
        Some(merged) => merged::split(&merged).map_err(|error| error.kind().to_string()),
        None => serde_json::from_str(&body)
            .map(|events| vec![Change { version, at_ms, events }])
            // What the error says may repeat what is stored, and a card may lie face down.
            .map_err(|error| format!("{:?} error at column {}", error.classify(), error.column())),
    };
    changes.map_err(|error| StoreError::Unreadable { table, reason: format!("version {version}: {error}") })
}

fn visitor_seat(visitor: VisitorHash, (key, seat): (i64, i32)) -> Option<VisitorSeat> {
    Some(VisitorSeat { visitor, table: id(key), seat: u8::try_from(seat).ok().and_then(Seat::new)? })
}

fn bytes<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| sqlx::Error::Decode("a value has the wrong length".into()).into())
}

const LOAD: &str =
    "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 AND version > $2 ORDER BY version";
const PUBLIC: &str = "SELECT id, changed_ms FROM tables WHERE public AND state = $1 ORDER BY changed_ms DESC LIMIT $2";
const OPEN: &str = "SELECT count(*) FROM (SELECT id FROM tables WHERE state < 2 LIMIT $1) AS open";
const ATTENDED: &str = "SELECT id FROM tables WHERE attended AND state = 1 AND id > $1 ORDER BY id LIMIT $2";
const OVER: &str = "UPDATE tables SET state = $2, changed_ms = $3 WHERE id = $1 AND state = $4";
const SEATS: &str =
    "SELECT table_id, seat FROM visitors WHERE visitor = $1 ORDER BY at_ms DESC, table_id, seat LIMIT $2";
const KEEP: &str = "INSERT INTO commitments (commitment, server_seed, at_ms) VALUES ($1, $2, $3)";
const TAKE: &str = "DELETE FROM commitments WHERE commitment = $1 RETURNING server_seed, at_ms";
const SET_SECRET: &str = "INSERT INTO secrets (name, value) VALUES ('cookies', $1) ON CONFLICT DO NOTHING";
const SECRET: &str = "SELECT value FROM secrets WHERE name = 'cookies'";
const FORGET_COMMITMENTS: &str = "DELETE FROM commitments WHERE at_ms < $1";

/// One text for both databases.
macro_rules! store {
    ($store:ty, $nodes:expr, $told:expr) => {
        impl Commitments for $store {
            fn store_commitment(&self, given: StoredCommitment) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    let keep = sqlx::query(KEEP).bind(given.commitment.0.to_vec());
                    keep.bind(given.server_seed.0.to_vec()).bind(given.at_ms).execute(&mut *connection).await?;
                    Ok(())
                })
            }

            fn take_commitment(
                &self,
                commitment: Commitment,
                since_ms: i64,
            ) -> StoreFuture<'_, Option<StoredCommitment>> {
                with_deadline!(self, |connection| {
                    let take = sqlx::query_as::<_, (Vec<u8>, i64)>(TAKE).bind(commitment.0.to_vec());
                    let Some((seed, at_ms)) = take.fetch_optional(&mut *connection).await? else { return Ok(None) };
                    let server_seed = ServerSeed(bytes(seed)?);
                    Ok((at_ms >= since_ms).then_some(StoredCommitment { commitment, server_seed, at_ms }))
                })
            }

            fn forget_commitments(&self, before_ms: i64) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    sqlx::query(FORGET_COMMITMENTS).bind(before_ms).execute(&mut *connection).await?;
                    Ok(())
                })
            }
        }

        impl Store for $store {
            fn append(&self, append: Append) -> StoreFuture<'_, ()> {
                Box::pin(self.writer.append(append))
            }

            fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
                with_deadline!(self, |connection| {
                    let rows = sqlx::query_as(LOAD).bind(key(table)).bind(i32::try_from(after).unwrap_or(i32::MAX));
                    let mut all = Vec::new();
                    for row in rows.fetch_all(&mut *connection).await? {
                        // One row may hold more than was asked for.
                        all.extend(changes(table, row)?.into_iter().filter(|change| change.version > after));
                    }
                    Ok(all)
                })
            }

            fn public_tables(&self, state: TableState, most: u32) -> StoreFuture<'_, Vec<Listed>> {
                with_deadline!(self, |connection| {
                    let tables = sqlx::query_as::<_, (i64, i64)>(PUBLIC).bind(state.number()).bind(i64::from(most));
                    let tables = tables.fetch_all(&mut *connection).await?;
                    Ok(tables.into_iter().map(|(key, changed_ms)| Listed { table: id(key), changed_ms }).collect())
                })
            }

            fn count_open_tables(&self, limit: u32) -> StoreFuture<'_, u64> {
                with_deadline!(self, |connection| {
                    let open =
                        sqlx::query_scalar::<_, i64>(OPEN).bind(i64::from(limit)).fetch_one(&mut *connection).await?;
                    Ok(open.unsigned_abs())
                })
            }

            fn attended_tables(&self, after: Option<TableId>, most: u32) -> StoreFuture<'_, Vec<TableId>> {
                with_deadline!(self, |connection| {
                    let tables = sqlx::query_scalar(ATTENDED).bind(after.map_or(-1, key)).bind(i64::from(most));
                    Ok(tables.fetch_all(&mut *connection).await?.into_iter().map(id).collect())
                })
            }

            fn list_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    let over = sqlx::query(OVER).bind(key(table)).bind(TableState::Over.number()).bind(at_ms);
                    over.bind(TableState::Playing.number()).execute(&mut *connection).await?;
                    Ok(())
                })
            }

            fn seats_of(&self, visitor: VisitorHash, most: u32) -> StoreFuture<'_, Vec<VisitorSeat>> {
                with_deadline!(self, |connection| {
                    let seats = sqlx::query_as(SEATS).bind(visitor.0.to_vec()).bind(i64::from(most));
                    let seats = seats.fetch_all(&mut *connection).await?;
                    Ok(seats.into_iter().filter_map(|row| visitor_seat(visitor, row)).collect())
                })
            }

            fn secret(&self, fresh: [u8; 64]) -> StoreFuture<'_, [u8; 64]> {
                with_deadline!(self, |connection| {
                    sqlx::query(SET_SECRET).bind(fresh.to_vec()).execute(&mut *connection).await?;
                    bytes(sqlx::query_scalar(SECRET).fetch_one(&mut *connection).await?)
                })
            }

            fn forget(&self, old: Old, most: u32) -> StoreFuture<'_, u64> {
                Box::pin(async move {
                    self.forget_commitments(old.before_ms).await?;
                    self.forget_some(old, most).await
                })
            }

            fn merge(&self, before_ms: i64, most: u32) -> StoreFuture<'_, u64> {
                Box::pin(self.merge_some(before_ms, most))
            }

            fn ready(&self) -> StoreFuture<'_, ()> {
                with_deadline!(self, |connection| {
                    sqlx::query("SELECT 1").execute(&mut *connection).await?;
                    Ok(())
                })
            }

            fn nodes(&self) -> Option<&dyn Nodes> {
                $nodes(self)
            }

            fn close(&self) -> StoreFuture<'_, ()> {
                Box::pin(async move {
                    self.writer.close().await;
                    $told(self).await;
                    self.pool.close().await;
                    Ok(())
                })
            }
        }
    };
}

store!(SqliteStore, |_| None, async |_: &SqliteStore| {});
store!(PostgresStore, Some, async |store: &PostgresStore| store.notifier.finish().await);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_shown_without_passwords() {
        let shown = |text: &str| text.parse::<Location>().map(|location| location.to_string());
        assert_eq!(shown("sqlite:games.db").unwrap(), "sqlite:games.db");
        assert_eq!(shown("sqlite:///tmp/games.db").unwrap(), "sqlite:/tmp/games.db");
        let postgres = shown("postgres://ana:secret@db.example:5433/sultan").unwrap();
        assert_eq!(postgres, "postgres://db.example:5433/sultan");
        for wrong in ["sqlite::memory:", "sqlite://:memory:", "sqlite:games.db?mode=ro"] {
            assert!(shown(wrong).unwrap_err().to_string().contains("file"), "{wrong}");
        }
        for wrong in ["", "sqlite:", "games.db", "mysql://x/y", "postgres://ana:secret@host:port/x"] {
            let error = shown(wrong).unwrap_err().to_string();
            assert!(error.contains("sqlite:FILE") && !error.contains("secret"), "{wrong}: {error}");
        }
    }
}
