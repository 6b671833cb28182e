//! `/`, and its forms that lead to a table.

use std::num::NonZeroU32;
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use sultan_server::{Config, Rate, RateLimits};

use crate::site::{self, Answer, PreparedRequest, Site};

/// A form, as a page of this site sends it.
pub(crate) fn form<'a>(site: &'a Site, path: &str, fields: &[(&str, &str)]) -> PreparedRequest<'a> {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
    let request = site.post(path).header("content-type", "application/x-www-form-urlencoded");
    request.header("origin", "http://sultan.example").body(pairs.collect::<Vec<_>>().join("&"))
}

/// The cookies set by a response, as a browser sends them back.
pub(crate) fn cookies(answer: &Answer) -> String {
    let set_cookies = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    set_cookies.map(|cookie| cookie.split(';').next().unwrap()).collect::<Vec<_>>().join("; ")
}

/// The table that a response redirects to.
#[track_caller]
pub(crate) fn table(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").strip_prefix("/t/").unwrap().to_owned()
}

/// The JSON view of a table for a browser with these cookies.
pub(crate) async fn view(site: &Site, table: &str, cookies: &str) -> serde_json::Value {
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
        let has_inline_code = page.text.contains(" style=") || page.text.contains(" onclick=");
        assert!(!has_inline_code, "the content security policy forbids inline styles and scripts");
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
    let view = self::view(&site, &table, &cookies).await;
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
    // The number of forms in which this variant is chosen.
    let forms_with = |page: &str, game: &str| page.matches(&format!("name=\"game\" value=\"{game}\" checked")).count();
    let page = site.get("/").send().await.text;
    assert_eq!((forms_with(&page, "full"), forms_with(&page, "espresso")), (3, 0), "{page}");
    let forms: [(&str, &[(&str, &str)]); 3] = [
        ("/play", &[("bots", "2"), ("level", "page"), ("game", "espresso"), ("coach", "yes")]),
        ("/open", &[("name", "Ana"), ("players", "3"), ("game", "espresso"), ("coach", "yes")]),
        ("/pass", &[("people", "3"), ("game", "espresso"), ("coach", "yes")]),
    ];
    for (path, fields) in forms {
        let answer = form(&site, path, fields).send().await;
        let (table, cookies) = (table(&answer), cookies(&answer));
        let view = self::view(&site, &table, &cookies).await;
        assert_eq!(view["parameters"], json!({"stages": 1}), "{path}: {view}");
        let coach = view.get("coach").or_else(|| view["options"].get("coach"));
        assert_eq!(coach, Some(&json!(true)), "{path}: {view}");
        let page = site.get("/").cookie(&cookies).send().await.text;
        assert_eq!((forms_with(&page, "full"), forms_with(&page, "espresso")), (0, 3), "{path}");
        let full =
            form(&site, "/play", &[("bots", "2"), ("level", "page"), ("game", "full")]).cookie(&cookies).send().await;
        assert!(self::cookies(&full).contains("game=full"));
        // The guided game is the published one, even if another variant was chosen last.
        let guided = form(&site, "/learn", &[]).cookie(&cookies).send().await;
        let view = self::view(&site, &self::table(&guided), &self::cookies(&guided)).await;
        assert!(view.get("parameters").is_none(), "{view}");
    }
}

