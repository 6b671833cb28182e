//! `/`, and its forms that lead to a table.

use std::num::NonZeroU32;
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use sultan_server::{Config, Rate, RateLimits};

use crate::site::{self, Answer, Ask, Site};

/// A form sent like from a page of this site.
pub(crate) fn form<'a>(site: &'a Site, path: &str, fields: &[(&str, &str)]) -> Ask<'a> {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
    let ask = site.post(path).header("content-type", "application/x-www-form-urlencoded");
    ask.header("origin", "http://sultan.example").body(pairs.collect::<Vec<_>>().join("&"))
}

/// The cookies set by a response.
pub(crate) fn cookies(answer: &Answer) -> String {
    let set = answer.headers.get_all("set-cookie").iter().map(|one| one.to_str().unwrap());
    set.map(|one| one.split(';').next().unwrap()).collect::<Vec<_>>().join("; ")
}

/// The table that a response redirects to.
#[track_caller]
pub(crate) fn table(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").strip_prefix("/t/").unwrap().to_owned()
}

/// The JSON view of a table for a browser.
pub(crate) async fn seen(site: &Site, table: &str, cookies: &str) -> serde_json::Value {
    site.get(&format!("/api/v1/tables/{table}")).cookie(cookies).send().await.json()
}

#[tokio::test]
async fn home_page_is_complete_in_every_language() {
    let site = site::new().await;
    for (lang, word) in [
        ("en", "Play now"),
        ("de", "Sofort spielen"),
        ("fr", "Jouer"),
        ("nl", "Meteen spelen"),
        ("hu", "Játék azonnal"),
    ] {
        let page = site.get("/").header("accept-language", lang).send().await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains(&format!("<html lang=\"{lang}\"")) && page.text.contains(word), "{lang}");
        for part in
            ["action=\"/play\"", "action=\"/open\"", "action=\"/pass\"", "action=\"/join\"", "href=\"/rules\"", "Zatz"]
        {
            assert!(page.text.contains(part), "{lang}: {part}");
        }
        assert!(!page.text.contains(" style=") && !page.text.contains(" onclick="), "the policy forbids it");
    }
}

#[tokio::test]
async fn one_click_plays_against_bots_and_is_remembered() {
    let site = site::new().await;
    let page = site.get("/").send().await.text;
    assert!(
        page.contains("name=\"bots\" value=\"3\" checked") && page.contains("value=\"merchant\" checked"),
        "{page}"
    );
    let fields = [("bots", "2"), ("level", "vizier"), ("name", "Jürgen <ő>"), ("commitment", ""), ("client_seed", "")];
    let answer = form(&site, "/play", &fields).send().await;
    let (table, cookies) = (table(&answer), cookies(&answer));
    let view = seen(&site, &table, &cookies).await;
    assert_eq!((view["seat"].as_u64(), view["players"].as_u64()), (Some(0), Some(3)), "{view}");
    assert_eq!(view["seats"][0]["name"], "Jürgen <ő>");
    assert_eq!(view["seats"][2]["kind"], "bot:vizier");
    let page = site.get("/").cookie(&cookies).send().await.text;
    assert!(page.contains("name=\"bots\" value=\"2\" checked") && page.contains("value=\"vizier\" checked"), "{page}");
    assert!(page.contains("value=\"Jürgen &lt;ő&gt;\"") && !page.contains("<ő>"));
    assert!(page.contains(&format!("href=\"/t/{table}\"")) && page.contains("Vizier ×2"), "{page}");
}

#[tokio::test]
async fn every_form_offers_the_short_game_and_remembers_it() {
    let site = site::new().await;
    let is_chosen = |page: &str, game: &str| page.matches(&format!("name=\"game\" value=\"{game}\" checked")).count();
    let page = site.get("/").send().await.text;
    assert_eq!((is_chosen(&page, "full"), is_chosen(&page, "espresso")), (3, 0), "{page}");
    let forms: [(&str, &[(&str, &str)]); 3] = [
        ("/play", &[("bots", "2"), ("level", "page"), ("game", "espresso"), ("coach", "yes")]),
        ("/open", &[("name", "Ana"), ("players", "3"), ("game", "espresso"), ("coach", "yes")]),
        ("/pass", &[("people", "3"), ("game", "espresso"), ("coach", "yes")]),
    ];
    for (path, fields) in forms {
        let answer = form(&site, path, fields).send().await;
        let (table, cookies) = (table(&answer), cookies(&answer));
        let view = seen(&site, &table, &cookies).await;
        assert_eq!(view["parameters"], json!({"stages": 1}), "{path}: {view}");
        let coach = view.get("coach").or_else(|| view["options"].get("coach"));
        assert_eq!(coach, Some(&json!(true)), "{path}: {view}");
        let page = site.get("/").cookie(&cookies).send().await.text;
        assert_eq!((is_chosen(&page, "full"), is_chosen(&page, "espresso")), (0, 3), "{path}");
        let full =
            form(&site, "/play", &[("bots", "2"), ("level", "page"), ("game", "full")]).cookie(&cookies).send().await;
        assert!(self::cookies(&full).contains("game=full"));
        // The guided game is the published one, even if another variant was chosen last.
        let guided = form(&site, "/learn", &[]).cookie(&cookies).send().await;
        let view = seen(&site, &self::table(&guided), &self::cookies(&guided)).await;
        assert!(view.get("parameters").is_none(), "{view}");
    }
}

