//! `/t/{id}` before the game, and its forms: sitting down, changing a seat, bots, leaving.

use std::net::SocketAddr;

use serde_json::json;
use sultan_server::Config;

use super::home::{cookies, form, table, view};
use crate::site::{self, SeatedPlayer, Site};

/// Opens a table with a form, as Ana. Returns its id and her cookies.
async fn open_table(site: &Site, players: &str) -> (String, String) {
    let answer = form(site, "/open", &[("name", "Ana"), ("players", players)]).send().await;
    (table(&answer), cookies(&answer))
}

/// The page of a table for a browser with these cookies. (Tests use `a=b` for a browser without a seat.)
async fn page(site: &Site, table: &str, cookies: &str) -> String {
    let answer = site.get(&format!("/t/{table}")).cookie(cookies).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text
}

#[tokio::test]
async fn game_starts_when_the_last_seat_is_taken() {
    let site = site::new().await;
    let (table, _) = open_table(&site, "3").await;
    let path = format!("/t/{table}/sit");
    let before = page(&site, &table, "a=b").await;
    assert!(before.contains(&format!("action=\"{path}\"")) && before.contains("1 of 3 seats taken"), "{before}");
    // The first free colour is preselected.
    assert!(before.contains("value=\"violet\" disabled") && before.contains("value=\"gold\" checked"), "{before}");
    let bo = form(&site, &path, &[("name", "Bo & <Co>"), ("colour", "red"), ("client_seed", "luck")]).send().await;
    assert_eq!(bo.header("location"), format!("/t/{table}"));
    let bo = cookies(&bo);
    let after = page(&site, &table, &bo).await;
    assert!(after.contains("Bo &amp; &lt;Co&gt;") && !after.contains("<Co>"), "{after}");
    assert!(after.contains(&format!("action=\"/t/{table}/seat\"")) && after.contains("2 of 3 seats taken"));
    // A repeated form takes no second seat. A taken colour is rejected.
    assert_eq!(form(&site, &path, &[("name", "Bo")]).cookie(&bo).send().await.status, 303);
    assert_eq!(view(&site, &table, &bo).await["seats"][2]["kind"], "open");
    let taken = form(&site, &path, &[("name", "Cy"), ("colour", "red")]).send().await;
    assert_eq!((taken.status, cookies(&taken).as_str()), (409, ""));
    assert!(taken.text.contains("has taken this colour") && taken.text.contains("value=\"Cy\""), "{}", taken.text);
    assert!(taken.text.contains("value=\"red\" disabled") && taken.text.contains("value=\"gold\" checked"));
    let cy = form(&site, &path, &[("name", ""), ("colour", "blue")]).send().await;
    let view = view(&site, &table, &cookies(&cy)).await;
    assert_eq!((&view["phase"], &view["seats"][2]["name"]), (&json!("offer"), &json!("Guest")));
    let late = form(&site, &path, &[("name", "Di")]).send().await;
    assert_eq!(late.status, 409);
    assert!(late.text.contains("has started already"), "{}", late.text);
}

#[tokio::test]
async fn seated_player_can_change_name_and_colour() {
    let site = site::new().await;
    let (table, ana) = open_table(&site, "3").await;
    let bo = site.sit(&table, json!({"name": "Bo", "colour": "red"})).await;
    let path = format!("/t/{table}/seat");
    let change = |fields: &[(&str, &str)]| form(&site, &path, fields).cookie(&ana);
    assert_eq!(change(&[("seat", "0"), ("name", "Anna"), ("colour", "green")]).send().await.status, 303);
    let view = view(&site, &table, &ana).await;
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
    let (table, ana) = open_table(&site, "3").await;
    let fill = format!("/t/{table}/fill");
    let filled = form(&site, &fill, &[("seat", "1"), ("bot", "vizier")]).cookie(&ana).send().await;
    assert_eq!((filled.status, filled.header("location")), (303, format!("/t/{table}").as_str()));
    assert_eq!(view(&site, &table, &ana).await["seats"][1]["kind"], "bot:vizier");
    let for_host = page(&site, &table, &ana).await;
    assert!(for_host.contains("popovertarget=\"fill-1\""));
    // Each seat that the host may fill has its own choice of bots.
    let count_choices = |page: &str| page.matches(&format!("action=\"{fill}\"")).count();
    assert_eq!(count_choices(&for_host), 2);
    assert!(for_host.contains("id=\"fill-1\"") && for_host.contains("id=\"fill-2\""), "{for_host}");
    let for_visitor = page(&site, &table, "a=b").await;
    assert!(!for_visitor.contains("popovertarget=\"fill") && !for_visitor.contains("/free\""), "{for_visitor}");
    assert_eq!(count_choices(&for_visitor), 0);
    assert!(for_visitor.contains("value=\"gold\" checked"), "a bot's colour cannot be chosen: {for_visitor}");
    for (page, description) in [(for_host, "violet · you · host"), (for_visitor, "violet · host")] {
        assert!(page.contains(&format!("<small>{description}</small>")), "{page}");
        assert!(page.contains("<small>gold · bot</small>"), "{page}");
    }
    let freed = form(&site, &format!("/t/{table}/free"), &[("seat", "1")]).cookie(&ana).send().await;
    assert_eq!(freed.status, 303);
    assert_eq!(view(&site, &table, &ana).await["seats"][1]["kind"], "open");
    let request = site.post(&fill).cookie(&ana).header("origin", "http://evil.example");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body("seat=1&bot=page");
    let cross_site = request.send().await;
    assert_eq!(cross_site.status, 403, "{}", cross_site.text);
    let unknown_bot = form(&site, &fill, &[("seat", "1"), ("bot", "emperor")]).cookie(&ana).send().await;
    assert!(unknown_bot.status == 422 && unknown_bot.text.contains("no such bot"), "{}", unknown_bot.text);
    // Other players may not fill seats; the script gets the reason as a sentence.
    let bo = form(&site, &format!("/t/{table}/sit"), &[("name", "Bo")]).send().await;
    let bo = cookies(&bo);
    let fill_seat_2 = || form(&site, &fill, &[("seat", "2"), ("bot", "page")]);
    let rejected = fill_seat_2().cookie(&bo).send().await;
    assert!(rejected.status == 403 && rejected.text.contains("Only the host"), "{}", rejected.text);
    let for_script = fill_seat_2().cookie(&bo).header("x-sultan", "live").send().await;
    assert_eq!((for_script.status, &for_script.json()["code"]), (403, &json!("table/not-host")));
    let accepted = fill_seat_2().cookie(&ana).header("x-sultan", "live").send().await;
    assert_eq!(accepted.status, 204);
    assert_eq!(view(&site, &table, &ana).await["phase"], "offer");
}

