//! `/settings`: language and theme, and the redirect back.

use serde_json::json;

use crate::site::{self, Answer, Site};

/// Sends a form like a browser on this site.
async fn send_form(site: &Site, path: &str, form: &str) -> Answer {
    let request = site.post(path).header("content-type", "application/x-www-form-urlencoded");
    request.header("sec-fetch-site", "same-origin").header("accept", "text/html").body(form.to_owned()).send().await
}

/// The cookies set by a response, without their attributes.
fn cookies(answer: &Answer) -> Vec<&str> {
    let set_cookies = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    set_cookies.map(|cookie| cookie.split(';').next().unwrap()).collect()
}

#[tokio::test]
async fn display_settings_are_remembered() {
    let site = site::new().await;
    let german = send_form(&site, "/settings", "to=%2Frules%3Fa%3Db&lang=de").await;
    assert_eq!((german.status, german.header("location")), (303, "/rules?a=b"));
    assert_eq!(cookies(&german), ["lang=de"]);
    let page = site.get("/rules").cookie("lang=de").header("accept-language", "fr").send().await;
    assert!(page.text.contains("<html lang=\"de\""));
    assert_eq!(cookies(&send_form(&site, "/settings", "theme=dark").await), ["theme=dark"]);
    assert!(site.get("/").cookie("theme=dark").send().await.text.contains("data-theme=\"dark\""));
    let invalid = send_form(&site, "/settings", "lang=xx&theme=pink&to=%2F%09%2Fevil.example").await;
    assert_eq!((invalid.header("location"), cookies(&invalid)), ("/", vec![]));
}

#[tokio::test]
async fn cross_site_too_long_and_malformed_settings_are_rejected() {
    let site = site::new().await;
    let request = site.post("/settings").header("sec-fetch-site", "cross-site").body("lang=de");
    let cross_site = request.header("content-type", "application/x-www-form-urlencoded").send().await;
    assert_eq!((cross_site.status, cookies(&cross_site)), (403, vec![]));
    assert_eq!(send_form(&site, "/settings", &format!("to={}", "x".repeat(20_000))).await.status, 413);
    let json = site.post("/settings").header("sec-fetch-site", "same-origin").json(&json!({"lang": "de"})).send().await;
    assert_eq!(json.status, 400);
}

/// The address to which a change of language on this page redirects.
fn return_path(page: &str) -> String {
    let value = page.split("name=\"to\" value=\"").nth(1).unwrap_or_else(|| panic!("no form for settings: {page}"));
    value.split('"').next().unwrap().replace("&amp;", "&")
}

#[tokio::test]
async fn language_change_redirects_back_to_the_page() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let lobby = site.open(json!({"players": 3})).await;
    let route = |name: &str| format!("/t/{}/{name}", ana.table);
    for (path, form, expected) in [
        ("/play", "bots=9", "/".to_owned()),
        ("/open", "players=9", "/".to_owned()),
        ("/pass", "", "/".to_owned()),
        ("/join", "table=x", "/".to_owned()),
        ("/replay", "record=x", "/replay".to_owned()),
        (&route("act"), "", format!("/t/{}", ana.table)),
        (&route("act?seat=1"), "", format!("/t/{}?seat=1", ana.table)),
        (&route("hint"), "", format!("/t/{}", ana.table)),
        (&route("branch"), "", format!("/t/{}", ana.table)),
        (&format!("/t/{}/free", lobby.table), "seat=1", format!("/t/{}", lobby.table)),
    ] {
        let rejected = send_form(&site, path, form).await;
        assert!((400..500).contains(&rejected.status), "{path}: {}", rejected.status);
        assert_eq!(return_path(&rejected.text), expected, "{path}");
        assert_eq!(site.get(&expected).send().await.status, 200, "{path}");
    }
    let page = site.get("/rules?x=1").send().await.text;
    assert_eq!(return_path(&page), "/rules?x=1");
}
