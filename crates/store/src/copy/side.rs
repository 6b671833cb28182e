//! Rows read from a database and written to one, whichever it is.

use sqlx::{AssertSqlSafe, Error, PgConnection, Postgres, QueryBuilder, Row as _, Sqlite, SqliteConnection};

use super::kept::{Kept, Kind, Value};

/// How many rows are read or written at once.
pub(super) const PAGE: usize = 1000;

/// One side of a move.
pub(super) trait Side {
    /// The next rows in the order of their keys.
    async fn page(&mut self, kept: &Kept, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error>;

    /// Adds rows.
    async fn add(&mut self, kept: &Kept, rows: &[Vec<Value>]) -> Result<(), Error>;

    /// How many rows there are.
    async fn count(&mut self, kept: &Kept) -> Result<u64, Error>;
}

/// One text for both databases.
macro_rules! side {
    ($connection:ty, $database:ty, $row:ty) => {
        impl Side for $connection {
            async fn page(&mut self, kept: &Kept, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error> {
                let value = |row: &$row, index: usize, kind: Kind| -> Result<Value, Error> {
                    Ok(match kind {
                        Kind::Number => Value::Number(row.try_get(index)?),
                        Kind::Small => Value::Number(row.try_get::<i32, _>(index)?.into()),
                        Kind::Truth => Value::Truth(row.try_get(index)?),
                        Kind::Text => Value::Text(row.try_get(index)?),
                        Kind::Bytes => Value::Bytes(row.try_get(index)?),
                    })
                };
                let mut query = sqlx::query(AssertSqlSafe(kept.select(after.is_none(), PAGE)));
                for key in after.unwrap_or_default().iter().take(kept.key) {
                    query = match key {
                        Value::Number(number) => query.bind(*number),
                        Value::Truth(truth) => query.bind(*truth),
                        Value::Text(text) => query.bind(text.clone()),
                        Value::Bytes(bytes) => query.bind(bytes.clone()),
                    };
                }
                let rows = query.fetch_all(self).await?;
                let kinds = || kept.columns.iter().enumerate();
                rows.iter().map(|row| kinds().map(|(index, (_, kind))| value(row, index, *kind)).collect()).collect()
            }

            async fn add(&mut self, kept: &Kept, rows: &[Vec<Value>]) -> Result<(), Error> {
                let mut insert = QueryBuilder::<$database>::new(kept.insert());
                insert.push_values(rows, |mut places, row| {
                    for value in row {
                        match value {
                            Value::Number(number) => places.push_bind(*number),
                            Value::Truth(truth) => places.push_bind(*truth),
                            Value::Text(text) => places.push_bind(text.clone()),
                            Value::Bytes(bytes) => places.push_bind(bytes.clone()),
                        };
                    }
                });
                insert.build().persistent(false).execute(self).await?;
                Ok(())
            }

            async fn count(&mut self, kept: &Kept) -> Result<u64, Error> {
                let count: i64 = sqlx::query_scalar(AssertSqlSafe(kept.count())).fetch_one(self).await?;
                Ok(count.unsigned_abs())
            }
        }
    };
}

side!(SqliteConnection, Sqlite, sqlx::sqlite::SqliteRow);
side!(PgConnection, Postgres, sqlx::postgres::PgRow);
