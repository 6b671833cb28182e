//! The store on a Postgres database, which other nodes may share.

mod tls;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, Error, Executor, PgConnection};
use sultan_domain::TableId;
use tokio::time::timeout;

use crate::batch::{BatchWriter, WriteQueue};
use crate::database::{id, is_plain, json, key, listing_rows, visitor_rows};
use crate::deadline::{QUERY_TIMEOUT, timed_out};
use crate::migrations::{self, migrate};
use crate::notifications::Notifier;
use crate::{Append, StoreError};

/// Connections per node.
const CONNECTIONS: u32 = 8;
/// Time limit for connecting to the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A connection that was idle for longer is pinged before it is used.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

pub(crate) struct PostgresStore {
    pub(crate) pool: PgPool,
    pub(crate) writer: WriteQueue,
    pub(crate) notifier: Notifier,
}

impl PostgresStore {
    /// Connects to a database and migrates it.
    pub(crate) async fn open(options: PgConnectOptions) -> Result<Self, StoreError> {
        probe(&options).await?.close().await?;
        // Migrations take a lock: while another node migrates, this node waits without a deadline.
        let migrating = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        migrate!(&migrating, migrations::POSTGRES)?;
        migrating.close().await;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(QUERY_TIMEOUT)
            .after_connect(|connection, _| Box::pin(set_session_settings(connection)))
            // A recently used connection needs no test.
            .test_before_acquire(false)
            .before_acquire(|connection, used| {
                Box::pin(async move {
                    if used.idle_for > PING_AFTER_IDLE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(options.clone())
            .await?;
        let notifier = Notifier::start(DedicatedConnection::new(&options));
        let writer = WriteQueue::start(PostgresWriter {
            connection: DedicatedConnection::new(&options),
            notifier: notifier.clone(),
        });
        Ok(Self { pool, writer, notifier })
    }
}

/// A node that hangs inside a transaction must not block other nodes for long. Sequential scans are off because every
/// query has an index: a plan that was cached while a table was small must not read the whole table later.
const SESSION_SETTINGS: &str = "SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '4s';
SET enable_seqscan = off; SET jit = off";

async fn set_session_settings(connection: &mut PgConnection) -> Result<(), Error> {
    connection.execute(SESSION_SETTINGS).await.map(|_| ())
}

/// A connection outside of the pool, for a task that queries often. It is pinged only after a pause; after an error it
/// is closed, and the next query reconnects.
pub(crate) struct DedicatedConnection {
    options: PgConnectOptions,
    connection: Option<(PgConnection, Instant)>,
}

impl DedicatedConnection {
    pub(crate) fn new(options: &PgConnectOptions) -> Self {
        Self { options: options.clone(), connection: None }
    }

    /// The connection. Return it with [`DedicatedConnection::keep`] on success; dropping it closes it.
    pub(crate) async fn take(&mut self) -> Result<PgConnection, Error> {
        if let Some((mut connection, used)) = self.connection.take()
            && (used.elapsed() < PING_AFTER_IDLE
                || matches!(timeout(CONNECT_TIMEOUT, connection.ping()).await, Ok(Ok(()))))
        {
            return Ok(connection);
        }
        let connect = async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            set_session_settings(&mut connection).await?;
            Ok(connection)
        };
        timeout(CONNECT_TIMEOUT, connect).await.map_err(|_| timed_out())?
    }

    pub(crate) fn keep(&mut self, connection: PgConnection) {
        self.connection = Some((connection, Instant::now()));
    }
}

/// Connects once to check that the server can be reached. The pool would retry for as long as a request may wait.
pub(crate) async fn probe(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    match timeout(CONNECT_TIMEOUT, PgConnection::connect_with(options)).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(connection_error(error, options)),
        Err(_) => Err(StoreError::Unreachable(format!("no response within {} seconds", CONNECT_TIMEOUT.as_secs()))),
    }
}

/// The reason why a connection was refused.
fn connection_error(error: Error, options: &PgConnectOptions) -> StoreError {
    if let Some(reason) = tls::failure(&error, options) {
        return StoreError::Tls(reason);
    }
    match error {
        Error::Io(error) => StoreError::Unreachable(error.to_string()),
        Error::Database(error) if error.code().is_some_and(|code| code.starts_with("28")) => {
            let user = options.get_username().to_owned();
            StoreError::AuthenticationFailed { user, reason: error.message().to_owned() }
        }
        error => error.into(),
    }
}

struct PostgresWriter {
    connection: DedicatedConnection,
    notifier: Notifier,
}

// The row of the previous change is locked until the new change is stored, so that it cannot be deleted in between
// (`cleanup.rs`). The first change has no previous one, and the row of version 1 may have been merged: so it is stored
// only if the table has no change at all. (Not with NOT EXISTS, for which Postgres may read the ids of all tables
// first.)
const INSERT_CHANGES: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) AS new (table_id, version, at_ms, body)
WHERE CASE WHEN new.version = 1 THEN (
  SELECT old.version FROM changes AS old WHERE old.table_id = new.table_id ORDER BY old.version LIMIT 1
) IS NULL ELSE EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.table_id AND last.version = new.version - 1 FOR KEY SHARE
) END
ON CONFLICT DO NOTHING RETURNING table_id";

