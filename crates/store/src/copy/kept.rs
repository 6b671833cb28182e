//! What there is in a database, in a form that both databases understand.

use crate::database::Row;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Small,
    Truth,
    Text,
    Bytes,
}

/// A value of a row. It may be a secret, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    Number(i64),
    Truth(bool),
    Text(String),
    Bytes(Option<Vec<u8>>),
}

/// One of the tables of a database.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) name: &'static str,
    pub(super) columns: &'static [(&'static str, Kind)],
    /// So many columns, from the first on, tell the rows apart. Both databases sort them alike: numbers, bytes, or plain words.
    pub(super) key: usize,
    /// The column that says of which table a row is.
    pub(super) table: Option<usize>,
}

use Kind::{Bytes, Number, Small, Text, Truth};

/// Everything that is moved.
pub(super) const ALL: [Kept; 6] = [
    Kept {
        name: "changes",
        columns: &[("table_id", Number), ("version", Small), ("at_ms", Number), ("body", Text), ("merged", Bytes)],
        key: 2,
        table: Some(0),
    },
    Kept {
        name: "tables",
        columns: &[
            ("id", Number),
            ("state", Small),
            ("public", Truth),
            ("attended", Truth),
            ("changed_ms", Number),
            ("merged", Truth),
        ],
        key: 1,
        table: Some(0),
    },
    Kept {
        name: "visitors",
        columns: &[("visitor", Bytes), ("table_id", Number), ("seat", Small), ("at_ms", Number)],
        key: 3,
        table: Some(1),
    },
    Kept {
        name: "commitments",
        columns: &[("commitment", Bytes), ("server_seed", Bytes), ("at_ms", Number)],
        key: 1,
        table: None,
    },
    Kept { name: "secrets", columns: &[("name", Text), ("value", Bytes)], key: 1, table: None },
    Kept { name: "analyses", columns: &[("table_id", Number), ("json", Bytes)], key: 1, table: Some(0) },
];

impl Kept {
    fn names(&self, most: usize) -> String {
        self.columns.iter().take(most).map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Asks for some rows in order: the first, or those after a key.
    pub(super) fn select(&self, first: bool, most: usize) -> String {
        let key = self.names(self.key);
        let after = if first {
            String::new()
        } else {
            let places: Vec<String> = (1..=self.key).map(|number| format!("${number}")).collect();
            format!(" WHERE ({key}) > ({})", places.join(", "))
        };
        format!("SELECT {} FROM {}{after} ORDER BY {key} LIMIT {most}", self.names(usize::MAX), self.name)
    }

    /// The beginning of what adds rows.
    pub(super) fn insert(&self) -> String {
        format!("INSERT INTO {} ({}) ", self.name, self.names(usize::MAX))
    }

    pub(super) fn count(&self) -> String {
        format!("SELECT count(*) FROM {}", self.name)
    }
}

/// A row of `changes` as the store reads it.
pub(super) fn change_row(row: &[Value]) -> Option<(i64, Row)> {
    let [Value::Number(key), Value::Number(version), Value::Number(at_ms), Value::Text(body), Value::Bytes(merged)] =
        row
    else {
        return None;
    };
    Some((*key, (i32::try_from(*version).ok()?, *at_ms, body.clone(), merged.clone())))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sqlx::{Connection, SqliteConnection};

    use super::*;
    use crate::migrations;

    /// What is not moved: who does what just now and what the schema says about itself.
    const PASSING: [&str; 3] = ["_sqlx_migrations", "compatible", "studies"];

    #[tokio::test]
    async fn nothing_is_forgotten() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrations::migrator(migrations::SQLITE).run(&mut connection).await.unwrap();
        let all = "SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
                   WHERE t.type = 'table'";
        let all: Vec<String> = sqlx::query_scalar(all).fetch_all(&mut connection).await.unwrap();
        let passing = |column: &&String| PASSING.iter().any(|name| column.starts_with(&format!("{name}.")));
        let there: BTreeSet<&String> = all.iter().filter(|column| !passing(column)).collect();
        let column = |kept: &Kept, name: &str| format!("{}.{name}", kept.name);
        let moved: Vec<String> =
            ALL.iter().flat_map(|kept| kept.columns.iter().map(|(name, _)| column(kept, name))).collect();
        assert_eq!(there, moved.iter().collect::<BTreeSet<_>>(), "a new column must be moved too");
    }
}
