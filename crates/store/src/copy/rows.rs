//! Reads and writes rows in a form that is the same for SQLite and Postgres.

use sqlx::query_builder::Separated;
use sqlx::{AssertSqlSafe, Column, Encode, Error, QueryBuilder, Row, Type, TypeInfo};
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection};
use sultan_domain::TableId;

use crate::database::table_id;

/// Number of rows per query.
pub(super) const PAGE_ROWS: usize = 1000;

/// A value of a row. It may be a secret, so it has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    Number(i64),
    Bool(bool),
    Text(String),
    /// `None` is NULL, which only columns of bytes can contain.
    Bytes(Option<Vec<u8>>),
}

/// A database table to copy.
#[derive(Debug)]
pub(super) struct CopiedTable {
    pub(super) name: &'static str,
    columns: &'static [&'static str],
    /// The number of leading columns that identify a row (the primary key). Both databases sort rows by their keys in
    /// the same order, because keys are numbers, bytes, or ASCII words.
    key_len: usize,
}

/// All database tables to copy.
pub(super) const ALL: [CopiedTable; 6] = [
    CopiedTable { name: "changes", columns: &["table_id", "version", "at_ms", "body", "merged"], key_len: 2 },
    CopiedTable { name: "tables", columns: &["id", "state", "public", "attended", "changed_ms", "merged"], key_len: 1 },
    CopiedTable { name: "visitors", columns: &["visitor", "table_id", "seat", "at_ms"], key_len: 3 },
    CopiedTable { name: "commitments", columns: &["commitment", "server_seed", "at_ms"], key_len: 1 },
    CopiedTable { name: "secrets", columns: &["name", "value"], key_len: 1 },
    CopiedTable { name: "analyses", columns: &["table_id", "json"], key_len: 1 },
];

impl CopiedTable {
    /// The table (game) that a row belongs to, if any.
    pub(super) fn game_table(&self, row: &[Value]) -> Option<TableId> {
        let column = self.columns.iter().position(|column| ["id", "table_id"].contains(column))?;
        if let Value::Number(key) = row[column] { Some(table_id(key)) } else { None }
    }
}

/// A database that rows are copied from or to.
pub(super) trait Endpoint {
    /// The next [`PAGE_ROWS`] rows after the row `after` (`None`: the first rows), in the order of their keys. Fewer
    /// rows mean that no row follows.
    async fn page(&mut self, table: &CopiedTable, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error>;

    /// Adds rows.
    async fn insert(&mut self, table: &CopiedTable, rows: &[Vec<Value>]) -> Result<(), Error>;

    /// Counts all rows.
    async fn count(&mut self, table: &CopiedTable) -> Result<u64, Error>;
}

/// Implements [`Endpoint`]. A macro, because the queries of the two databases have different types.
macro_rules! implement_endpoint {
    ($connection:ty, $database:ty) => {
        impl Endpoint for $connection {
            async fn page(&mut self, table: &CopiedTable, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error> {
                let value = |row: &<$database as sqlx::Database>::Row, column| -> Result<Value, Error> {
                    // The names of types in Postgres and SQLite. All other types (BYTEA, BLOB) are bytes.
                    Ok(match row.column(column).type_info().name() {
                        "INT4" => Value::Number(row.try_get::<i32, _>(column)?.into()),
                        "INT8" | "INTEGER" => Value::Number(row.try_get(column)?),
                        "BOOL" | "BOOLEAN" => Value::Bool(row.try_get(column)?),
                        "TEXT" => Value::Text(row.try_get(column)?),
                        _ => Value::Bytes(row.try_get(column)?),
                    })
                };
                let (columns, key) = (table.columns.join(", "), table.columns[..table.key_len].join(", "));
                let mut query = QueryBuilder::<$database>::new(format!("SELECT {columns} FROM {}", table.name));
                if let Some(after) = after {
                    query.push(format!(" WHERE ({key}) > ("));
                    bind(query.separated(", "), &after[..table.key_len]);
                    query.push(")");
                }
                query.push(format!(" ORDER BY {key} LIMIT {PAGE_ROWS}"));
                let rows = query.build().fetch_all(self).await?;
                rows.iter().map(|row| (0..table.columns.len()).map(|column| value(row, column)).collect()).collect()
            }

            async fn insert(&mut self, table: &CopiedTable, rows: &[Vec<Value>]) -> Result<(), Error> {
                let insert = format!("INSERT INTO {} ({}) ", table.name, table.columns.join(", "));
                let mut insert = QueryBuilder::<$database>::new(insert);
                insert.push_values(rows, |parameters, row| bind(parameters, row));
                // The text of the statement depends on the number of rows, so the connection does not cache it.
                insert.build().persistent(false).execute(self).await?;
                Ok(())
            }

            async fn count(&mut self, table: &CopiedTable) -> Result<u64, Error> {
                let count = format!("SELECT count(*) FROM {}", table.name);
                let count: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(self).await?;
                Ok(count.unsigned_abs())
            }
        }
    };
}

implement_endpoint!(SqliteConnection, Sqlite);
implement_endpoint!(PgConnection, Postgres);

/// Adds the values of a row as parameters of a query.
fn bind<DB: sqlx::Database>(mut parameters: Separated<'_, DB, &'static str>, row: &[Value])
where
    for<'t> i64: Encode<'t, DB> + Type<DB>,
    for<'t> bool: Encode<'t, DB> + Type<DB>,
    for<'t> String: Encode<'t, DB> + Type<DB>,
    for<'t> Option<Vec<u8>>: Encode<'t, DB> + Type<DB>,
{
    for value in row {
        match value {
            Value::Number(number) => parameters.push_bind(*number),
            Value::Bool(bool) => parameters.push_bind(*bool),
            Value::Text(text) => parameters.push_bind(text.clone()),
            Value::Bytes(bytes) => parameters.push_bind(bytes.clone()),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sqlx::{Connection, SqliteConnection};

    use super::*;
    use crate::migrations;

    /// Database tables that are not copied: information about the schema, and a table that only version 0.1 uses.
    const NOT_COPIED: [&str; 3] = ["_sqlx_migrations", "compatible", "studies"];

    #[tokio::test]
    async fn copied_tables_list_every_column_of_the_schema() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrations::migrator(migrations::SQLITE).run(&mut connection).await.unwrap();
        let select_columns = "SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                   WHERE t.type = 'table'";
        let columns: Vec<String> = sqlx::query_scalar(select_columns).fetch_all(&mut connection).await.unwrap();
        let is_to_be_copied = |column: &&String| !NOT_COPIED.iter().any(|name| column.starts_with(&format!("{name}.")));
        let expected: BTreeSet<String> = columns.iter().filter(is_to_be_copied).cloned().collect();
        let names = |table: &CopiedTable| table.columns.iter().map(|name| format!("{}.{name}", table.name)).collect();
        let copied: BTreeSet<String> = ALL.iter().flat_map(|table| -> Vec<String> { names(table) }).collect();
        assert_eq!(copied, expected, "the list of columns in `ALL` differs from the schema");
    }
}