// The lists that are derived from the stored changes. A single statement needs one transaction and one round trip.
const UPDATE_LISTS: &str = "listed AS (
  INSERT INTO tables (id, state, public, attended, changed_ms)
  SELECT (new->>0)::bigint, (new->>1)::int, (new->>2)::bool, (new->>3)::bool, (new->>4)::bigint
    FROM jsonb_array_elements($5::jsonb) AS new JOIN stored ON stored.table_id = (new->>0)::bigint
  ON CONFLICT (id) DO UPDATE
    SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms
), visited AS (
  INSERT INTO visitors (visitor, table_id, seat, at_ms)
  SELECT decode(new->>0, 'hex'), (new->>1)::bigint, (new->>2)::int, (new->>3)::bigint
    FROM jsonb_array_elements($6::jsonb) AS new JOIN stored ON stored.table_id = (new->>1)::bigint
  ON CONFLICT DO NOTHING
)";

impl BatchWriter for PostgresWriter {
    /// When this returns, the changes are durable: the statement is its own transaction, and with `synchronous_commit`,
    /// which is on by default, Postgres acknowledges a commit only after it has saved it to disk.
    async fn write(&mut self, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
        let mut connection = self.connection.take().await?;
        let written = timeout(QUERY_TIMEOUT, append(&mut connection, batch)).await.map_err(|_| timed_out())??;
        self.connection.keep(connection);
        for stored in batch.iter().filter(|append| written.contains(&append.table)) {
            self.notifier.changed(stored.table, stored.change.version);
        }
        Ok(written)
    }

    async fn close(self) -> Result<(), Error> {
        // The server detects the closed connection.
        Ok(())
    }
}

async fn append(connection: &mut PgConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let tables: Vec<i64> = batch.iter().map(|append| key(append.table)).collect();
    let changes = || batch.iter().map(|append| &append.change);
    let versions: Vec<i32> = changes().map(|change| i32::try_from(change.version).unwrap_or(i32::MAX)).collect();
    let times: Vec<i64> = changes().map(|change| change.at_ms).collect();
    let bodies: Vec<String> = changes().map(|change| json(&change.events)).collect();
    let written = if batch.iter().all(is_plain) {
        let append = sqlx::query_scalar(INSERT_CHANGES).bind(tables).bind(versions).bind(times).bind(bodies);
        append.fetch_all(connection).await?
    } else {
        let all = format!("WITH stored AS ({INSERT_CHANGES}), {UPDATE_LISTS} SELECT table_id FROM stored");
        let append = sqlx::query_scalar(AssertSqlSafe(all)).bind(tables).bind(versions).bind(times).bind(bodies);
        append.bind(listing_rows(batch.iter())).bind(visitor_rows(batch.iter())).fetch_all(connection).await?
    };
    Ok(written.into_iter().map(id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn connection_error_at(port: u16) -> String {
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port);
        let Err(error) = PostgresStore::open(options).await else { panic!("there is no database") };
        error.to_string()
    }

    #[tokio::test]
    async fn unreachable_server_is_reported_at_once() {
        let started = std::time::Instant::now();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let message = connection_error_at(port).await;
        assert!(message.starts_with("the database server does not answer: Connection refused"), "{message}");
        assert!(started.elapsed() < CONNECT_TIMEOUT, "it took {:?}", started.elapsed());
    }

    #[tokio::test]
    async fn silent_server_is_reported_after_the_connect_timeout() {
        // Connections are accepted but never answered.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let message = connection_error_at(silent.local_addr().unwrap().port()).await;
        assert_eq!(message, "the database server does not answer: no response within 3 seconds");
    }
}
