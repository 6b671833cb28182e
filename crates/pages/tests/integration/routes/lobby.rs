//! `/t/{id}` before the game, and its forms: sitting down, changing a seat, bots, leaving.

use std::net::SocketAddr;

use serde_json::json;
use sultan_server::Config;

use super::home::{cookies, form, seen, table};
use crate::site::{self, Own, Site};

/// A table that Ana opened with a form: its id, and her cookies.
async fn opened(site: &Site, players: &str) -> (String, String) {
    let answer = form(site, "/open", &[("name", "Ana"), ("players", players)]).send().await;
    (table(&answer), cookies(&answer))
}

async fn page(site: &Site, table: &str, cookies: &str) -> String {
    let answer = site.get(&format!("/t/{table}")).cookie(cookies).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text
}

#[tokio::test]
async fn game_starts_when_the_last_seat_is_taken() {
    let site = site::new().await;
    let (table, _) = opened(&site, "3").await;
    let path = format!("/t/{table}/sit");
    let before = page(&site, &table, "a=b").await;
    assert!(before.contains(&format!("action=\"{path}\"")) && before.contains("1 of 3 seats taken"), "{before}");
    // The first free colour is preselected.
    assert!(before.contains("value=\"violet\" disabled") && before.contains("value=\"gold\" checked"), "{before}");
    let bo = form(&site, &path, &[("name", "Bo & <Co>"), ("colour", "red"), ("client_seed", "luck")]).send().await;
    assert_eq!(bo.header("location"), format!("/t/{table}"));
    let bo = cookies(&bo);
    let now = page(&site, &table, &bo).await;
    assert!(now.contains("Bo &amp; &lt;Co&gt;") && !now.contains("<Co>"), "{now}");
    assert!(now.contains(&format!("action=\"/t/{table}/seat\"")) && now.contains("2 of 3 seats taken"));
    // A repeated form takes no second seat. A taken colour is rejected.
    assert_eq!(form(&site, &path, &[("name", "Bo")]).cookie(&bo).send().await.status, 303);
    assert_eq!(seen(&site, &table, &bo).await["seats"][2]["kind"], "open");
    let taken = form(&site, &path, &[("name", "Cy"), ("colour", "red")]).send().await;
    assert_eq!((taken.status, cookies(&taken).as_str()), (409, ""));
    assert!(taken.text.contains("has taken this colour") && taken.text.contains("value=\"Cy\""), "{}", taken.text);
    assert!(taken.text.contains("value=\"red\" disabled") && taken.text.contains("value=\"gold\" checked"));
    let cy = form(&site, &path, &[("name", ""), ("colour", "blue")]).send().await;
    let view = seen(&site, &table, &cookies(&cy)).await;
    assert_eq!((&view["phase"], &view["seats"][2]["name"]), (&json!("offer"), &json!("Guest")));
    let late = form(&site, &path, &[("name", "Di")]).send().await;
    assert_eq!(late.status, 409);
    assert!(late.text.contains("has started already"), "{}", late.text);
}

#[tokio::test]
async fn seated_player_can_change_name_and_colour() {
    let site = site::new().await;
    let (table, ana) = opened(&site, "3").await;
    let bo = site.sit(&table, json!({"name": "Bo", "colour": "red"})).await;
    let path = format!("/t/{table}/seat");
    let change = |fields: &[(&str, &str)]| form(&site, &path, fields).cookie(&ana);
    assert_eq!(change(&[("seat", "0"), ("name", "Anna"), ("colour", "green")]).send().await.status, 303);
    let view = seen(&site, &table, &ana).await;
    assert_eq!((&view["seats"][0]["name"], &view["seats"][0]["colour"]), (&json!("Anna"), &json!("green")));
    let taken = change(&[("seat", "0"), ("name", "Ann"), ("colour", "red")]).send().await;
    assert_eq!(taken.status, 409);
    assert!(taken.text.contains("has taken this colour") && taken.text.contains("value=\"Ann\""), "{}", taken.text);
    for seat in ["1", "7", ""] {
        assert!(change(&[("seat", seat), ("name", "X")]).send().await.status >= 400);
    }
    assert_eq!(form(&site, &path, &[("seat", "0"), ("name", "X")]).send().await.status, 401);
    assert_eq!(site.view(&bo).await["seats"][1]["name"], "Bo");
}

