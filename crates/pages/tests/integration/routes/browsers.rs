//! `/t/{id}/in/{token}`, `/api/v1/my/games`, and the rights of a browser's cookie.

use serde_json::json;
use sultan_server::Config;

use crate::site::{self, SeatedPlayer, Site};

/// Opens a player's secret link with a browser's cookie, or as a new browser. Returns the cookie from the response.
async fn open_link(site: &Site, player: &SeatedPlayer, cookie: Option<&str>) -> String {
    let request = site.get(&format!("/t/{}/in/{}", player.table, player.token));
    let answer = match cookie {
        Some(cookie) => request.cookie(cookie).send().await,
        None => request.send().await,
    };
    assert_eq!((answer.status, answer.header("location")), (303, format!("/t/{}", player.table).as_str()));
    let cookie = answer.header("set-cookie");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains(&player.token), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn browser_remembers_the_seat_of_a_link() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = open_link(&site, &ana, None).await;
    let path = format!("/api/v1/tables/{}", ana.table);
    assert_eq!(site.get(&path).cookie(&cookie).send().await.json(), site.view(&ana).await);
    // A browser with several seats names one in each request.
    assert_eq!(open_link(&site, &bo, Some(&cookie)).await, cookie, "the second link replaced the cookie");
    let view_of_seat = |seat| site.get(&format!("{path}?seat={seat}")).cookie(&cookie);
    assert_eq!(view_of_seat("1").send().await.json(), site.view(&bo).await);
    assert_eq!(view_of_seat("0").send().await.json(), site.view(&ana).await);
    view_of_seat("2").send().await.assert_problem(403, "token/wrong");
    view_of_seat("x").send().await.assert_problem(403, "token/wrong");
    // A token takes precedence over a cookie.
    let token = site.get(&path).cookie(&cookie).token(&bo.token).send().await;
    assert_eq!(token.json()["seat"], 1);
    let games = site.get("/api/v1/my/games").cookie(&cookie).send().await.json();
    let seats: Vec<_> = games["games"].as_array().unwrap().iter().map(|game| game["seat"].as_u64().unwrap()).collect();
    assert_eq!(seats.len(), 2);
    assert_eq!(games["games"][0]["table"], ana.table);
    assert_eq!(games["games"][0]["state"], "playing");
    assert_eq!(site.get("/api/v1/my/games").send().await.json(), json!({"games": []}));
}

#[tokio::test]
async fn wrong_links_and_forged_cookies_give_no_access() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let zeros = "0".repeat(64);
    site.get(&format!("/t/{}/in/{zeros}", ana.table)).send().await.assert_problem(403, "token/wrong");
    site.get(&format!("/t/{}/in/x", ana.table)).send().await.assert_problem(403, "token/wrong");
    site.get(&format!("/t/000000000000/in/{}", ana.token)).send().await.assert_problem(404, "table/not-found");
    // People get an error page in their language.
    let request = site.get(&format!("/t/{}/in/{zeros}", ana.table)).header("accept", "text/html,*/*;q=0.8");
    let page = request.header("accept-language", "de").send().await;
    assert_eq!((page.status, page.header("content-type")), (403, "text/html; charset=utf-8"));
    assert!(page.text.contains("<html lang=\"de\""), "{}", page.text);
    let cookie = open_link(&site, &ana, None).await;
    let path = format!("/api/v1/tables/{}", ana.table);
    let other_last_character = if cookie.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{other_last_character}", &cookie[..cookie.len() - 1]);
    for invalid in [forged.as_str(), "sultan=", "sultan=x", &format!("sultan={}", ana.token)] {
        assert_eq!(site.get(&path).cookie(invalid).send().await.json()["seat"], json!(null), "{invalid}");
    }
}

#[tokio::test]
async fn cookie_authorizes_changes_only_from_own_pages() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let cookie = open_link(&site, &ana, None).await;
    let path = format!("/api/v1/tables/{}/actions", ana.table);
    let offer = site.view(&ana).await["legal"][0].clone();
    let action = json!({"action": offer, "at": 0});
    let act = || site.post(&path).cookie(&cookie).json(&action);
    act().send().await.assert_problem(403, "request/cross-site");
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "http://evil.example"),
        ("origin", "null"),
    ] {
        act().header(name, value).send().await.assert_problem(403, "request/cross-site");
    }
    let open_table = || site.post("/api/v1/tables").cookie(&cookie).json(&json!({"players": 2}));
    open_table().header("origin", "http://evil.example").send().await.assert_problem(403, "request/cross-site");
    assert_eq!(act().header("sec-fetch-site", "same-origin").send().await.status, 200);
    // A repeated action is accepted and changes nothing.
    assert_eq!(act().header("origin", "http://sultan.example").send().await.status, 200);
    // A table that the browser opened is among its games.
    assert_eq!(open_table().header("sec-fetch-site", "same-origin").send().await.status, 201);
    let games = site.get("/api/v1/my/games").cookie(&cookie).send().await.json();
    assert_eq!(games["games"].as_array().unwrap().len(), 2);
    // The browser has no seat at another table.
    let [other, _] = site.two_player_table().await;
    let other_path = format!("/api/v1/tables/{}/actions", other.table);
    let request = site.post(&other_path).cookie(&cookie).header("sec-fetch-site", "same-origin").json(&action);
    request.send().await.assert_problem(401, "token/missing");
}

#[tokio::test]
async fn seat_link_works_for_a_limited_number_of_browsers() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let first_cookie = open_link(&site, &ana, None).await;
    // The limit is 32 browsers.
    for _ in 1..32 {
        open_link(&site, &ana, None).await;
    }
    let answer = site.get(&format!("/t/{}/in/{}", ana.table, ana.token)).send().await;
    answer.assert_problem(409, "seat/too-many-links");
    assert_eq!(answer.header("set-cookie"), "");
    // A browser that is linked already is not counted again.
    open_link(&site, &ana, Some(&first_cookie)).await;
}

#[tokio::test]
async fn cookie_is_secure_if_the_request_used_https() {
    // `scheme` is the value of `X-Forwarded-Proto`, which counts only if the proxy is trusted.
    for (trust_proxy, scheme, is_secure) in [(true, "https", true), (true, "http", false), (false, "https", false)] {
        let site = site::with_config(Config { rate_limits: None, trust_proxy, ..Config::default() }).await;
        let [ana, _] = site.two_player_table().await;
        let link = format!("/t/{}/in/{}", ana.table, ana.token);
        let answer = site.get(&link).header("x-forwarded-proto", scheme).send().await;
        assert_eq!(answer.header("set-cookie").contains("Secure"), is_secure);
    }
}

#[tokio::test]
async fn head_request_for_a_link_preview_links_no_browser() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let link = format!("/t/{}/in/{}", ana.table, ana.token);
    // More requests than the limit of 32 browsers.
    for _ in 0..40 {
        let preview = site.request("HEAD", &link).send().await;
        assert_eq!((preview.status, preview.header("set-cookie")), (303, ""));
    }
    open_link(&site, &ana, None).await;
}
