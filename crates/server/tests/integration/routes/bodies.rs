//! Errors in bodies, paths and methods.

use axum::body::Body;
use futures_util::stream;
use serde_json::json;
use sultan_server::Config;

use crate::site;

#[tokio::test]
async fn malformed_json_is_rejected() {
    let site = site::new().await;
    let post_json = |body: Vec<u8>| site.post("/api/v1/tables").header("content-type", "application/json").body(body);
    for body in [&b"{"[..], b"nonsense", b"{\"players\":2}}", b"\xff\xfe", b"[[[[", b"{\"players\":", b"{'players':2}"]
    {
        post_json(body.to_vec()).send().await.assert_problem(400, "body/malformed");
    }
    let deeply_nested = "[".repeat(10_000).into_bytes();
    assert_eq!(post_json(deeply_nested).send().await.status / 100, 4);
    for body in ["[]", "[2]", "null", "2", "\"x\"", "{\"players\":null}", "{\"players\":2,\"players\":3}"] {
        post_json(body.into()).send().await.assert_problem(422, "body/wrong-shape");
    }
    // An empty body counts as `{}`, which lacks the number of players.
    post_json(Vec::new()).send().await.assert_problem(422, "body/wrong-shape");
}

#[tokio::test]
async fn content_type_must_be_json() {
    let site = site::new().await;
    let table = json!({"players": 2}).to_string();
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data", ""]
    {
        let request = site.post("/api/v1/tables").header("content-type", content_type).body(table.clone());
        request.send().await.assert_problem(415, "body/not-json");
    }
    site.post("/api/v1/tables").body(table.clone()).send().await.assert_problem(415, "body/not-json");
    for content_type in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        let request = site.post("/api/v1/tables").header("content-type", content_type).body(table.clone());
        assert_eq!(request.send().await.status, 201, "{content_type}");
    }
}

#[tokio::test]
async fn too_long_body_is_rejected_without_reading_it_to_its_end() {
    let site = site::new().await;
    let post = || site.post("/api/v1/tables").header("content-type", "application/json");
    let long = format!("{{\"players\":2,\"name\":\"{}\"}}", "x".repeat(20_000));
    post().body(long).send().await.assert_problem(413, "body/too-long");
    // The body never sends a byte, so the large `content-length` alone must cause the error.
    let never_ready = Body::from_stream(stream::pending::<Result<Vec<u8>, std::convert::Infallible>>());
    post().header("content-length", "104857600").body(never_ready).send().await.assert_problem(413, "body/too-long");
    // The body never ends, and its length is not announced.
    let endless = stream::repeat_with(|| Ok::<_, std::convert::Infallible>(vec![b' '; 1024]));
    post().body(Body::from_stream(endless)).send().await.assert_problem(413, "body/too-long");
    let limit = Config::default().max_body_bytes;
    // Posts JSON that is padded with spaces to this length.
    let post_padded = |bytes: usize| {
        post().header("content-length", &bytes.to_string()).body(format!("{:bytes$}", "{\"players\":2}"))
    };
    assert_eq!(post_padded(limit).send().await.status, 201);
    post_padded(limit + 1).send().await.assert_problem(413, "body/too-long");
}

#[tokio::test]
async fn unknown_paths_and_methods_are_rejected() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2})).await;
    for path in
        ["/nowhere", "/api/v1", "/api/v2/tables", "/api/v1/tables/", "/metrics", "/../etc/passwd", "/api/v1/%00"]
    {
        site.get(path).send().await.assert_problem(404, "path/not-found");
    }
    for id in ["..%2f..%2fetc", "%2e%2e", "%00", "%f0%f0", &"0".repeat(5000)] {
        let path = format!("/api/v1/tables/{id}");
        assert_eq!(site.get(&path).send().await.status, 404, "{id}");
    }
    let table = format!("/api/v1/tables/{}", ana.table);
    for (method, path) in [("DELETE", "/api/v1/tables"), ("POST", &table), ("PATCH", &table), ("FOO", "/healthz")] {
        site.request(method, path).send().await.assert_problem(405, "method/not-allowed");
    }
    // Before a request from a page of another site, browsers send OPTIONS. The response gives no permission.
    let preflight = site.request("OPTIONS", "/api/v1/tables").header("origin", "http://evil.example").send().await;
    assert!(preflight.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
    assert_eq!(preflight.status, 405);
}

#[tokio::test]
async fn names_of_all_scripts_are_kept_unchanged() {
    let site = site::new().await;
    for name in ["Süleyman 👑", "蘇丹", "<script>alert(1)</script>", "\"'\\", "سلطان", "'; DROP TABLE tables; --"]
    {
        let ana = site.open(json!({"players": 2, "name": name})).await;
        assert_eq!(site.view(&ana).await["seats"][0]["name"], name);
    }
}
