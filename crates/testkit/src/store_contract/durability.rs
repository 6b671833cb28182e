//! Contract tests for durability, closing, schema versions and unreadable data.

use std::sync::Arc;
use std::task::Poll;

use sultan_domain::TableId;
use sultan_store::{StoreError, TableState};

use super::{listed_append, next_append};
use crate::Backend;

pub async fn stored_changes_survive_reopening(backend: Arc<Backend>) {
    let store = backend.open().await;
    store
        .append(listed_append(1, 0, 100, (TableState::Playing, true, true)))
        .await
        .expect("the first version opens the table");
    store.append(next_append(1, 1)).await.expect("the version is the next one");
    let before = store.load(TableId::new(1), 0).await.expect("the read succeeds");
    store.close().await.expect("the store closes");
    for version in 2..5 {
        let store = backend.open().await;
        let after = store.load(TableId::new(1), 0).await.expect("the read succeeds");
        assert_eq!(after[..2], before);
        assert_eq!(after.len(), version as usize);
        assert_eq!(store.public_tables(TableState::Playing, 9).await.expect("the read succeeds").len(), 1);
        assert_eq!(store.tables_with_bots_or_clocks(None, 9).await.expect("the read succeeds"), [TableId::new(1)]);
        store.append(next_append(1, version)).await.expect("the version is the next one");
        store.close().await.expect("the store closes");
    }
}

pub async fn concurrent_first_opens_succeed(backend: Arc<Backend>) {
    let open = |number: u64| {
        let location = backend.location();
        tokio::spawn(async move {
            let store = sultan_store::open(&location).await.expect("the store opens");
            store.append(next_append(number, 0)).await.expect("the first version opens the table");
        })
    };
    for opened in (0..6).map(open).collect::<Vec<_>>() {
        opened.await.expect("the task does not panic");
    }
    let store = backend.open().await;
    for number in 0..6 {
        assert_eq!(store.load(TableId::new(number), 0).await.expect("the read succeeds").len(), 1);
    }
}

pub async fn closed_store_rejects_all_calls(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.close().await.expect("the store closes");
    let error = store.append(next_append(1, 0)).await.expect_err("the store is closed");
    assert!(matches!(error, StoreError::Closed), "{error}");
    store.load(TableId::new(1), 0).await.expect_err("the store is closed");
    store.ready().await.expect_err("the store is closed");
    store.close().await.expect("closing twice is allowed");
}

pub async fn close_waits_for_pending_appends(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut appends: Vec<_> = (0..50).map(|table| store.append(next_append(table, 0))).collect();
    // Polling an append once starts it. Keep the appends that are still pending.
    std::future::poll_fn(|context| {
        appends.retain_mut(|append| match append.as_mut().poll(context) {
            Poll::Pending => true,
            Poll::Ready(done) => {
                done.expect("the first version opens the table");
                false
            }
        });
        Poll::Ready(())
    })
    .await;
    assert!(!appends.is_empty(), "appends are pending");
    store.close().await.expect("the store closes");
    for append in appends {
        append.await.expect("the append was requested before closing");
    }
    let again = backend.open().await;
    for table in 0..50 {
        assert_eq!(again.load(TableId::new(table), 0).await.expect("the read succeeds").len(), 1);
    }
}

pub async fn newer_schema_is_rejected_with_its_version(backend: Arc<Backend>) {
    backend.open().await.close().await.expect("the store closes");
    // The row says that migration 99 was applied.
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(newer).await;
    let Err(error) = sultan_store::open(&backend.location()).await else { panic!("the schema is newer") };
    let StoreError::TooNew { found: 99, supported } = error else { panic!("{error}") };
    let newest = backend.query_number("SELECT max(version) FROM _sqlx_migrations WHERE version < 99").await;
    assert_eq!(supported, newest);
    let message = format!("the database has schema 99, but this program supports only {supported}: use a newer sultan");
    assert_eq!(error.to_string(), message);
}

/// During a rolling upgrade, old and new nodes use the same database.
pub async fn compatible_newer_schema_is_accepted(backend: Arc<Backend>) {
    let old = backend.open().await;
    old.append(next_append(1, 0)).await.expect("the first version opens the table");
    // A schema change that only adds columns and a table, and declares that programs for schema 4 or 5 can use it.
    let add_columns =
        "ALTER TABLE changes ADD COLUMN something_new INTEGER; ALTER TABLE tables ADD COLUMN other INTEGER;
                  CREATE TABLE novelties (id INTEGER);
                  INSERT INTO compatible (schema, since) VALUES (98, 4), (99, 5);
                  INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                  SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(add_columns).await;
    // The old program can continue, and can be restarted.
    old.append(next_append(1, 1)).await.expect("the version is the next one");
    old.append(listed_append(1, 2, 5000, (TableState::Over, true, true))).await.expect("the version is the next one");
    old.close().await.expect("the store closes");
    let again = backend.open().await;
    again.append(next_append(1, 3)).await.expect("the version is the next one");
    assert_eq!(again.load(TableId::new(1), 0).await.expect("the read succeeds").len(), 4);
    assert_eq!(again.compact(6000, 9).await.expect("the merge succeeds"), 1);
    assert_eq!(again.load(TableId::new(1), 0).await.expect("the read succeeds").len(), 4);
    // A schema that is not compatible with the old program is rejected.
    backend.execute("UPDATE compatible SET since = 99 WHERE schema = 99").await;
    let Err(error) = sultan_store::open(&backend.location()).await else { panic!("the schema is newer") };
    assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error}");
}

pub async fn unreadable_change_is_reported_without_its_content(backend: Arc<Backend>) {
    let store = backend.open().await;
    for table in [1, 2] {
        store.append(next_append(table, 0)).await.expect("the first version opens the table");
        store.append(next_append(table, 1)).await.expect("the version is the next one");
    }
    for garbage in ["", "no JSON", "[{\"danced\":{\"seat\":1}}]", "[{\"host\":{\"seat\":9}}]"] {
        backend.execute(&format!("UPDATE changes SET body = '{garbage}' WHERE table_id = 1 AND version = 2")).await;
        let error = store.load(TableId::new(1), 0).await.expect_err("the row is unreadable");
        assert!(matches!(&error, StoreError::Unreadable { table, .. } if table.number() == 1), "{error}");
        let message = error.to_string();
        assert!(message.contains("version 2") && !message.contains('\n'), "{message}");
        assert!(
            !message.contains("danced") && !message.contains("no JSON"),
            "stored content in the message: {message}"
        );
    }
    assert_eq!(store.load(TableId::new(2), 0).await.expect("other tables are intact").len(), 2);
}