#[tokio::test]
async fn leaving_redirects_home_and_the_last_leave_closes_the_table() {
    let site = site::new().await;
    let (table, ana) = open_table(&site, "3").await;
    let other_person = [("name", "Bo"), ("another", "yes"), ("colour", "blue")];
    assert_eq!(form(&site, &format!("/t/{table}/sit"), &other_person).cookie(&ana).send().await.status, 303);
    let with_two_seats = page(&site, &table, &ana).await;
    assert_eq!(with_two_seats.matches(&format!("action=\"/t/{table}/leave\"")).count(), 2, "{with_two_seats}");
    let leave = |seat| form(&site, &format!("/t/{table}/leave"), &[("seat", seat)]).cookie(&ana);
    let left = leave("0").send().await;
    assert_eq!((left.status, left.header("location")), (303, &*format!("/?left={table}")));
    let view = view(&site, &table, &ana).await;
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
    let bo: SeatedPlayer = site.sit(&old, json!({"name": "Bo"})).await;
    // Bo has confirmed by requesting the rematch. Ana has to confirm too.
    let rematch = play_and_request_rematch(&site, &old, &ana, &bo).await;
    let lobby = page(&site, &rematch, &ana).await;
    assert!(lobby.contains("Once more?") && lobby.contains("I am in"), "{lobby}");
    assert!(lobby.contains("<small>violet · you · asked to play again</small>"), "{lobby}");
    let yes = form(&site, &format!("/t/{rematch}/seat"), &[("seat", "0"), ("name", "Ana")]).cookie(&ana).send().await;
    assert_eq!(yes.status, 303);
    assert_ne!(view(&site, &rematch, &ana).await["phase"], "waiting");
}

/// Plays a game to its end. Returns the table of the rematch, which the second player opens.
async fn play_and_request_rematch(site: &Site, table: &str, ana: &str, bo: &SeatedPlayer) -> String {
    loop {
        let view = site.view(bo).await;
        if view["phase"] == "over" {
            break;
        }
        let first_legal_action = |view: &serde_json::Value| json!({"action": view["legal"][0], "at": view["at"]});
        let request = site.post(&format!("/api/v1/tables/{table}/actions"));
        let acted = if view["to_act"] == 1 {
            request.token(&bo.token).json(&first_legal_action(&view)).send().await
        } else {
            let action = first_legal_action(&self::view(site, table, ana).await);
            request.cookie(ana).header("sec-fetch-site", "same-origin").json(&action).send().await
        };
        assert_eq!(acted.status, 200, "{}", acted.text);
    }
    let rematch = site.post(&format!("/api/v1/tables/{table}/rematch")).token(&bo.token).send().await;
    rematch.json()["table"].as_str().unwrap().to_owned()
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
        assert!(!page.text.contains(" style="), "the content security policy forbids inline styles");
    }
}

