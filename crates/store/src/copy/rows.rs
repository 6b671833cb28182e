//! The rows to copy, in a form for both databases.

use sqlx::query_builder::Separated;
use sqlx::{AssertSqlSafe, Column, Encode, Error, QueryBuilder, Row, Type, TypeInfo};
use sqlx::{PgConnection, Postgres, Sqlite, SqliteConnection};
use sultan_domain::TableId;

use crate::database::id;

/// Rows per read or write.
pub(super) const PAGE_ROWS: usize = 1000;

/// A value of a row. It may be a secret, so it has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    Number(i64),
    Bool(bool),
    Text(String),
    Bytes(Option<Vec<u8>>),
}

/// A database table to copy.
#[derive(Debug)]
pub(super) struct CopiedTable {
    pub(super) name: &'static str,
    columns: &'static [&'static str],
    /// The number of leading columns that identify a row. Both databases sort them in the same order: numbers, bytes, or
    /// ASCII words.
    key: usize,
}

/// All tables to copy.
pub(super) const ALL: [CopiedTable; 6] = [
    CopiedTable { name: "changes", columns: &["table_id", "version", "at_ms", "body", "merged"], key: 2 },
    CopiedTable { name: "tables", columns: &["id", "state", "public", "attended", "changed_ms", "merged"], key: 1 },
    CopiedTable { name: "visitors", columns: &["visitor", "table_id", "seat", "at_ms"], key: 3 },
    CopiedTable { name: "commitments", columns: &["commitment", "server_seed", "at_ms"], key: 1 },
    CopiedTable { name: "secrets", columns: &["name", "value"], key: 1 },
    CopiedTable { name: "analyses", columns: &["table_id", "json"], key: 1 },
];

impl CopiedTable {
    /// The game table that a row belongs to.
    pub(super) fn game_table(&self, row: &[Value]) -> Option<TableId> {
        let column = self.columns.iter().position(|column| ["id", "table_id"].contains(column))?;
        if let Value::Number(key) = row[column] { Some(id(key)) } else { None }
    }
}

/// A database that rows are copied from or to.
pub(super) trait Endpoint {
    /// The rows after this key, in key order.
    async fn page(&mut self, table: &CopiedTable, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error>;

    /// Adds rows.
    async fn insert(&mut self, table: &CopiedTable, rows: &[Vec<Value>]) -> Result<(), Error>;

    /// Counts all rows.
    async fn count(&mut self, table: &CopiedTable) -> Result<u64, Error>;
}

/// The same code for both databases.
macro_rules! implement_endpoint {
    ($connection:ty, $database:ty) => {
        impl Endpoint for $connection {
            async fn page(&mut self, table: &CopiedTable, after: Option<&[Value]>) -> Result<Vec<Vec<Value>>, Error> {
                let value = |row: &<$database as sqlx::Database>::Row, column| -> Result<Value, Error> {
                    Ok(match row.column(column).type_info().name() {
                        "INT4" => Value::Number(row.try_get::<i32, _>(column)?.into()),
                        "INT8" | "INTEGER" => Value::Number(row.try_get(column)?),
                        "BOOL" | "BOOLEAN" => Value::Bool(row.try_get(column)?),
                        "TEXT" => Value::Text(row.try_get(column)?),
                        _ => Value::Bytes(row.try_get(column)?),
                    })
                };
                let (columns, key) = (table.columns.join(", "), table.columns[..table.key].join(", "));
                let mut query = QueryBuilder::<$database>::new(format!("SELECT {columns} FROM {}", table.name));
                if let Some(after) = after {
                    query.push(format!(" WHERE ({key}) > ("));
                    bind(query.separated(", "), &after[..table.key]);
                    query.push(")");
                }
                query.push(format!(" ORDER BY {key} LIMIT {PAGE_ROWS}"));
                let rows = query.build().fetch_all(self).await?;
                rows.iter().map(|row| (0..table.columns.len()).map(|column| value(row, column)).collect()).collect()
            }

            async fn insert(&mut self, table: &CopiedTable, rows: &[Vec<Value>]) -> Result<(), Error> {
                let insert = format!("INSERT INTO {} ({}) ", table.name, table.columns.join(", "));
                let mut insert = QueryBuilder::<$database>::new(insert);
                insert.push_values(rows, |places, row| bind(places, row));
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

fn bind<DB: sqlx::Database>(mut places: Separated<'_, DB, &'static str>, row: &[Value])
where
    for<'t> i64: Encode<'t, DB> + Type<DB>,
    for<'t> bool: Encode<'t, DB> + Type<DB>,
    for<'t> String: Encode<'t, DB> + Type<DB>,
    for<'t> Option<Vec<u8>>: Encode<'t, DB> + Type<DB>,
{
    for value in row {
        match value {
            Value::Number(number) => places.push_bind(*number),
            Value::Bool(bool) => places.push_bind(*bool),
            Value::Text(text) => places.push_bind(text.clone()),
            Value::Bytes(bytes) => places.push_bind(bytes.clone()),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sqlx::{Connection, SqliteConnection};

    use super::*;
    use crate::migrations;

    /// Tables that are not copied: running nodes and schema information.
    const NOT_COPIED: [&str; 3] = ["_sqlx_migrations", "compatible", "studies"];

    #[tokio::test]
    async fn every_column_is_copied() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrations::migrator(migrations::SQLITE).run(&mut connection).await.unwrap();
        let all = "SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                   WHERE t.type = 'table'";
        let all: Vec<String> = sqlx::query_scalar(all).fetch_all(&mut connection).await.unwrap();
        let copied = |column: &&String| !NOT_COPIED.iter().any(|name| column.starts_with(&format!("{name}.")));
        let expected: BTreeSet<String> = all.iter().filter(copied).cloned().collect();
        let names = |table: &CopiedTable| table.columns.iter().map(|name| format!("{}.{name}", table.name)).collect();
        let actual: BTreeSet<String> = ALL.iter().flat_map(|table| -> Vec<String> { names(table) }).collect();
        assert_eq!(actual, expected, "a new column must be copied too");
    }
}
