//! Contract tests for durability, closing, schema versions and unreadable data.

use std::sync::Arc;
use std::task::Poll;

use sultan_domain::TableId;
use sultan_store::{StoreError, TableState};

use super::{listed, plain};
use crate::Backend;

pub async fn what_was_stored_is_there_after_opening_again(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.append(listed(1, 0, 100, (TableState::Playing, true, true))).await.expect("it opens the table");
    store.append(plain(1, 1)).await.expect("it is the next one");
    let before = store.load(TableId::new(1), 0).await.expect("read");
    store.close().await.expect("closed");
    for version in 2..5 {
        let store = backend.open().await;
        let after = store.load(TableId::new(1), 0).await.expect("read");
        assert_eq!(after[..2], before);
        assert_eq!(after.len(), version as usize);
        assert_eq!(store.public_tables(TableState::Playing, 9).await.expect("read").len(), 1);
        assert_eq!(store.attended_tables(None, 9).await.expect("read"), [TableId::new(1)]);
        store.append(plain(1, version)).await.expect("it is the next one");
        store.close().await.expect("closed");
    }
}

pub async fn many_may_open_it_at_once(backend: Arc<Backend>) {
    let open = |number: u64| {
        let location = backend.location();
        tokio::spawn(async move {
            let store = sultan_store::open(&location).await.expect("the store opens");
            store.append(plain(number, 0)).await.expect("it opens the table");
        })
    };
    for opened in (0..6).map(open).collect::<Vec<_>>() {
        opened.await.expect("the task does not panic");
    }
    let store = backend.open().await;
    for number in 0..6 {
        assert_eq!(store.load(TableId::new(number), 0).await.expect("read").len(), 1);
    }
}

pub async fn nothing_is_stored_after_closing(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.close().await.expect("closed");
    let error = store.append(plain(1, 0)).await.expect_err("it is closed");
    assert!(matches!(error, StoreError::Closed), "{error}");
    store.load(TableId::new(1), 0).await.expect_err("it is closed");
    store.ready().await.expect_err("it is closed");
    store.close().await.expect("a repeat is harmless");
}

pub async fn what_is_under_way_is_stored_before_closing(backend: Arc<Backend>) {
    let store = backend.open().await;
    let mut appends: Vec<_> = (0..50).map(|table| store.append(plain(table, 0))).collect();
    // Poll each append once: it is started and pending.
    std::future::poll_fn(|context| {
        appends.retain_mut(|append| match append.as_mut().poll(context) {
            Poll::Pending => true,
            Poll::Ready(done) => {
                done.expect("it opens the table");
                false
            }
        });
        Poll::Ready(())
    })
    .await;
    assert!(!appends.is_empty(), "something is under way");
    store.close().await.expect("closed");
    for append in appends {
        append.await.expect("the request was made before");
    }
    let again = backend.open().await;
    for table in 0..50 {
        assert_eq!(again.load(TableId::new(table), 0).await.expect("read").len(), 1);
    }
}

pub async fn a_newer_schema_is_refused_in_plain_words(backend: Arc<Backend>) {
    backend.open().await.close().await.expect("closed");
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(newer).await;
    let Err(error) = sultan_store::open(&backend.location()).await else { panic!("it is newer") };
    let StoreError::TooNew { found: 99, known } = error else { panic!("{error}") };
    let newest = backend.number("SELECT max(version) FROM _sqlx_migrations WHERE version < 99").await;
    assert_eq!(known, newest);
    let told = format!("the database has schema 99, but this program supports only {known}: use a newer sultan");
    assert_eq!(error.to_string(), told);
}

/// During a rolling upgrade, old and new nodes use the same database.
pub async fn a_schema_that_only_adds_is_used_beside_its_program(backend: Arc<Backend>) {
    let old = backend.open().await;
    old.append(plain(1, 0)).await.expect("it opens the table");
    let expand = "ALTER TABLE changes ADD COLUMN something_new INTEGER; ALTER TABLE tables ADD COLUMN other INTEGER;
                  CREATE TABLE novelties (id INTEGER);
                  INSERT INTO compatible (schema, since) VALUES (98, 4), (99, 5);
                  INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                  SELECT 99, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    backend.execute(expand).await;
    // The old program continues and can be restarted.
    old.append(plain(1, 1)).await.expect("it is the next one");
    old.append(listed(1, 2, 5000, (TableState::Over, true, true))).await.expect("it is the next one");
    old.close().await.expect("closed");
    let again = backend.open().await;
    again.append(plain(1, 3)).await.expect("it is the next one");
    assert_eq!(again.load(TableId::new(1), 0).await.expect("read").len(), 4);
    assert_eq!(again.merge(6000, 9).await.expect("it can be merged"), 1);
    assert_eq!(again.load(TableId::new(1), 0).await.expect("read").len(), 4);
    // A schema that is not compatible with the old program is rejected.
    backend.execute("UPDATE compatible SET since = 99 WHERE schema = 99").await;
    let Err(error) = sultan_store::open(&backend.location()).await else { panic!("it is newer") };
    assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error}");
}

pub async fn what_cannot_be_read_is_said_to_be_so(backend: Arc<Backend>) {
    let store = backend.open().await;
    for table in [1, 2] {
        store.append(plain(table, 0)).await.expect("it opens the table");
        store.append(plain(table, 1)).await.expect("it is the next one");
    }
    for garbage in ["", "no JSON", "[{\"danced\":{\"seat\":1}}]", "[{\"host\":{\"seat\":9}}]"] {
        backend.execute(&format!("UPDATE changes SET body = '{garbage}' WHERE table_id = 1 AND version = 2")).await;
        let error = store.load(TableId::new(1), 0).await.expect_err("it makes no sense");
        assert!(matches!(&error, StoreError::Unreadable { table, .. } if table.number() == 1), "{error}");
        let told = error.to_string();
        assert!(told.contains("version 2") && !told.contains('\n'), "{told}");
        assert!(!told.contains("danced") && !told.contains("no JSON"), "what is stored is not told: {told}");
    }
    assert_eq!(store.load(TableId::new(2), 0).await.expect("other tables are intact").len(), 2);
}