#[tokio::test]
async fn host_can_fill_and_free_seats() {
    let site = site::new().await;
    let (table, ana) = opened(&site, "3").await;
    let fill = format!("/t/{table}/fill");
    let filled = form(&site, &fill, &[("seat", "1"), ("bot", "vizier")]).cookie(&ana).send().await;
    assert_eq!((filled.status, filled.header("location")), (303, format!("/t/{table}").as_str()));
    assert_eq!(seen(&site, &table, &ana).await["seats"][1]["kind"], "bot:vizier");
    let own = page(&site, &table, &ana).await;
    assert!(own.contains("popovertarget=\"fill-1\""));
    // Each seat that the host may fill has its own choice of bots.
    let choices = |page: &str| page.matches(&format!("action=\"{fill}\"")).count();
    assert!(choices(&own) == 2 && own.contains("id=\"fill-1\"") && own.contains("id=\"fill-2\""), "{own}");
    let stranger = page(&site, &table, "a=b").await;
    assert!(!stranger.contains("popovertarget=\"fill") && !stranger.contains("/free\""), "{stranger}");
    assert_eq!(choices(&stranger), 0);
    assert!(stranger.contains("value=\"gold\" checked"), "bots yield their colour: {stranger}");
    for (page, words) in [(own, "violet · you · host"), (stranger, "violet · host")] {
        assert!(page.contains(&format!("<small>{words}</small>")), "{page}");
        assert!(page.contains("<small>gold · bot</small>"), "{page}");
    }
    let freed = form(&site, &format!("/t/{table}/free"), &[("seat", "1")]).cookie(&ana).send().await;
    assert_eq!(freed.status, 303);
    assert_eq!(seen(&site, &table, &ana).await["seats"][1]["kind"], "open");
    let elsewhere = site.post(&fill).cookie(&ana).header("origin", "http://evil.example");
    let form_kind = "application/x-www-form-urlencoded";
    let elsewhere = elsewhere.header("content-type", form_kind).body("seat=1&bot=page").send().await;
    assert_eq!(elsewhere.status, 403, "{}", elsewhere.text);
    let unknown = form(&site, &fill, &[("seat", "1"), ("bot", "emperor")]).cookie(&ana).send().await;
    assert!(unknown.status == 422 && unknown.text.contains("no such bot"), "{}", unknown.text);
    // Other players may not fill seats; the script gets the reason as a sentence.
    let bo = form(&site, &format!("/t/{table}/sit"), &[("name", "Bo")]).send().await;
    let bo = cookies(&bo);
    let refused = form(&site, &fill, &[("seat", "2"), ("bot", "page")]).cookie(&bo).send().await;
    assert!(refused.status == 403 && refused.text.contains("Only the host"), "{}", refused.text);
    let told =
        form(&site, &fill, &[("seat", "2"), ("bot", "page")]).cookie(&bo).header("x-sultan", "live").send().await;
    assert_eq!((told.status, &told.json()["code"]), (403, &json!("table/not-host")));
    let done =
        form(&site, &fill, &[("seat", "2"), ("bot", "page")]).cookie(&ana).header("x-sultan", "live").send().await;
    assert_eq!(done.status, 204);
    assert_eq!(seen(&site, &table, &ana).await["phase"], "offer");
}

#[tokio::test]
async fn leaving_redirects_home_and_the_last_leave_closes_the_table() {
    let site = site::new().await;
    let (table, ana) = opened(&site, "3").await;
    let another = [("name", "Bo"), ("another", "yes"), ("colour", "blue")];
    assert_eq!(form(&site, &format!("/t/{table}/sit"), &another).cookie(&ana).send().await.status, 303);
    let both = page(&site, &table, &ana).await;
    assert_eq!(both.matches(&format!("action=\"/t/{table}/leave\"")).count(), 2, "{both}");
    let leave = |seat| form(&site, &format!("/t/{table}/leave"), &[("seat", seat)]).cookie(&ana);
    let left = leave("0").send().await;
    assert_eq!((left.status, left.header("location")), (303, "/"));
    let view = seen(&site, &table, &ana).await;
    assert_eq!((&view["host"], &view["seats"][0]["kind"]), (&json!(1), &json!("open")));
    assert_eq!(leave("1").send().await.status, 303);
    assert!(page(&site, &table, &ana).await.contains("Everybody has left"));
    let late = form(&site, &format!("/t/{table}/sit"), &[("name", "Di")]).send().await;
    assert!(late.status == 409 && late.text.contains("The game is over"), "{}", late.text);
}