#[tokio::test]
async fn last_name_is_used_by_default() {
    let site = site::new().await;
    let first_game = form(&site, "/play", &[("bots", "2"), ("level", "page"), ("name", "Jürgen <ő>")]).send().await;
    let cookies = cookies(&first_game);
    let finished_game = site.two_player_table().await;
    site.play_out(&finished_game).await;
    let branch = format!("/t/{}/branch", finished_game[0].table);
    let branch_fields: &[_] = &[("at", "9"), ("seat", "0"), ("hidden", "imagined"), ("level", "page")];
    for (path, fields) in [("/learn", &[][..]), (&branch, branch_fields)] {
        let opened = form(&site, path, fields).cookie(&cookies).send().await;
        let view = self::view(&site, &table(&opened), &cookies).await;
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
    let private = site.two_player_table().await;
    let page = site.get("/").send().await.text;
    assert!(!page.contains("Waiting for"), "{page}");
    assert!(page.contains(&format!("href=\"/t/{}\"", ana.table)) && page.contains("Ana, Bo, Cy"), "{page}");
    assert!(!page.contains(&private[0].table));
}

#[tokio::test]
async fn table_for_friends_has_the_chosen_options() {
    let site = site::new().await;
    let commitment = site.post("/api/v1/commitments").send().await.json()["commitment"].clone();
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
        ("commitment", commitment.as_str().unwrap()),
        ("client_seed", "luck"),
    ];
    let answer = form(&site, "/open", &fields).send().await;
    let table = table(&answer);
    let view = self::view(&site, &table, &cookies(&answer)).await;
    assert_eq!(view["phase"], "waiting");
    assert_eq!(view["commitment"], commitment);
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
async fn time_limit_is_a_choice_or_a_number_with_a_unit() {
    let site = site::new().await;
    let open = |fields: &[(&'static str, &'static str)]| {
        form(&site, "/open", &[&[("players", "3")], fields].concat()).header("accept-language", "en").send()
    };
    for (seconds, time, unit, expected) in [
        ("0", "", "", json!(null)),
        ("30", "5", "hours", json!(30)),
        // A number that the form does not offer.
        ("45", "", "", json!(45)),
        ("own", "1", "seconds", json!(1)),
        ("own", "90", "minutes", json!(5400)),
        ("own", "12", "hours", json!(43_200)),
        ("own", "7", "days", json!(604_800)),
    ] {
        let answer = open(&[("seconds", seconds), ("time", time), ("time_unit", unit)]).await;
        let view = view(&site, &table(&answer), &cookies(&answer)).await;
        assert_eq!(view["options"]["seconds_per_action"], expected, "{seconds} {time} {unit}");
    }
    for (seconds, time, unit) in [
        ("own", "0", "seconds"),
        ("own", "8", "days"),
        ("own", "604801", "seconds"),
        // More seconds than 32 bits hold.
        ("own", "999999", "days"),
        ("own", "", "hours"),
        ("own", "1.5", "hours"),
        ("own", "1", "weeks"),
        ("604801", "", ""),
        ("soon", "", ""),
    ] {
        let answer = open(&[("seconds", seconds), ("time", time), ("time_unit", unit)]).await;
        assert_eq!(answer.status, 422, "{seconds} {time} {unit}");
        assert!(answer.text.contains("from 1 second to 7 days"), "{}", answer.text);
    }
    // The rejected form keeps the choice.
    let rejected = open(&[("seconds", "own"), ("time", "1.5"), ("time_unit", "hours")]).await.text;
    for kept in ["value=\"own\" checked", "value=\"1.5\"", "value=\"hours\" selected"] {
        assert!(rejected.contains(kept), "{kept}");
    }
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
        let own_view = site.get(&format!("/api/v1/tables/{table}?seat={seat}")).cookie(&cookies).send().await.json();
        assert_eq!(own_view["seat"].as_u64(), Some(seat as u64));
        assert_eq!(own_view["seats"][seat]["name"].as_str(), Some(name));
        assert_eq!(own_view["hand"].as_array().unwrap().len(), 5);
    }
    site.get(&format!("/api/v1/tables/{table}?seat=3"))
        .cookie(&cookies)
        .send()
        .await
        .assert_problem(403, "token/wrong");
    let home = site.get("/").cookie(&cookies).send().await.text;
    assert_eq!(home.matches(&format!("href=\"/t/{table}\"")).count(), 1, "the table is not listed once: {home}");
}

#[tokio::test]
async fn rejected_form_keeps_the_typed_values() {
    let site = site::new().await;
    let long_name = "x".repeat(41);
    for (path, fields, sentence, kept) in [
        ("/play", &[("bots", "5"), ("level", "page"), ("name", "<Ana>")][..], "No table", "value=\"&lt;Ana&gt;\""),
        ("/play", &[("bots", "1"), ("level", "emperor")], "no such bot", "name=\"bots\" value=\"1\" checked"),
        ("/play", &[("bots", "1"), ("level", "page"), ("commitment", "zz")], "Try once more", "value=\"page\" checked"),
        ("/open", &[("players", "2"), ("name", &long_name)], "This name is too long", &long_name),
        ("/open", &[("players", "2"), ("first", "4"), ("name", "Bo")], "no such seat", "value=\"Bo\""),
        ("/open", &[("players", "9")], "No table", "action=\"/open\""),
        ("/open", &[("players", "2"), ("seconds", "1e9")], "No table", "action=\"/open\""),
        ("/pass", &[("people", "5"), ("bots", "1"), ("level", "page"), ("name2", "Cy")], "No table", "value=\"Cy\""),
        ("/pass", &[("people", "2"), ("bots", "0"), ("name2", &long_name)], "This name is too long", &long_name),
        ("/join", &[("table", "<nowhere>")], "no such table", "value=\"&lt;nowhere&gt;\""),
    ] {
        let answer = form(&site, path, fields).send().await;
        assert!((400..500).contains(&answer.status), "{path} {fields:?}: {}", answer.status);
        assert!(answer.text.contains(sentence) && answer.text.contains(kept), "{path} {fields:?}: {}", answer.text);
        assert_eq!(cookies(&answer), "");
        // A change of language on the error page leads back to the home page.
        assert!(answer.text.contains("name=\"to\" value=\"/\""));
    }
    assert_eq!(site.get("/api/v1/tables").send().await.json(), json!({"tables": []}));
}

