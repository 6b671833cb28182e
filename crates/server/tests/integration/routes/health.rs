//! `/healthz` and `/readyz`.

use serde_json::json;

use crate::site;

#[tokio::test]
async fn readiness_needs_the_database_and_health_does_not() {
    let site = site::new().await;
    let health = site.get("/healthz").send().await;
    assert_eq!((health.status, health.text.as_str()), (200, "ok\n"));
    let ready = site.get("/readyz").send().await;
    assert_eq!((ready.status, ready.text.as_str()), (200, "ready\n"));
    assert_eq!(site.request("HEAD", "/healthz").send().await.text, "");
    // Closes the database, as if it had failed.
    site.service.close().await;
    let not_ready = site.get("/readyz").send().await;
    not_ready.assert_problem(503, "server/failed");
    assert_eq!(not_ready.header("retry-after"), "1");
    // The error does not reveal details of the database.
    assert!(!not_ready.text.to_lowercase().contains("sql"), "{}", not_ready.text);
    assert!(!not_ready.text.contains("pool"), "{}", not_ready.text);
    assert_eq!(site.get("/healthz").send().await.status, 200);
    site.post("/api/v1/tables").json(&json!({"players": 2})).send().await.assert_problem(503, "server/failed");
}
