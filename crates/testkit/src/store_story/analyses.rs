//! Contract tests for analyses of finished games.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::TableState;

use super::{listed, old};
use crate::Backend;

pub async fn an_analysis_is_kept_once(backend: Arc<Backend>) {
    let store = backend.open().await;
    for table in [1, 2] {
        store.append(listed(table, 0, 100, (TableState::Over, false, false))).await.expect("it opens the table");
    }
    let long = format!("{{\"names\":[\"Süleyman 👑\"],\"long\":\"{}\"}}", "x".repeat(300_000));
    assert_eq!(store.analysis(TableId::new(1)).await.expect("read"), None);
    store.keep_analysis(TableId::new(1), long.clone()).await.expect("kept");
    store.keep_analysis(TableId::new(1), "another".to_owned()).await.expect("the first one stays");
    assert_eq!(store.analysis(TableId::new(1)).await.expect("read"), Some(long.clone()));
    assert_eq!(store.analysis(TableId::new(2)).await.expect("read"), None);
    store.close().await.expect("closed");
    let store = backend.open().await;
    assert_eq!(store.analysis(TableId::new(1)).await.expect("read"), Some(long));
}

pub async fn an_analysis_is_forgotten_with_its_table(backend: Arc<Backend>) {
    let store = backend.open().await;
    store.append(listed(1, 0, 100, (TableState::Over, false, false))).await.expect("it opens the table");
    store.keep_analysis(TableId::new(1), "{}".to_owned()).await.expect("kept");
    assert_eq!(store.forget(old(5000), 9).await.expect("forgotten"), 1);
    assert_eq!(store.analysis(TableId::new(1)).await.expect("read"), None);
    // An analysis that finishes after its table was deleted is not stored.
    store.keep_analysis(TableId::new(1), "{}".to_owned()).await.expect("no error");
    assert_eq!(store.analysis(TableId::new(1)).await.expect("read"), None);
}