#[tokio::test]
async fn codes_and_links_redirect_only_to_tables() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "Ana"})).await;
    let id = &ana.table;
    let table_path = format!("/t/{id}");
    for typed in [id.clone(), id.to_uppercase(), format!("https://evil.example/t/{id}?x#y"), format!(" /t/{id} ")] {
        let answer = form(&site, "/join", &[("table", &typed)]).send().await;
        assert_eq!((answer.status, answer.header("location")), (303, table_path.as_str()), "{typed}");
    }
    let seat_path = format!("{table_path}/in/{}", ana.token);
    let answer = form(&site, "/join", &[("table", &format!("http://sultan.example{seat_path}"))]).send().await;
    assert_eq!((answer.status, answer.header("location")), (303, seat_path.as_str()));
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
        // The last header has no meaning: this request has no sign of its origin.
        for (name, value) in
            [("origin", "http://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("x-nothing", "")]
        {
            let request =
                site.post(path).header("content-type", "application/x-www-form-urlencoded").header(name, value);
            let answer = request.body(body).send().await;
            assert_eq!((answer.status, cookies(&answer).as_str()), (403, ""), "{path} {name} {value}");
        }
    }
    assert_eq!(site.get("/api/v1/tables").send().await.json(), json!({"tables": []}));
}

#[tokio::test]
async fn opening_tables_is_rate_limited() {
    let rate = |burst| Rate { burst: NonZeroU32::new(burst).unwrap(), interval: Duration::from_mins(1) };
    let rates = RateLimits { per_address: rate(50), per_token: rate(50), opening_tables: rate(1) };
    let site = site::with_config(Config { rate_limits: Some(rates), ..Config::default() }).await;
    let fields = [("bots", "1"), ("level", "page"), ("name", "Ana")];
    assert_eq!(form(&site, "/play", &fields).send().await.status, 303);
    let rejected = form(&site, "/play", &fields).send().await;
    assert_eq!(rejected.status, 429);
    assert!(rejected.text.contains("a little too fast"), "{}", rejected.text);
    assert!(rejected.text.contains("value=\"Ana\""), "{}", rejected.text);
}

#[tokio::test]
async fn too_long_and_malformed_forms_are_rejected() {
    let site = site::new().await;
    let answer = form(&site, "/play", &[("name", &"x".repeat(20_000))]).send().await;
    assert_eq!(answer.status, 413);
    let malformed = site.post("/play").header("origin", "http://sultan.example").body("{}").send().await;
    assert_eq!((malformed.status, malformed.header("content-type")), (400, "text/html; charset=utf-8"));
}

#[tokio::test]
async fn browsers_find_the_icon_and_the_manifest() {
    let site = site::new().await;
    let icon = site.get("/favicon.ico").send().await;
    assert_eq!(icon.status, 307);
    let svg = site.get(icon.header("location")).send().await;
    assert_eq!((svg.status, svg.header("content-type")), (200, "image/svg+xml"));
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
    let oldest = table(&answer);
    let finished = table(&form(&site, "/open", &fields).cookie(&cookie).send().await);
    let newest = table(&form(&site, "/open", &fields).cookie(&cookie).send().await);
    let post = async |route: &str, fields: &[(&str, &str)]| {
        let path = format!("/t/{finished}/{route}");
        assert_eq!(form(&site, &path, fields).cookie(&cookie).send().await.status, 303);
    };
    // Both players leave the game, which ends it.
    post("sit", &[("name", "Bo"), ("another", "yes")]).await;
    for seat in ["0", "1"] {
        post("leave", &[("seat", seat)]).await;
    }
    let home = site.get("/").cookie(&cookie).send().await.text;
    let position =
        |table: &str| home.find(&format!("href=\"/t/{table}\"")).unwrap_or_else(|| panic!("no {table} in {home}"));
    assert!(position(&finished) > position(&oldest) && position(&finished) > position(&newest), "{home}");
}

#[tokio::test]
async fn public_list_has_other_tables_even_if_a_browser_opened_many() {
    let site = site::new().await;
    let public = json!({"players": 2, "public": true});
    let other = site.open(json!({"players": 2, "public": true, "parameters": {"stages": 1}})).await;
    let ana = site.open(json!({"players": 2})).await;
    let cookie = cookies(&site.get(&format!("/t/{}/in/{}", ana.table, ana.token)).send().await);
    // More tables than the page lists (12).
    for _ in 0..13 {
        let request = site.post("/api/v1/tables").cookie(&cookie).header("sec-fetch-site", "same-origin").json(&public);
        assert_eq!(request.send().await.status, 201);
    }
    let page = site.get("/").cookie(&cookie).send().await.text;
    let list = page.split("id=\"open-tables\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(list.contains(&format!("/t/{}", other.table)) && list.matches("Short game").count() == 1, "{list}");
}
