//! The store on a Postgres database, which other nodes may share.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Connection, Error, PgConnection, Postgres};
use sultan_domain::TableId;
use tokio::time::timeout;

use crate::batch::{Write, Writer};
use crate::database::{body, id, is_plain, key};
use crate::migrations;
use crate::{Append, StoreError};

/// How many connections a node has.
const CONNECTIONS: u32 = 8;
/// How long a server may take to answer when it is asked for the first time.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) struct PostgresStore {
    pub(crate) pool: PgPool,
    pub(crate) writer: Writer,
}

impl PostgresStore {
    /// Connects to a database and brings it up to date.
    pub(crate) async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
        knock(&options).await?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(Duration::from_secs(10))
            .connect_with(options)
            .await?;
        let migrated = migrations::migrator(migrations::POSTGRES).run(&pool).await;
        migrated.map_err(|error| migrations::failure(error, migrations::POSTGRES))?;
        let writer = Writer::start(PostgresWriter(pool.clone()));
        Ok(Self { pool, writer })
    }
}

/// Finds out whether there is a server at all. The pool would go on trying for as long as a request may wait.
async fn knock(options: &PgConnectOptions) -> Result<(), StoreError> {
    match timeout(PATIENCE, PgConnection::connect_with(options)).await {
        Ok(Ok(connection)) => Ok(connection.close().await?),
        Ok(Err(Error::Io(error))) => Err(StoreError::Unreachable(error.to_string())),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err(StoreError::Unreachable(format!("nothing came within {} seconds", PATIENCE.as_secs()))),
    }
}

struct PostgresWriter(PgPool);

// The last change is held until this one is stored, so that nobody takes it away meanwhile (`tidy.rs`). The first one has none, and
// its row may be gone where all changes were merged.
const APPEND: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) AS new (table_id, version, at_ms, body)
WHERE CASE WHEN new.version = 1 THEN NOT EXISTS (SELECT 1 FROM changes AS old WHERE old.table_id = new.table_id)
ELSE EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.table_id AND last.version = new.version - 1 FOR KEY SHARE
) END
ON CONFLICT DO NOTHING RETURNING table_id";

const LIST: &str = "INSERT INTO tables (id, state, public, attended, changed_ms) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms";

const VISIT: &str =
    "INSERT INTO visitors (visitor, table_id, seat, at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

impl Write for PostgresWriter {
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        if batch.iter().all(is_plain) {
            // A statement by itself is a transaction.
            let mut connection = self.0.acquire().await?;
            return append(&mut connection, batch).await;
        }
        let mut transaction = self.0.begin().await?;
        let written = append(&mut transaction, batch).await?;
        for done in batch.iter().filter(|append| written.contains(&append.table)) {
            if let Some(listing) = done.listing {
                let list = sqlx::query::<Postgres>(LIST).bind(key(done.table)).bind(listing.state.number());
                let list = list.bind(listing.public).bind(listing.attended).bind(done.at_ms);
                list.execute(&mut *transaction).await?;
            }
            for seat in &done.visitors {
                let visit = sqlx::query::<Postgres>(VISIT).bind(seat.visitor.0.to_vec()).bind(key(seat.table));
                visit.bind(i32::from(seat.seat.number())).bind(done.at_ms).execute(&mut *transaction).await?;
            }
        }
        transaction.commit().await?;
        Ok(written)
    }
}

async fn append(connection: &mut PgConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let tables: Vec<i64> = batch.iter().map(|append| key(append.table)).collect();
    let versions: Vec<i32> =
        batch.iter().map(|append| i32::try_from(append.version.saturating_add(1)).unwrap_or(i32::MAX)).collect();
    let times: Vec<i64> = batch.iter().map(|append| append.at_ms).collect();
    let bodies: Vec<String> = batch.iter().map(body).collect();
    let append = sqlx::query_scalar(APPEND).bind(tables).bind(versions).bind(times).bind(bodies);
    Ok(append.fetch_all(connection).await?.into_iter().map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn refused(port: u16) -> String {
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port);
        let Err(error) = PostgresStore::open(options).await else { panic!("there is no database") };
        error.to_string()
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_missed_soon() {
        let begun = std::time::Instant::now();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let told = refused(port).await;
        assert!(told.starts_with("the database server does not answer: Connection refused"), "{told}");
        assert!(begun.elapsed() < PATIENCE, "it took {:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_not_waited_for_long() {
        // Whoever connects is never answered.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let told = refused(silent.local_addr().unwrap().port()).await;
        assert_eq!(told, "the database server does not answer: nothing came within 3 seconds");
    }
}