#[tokio::test]
async fn rematch_waits_for_confirmation() {
    let site = site::new().await;
    let answer = form(&site, "/open", &[("name", "Ana"), ("players", "2"), ("first", "0")]).send().await;
    let (old, ana) = (table(&answer), cookies(&answer));
    let bo: Own = site.sit(&old, json!({"name": "Bo"})).await;
    let rematch = finished(&site, &old, &ana, &bo).await;
    let lobby = page(&site, &rematch, &ana).await;
    assert!(lobby.contains("Once more?") && lobby.contains("I am in"), "{lobby}");
    assert!(lobby.contains("<small>violet · you · asked to play again</small>"), "{lobby}");
    let yes = form(&site, &format!("/t/{rematch}/seat"), &[("seat", "0"), ("name", "Ana")]).cookie(&ana).send().await;
    assert_eq!(yes.status, 303);
    assert_ne!(seen(&site, &rematch, &ana).await["phase"], "waiting");
}

/// Plays a game to its end and returns the table of the rematch that the second player opened.
async fn finished(site: &Site, table: &str, ana: &str, bo: &Own) -> String {
    loop {
        let view = site.view(bo).await;
        if view["phase"] == "over" {
            break;
        }
        let act = |view: &serde_json::Value| json!({"action": view["legal"][0], "at": view["at"]});
        let path = format!("/api/v1/tables/{table}/actions");
        let acted = if view["to_act"] == 1 {
            site.post(&path).token(&bo.token).json(&act(&view)).send().await
        } else {
            let view = seen(site, table, ana).await;
            site.post(&path).cookie(ana).header("sec-fetch-site", "same-origin").json(&act(&view)).send().await
        };
        assert_eq!(acted.status, 200, "{}", acted.text);
    }
    let again = site.post(&format!("/api/v1/tables/{table}/rematch")).token(&bo.token).send().await;
    again.json()["table"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn lobby_shows_the_options_in_every_language() {
    let site = site::new().await;
    let fields = [
        ("name", "Ana"),
        ("players", "2"),
        ("seconds", "60"),
        ("screens", "open"),
        ("even_pace", "yes"),
        ("first", "1"),
    ];
    let answer = form(&site, "/open", &fields).send().await;
    let (table, cookies) = (table(&answer), cookies(&answer));
    for (lang, word) in
        [("en", "1 min"), ("de", "Bedenkzeit"), ("fr", "Temps de réflexion"), ("nl", "Bedenktijd"), ("hu", "1 perc")]
    {
        let page = site.get(&format!("/t/{table}")).header("accept-language", lang).cookie(&cookies).send().await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains(&format!("<html lang=\"{lang}\"")), "{lang}");
        assert!(page.text.contains(word), "{lang}: {}", page.text);
        assert!(page.text.contains("href=\"/rules#fair\"") && page.text.contains("class=\"seal\""));
        assert!(!page.text.contains(" style="), "the policy forbids it");
    }
}

#[tokio::test]
async fn short_game_is_named_on_all_pages_and_kept_by_a_rematch() {
    let site = site::new().await;
    let answer = form(&site, "/open", &[("name", "Ana"), ("players", "2"), ("game", "espresso")]).send().await;
    let (old, ana) = (table(&answer), cookies(&answer));
    for (lang, told) in [
        ("en", "Short game: one stage instead of three."),
        ("de", "Kurzes Spiel: ein Durchgang statt drei."),
        ("fr", "Partie courte : une seule manche au lieu de trois."),
        ("nl", "Kort spel: één doorgang in plaats van drie."),
        ("hu", "Rövid játék: három menet helyett csak egy."),
    ] {
        let lobby = site.get(&format!("/t/{old}")).header("accept-language", lang).cookie(&ana).send().await.text;
        assert!(lobby.replace(['\u{a0}', '\u{202f}'], " ").contains(told), "{told}: {lobby}");
    }
    let bo: Own = site.sit(&old, json!({"name": "Bo"})).await;
    let playing = page(&site, &old, &ana).await;
    assert!(playing.contains("<span>Short game</span>") && !playing.contains("of 1"), "{playing}");
    assert!(playing.contains("Short game: one stage instead of three."), "the menu explains it: {playing}");
    let rematch = finished(&site, &old, &ana, &bo).await;
    let over = page(&site, &old, &ana).await;
    assert!(over.contains("/analysis\""), "{over}");
    assert_eq!(site.get(&format!("/t/{old}/analysis")).send().await.status, 200);
    let replay = site.get(&format!("/t/{old}/replay?at=0")).send().await.text;
    assert!(replay.contains("id=\"branch\"") && replay.contains("name=\"coach\""), "{replay}");
    assert!(page(&site, &rematch, &ana).await.contains("Short game: one stage instead of three."));
    let yes = form(&site, &format!("/t/{rematch}/seat"), &[("seat", "0"), ("name", "Ana")]).cookie(&ana).send().await;
    assert_eq!(yes.status, 303);
    assert_eq!(seen(&site, &rematch, &ana).await["parameters"], json!({"stages": 1}));
}

#[tokio::test]
async fn lobby_names_the_first_player_if_known() {
    let site = site::new().await;
    let wanted = [
        (json!(0), "Ana is first player in the first round."),
        (json!(1), "Seat 2 is first player in the first round."),
        (json!(null), "Chance decides who is first player."),
    ];
    for (first, told) in wanted {
        let ana = site.open(json!({"players": 2, "name": "Ana", "first_seat": first})).await;
        let page = page(&site, &ana.table, "a=b").await;
        assert!(page.contains(told), "{told}: {page}");
    }
}

/// The link in a lobby, and its QR code, if there is one.
fn shared(page: &str) -> (String, Option<String>) {
    let link = page.split("data-copy=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let code = page.split("<div class=\"qr\">").nth(1).map(|code| code.split("</div>").next().unwrap().to_owned());
    (link, code)
}

#[tokio::test]
async fn invitation_link_uses_a_reachable_address() {
    let network: SocketAddr = "192.168.1.20:8080".parse().unwrap();
    let site = |lan_address, trust_proxy| {
        site::with(Config { rate_limits: None, lan_address, trust_proxy, ..Config::default() })
    };
    let (plain, lan, proxied) = (site(None, false).await, site(Some(network), false).await, site(None, true).await);
    for (site, host, start) in [
        (&plain, "127.0.0.1:8080", "http://127.0.0.1:8080/t/"),
        (&lan, "127.0.0.1:8080", "http://192.168.1.20:8080/t/"),
        (&lan, "localhost:8080", "http://192.168.1.20:8080/t/"),
        (&lan, "192.168.1.20:8080", "http://192.168.1.20:8080/t/"),
        (&proxied, "sultan.example", "https://sultan.example/t/"),
        (&plain, "sultan.example", "http://sultan.example/t/"),
    ] {
        let ana = site.open(json!({"players": 2})).await;
        let ask = site.get(&format!("/t/{}", ana.table)).host(host).header("x-forwarded-proto", "https");
        let page = &ask.send().await.text;
        let (link, code) = shared(page);
        assert_eq!(link, format!("{start}{}", ana.table));
        let only_here = start.contains("127.0.0.1");
        assert_eq!((page.contains("sultan serve --lan"), code.is_none()), (only_here, only_here), "{host}");
        let Some(code) = code else { continue };
        let drawing = roxmltree::Document::parse(&code).unwrap();
        let path = drawing.descendants().find(|node| node.has_tag_name("path")).unwrap();
        assert!(path.attribute("d").unwrap().len() > 500, "{code}");
        assert!(drawing.root_element().attribute("viewBox").is_some() && !code.contains("style"));
    }
}

#[tokio::test]
async fn visitors_see_the_seat_form_first_and_players_the_invitation() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3})).await;
    let path = format!("/t/{}", ana.table);
    let order = |page: &str| page.find("id=\"me\"").unwrap() < page.find("id=\"share\"").unwrap();
    assert!(order(&site.get(&path).send().await.text));
    let entered = site.get(&format!("{path}/in/{}", ana.token)).send().await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(!order(&site.get(&path).cookie(&cookie).send().await.text));
}

#[tokio::test]
async fn unknown_table_has_an_error_page() {
    let site = site::new().await;
    for path in ["/t/000000000000", "/t/x"] {
        let answer = site.get(path).header("accept-language", "de").send().await;
        assert_eq!(answer.status, 404);
        assert!(answer.text.contains("Diesen Tisch gibt es hier nicht"), "{}", answer.text);
    }
    assert_eq!(form(&site, "/t/x/sit", &[("name", "Ana")]).send().await.status, 404);
    assert_eq!(form(&site, "/t/000000000000/leave", &[("seat", "0")]).send().await.status, 404);
}
