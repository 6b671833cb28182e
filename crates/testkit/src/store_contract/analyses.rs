//! Contract tests for analyses of finished games.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::TableState;

use super::{idle_before, listed_append};
use crate::Backend;

pub async fn first_stored_analysis_is_kept(backend: Arc<Backend>) {
    let store = backend.open().await;
    for table in [1, 2] {
        store
            .append(listed_append(table, 0, 100, (TableState::Over, false, false)))
            .await
            .expect("the first version opens the table");
    }
    let long = format!("{{\"names\":[\"Süleyman 👑\"],\"long\":\"{}\"}}", "x".repeat(300_000));
    assert_eq!(store.analysis(TableId::new(1)).await.expect("the read succeeds"), None);
    store.store_analysis(TableId::new(1), long.clone()).await.expect("the write succeeds");
    store.store_analysis(TableId::new(1), "another".to_owned()).await.expect("a second analysis is ignored");
    assert_eq!(store.analysis(TableId::new(1)).await.expect("the read succeeds"), Some(long.clone()));
    assert_eq!(store.analysis(TableId::new(2)).await.expect("the read succeeds"), None);
    store.close().await.expect("the store closes");
    let store = backend.open().await;
    assert_eq!(store.analysis(TableId::new(1)).await.expect("the read succeeds"), Some(long));
}

pub async fn analysis_is_deleted_with_its_table(backend: Arc<Backend>) {
    let store = backend.open().await;
    store
        .append(listed_append(1, 0, 100, (TableState::Over, false, false)))
        .await
        .expect("the first version opens the table");
    store.store_analysis(TableId::new(1), "{}".to_owned()).await.expect("the write succeeds");
    assert_eq!(store.delete_tables(idle_before(5000), 9).await.expect("the call succeeds"), 1);
    assert_eq!(store.analysis(TableId::new(1)).await.expect("the read succeeds"), None);
    // An analysis that finishes after its table was deleted is not stored.
    store.store_analysis(TableId::new(1), "{}".to_owned()).await.expect("a deleted table is no error");
    assert_eq!(store.analysis(TableId::new(1)).await.expect("the read succeeds"), None);
}
