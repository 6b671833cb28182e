//! Errors from outside the page routes, as people see them.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::json;
use sultan_server::{Config, Rate, RateLimits};

use crate::site;

#[tokio::test]
async fn unknown_paths_and_methods_have_an_error_page() {
    const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let site = site::new().await;
    for (lang, word) in [
        ("en", "There is nothing here"),
        ("de", "Hier ist nichts"),
        ("fr", "Il n’y a rien ici"),
        ("nl", "Hier is niets"),
        ("hu", "Itt nincs semmi"),
    ] {
        for (path, status) in [("/nowhere", 404), ("/t/a/b/c", 404), ("/api/v2", 404), ("/play", 405)] {
            let page = site.get(path).header("accept", ACCEPT).header("accept-language", lang).send().await;
            assert_eq!((page.status, page.header("content-type")), (status, "text/html; charset=utf-8"), "{path}");
            assert!(page.text.contains(&format!("<html lang=\"{lang}\"")) && page.text.contains(word), "{}", page.text);
        }
    }
    for accept in ["*/*", "application/json", "text/htmlx"] {
        site.get("/nowhere").header("accept", accept).send().await.assert_problem(404, "path/not-found");
    }
}

#[tokio::test]
async fn rate_limit_is_explained_in_the_readers_language() {
    let rate = |burst| Rate { burst: NonZeroU32::new(burst).unwrap(), interval: Duration::from_mins(1) };
    let rates = RateLimits { per_address: rate(1), per_token: rate(100), opening_tables: rate(100) };
    let site = site::with_config(Config { rate_limits: Some(rates), ..Config::default() }).await;
    // The first request uses up the limit.
    assert_eq!(site.get("/healthz").send().await.status, 200);
    let request = || site.get("/").header("accept-language", "de");
    let page = request().header("accept", "text/html").send().await;
    assert_eq!((page.status, page.header("content-type")), (429, "text/html; charset=utf-8"));
    assert!(page.text.contains("<html lang=\"de\"") && !page.header("retry-after").is_empty(), "{page:?}");
    let script = request().header("x-sultan", "live").send().await;
    assert_eq!((script.status, &script.json()["code"]), (429, &json!("request/too-many")));
    assert!(page.text.contains(script.json()["sentence"].as_str().unwrap()), "{}", script.text);
    assert!(!script.header("retry-after").is_empty());
    request().send().await.assert_problem(429, "request/too-many");
}

#[tokio::test]
async fn errors_of_the_api_assets_and_sockets_are_never_a_page() {
    let site = site::new().await;
    let request = |path| site.get(path).header("accept", "text/html").header("x-sultan", "live");
    request("/api/v1/tables/000000000000").send().await.assert_problem(404, "table/not-found");
    request("/a/nothing").send().await.assert_problem(404, "path/not-found");
    request("/t/000000000000/live").send().await.assert_problem(403, "request/cross-site");
}

#[tokio::test]
async fn page_errors_are_html_except_for_scripts() {
    let site = site::new().await;
    let path = "/t/000000000000";
    for accept in ["text/html", "*/*", "application/json"] {
        let page = site.get(path).header("accept", accept).send().await;
        assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"), "{accept}");
        assert!(page.header("content-security-policy").contains("form-action 'self'"));
        assert_eq!(page.header("cache-control"), "no-store");
    }
    let script = site.get(path).header("x-sultan", "live").send().await;
    assert_eq!((script.status, script.header("content-type")), (404, "application/json"));
    assert_eq!(script.json()["code"], "table/not-found");
    // An error page has no `WWW-Authenticate` header, which is for programs.
    let form = site.post(&format!("{path}/act")).header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(form.header("x-sultan", "live").send().await.header("www-authenticate"), "");
}