#[tokio::test]
async fn short_game_is_named_on_all_pages_and_kept_by_a_rematch() {
    let site = site::new().await;
    let answer = form(&site, "/open", &[("name", "Ana"), ("players", "2"), ("game", "espresso")]).send().await;
    let (old, ana) = (table(&answer), cookies(&answer));
    for (lang, sentence) in [
        ("en", "Short game: one stage instead of three."),
        ("de", "Kurzes Spiel: ein Durchgang statt drei."),
        ("fr", "Partie courte : une seule manche au lieu de trois."),
        ("nl", "Kort spel: één doorgang in plaats van drie."),
        ("hu", "Rövid játék: három menet helyett csak egy."),
    ] {
        let lobby = site.get(&format!("/t/{old}")).header("accept-language", lang).cookie(&ana).send().await.text;
        assert!(lobby.replace(['\u{a0}', '\u{202f}'], " ").contains(sentence), "{sentence}: {lobby}");
    }
    let bo: SeatedPlayer = site.sit(&old, json!({"name": "Bo"})).await;
    let playing = page(&site, &old, &ana).await;
    // The name of the variant replaces "Stage 1 of 1".
    assert!(playing.contains("<span>Short game</span>") && !playing.contains("of 1"), "{playing}");
    // The menu also explains the short game.
    assert!(playing.contains("Short game: one stage instead of three."), "{playing}");
    let rematch = play_and_request_rematch(&site, &old, &ana, &bo).await;
    let end = page(&site, &old, &ana).await;
    assert!(end.contains("/analysis\""), "{end}");
    assert_eq!(site.get(&format!("/t/{old}/analysis")).send().await.status, 200);
    let replay = site.get(&format!("/t/{old}/replay?at=0")).send().await.text;
    assert!(replay.contains("id=\"branch\"") && replay.contains("name=\"coach\""), "{replay}");
    assert!(page(&site, &rematch, &ana).await.contains("Short game: one stage instead of three."));
    let yes = form(&site, &format!("/t/{rematch}/seat"), &[("seat", "0"), ("name", "Ana")]).cookie(&ana).send().await;
    assert_eq!(yes.status, 303);
    assert_eq!(view(&site, &rematch, &ana).await["parameters"], json!({"stages": 1}));
}

#[tokio::test]
async fn lobby_names_the_first_player_if_known() {
    let site = site::new().await;
    let expected = [
        (json!(0), "Ana is first player in the first round."),
        (json!(1), "Seat 2 is first player in the first round."),
        (json!(null), "Chance decides who is first player."),
    ];
    for (first_seat, sentence) in expected {
        let ana = site.open(json!({"players": 2, "name": "Ana", "first_seat": first_seat})).await;
        let page = page(&site, &ana.table, "a=b").await;
        assert!(page.contains(sentence), "{sentence}: {page}");
    }
}

/// The invitation in a lobby: the link, and the SVG drawing of its QR code, if there is one.
fn link_and_qr_code(page: &str) -> (String, Option<String>) {
    let link = page.split("data-copy=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let code = page.split("<div class=\"qr\">").nth(1).map(|code| code.split("</div>").next().unwrap().to_owned());
    (link, code)
}

#[tokio::test]
async fn invitation_link_uses_a_reachable_address() {
    let network: SocketAddr = "192.168.1.20:8080".parse().unwrap();
    let site = |lan_address, trust_proxy| {
        site::with_config(Config { rate_limits: None, lan_address, trust_proxy, ..Config::default() })
    };
    let (plain, lan, proxied) = (site(None, false).await, site(Some(network), false).await, site(None, true).await);
    for (site, host, start_of_link) in [
        (&plain, "127.0.0.1:8080", "http://127.0.0.1:8080/t/"),
        (&lan, "127.0.0.1:8080", "http://192.168.1.20:8080/t/"),
        (&lan, "localhost:8080", "http://192.168.1.20:8080/t/"),
        (&lan, "192.168.1.20:8080", "http://192.168.1.20:8080/t/"),
        (&proxied, "sultan.example", "https://sultan.example/t/"),
        (&plain, "sultan.example", "http://sultan.example/t/"),
    ] {
        let ana = site.open(json!({"players": 2})).await;
        let request = site.get(&format!("/t/{}", ana.table)).host(host).header("x-forwarded-proto", "https");
        let page = &request.send().await.text;
        let (link, code) = link_and_qr_code(page);
        assert_eq!(link, format!("{start_of_link}{}", ana.table));
        // A loopback address has no QR code. The page explains how to make the table reachable.
        let is_loopback = start_of_link.contains("127.0.0.1");
        assert_eq!((page.contains("sultan serve --lan"), code.is_none()), (is_loopback, is_loopback), "{host}");
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
    let has_form_first = |page: &str| page.find("id=\"me\"").unwrap() < page.find("id=\"share\"").unwrap();
    assert!(has_form_first(&site.get(&path).send().await.text));
    let cookie = cookies(&site.get(&format!("{path}/in/{}", ana.token)).send().await);
    assert!(!has_form_first(&site.get(&path).cookie(&cookie).send().await.text));
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
