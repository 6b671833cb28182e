//! Rate limits.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::json;
use sultan_server::{Config, Rate, RateLimits};
use sultan_table::Settings;

use crate::site;

/// This number of requests at once, then one request every 30 seconds.
fn rate(burst: u32) -> Rate {
    Rate { burst: NonZeroU32::new(burst).unwrap(), interval: Duration::from_secs(30) }
}

fn config(limits: RateLimits) -> Config {
    Config { rate_limits: Some(limits), ..Config::default() }
}

#[tokio::test]
async fn requests_are_limited_per_address() {
    let limits = RateLimits { per_address: rate(5), per_token: rate(100), opening_tables: rate(100) };
    let site = site::with_config(Config { trust_proxy: true, ..config(limits) }).await;
    let request_from = |address: &str| site.get("/healthz").header("x-forwarded-for", address);
    for _ in 0..5 {
        assert_eq!(request_from("10.0.0.1").send().await.status, 200);
    }
    let answer = request_from("10.0.0.1").send().await;
    answer.assert_problem(429, "request/too-many");
    let wait_seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=31).contains(&wait_seconds), "{wait_seconds}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    // Only the last address counts, which the proxy has added. Clients can forge the addresses before it.
    request_from("10.9.9.9, 10.0.0.1").send().await.assert_problem(429, "request/too-many");
    assert_eq!(request_from("10.0.0.2").send().await.status, 200);
}

#[tokio::test]
async fn forwarded_headers_are_ignored_without_trust_proxy() {
    let limits = RateLimits { per_address: rate(2), per_token: rate(100), opening_tables: rate(100) };
    let site = site::with_config(config(limits)).await;
    let request_from = |address: &str| site.get("/healthz").header("x-forwarded-for", address);
    assert_eq!(request_from("10.0.0.1").send().await.status, 200);
    assert_eq!(request_from("10.0.0.2").send().await.status, 200);
    request_from("10.0.0.3").send().await.assert_problem(429, "request/too-many");
}

#[tokio::test]
async fn requests_are_limited_per_token() {
    let limits = RateLimits { per_address: rate(1000), per_token: rate(3), opening_tables: rate(100) };
    let site = site::with_config(config(limits)).await;
    // This request has no token.
    let ana = site.open(json!({"players": 2})).await;
    let path = format!("/api/v1/tables/{}", ana.table);
    for _ in 0..3 {
        site.view(&ana).await;
    }
    site.get(&path).token(&ana.token).send().await.assert_problem(429, "request/too-many");
    assert_eq!(site.get(&path).send().await.status, 200);
}

#[tokio::test]
async fn opening_tables_has_its_own_limit() {
    let limits = RateLimits { per_address: rate(1000), per_token: rate(1000), opening_tables: rate(3) };
    let site = site::with_config(config(limits)).await;
    for _ in 0..2 {
        site.open(json!({"players": 2})).await;
    }
    // A rejected request does not count.
    site.post("/api/v1/tables").json(&json!({"players": 9})).send().await.assert_problem(422, "body/wrong-shape");
    assert_eq!(site.post("/api/v1/commitments").send().await.status, 201);
    site.post("/api/v1/commitments").send().await.assert_problem(429, "request/too-many");
    site.post("/api/v1/tables").json(&json!({"players": 2})).send().await.assert_problem(429, "request/too-many");
}

#[tokio::test]
async fn open_tables_are_limited() {
    let settings = Settings { max_open_tables: 1, ..Settings::default() };
    let site = site::with_settings(settings, Config { rate_limits: None, ..Config::default() }).await;
    site.open(json!({"players": 2})).await;
    let answer = site.post("/api/v1/tables").json(&json!({"players": 2})).send().await;
    answer.assert_problem(503, "table/too-many");
    assert_eq!(answer.header("retry-after"), "60");
    // An error in the request takes precedence over the limit.
    site.post("/api/v1/tables")
        .json(&json!({"players": 2, "name": "a\nb"}))
        .send()
        .await
        .assert_problem(422, "seat/bad-name");
}

#[tokio::test]
async fn default_limits_allow_a_whole_game() {
    let site = site::with_config(Config::default()).await;
    let [ana, bo] = site.two_player_table().await;
    site.play_out(&[ana, bo]).await;
}
