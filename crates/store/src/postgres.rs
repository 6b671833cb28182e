//! The store on a Postgres database, which other nodes may share.

mod tls;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::query::QueryScalar;
use sqlx::{AssertSqlSafe, Connection, Error, Executor, PgConnection, Postgres};
use sultan_domain::TableId;
use tokio::time::timeout;

use crate::batch::{Write, Writer};
use crate::database::{id, is_plain, key};
use crate::migrations::{self, migrate};
use crate::news::Courier;
use crate::timely::{PATIENCE, late};
use crate::{Append, Listing, StoreError};

/// How many connections a node has.
const CONNECTIONS: u32 = 8;
/// How long a server may take to let somebody in.
const KNOCKING: Duration = Duration::from_secs(3);
/// A connection that was used so lately is still there.
const FRESH: Duration = Duration::from_secs(1);

pub(crate) struct PostgresStore {
    pub(crate) pool: PgPool,
    pub(crate) writer: Writer,
    pub(crate) courier: Courier,
}

impl PostgresStore {
    /// Connects to a database and brings it up to date.
    pub(crate) async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
        knock(&options).await?.close().await?;
        // Whoever finds another at it waits for as long as that takes.
        let migrating = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        migrate!(&migrating, migrations::POSTGRES)?;
        migrating.close().await;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .after_connect(|connection, _| Box::pin(prepare(connection)))
            // A connection that was used just now need not be tried out.
            .test_before_acquire(false)
            .before_acquire(|connection, used| {
                Box::pin(async move {
                    if used.idle_for > FRESH {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(options.clone())
            .await?;
        let courier = Courier::start(Line::to(&options));
        let writer = Writer::start(PostgresWriter { line: Line::to(&options), courier: courier.clone() });
        Ok(Self { pool, writer, courier })
    }
}

/// A transaction that a node has begun and does not go on with, since it stands still, holds up others: not for long. And all
/// that is asked has its index: a plan that was made while there was little to read must not read everything later.
const WAYS: &str = "SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '4s';
SET enable_seqscan = off; SET jit = off";

async fn prepare(connection: &mut PgConnection) -> Result<(), Error> {
    connection.execute(WAYS).await.map(|_| ())
}

/// A connection of its own for one who asks again and again: it costs no question whether it is still there, unless it was not
/// used for a while. What goes wrong on it closes it, and the next to ask gets a new one.
pub(crate) struct Line {
    options: PgConnectOptions,
    connection: Option<(PgConnection, Instant)>,
}

impl Line {
    pub(crate) fn to(options: &PgConnectOptions) -> Self {
        Self { options: options.clone(), connection: None }
    }

    /// The connection. Whoever does not bring it back has closed it.
    pub(crate) async fn take(&mut self) -> Result<PgConnection, Error> {
        if let Some((mut connection, used)) = self.connection.take()
            && (used.elapsed() < FRESH || matches!(timeout(KNOCKING, connection.ping()).await, Ok(Ok(()))))
        {
            return Ok(connection);
        }
        let connect = async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            prepare(&mut connection).await?;
            Ok(connection)
        };
        timeout(KNOCKING, connect).await.map_err(|_| late())?
    }

    pub(crate) fn keep(&mut self, connection: PgConnection) {
        self.connection = Some((connection, Instant::now()));
    }
}

/// Finds out whether there is a server at all. The pool would go on trying for as long as a request may wait.
pub(crate) async fn knock(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    match timeout(KNOCKING, PgConnection::connect_with(options)).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(refused(error, options)),
        Err(_) => Err(StoreError::Unreachable(format!("nothing came within {} seconds", KNOCKING.as_secs()))),
    }
}

/// Why a server lets nobody in.
fn refused(error: Error, options: &PgConnectOptions) -> StoreError {
    if let Some(reason) = tls::failure(&error, options) {
        return StoreError::Tls(reason);
    }
    match error {
        Error::Io(error) => StoreError::Unreachable(error.to_string()),
        Error::Database(error) if error.code().is_some_and(|code| code.starts_with("28")) => {
            StoreError::Unwelcome(error.message().to_owned())
        }
        error => error.into(),
    }
}

struct PostgresWriter {
    line: Line,
    courier: Courier,
}

pub(crate) const LOAD: &str =
    "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 AND version > $2 ORDER BY version";

// The last change is held until this one is stored, so that nobody takes it away meanwhile (`tidy.rs`). The first one has none, and
// its row may be gone where all changes were merged: then any change at all is one. (Not asked for by NOT EXISTS, which Postgres may
// answer by reading the names of all tables first.)
const APPEND: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) AS new (table_id, version, at_ms, body)
WHERE CASE WHEN new.version = 1 THEN (
  SELECT old.version FROM changes AS old WHERE old.table_id = new.table_id ORDER BY old.version LIMIT 1
) IS NULL ELSE EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.table_id AND last.version = new.version - 1 FOR KEY SHARE
) END
ON CONFLICT DO NOTHING RETURNING table_id";

