//! The changes of the last moments, on SQLite: one row for each batch, at the end of `recent`.
//!
//! In `changes` the rows of a table lie together, so that a table is read at once; but then every change of a batch is on a page of
//! its own, and the whole page is written for it. Here a batch is one row on one page. What has gathered is put to where it
//! belongs many at a time (`PUT_AWAY`), and whoever reads looks at both places (`LOAD`).
//!
//! Which version a table has is remembered rather than asked for. That this is still true, whoever else writes to the file, the
//! number of the newest row says: whoever adds changes, puts them away or forgets a table makes it grow. (Merging does not: the
//! versions of tables stay as they are.)

use std::collections::{HashMap, HashSet};

use serde_json::json;
use sqlx::{Connection, Error, Sqlite, SqliteConnection};
use sultan_domain::TableId;

use crate::Append;
use crate::database::{id, is_plain, key};
use crate::record::EventRecord;

/// With so many changes in `recent` they are put away: enough that those of one table share pages, and few enough that it takes a
/// moment, and that whoever reads a table is soon through with them.
const MANY: usize = 2000;
/// So many tables are remembered when changes are put away.
const REMEMBERED: usize = 4096;

/// Puts the changes of the last moments to the others, and makes the number of the newest row grow. One transaction: whoever
/// fails takes all of it back, and so SQLite need not be able to take back a part of it, for which it would copy every page (`OR FAIL`).
pub(crate) const PUT_AWAY: [&str; 3] = [
    "INSERT OR FAIL INTO changes (table_id, version, at_ms, body)
     SELECT one.value->>0, one.value->>1, one.value->>2, one.value->3 FROM recent, json_each(recent.body) AS one
     ORDER BY 1, 2",
    "DELETE FROM recent WHERE number < (SELECT max(number) FROM recent)",
    "UPDATE recent SET number = number + 1, body = '[]'",
];

/// The changes of a table, wherever they are. Batches in which its name does not occur are passed over unread.
pub(crate) const LOAD: &str = "SELECT version, at_ms, body, merged FROM changes WHERE table_id = $1 AND version > $2
UNION ALL
SELECT one.value->>1, one.value->>2, one.value->3, NULL FROM recent, json_each(recent.body) AS one
WHERE instr(recent.body, $1) > 0 AND one.value->>0 = $1 AND one.value->>1 > $2 ORDER BY version";

/// Whether there is anything to put away.
pub(crate) const GATHERED: &str = "SELECT count(*) FROM recent WHERE body <> '[]'";

const NEWEST: &str = "SELECT max(number) FROM recent";

const VERSIONS: &str = "SELECT one.value,
  (SELECT version FROM changes WHERE table_id = one.value ORDER BY version DESC LIMIT 1) FROM json_each($1) AS one";

// Not only the next number must be free: somebody may have put away the row that had it.
const ADD: &str = "INSERT INTO recent (number, body) SELECT $1 + 1, $2 WHERE (SELECT max(number) FROM recent) = $1";

const LIST: &str = "INSERT INTO tables (id, state, public, attended, changed_ms)
SELECT new.value->>0, new.value->>1, new.value->>2, new.value->>3, new.value->>4 FROM json_each($1) AS new WHERE TRUE
ON CONFLICT (id) DO UPDATE SET state = excluded.state, attended = excluded.attended, changed_ms = excluded.changed_ms";

const VISIT: &str =
    "INSERT INTO visitors (visitor, table_id, seat, at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

/// What the one who writes remembers.
pub(super) struct Recent {
    /// The number of the newest row.
    newest: i64,
    /// The versions of tables, as long as that is the newest row.
    versions: HashMap<TableId, u32>,
    /// How many changes are to be put away.
    gathered: usize,
}

impl Recent {
    /// Begins with everything put away.
    pub(super) async fn begin(connection: &mut SqliteConnection) -> Result<Self, Error> {
        Ok(Self { newest: put_away(connection).await?, versions: HashMap::new(), gathered: 0 })
    }

