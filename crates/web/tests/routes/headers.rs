//! What every answer carries, and what it does not.

use serde_json::json;

use crate::site::Site;

#[tokio::test]
async fn every_answer_keeps_browsers_safe() {
    let site = Site::new().await;
    let ana = site.open(json!({"players": 2})).await;
    let table = format!("/api/v1/tables/{}", ana.table);
    let link = format!("/t/{}/in/{}", ana.table, ana.token);
    for path in ["/healthz", "/api", "/api/openapi.json", "/api/style.css", "/nowhere", "/api/v1/tables", &table, &link]
    {
        let answer = site.get(path).send().await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; "), "{path}: {policy}");
        assert!(policy.ends_with("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
        assert!(answer.headers.get("server").is_none());
    }
}

#[tokio::test]
async fn health_and_readiness_are_told() {
    let site = Site::new().await;
    let health = site.get("/healthz").send().await;
    assert_eq!((health.status, health.text.as_str()), (200, "ok\n"));
    let ready = site.get("/readyz").send().await;
    assert_eq!((ready.status, ready.text.as_str()), (200, "ready\n"));
    assert_eq!(site.ask("HEAD", "/healthz").send().await.text, "");
    site.state.service().close().await;
    let gone = site.get("/readyz").send().await;
    gone.is_problem(503, "server/failed");
    assert_eq!(gone.header("retry-after"), "1");
    // What went wrong inside is not told.
    assert!(!gone.text.to_lowercase().contains("sql") && !gone.text.contains("pool"));
    assert_eq!(site.get("/healthz").send().await.status, 200);
    site.post("/api/v1/tables").json(&json!({"players": 2})).send().await.is_problem(503, "server/failed");
}