// What follows from changes, for those that were stored. All in one statement: that is a transaction, and one way there and back.
const FOLLOW: &str = "listed AS (
  INSERT INTO tables (id, state, public, attended, changed_ms)
  SELECT new.* FROM unnest($5::bigint[], $6::int[], $7::bool[], $8::bool[], $9::bigint[])
    AS new (id, state, public, attended, changed_ms) JOIN stored ON stored.table_id = new.id
  ON CONFLICT (id) DO UPDATE
    SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms
), visited AS (
  INSERT INTO visitors (visitor, table_id, seat, at_ms)
  SELECT new.* FROM unnest($10::bytea[], $11::bigint[], $12::int[], $13::bigint[])
    AS new (visitor, table_id, seat, at_ms) JOIN stored ON stored.table_id = new.table_id
  ON CONFLICT DO NOTHING
)";

impl Write for PostgresWriter {
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        let mut connection = self.line.take().await?;
        let written = timeout(PATIENCE, append(&mut connection, batch)).await.map_err(|_| late())??;
        self.line.keep(connection);
        for stored in batch.iter().filter(|append| written.contains(&append.table)) {
            self.courier.changed(stored.table, stored.version.saturating_add(1));
        }
        Ok(written)
    }

    async fn close(self) -> Result<(), Error> {
        // Nobody waits for the server to notice that the line is gone.
        Ok(())
    }
}

/// What happened, as it is stored.
fn body(append: &Append) -> String {
    serde_json::to_string(&append.events).expect("an event can be written as JSON")
}

async fn append(connection: &mut PgConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let tables: Vec<i64> = batch.iter().map(|append| key(append.table)).collect();
    let versions: Vec<i32> =
        batch.iter().map(|append| i32::try_from(append.version.saturating_add(1)).unwrap_or(i32::MAX)).collect();
    let times: Vec<i64> = batch.iter().map(|append| append.at_ms).collect();
    let bodies: Vec<String> = batch.iter().map(body).collect();
    let written = if batch.iter().all(is_plain) {
        let append = sqlx::query_scalar(APPEND).bind(tables).bind(versions).bind(times).bind(bodies);
        append.fetch_all(connection).await?
    } else {
        let all = format!("WITH stored AS ({APPEND}), {FOLLOW} SELECT table_id FROM stored");
        let append = sqlx::query_scalar(AssertSqlSafe(all)).bind(tables).bind(versions).bind(times).bind(bodies);
        visited(listed(append, batch), batch).fetch_all(connection).await?
    };
    Ok(written.into_iter().map(id).collect())
}

type Query<'a> = QueryScalar<'a, Postgres, i64, PgArguments>;

fn listed<'a>(query: Query<'a>, batch: &[Append]) -> Query<'a> {
    let listings: Vec<(&Append, Listing)> = batch.iter().filter_map(|append| Some((append, append.listing?))).collect();
    let query = query.bind(listings.iter().map(|(append, _)| key(append.table)).collect::<Vec<_>>());
    let query = query.bind(listings.iter().map(|(_, listing)| listing.state.number()).collect::<Vec<_>>());
    let query = query.bind(listings.iter().map(|(_, listing)| listing.public).collect::<Vec<_>>());
    let query = query.bind(listings.iter().map(|(_, listing)| listing.attended).collect::<Vec<_>>());
    query.bind(listings.iter().map(|(append, _)| append.at_ms).collect::<Vec<_>>())
}

fn visited<'a>(query: Query<'a>, batch: &[Append]) -> Query<'a> {
    let visits: Vec<_> =
        batch.iter().flat_map(|append| append.visitors.iter().map(move |seat| (append.at_ms, seat))).collect();
    let query = query.bind(visits.iter().map(|(_, seat)| seat.visitor.0.to_vec()).collect::<Vec<_>>());
    let query = query.bind(visits.iter().map(|(_, seat)| key(seat.table)).collect::<Vec<_>>());
    let query = query.bind(visits.iter().map(|(_, seat)| i32::from(seat.seat.number())).collect::<Vec<_>>());
    query.bind(visits.iter().map(|(at_ms, _)| *at_ms).collect::<Vec<_>>())
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
        assert!(begun.elapsed() < KNOCKING, "it took {:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_not_waited_for_long() {
        // Whoever connects is never answered.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let told = refused(silent.local_addr().unwrap().port()).await;
        assert_eq!(told, "the database server does not answer: nothing came within 3 seconds");
    }
}
