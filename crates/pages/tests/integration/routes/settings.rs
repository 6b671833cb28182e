//! `/settings`: language and theme, and the redirect back.

use serde_json::json;

use crate::site::{self, Answer, Site};

/// Sends a form like a browser on this site.
async fn send(site: &Site, path: &str, form: &str) -> Answer {
    let ask = site.post(path).header("content-type", "application/x-www-form-urlencoded");
    ask.header("sec-fetch-site", "same-origin").header("accept", "text/html").body(form.to_owned()).send().await
}

fn cookies(answer: &Answer) -> Vec<&str> {
    let all = answer.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap());
    all.map(|one| one.split(';').next().unwrap()).collect()
}

#[tokio::test]
async fn display_settings_are_remembered() {
    let site = site::new().await;
    let german = send(&site, "/settings", "to=%2Frules%3Fa%3Db&lang=de").await;
    assert_eq!((german.status, german.header("location")), (303, "/rules?a=b"));
    assert_eq!(cookies(&german), ["lang=de"]);
    let page = site.get("/rules").cookie("lang=de").header("accept-language", "fr").send().await;
    assert!(page.text.contains("<html lang=\"de\""));
    assert_eq!(cookies(&send(&site, "/settings", "theme=dark").await), ["theme=dark"]);
    assert!(site.get("/").cookie("theme=dark").send().await.text.contains("data-theme=\"dark\""));
    let nothing = send(&site, "/settings", "lang=xx&theme=pink&to=%2F%09%2Fevil.example").await;
    assert_eq!((nothing.header("location"), cookies(&nothing)), ("/", vec![]));
}

#[tokio::test]
async fn settings_from_other_sites_are_rejected() {
    let site = site::new().await;
    let foreign = site.post("/settings").header("sec-fetch-site", "cross-site").body("lang=de");
    let foreign = foreign.header("content-type", "application/x-www-form-urlencoded").send().await;
    assert_eq!((foreign.status, cookies(&foreign)), (403, vec![]));
    assert_eq!(send(&site, "/settings", &format!("to={}", "x".repeat(20_000))).await.status, 413);
    let json = site.post("/settings").header("sec-fetch-site", "same-origin").json(&json!({"lang": "de"})).send().await;
    assert_eq!(json.status, 400);
}

/// The page that a change of language redirects to.
fn back(page: &str) -> String {
    let value = page.split("name=\"to\" value=\"").nth(1).unwrap_or_else(|| panic!("{page}"));
    value.split('"').next().unwrap().replace("&amp;", "&")
}

#[tokio::test]
async fn language_change_redirects_back_to_the_page() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let lobby = site.open(json!({"players": 3})).await;
    let at = |what: &str| format!("/t/{}/{what}", ana.table);
    for (path, form, wanted) in [
        ("/play", "bots=9", "/".to_owned()),
        ("/open", "players=9", "/".to_owned()),
        ("/pass", "", "/".to_owned()),
        ("/join", "table=x", "/".to_owned()),
        ("/replay", "record=x", "/replay".to_owned()),
        (&at("act"), "", format!("/t/{}", ana.table)),
        (&at("act?seat=1"), "", format!("/t/{}?seat=1", ana.table)),
        (&at("hint"), "", format!("/t/{}", ana.table)),
        (&at("branch"), "", format!("/t/{}", ana.table)),
        (&format!("/t/{}/free", lobby.table), "seat=1", format!("/t/{}", lobby.table)),
    ] {
        let refused = send(&site, path, form).await;
        assert!((400..500).contains(&refused.status), "{path}: {}", refused.status);
        assert_eq!(back(&refused.text), wanted, "{path}");
        assert_eq!(site.get(&wanted).send().await.status, 200, "{path}");
    }
    let page = site.get("/rules?x=1").send().await.text;
    assert_eq!(back(&page), "/rules?x=1");
}