    /// Stores those changes that were made from the versions that their tables have. Says of which tables; nothing where somebody
    /// else has written meanwhile: then nothing is stored, and nothing of this is true any more.
    pub(super) async fn add(
        &mut self,
        connection: &mut SqliteConnection,
        batch: &[Append],
    ) -> Result<Option<HashSet<TableId>>, Error> {
        self.learn(connection, batch).await?;
        let fits = |append: &&Append| self.versions.get(&append.table).copied() == Some(append.version);
        let fitting: Vec<&Append> = batch.iter().filter(fits).collect();
        if fitting.is_empty() {
            let newest: i64 = sqlx::query_scalar(NEWEST).fetch_one(connection).await?;
            return Ok((newest == self.newest).then(HashSet::new));
        }
        if !store(connection, self.newest, &fitting).await? {
            return Ok(None);
        }
        self.newest += 1;
        self.gathered += fitting.len();
        for append in &fitting {
            self.versions.insert(append.table, append.version.saturating_add(1));
        }
        Ok(Some(fitting.into_iter().map(|append| append.table).collect()))
    }

    /// Asks for the versions that are not known yet. All but what is known has been put away.
    async fn learn(&mut self, connection: &mut SqliteConnection, batch: &[Append]) -> Result<(), Error> {
        let unknown = batch.iter().filter(|append| !self.versions.contains_key(&append.table));
        let unknown: Vec<i64> = unknown.map(|append| key(append.table)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let found: Vec<(i64, Option<i32>)> =
            sqlx::query_as(VERSIONS).bind(json!(unknown).to_string()).fetch_all(connection).await?;
        let version = |version: Option<i32>| version.and_then(|version| u32::try_from(version).ok()).unwrap_or(0);
        self.versions.extend(found.into_iter().map(|(key, last)| (id(key), version(last))));
        Ok(())
    }

    /// Whether it is time to put changes away.
    pub(super) fn are_many(&self) -> bool {
        self.gathered >= MANY
    }

    /// Whether there is anything to put away.
    pub(super) fn are_some(&self) -> bool {
        self.gathered > 0
    }

    /// Puts away what has gathered.
    pub(super) async fn put_away(&mut self, connection: &mut SqliteConnection) -> Result<(), Error> {
        let newest = put_away(connection).await?;
        // Otherwise somebody else has written, and what is remembered may be wrong.
        if newest != self.newest + 1 || self.versions.len() > REMEMBERED {
            self.versions.clear();
        }
        (self.newest, self.gathered) = (newest, 0);
        Ok(())
    }
}

/// Puts everything away. Says which number the newest row has then.
pub(crate) async fn put_away(connection: &mut SqliteConnection) -> Result<i64, Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for statement in PUT_AWAY {
        sqlx::query(statement).execute(&mut *transaction).await?;
    }
    let newest = sqlx::query_scalar(NEWEST).fetch_one(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(newest)
}

/// Stores changes, and what follows from them, after the row with this number. Says whether that is still the newest.
async fn store(connection: &mut SqliteConnection, newest: i64, batch: &[&Append]) -> Result<bool, Error> {
    if batch.iter().all(|append| is_plain(append)) {
        // A statement by itself is a transaction.
        return add(connection, newest, batch).await;
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    if !add(&mut transaction, newest, batch).await? {
        return Ok(false);
    }
    let mut rows = Vec::new();
    for stored in batch {
        if let Some(listing) = stored.listing {
            let (state, public) = (listing.state.number(), listing.public);
            rows.push(json!([key(stored.table), state, public, listing.attended, stored.at_ms]));
        }
        for seat in &stored.visitors {
            let visit = sqlx::query::<Sqlite>(VISIT).bind(seat.visitor.0.to_vec()).bind(key(seat.table));
            visit.bind(i32::from(seat.seat.number())).bind(stored.at_ms).execute(&mut *transaction).await?;
        }
    }
    if !rows.is_empty() {
        sqlx::query(LIST).bind(json!(rows).to_string()).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

async fn add(connection: &mut SqliteConnection, newest: i64, batch: &[&Append]) -> Result<bool, Error> {
    let mut rows: Vec<(i64, u32, i64, &[EventRecord])> = Vec::with_capacity(batch.len());
    rows.extend(batch.iter().map(|append| {
        let version = append.version.saturating_add(1);
        (key(append.table), version, append.at_ms, &append.events[..])
    }));
    let rows = serde_json::to_string(&rows).expect("an event can be written as JSON");
    let added = sqlx::query::<Sqlite>(ADD).bind(newest).bind(rows).execute(connection).await?;
    Ok(added.rows_affected() > 0)
}