#[tokio::test]
async fn last_name_is_used_by_default() {
    let site = site::new().await;
    let played = form(&site, "/play", &[("bots", "2"), ("level", "page"), ("name", "Jürgen <ő>")]).send().await;
    let over = site.two_player_table().await;
    site.play_out(&over).await;
    let branch = format!("/t/{}/branch", over[0].table);
    let moment: &[_] = &[("at", "9"), ("seat", "0"), ("hidden", "imagined"), ("level", "page")];
    for (path, fields) in [("/learn", &[][..]), (&branch, moment)] {
        let begun = form(&site, path, fields).cookie(&cookies(&played)).send().await;
        let view = seen(&site, &table(&begun), &cookies(&played)).await;
        assert_eq!(view["seats"][0]["name"], "Jürgen <ő>", "{path}: {view}");
    }
}

#[tokio::test]
async fn public_games_are_listed() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3, "name": "Ana", "public": true})).await;
    for (name, awaited) in [("Bo", "Waiting for 2 more"), ("Cy", "Waiting for one more")] {
        let page = site.get("/").send().await.text;
        assert!(page.contains(&ana.table) && page.contains(&format!("3 players · {awaited}")), "{page}");
        site.sit(&ana.table, json!({"name": name})).await;
    }
    let hidden = site.two_player_table().await;
    let page = site.get("/").send().await.text;
    assert!(!page.contains("Waiting for"), "{page}");
    assert!(page.contains(&format!("href=\"/t/{}\"", ana.table)) && page.contains("Ana, Bo, Cy"), "{page}");
    assert!(!page.contains(&hidden[0].table));
}

