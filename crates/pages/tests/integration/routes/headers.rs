//! The response headers of all routes.

use http_body_util::BodyExt;
use serde_json::json;

use crate::site;

#[tokio::test]
async fn every_response_has_security_headers() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2})).await;
    let table = format!("/api/v1/tables/{}", ana.table);
    let link = format!("/t/{}/in/{}", ana.table, ana.token);
    for path in ["/healthz", "/api", "/api/openapi.json", "/nowhere", "/api/v1/tables", &table, &link] {
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
async fn assets_are_cached_and_compressed_if_accepted() {
    let site = site::new().await;
    let home = site.get("/").send().await.text;
    let assets: Vec<&str> = home.split('"').filter(|part| part.starts_with("/a/")).collect();
    assert!(assets.len() >= 3, "{assets:?}");
    for path in assets {
        let plain = site.get(path).send().await;
        assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        assert_eq!((plain.header("vary"), plain.header("content-encoding")), ("accept-encoding", ""), "{path}");
        assert_eq!(plain.header("x-content-type-options"), "nosniff", "{path}");
        // `begin` leaves the body unread, because it is no text.
        let compressed = site.get(path).header("accept-encoding", "gzip, br").begin().await;
        assert_eq!(compressed.headers()["content-encoding"], "br", "{path}");
        assert_eq!(compressed.headers()["vary"], "accept-encoding", "{path}");
        let compressed = compressed.into_body().collect().await.unwrap().to_bytes();
        assert!(compressed.len() < plain.text.len(), "{path}");
    }
    site.get("/a/style.000000000000.css").send().await.assert_problem(404, "path/not-found");
}

#[tokio::test]
async fn pages_are_compressed_if_accepted() {
    let site = site::new().await;
    let plain = site.get("/rules").send().await;
    assert_eq!(
        (plain.header("vary"), plain.header("content-encoding")),
        ("accept-encoding, accept-language, cookie", "")
    );
    let compressed = site.get("/rules").header("accept-encoding", "gzip").begin().await;
    assert_eq!(compressed.headers()["content-encoding"], "gzip");
    assert_eq!(compressed.headers()["vary"], "accept-encoding, accept-language, cookie");
    let compressed = compressed.into_body().collect().await.unwrap().to_bytes();
    // Every gzip file starts with these two bytes.
    assert!(compressed.starts_with(&[0x1f, 0x8b]) && compressed.len() < plain.text.len() / 2);
    let refused = site.get("/rules").header("accept-encoding", "gzip;q=0").send().await;
    assert_eq!(refused.header("content-encoding"), "");
}
