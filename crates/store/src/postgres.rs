//! The store on a Postgres database, which other nodes may share.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Error, PgConnection, Postgres};
use sultan_domain::TableId;

use crate::batch::{Write, Writer};
use crate::database::{body, id, is_plain, key};
use crate::migrations;
use crate::{Append, StoreError};

/// How many connections a node has.
const CONNECTIONS: u32 = 8;

pub(crate) struct PostgresStore {
    pub(crate) pool: PgPool,
    pub(crate) writer: Writer,
}

impl PostgresStore {
    /// Connects to a database and brings it up to date.
    pub(crate) async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
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

struct PostgresWriter(PgPool);

const APPEND: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) AS new (table_id, version, at_ms, body)
WHERE new.version = 1 OR EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.table_id AND last.version = new.version - 1
)
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