#[tokio::test]
async fn table_for_friends_has_the_chosen_options() {
    let site = site::new().await;
    let promise = site.post("/api/v1/commitments").send().await.json()["commitment"].clone();
    let fields = [
        ("name", "Ana"),
        ("players", "3"),
        ("seat1", "human"),
        ("seat2", "jeweller"),
        ("seat3", "sultan"),
        ("screens", "open"),
        ("seconds", "120"),
        ("first", "2"),
        ("public", "yes"),
        ("even_pace", "yes"),
        ("coach", "yes"),
        ("commitment", promise.as_str().unwrap()),
        ("client_seed", "luck"),
    ];
    let answer = form(&site, "/open", &fields).send().await;
    let table = table(&answer);
    let view = seen(&site, &table, &cookies(&answer)).await;
    assert_eq!(view["phase"], "waiting");
    assert_eq!(view["commitment"], promise);
    let kinds: Vec<_> = view["seats"].as_array().unwrap().iter().map(|seat| seat["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["human", "open", "bot:jeweller"]);
    let options = &view["options"];
    assert_eq!((&options["screens"], &options["first_seat"]), (&json!("open"), &json!(2)));
    assert_eq!((&options["seconds_per_action"], &options["public"]), (&json!(120), &json!(true)));
    assert_eq!((&options["even_pace"], &options["coach"]), (&json!(true), &json!(true)));
    // Other visitors find the table in the public list; its player sees it only in the list of own games.
    assert!(site.get("/").send().await.text.contains(&format!("href=\"/t/{table}\"")));
    let own = site.get("/").cookie(&cookies(&answer)).send().await.text;
    assert_eq!(own.matches(&format!("href=\"/t/{table}\"")).count(), 1, "{own}");
}

#[tokio::test]
async fn all_players_on_one_device_share_the_browser() {
    let site = site::new().await;
    let fields = [
        ("people", "3"),
        ("name1", "Ana"),
        ("name2", ""),
        ("name3", "Bo"),
        ("name4", "Cy"),
        ("bots", "1"),
        ("level", "page"),
    ];
    let answer = form(&site, "/pass", &fields).header("accept-language", "de").send().await;
    let (table, cookies) = (table(&answer), cookies(&answer));
    for (seat, name) in [(0, "Ana"), (1, "Spieler 2"), (2, "Bo")] {
        let own = site.get(&format!("/api/v1/tables/{table}?seat={seat}")).cookie(&cookies).send().await.json();
        assert_eq!((own["seat"].as_u64(), own["seats"][seat]["name"].as_str()), (Some(seat as u64), Some(name)));
        assert_eq!(own["hand"].as_array().unwrap().len(), 5);
    }
    site.get(&format!("/api/v1/tables/{table}?seat=3"))
        .cookie(&cookies)
        .send()
        .await
        .assert_problem(403, "token/wrong");
    let games = site.get("/").cookie(&cookies).send().await.text;
    assert_eq!(games.matches(&format!("href=\"/t/{table}\"")).count(), 1, "one line for all seats: {games}");
}

#[tokio::test]
async fn rejected_form_keeps_the_typed_values() {
    let site = site::new().await;
    let long = "x".repeat(41);
    for (path, fields, sentence, kept) in [
        ("/play", &[("bots", "5"), ("level", "page"), ("name", "<Ana>")][..], "No table", "value=\"&lt;Ana&gt;\""),
        ("/play", &[("bots", "1"), ("level", "emperor")], "no such bot", "name=\"bots\" value=\"1\" checked"),
        ("/play", &[("bots", "1"), ("level", "page"), ("commitment", "zz")], "Try once more", "value=\"page\" checked"),
        ("/open", &[("players", "2"), ("name", &long)], "This name is too long", &long),
        ("/open", &[("players", "2"), ("first", "4"), ("name", "Bo")], "no such seat", "value=\"Bo\""),
        ("/open", &[("players", "9")], "No table", "action=\"/open\""),
        ("/open", &[("players", "2"), ("seconds", "1e9")], "No table", "action=\"/open\""),
        ("/pass", &[("people", "5"), ("bots", "1"), ("level", "page"), ("name2", "Cy")], "No table", "value=\"Cy\""),
        ("/pass", &[("people", "2"), ("bots", "0"), ("name2", &long)], "This name is too long", &long),
        ("/join", &[("table", "<nowhere>")], "no such table", "value=\"&lt;nowhere&gt;\""),
    ] {
        let answer = form(&site, path, fields).send().await;
        assert!((400..500).contains(&answer.status), "{path} {fields:?}: {}", answer.status);
        assert!(answer.text.contains(sentence) && answer.text.contains(kept), "{path} {fields:?}: {}", answer.text);
        assert_eq!(cookies(&answer), "");
        // A change of language leads to an existing page.
        assert!(answer.text.contains("name=\"to\" value=\"/\""));
    }
    assert_eq!(site.get("/api/v1/tables").send().await.json(), json!({"tables": []}));
}

#[tokio::test]
async fn codes_and_links_redirect_only_to_tables() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "Ana"})).await;
    let id = &ana.table;
    let there = format!("/t/{id}");
    for typed in [id.clone(), id.to_uppercase(), format!("https://evil.example/t/{id}?x#y"), format!(" /t/{id} ")] {
        let answer = form(&site, "/join", &[("table", &typed)]).send().await;
        assert_eq!((answer.status, answer.header("location")), (303, there.as_str()), "{typed}");
    }
    let seat = format!("{there}/in/{}", ana.token);
    let answer = form(&site, "/join", &[("table", &format!("http://sultan.example{seat}"))]).send().await;
    assert_eq!((answer.status, answer.header("location")), (303, seat.as_str()));
    for typed in ["", "000000000000", "//evil.example", "https://evil.example/", "/t/../x", "javascript:x", "\r\nx: y"]
    {
        let answer = form(&site, "/join", &[("table", typed)]).send().await;
        assert_eq!((answer.status, answer.header("location")), (404, ""), "{typed}");
    }
}

