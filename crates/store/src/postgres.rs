//! The store on a Postgres database, which other nodes may share.

mod tls;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, Error, Executor, PgConnection};
use sultan_domain::TableId;
use tokio::time::timeout;

use crate::batch::{BatchWriter, WriteQueue};
use crate::database::{json, listing_rows, table_id, table_key, updates_no_list, visitor_rows};
use crate::deadline::{QUERY_TIMEOUT, timed_out};
use crate::migrations::{self, migrate};
use crate::notifications::{Notifier, Outgoing};
use crate::{Append, StoreError};

/// Number of pooled connections per node.
const CONNECTIONS: u32 = 8;
/// Time limit for connecting to the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A connection that was idle for longer is pinged before it is used, because it may be broken.
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
        // Migrations take a lock: while another node migrates, this node waits, without a time limit for queries.
        let migration_pool = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        migrate!(&migration_pool, migrations::POSTGRES)?;
        migration_pool.close().await;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(QUERY_TIMEOUT)
            .after_connect(|connection, _| Box::pin(set_session_settings(connection)))
            // Without the default ping before every use: `before_acquire` pings only connections that were idle.
            .test_before_acquire(false)
            .before_acquire(|connection, usage| {
                Box::pin(async move {
                    if usage.idle_for > PING_AFTER_IDLE {
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

/// The timeouts keep a node that hangs inside a transaction from blocking other nodes for long. Sequential scans are
/// off, because every query can use an index: otherwise Postgres could keep a query plan from the time when a database
/// table was small, and read the whole database table when it is large. JIT compilation is off, because it would take
/// longer than these short queries.
const SESSION_SETTINGS: &str = "SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '4s';
SET enable_seqscan = off; SET jit = off";

async fn set_session_settings(connection: &mut PgConnection) -> Result<(), Error> {
    connection.execute(SESSION_SETTINGS).await.map(|_| ())
}

/// A connection outside of the pool, for a task that queries often. It is pinged only after a pause. After an error it
/// is closed, and the next query reconnects.
pub(crate) struct DedicatedConnection {
    options: PgConnectOptions,
    /// The connection, and the time of its last use.
    connection: Option<(PgConnection, Instant)>,
}

impl DedicatedConnection {
    pub(crate) fn new(options: &PgConnectOptions) -> Self {
        Self { options: options.clone(), connection: None }
    }

    /// Returns an open connection. After a successful query, give it back with [`DedicatedConnection::keep`]; dropping
    /// it closes it.
    pub(crate) async fn take(&mut self) -> Result<PgConnection, Error> {
        if let Some((mut connection, last_used)) = self.connection.take()
            && (last_used.elapsed() < PING_AFTER_IDLE
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

/// Connects without a pool. A pool would retry until its timeout, and an error at the start of the program would be
/// reported late.
pub(crate) async fn probe(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let timed_out = |_| StoreError::Unreachable(format!("no response within {} seconds", CONNECT_TIMEOUT.as_secs()));
    let connected = timeout(CONNECT_TIMEOUT, PgConnection::connect_with(options)).await.map_err(timed_out)?;
    connected.map_err(|error| connection_error(error, options))
}

/// Explains why connecting failed.
fn connection_error(error: Error, options: &PgConnectOptions) -> StoreError {
    if let Some(reason) = tls::failure(&error, options) {
        return StoreError::Tls(reason);
    }
    match error {
        Error::Io(error) => StoreError::Unreachable(error.to_string()),
        // SQLSTATE class 28: invalid authorization specification.
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

// Stores every change whose table has the version before it. `FOR KEY SHARE` locks the row of that version until the
// new change is stored, so that a cleanup (`cleanup.rs`) cannot delete it in between. The change with version 1 is
// stored only if the table has no row at all, because the row with version 1 may have been merged into a later row.
// (With NOT EXISTS instead of the subquery, Postgres may read the ids of all tables first.)
const INSERT_CHANGES: &str = "INSERT INTO changes (table_id, version, at_ms, body)
SELECT new.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[]) AS new (table_id, version, at_ms, body)
WHERE CASE WHEN new.version = 1 THEN (
  SELECT old.version FROM changes AS old WHERE old.table_id = new.table_id ORDER BY old.version LIMIT 1
) IS NULL ELSE EXISTS (
  SELECT 1 FROM changes AS last WHERE last.table_id = new.table_id AND last.version = new.version - 1 FOR KEY SHARE
) END
ON CONFLICT DO NOTHING RETURNING table_id";

// Updates the lists of tables and seats for the stored changes, with the JSON of `listing_rows` as $5 and the JSON of
// `visitor_rows` as $6. `stored` is the result of INSERT_CHANGES. It is part of the same statement as INSERT_CHANGES,
// so that a batch needs only one round trip and one transaction.
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
            self.notifier.send(Outgoing::Changed { table: stored.table, version: stored.change.version });
        }
        Ok(written)
    }

    async fn close(self) -> Result<(), Error> {
        // Dropping the connection is enough: the server detects that it is closed.
        Ok(())
    }
}

async fn append(connection: &mut PgConnection, batch: &[Append]) -> Result<HashSet<TableId>, Error> {
    let tables: Vec<i64> = batch.iter().map(|append| table_key(append.table)).collect();
    let changes = || batch.iter().map(|append| &append.change);
    let versions: Vec<i32> = changes().map(|change| i32::try_from(change.version).unwrap_or(i32::MAX)).collect();
    let times: Vec<i64> = changes().map(|change| change.at_ms).collect();
    let bodies: Vec<String> = changes().map(|change| json(&change.events)).collect();
    let written = if batch.iter().all(updates_no_list) {
        let append = sqlx::query_scalar(INSERT_CHANGES).bind(tables).bind(versions).bind(times).bind(bodies);
        append.fetch_all(connection).await?
    } else {
        let statement = format!("WITH stored AS ({INSERT_CHANGES}), {UPDATE_LISTS} SELECT table_id FROM stored");
        let append = sqlx::query_scalar(AssertSqlSafe(statement)).bind(tables).bind(versions).bind(times).bind(bodies);
        append.bind(listing_rows(batch.iter())).bind(visitor_rows(batch.iter())).fetch_all(connection).await?
    };
    Ok(written.into_iter().map(table_id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error message of opening a store on a server at this port that never answers.
    async fn open_error(port: u16) -> String {
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port);
        let Err(error) = PostgresStore::open(options).await else { panic!("no database server runs at port {port}") };
        error.to_string()
    }

    #[tokio::test]
    async fn refused_connection_is_reported_without_waiting_for_the_timeout() {
        let started = std::time::Instant::now();
        // The listener is dropped at once, so no program listens at its port.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let message = open_error(port).await;
        assert!(message.starts_with("the database server does not answer: Connection refused"), "{message}");
        assert!(started.elapsed() < CONNECT_TIMEOUT, "it took {:?}", started.elapsed());
    }

    #[tokio::test]
    async fn silent_server_is_reported_after_the_connect_timeout() {
        // The system accepts connections for this listener, but the test does not answer them.
        let silent_listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let message = open_error(silent_listener.local_addr().unwrap().port()).await;
        assert_eq!(message, "the database server does not answer: no response within 3 seconds");
    }
}