#[tokio::test]
async fn cross_site_forms_are_rejected() {
    let site = site::new().await;
    let body = "bots=1&level=page&players=2&people=2";
    for path in ["/play", "/open", "/pass", "/join", "/t/000000000000/sit", "/t/000000000000/free"] {
        for (name, value) in
            [("origin", "http://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("x-nothing", "")]
        {
            let ask = site.post(path).header("content-type", "application/x-www-form-urlencoded").header(name, value);
            let answer = ask.body(body).send().await;
            assert_eq!((answer.status, cookies(&answer).as_str()), (403, ""), "{path} {name} {value}");
        }
    }
    assert_eq!(site.get("/api/v1/tables").send().await.json(), json!({"tables": []}));
}

#[tokio::test]
async fn opening_tables_is_rate_limited() {
    let rate = |burst| Rate { burst: NonZeroU32::new(burst).unwrap(), interval: Duration::from_mins(1) };
    let rates = RateLimits { per_address: rate(50), per_token: rate(50), opening_tables: rate(1) };
    let site = site::with(Config { rate_limits: Some(rates), ..Config::default() }).await;
    let fields = [("bots", "1"), ("level", "page"), ("name", "Ana")];
    assert_eq!(form(&site, "/play", &fields).send().await.status, 303);
    let again = form(&site, "/play", &fields).send().await;
    assert_eq!(again.status, 429);
    assert!(again.text.contains("a little too fast") && again.text.contains("value=\"Ana\""), "{}", again.text);
}

#[tokio::test]
async fn too_long_forms_are_rejected() {
    let site = site::new().await;
    let answer = form(&site, "/play", &[("name", &"x".repeat(20_000))]).send().await;
    assert_eq!(answer.status, 413);
    let broken = site.post("/play").header("origin", "http://sultan.example").body("{}").send().await;
    assert_eq!((broken.status, broken.header("content-type")), (400, "text/html; charset=utf-8"));
}

#[tokio::test]
async fn browsers_find_the_icon_and_the_manifest() {
    let site = site::new().await;
    let icon = site.get("/favicon.ico").send().await;
    assert_eq!(icon.status, 307);
    let drawing = site.get(icon.header("location")).send().await;
    assert_eq!((drawing.status, drawing.header("content-type")), (200, "image/svg+xml"));
    let manifest = site.get("/manifest.webmanifest").header("accept-language", "hu").send().await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert_eq!(manifest.json()["lang"], "hu");
    assert_eq!(manifest.json()["icons"][0]["src"], icon.header("location"));
    let robots = site.get("/robots.txt").send().await.text;
    assert!(robots.contains("Disallow: /\n") && robots.contains("Allow: /rules\n"), "{robots}");
}

#[tokio::test]
async fn finished_games_are_listed_last() {
    let site = site::new().await;
    let fields = [("name", "Ana"), ("players", "2")];
    let answer = form(&site, "/open", &fields).send().await;
    let cookie = cookies(&answer);
    let first = table(&answer);
    let [over, last] = [(); 2].map(|()| form(&site, "/open", &fields).cookie(&cookie).send());
    let (over, last) = (table(&over.await), table(&last.await));
    let post = async |what: &str, fields: &[(&str, &str)]| {
        let path = format!("/t/{over}/{what}");
        assert_eq!(form(&site, &path, fields).cookie(&cookie).send().await.status, 303);
    };
    post("sit", &[("name", "Bo"), ("another", "yes")]).await;
    for seat in ["0", "1"] {
        post("leave", &[("seat", seat)]).await;
    }
    let home = site.get("/").cookie(&cookie).send().await.text;
    let place = |table: &str| home.find(&format!("href=\"/t/{table}\"")).unwrap_or_else(|| panic!("{table}: {home}"));
    assert!(place(&over) > place(&first) && place(&over) > place(&last), "{home}");
}

#[tokio::test]
async fn own_tables_do_not_use_up_the_public_list() {
    let site = site::new().await;
    let public = json!({"players": 2, "public": true});
    let other = site.open(json!({"players": 2, "public": true, "parameters": {"stages": 1}})).await;
    let seat = site.open(json!({"players": 2})).await;
    let cookie = site.get(&format!("/t/{}/in/{}", seat.table, seat.token)).send().await;
    let cookie = cookie.header("set-cookie").split(';').next().unwrap().to_owned();
    for _ in 0..13 {
        let own = site.post("/api/v1/tables").cookie(&cookie).header("sec-fetch-site", "same-origin").json(&public);
        assert_eq!(own.send().await.status, 201);
    }
    let page = site.get("/").cookie(&cookie).send().await.text;
    let open = page.split("id=\"open-tables\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(open.contains(&format!("/t/{}", other.table)) && open.matches("Short game").count() == 1, "{open}");
}
