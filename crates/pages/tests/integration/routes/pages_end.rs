//! `/t/{id}` of a finished game, `/t/{id}/rematch`, `/t/{id}/record.sultan.json`, `/t/{id}/verify`, and the curtain.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sultan_server::Config;
use sultan_table::Settings;
use sultan_table::domain::{ClientSeed, Observer, Players, ServerSeed};
use sultan_testkit::{FakeTime, indistinguishable_seeds, record_faults};
use sultan_text::Lang;

use crate::site::{self, Answer, Own, Site, Told, main};

/// Opens a seat's secret link with a browser's cookie, or as a new browser, and returns its cookie.
async fn enter(site: &Site, own: &Own, cookie: Option<&str>) -> String {
    let ask = site.get(&format!("/t/{}/in/{}", own.table, own.token));
    let answer = if let Some(cookie) = cookie { ask.cookie(cookie) } else { ask }.send().await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Sends a form like a browser on this site.
async fn send(site: &Site, path: &str, cookie: &str, form: &str) -> Answer {
    let ask = site.post(path).cookie(cookie).header("sec-fetch-site", "same-origin");
    ask.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}

/// A finished game of one person and bots, and its last view.
async fn finished(site: &Site, players: u64) -> (Own, Value) {
    let bots: Vec<Value> = (1..players).map(|_| json!({"bot": "merchant"})).collect();
    let seats = [vec![json!({"human": true})], bots].concat();
    let own = site.open(json!({"players": players, "seats": seats, "name": "Ana"})).await;
    let view = site.play_out(std::slice::from_ref(&own)).await;
    (own, view)
}

fn attribute<'a>(html: &'a str, name: &str) -> &'a str {
    let start = html.find(&format!("{name}=\"")).unwrap_or_else(|| panic!("{name}: {html}")) + name.len() + 2;
    html[start..].split('"').next().unwrap()
}

/// The places on the page: seat, rank, points.
fn places(page: &str) -> Vec<[u64; 3]> {
    let number = |html: &str, name| attribute(html, name).parse().unwrap();
    let articles = page.split("<article class=\"tally").skip(1);
    articles.map(|html| ["data-seat", "data-rank", "data-points"].map(|name| number(html, name))).collect()
}

#[tokio::test]
async fn points_on_the_page_match_the_game() {
    let site = site::new().await;
    for players in 2..=5 {
        let (own, view) = finished(&site, players).await;
        let cookie = enter(&site, &own, None).await;
        for ask in [site.get(&format!("/t/{}", own.table)), site.get(&format!("/t/{}", own.table)).cookie(&cookie)] {
            let page = ask.send().await;
            assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
            let mut shown = places(&page.text);
            assert!(shown.is_sorted_by_key(|place| place[1]), "{shown:?}");
            shown.sort_unstable();
            let told = view["final"].as_array().unwrap().iter();
            let wanted: Vec<[u64; 3]> =
                told.map(|place| ["seat", "rank", "points"].map(|field| place[field].as_u64().unwrap())).collect();
            assert_eq!(shown, wanted);
            for (place, html) in view["final"].as_array().unwrap().iter().zip(by_seat(&page.text)) {
                // The lines of all colours, with their bonus, sum up to the total.
                let lines = html.split("class=\"num\"><span aria-hidden=\"true\">").skip(1);
                let lines: Vec<u64> = lines.map(|line| line.split('<').next().unwrap().parse().unwrap()).collect();
                assert_eq!((lines.len(), lines.iter().sum::<u64>()), (5, place["points"].as_u64().unwrap()), "{html}");
            }
        }
    }
}

/// The parts of the page for each seat, in the order of the seats.
fn by_seat(page: &str) -> Vec<&str> {
    let mut articles: Vec<&str> =
        page.split("<article").skip(1).map(|html| html.split("</article>").next().unwrap()).collect();
    articles.sort_by_key(|html| attribute(html, "data-seat").to_owned());
    articles
}

#[tokio::test]
async fn end_page_renders_in_every_language() {
    let site = site::new().await;
    let (own, _) = finished(&site, 3).await;
    let cookie = enter(&site, &own, None).await;
    for path in ["", "/verify"] {
        let mut told = Told::default();
        for lang in Lang::ALL.map(Lang::code) {
            let ask = site.get(&format!("/t/{}{path}", own.table)).cookie(&cookie).header("accept-language", lang);
            let page = ask.send().await;
            assert_eq!(page.status, 200);
            assert!(page.text.contains(&format!("<html lang=\"{lang}\"")));
            assert!(!page.text.contains("style=\"") && !page.text.contains("<script>"), "the policy forbids these");
            told.add(lang, main(&page.text));
        }
    }
}

#[tokio::test]
async fn record_and_verification_before_the_end_are_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = enter(&site, &ana, None).await;
    let (file, check) = (format!("/t/{}/record.sultan.json", ana.table), format!("/t/{}/verify", ana.table));
    for path in [&file, &check] {
        for ask in [site.get(path), site.get(path).cookie(&cookie), site.get(path).token(&ana.token)] {
            let refused = ask.send().await;
            assert_eq!((refused.status, refused.header("content-type")), (403, "text/html; charset=utf-8"));
            assert!(refused.text.contains("That opens when the game is over."));
        }
    }
    site.play_out(&[ana.clone(), bo]).await;
    let record = site.get(&file).send().await;
    assert_eq!((record.status, record.header("content-type")), (200, "application/json"));
    assert_eq!(record.header("content-disposition"), format!("attachment; filename=\"{}.sultan.json\"", ana.table));
    assert_eq!(record_faults(&record.text), Vec::<String>::new());
    let page = site.get(&check).send().await;
    assert_eq!(page.status, 200);
    assert_eq!(attribute(&page.text, "data-commitment"), record.json()["commitment"]);
    assert!(page.text.contains("sultan verify") && page.text.contains("<noscript>"));
    // The values that the script compares with its own result.
    for place in site.view(&ana).await["final"].as_array().unwrap() {
        let row = format!(
            "data-seat=\"{}\" data-points=\"{}\" data-rank=\"{}\"",
            place["seat"], place["points"], place["rank"]
        );
        assert!(page.text.contains(&row), "{row}: {}", page.text);
    }
    for none in ["/t/000000000000/record.sultan.json", "/t/000000000000/verify"] {
        assert_eq!(site.get(none).send().await.status, 404);
    }
}

#[tokio::test]
async fn rematch_is_requested_from_the_page() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let (here, there) = (enter(&site, &ana, None).await, enter(&site, &bo, None).await);
    let path = format!("/t/{}/rematch", ana.table);
    assert_eq!(send(&site, &path, &here, "").await.status, 409, "not before the end");
    site.play_out(&[ana.clone(), bo.clone()]).await;
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&here).send().await;
    assert_eq!(attribute(page.text.split("id=\"after\"").nth(1).unwrap(), "action"), format!("{path}?seat=0"));
    // Spectators and other sites may not open a rematch.
    assert_eq!(site.post(&path).send().await.status, 401);
    let elsewhere = site.post(&path).cookie(&here).header("sec-fetch-site", "cross-site");
    assert_eq!(elsewhere.send().await.status, 403);
    assert_eq!(send(&site, &path, &here, "commitment=x").await.status, 422);
    let promise = site.post("/api/v1/commitments").send().await.json()["commitment"].as_str().unwrap().to_owned();
    let asked = send(&site, &format!("{path}?seat=0"), &here, &format!("client_seed=a&commitment={promise}")).await;
    assert_eq!(asked.status, 303, "{}", asked.text);
    let again = asked.header("location").strip_prefix("/t/").unwrap().to_owned();
    let api = site.get(&format!("/api/v1/tables/{again}")).send().await.json();
    assert_eq!((&api["phase"], &api["commitment"]), (&json!("waiting"), &json!(promise)));
    // The other player sees a link to the rematch. Requesting one leads to the same table.
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&there).send().await;
    assert!(page.text.contains(&format!("href=\"/t/{again}\"")) && !page.text.contains("/rematch?"));
    assert_eq!(send(&site, &path, &there, "").await.header("location"), format!("/t/{again}"));
    // All seats are kept, so the game does not wait for a free seat.
    let page = site.get(&format!("/t/{again}")).cookie(&here).send().await.text;
    assert!(page.contains("2 of 2 seats taken") && page.contains("as soon as everybody has said yes"), "{page}");
    assert!(!page.contains("when the last seat is taken"), "{page}");
    // The player who confirms adds a client seed too; the player who opened the rematch has added theirs.
    let form = async |cookie: &str, seat: u8| {
        let page = site.get(&format!("/t/{again}")).cookie(cookie).send().await.text;
        page.split(&format!("id=\"seat-form-{seat}\"")).nth(1).unwrap().split('>').next().unwrap().to_owned()
    };
    assert!(form(&there, 1).await.contains("data-seed") && !form(&here, 0).await.contains("data-seed"));
    let agreed = send(&site, &format!("/t/{again}/seat"), &there, "seat=1&name=Bo&client_seed=b").await;
    assert_eq!(agreed.status, 303, "{}", agreed.text);
    let people = [ana, bo].map(|own| Own { table: again.clone(), ..own });
    site.play_out(&people).await;
    let record = site.get(&format!("/t/{again}/record.sultan.json")).send().await.json();
    assert_eq!(record["client_seeds"], json!(["a", "b"]));
}

#[tokio::test]
async fn players_sharing_a_browser_request_a_rematch_together() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = enter(&site, &ana, None).await;
    enter(&site, &bo, Some(&cookie)).await;
    site.play_out(&[ana.clone(), bo]).await;
    let asked = send(&site, &format!("/t/{}/rematch?seat=0", ana.table), &cookie, "client_seed=a").await;
    let again = asked.header("location").to_owned();
    let api = site.get(&format!("/api/v1/tables/{}", &again[3..])).send().await.json();
    assert_eq!((&api["phase"], &api["first_seat"]), (&json!("offer"), &json!(1)), "it has begun");
    assert!(site.get(&again).cookie(&cookie).send().await.text.contains("id=\"curtain\""));
}

#[tokio::test]
async fn curtain_separates_the_turns_of_people_sharing_a_browser() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = enter(&site, &ana, None).await;
    let look = async |query: &str| site.get(&format!("/t/{}{query}", ana.table)).cookie(&cookie).send().await.text;
    assert!(look("").await.contains("id=\"own\""), "with one seat there is no curtain");
    enter(&site, &bo, Some(&cookie)).await;
    let page = look("").await;
    assert!(page.contains("id=\"curtain\"") && page.contains("<b>Ana</b>") && page.contains("?seat=0\""));
    assert!(!page.contains("name=\"card\"") && !page.contains("id=\"own\""));
    assert!(look("?seat=1").await.contains("?seat=0\""), "not this one");
    assert!(look("?seat=0").await.contains("id=\"table\""));
    let offer = site.view(&ana).await["legal"][0].as_str().unwrap().to_owned();
    let acted = send(&site, &format!("/t/{}/act?seat=0", ana.table), &cookie, &format!("offer={offer}&at=0")).await;
    assert_eq!(acted.status, 303);
    // She also bids first. Then it is the other player's turn, even if the address names her seat.
    assert!(look("?seat=0").await.contains("id=\"table\""));
    let bid = site.view(&ana).await["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(site.act(&ana, &bid, 1).await.status, 200);
    for query in ["", "?seat=0"] {
        let page = look(query).await;
        assert!(page.contains("id=\"curtain\"") && page.contains("<b>Bo</b>"), "{page}");
    }
    site.play_out(&[ana.clone(), bo]).await;
    assert!(look("").await.contains("id=\"end\""));
}

#[tokio::test]
async fn shared_browser_shows_the_public_view_during_bot_turns() {
    let site =
        site::on(Settings { bot_pause: std::time::Duration::from_hours(1), ..Settings::default() }, unlimited()).await;
    let seats = [json!({"human": true}), json!({"human": true}), json!({"bot": "page"})];
    let ana = site.open(json!({"players": 3, "seats": seats, "first_seat": 2, "name": "Ana"})).await;
    let cookie = enter(&site, &ana, None).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    enter(&site, &bo, Some(&cookie)).await;
    let path = format!("/t/{}", ana.table);
    let shared = site.get(&path).cookie(&cookie).send().await.text;
    assert!(shared.contains("id=\"wait\"") && shared.contains("id=\"table\"") && !shared.contains("data-seat="));
    let spectator = site.get(&path).send().await.text;
    let cut = |page: &str| {
        let (before, after) = page.split_once("<details class=\"shared-wait\"").unwrap_or((page, "</details>"));
        format!("{before}{}", if before.len() == page.len() { "" } else { after.split_once("</details>").unwrap().1 })
    };
    assert_eq!(cut(&shared), spectator, "nothing of either hand is there");
}

fn unlimited() -> Config {
    Config { rate_limits: None, ..Config::default() }
}

/// The curtain before the second player's first bid, at a table with this server seed, and the hands of both players.
async fn curtain(server_seed: ServerSeed, seeds: &[ClientSeed]) -> (String, [Value; 2]) {
    let settings = FakeTime::default().settings(1);
    let (others, first) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
    // The server seed is the first secret that the server draws.
    let random_bytes = move || if first.swap(false, Ordering::Relaxed) { server_seed.0 } else { others() };
    let site = site::on(Settings { random_bytes: Arc::new(random_bytes), ..settings }, unlimited()).await;
    let promise = site.post("/api/v1/commitments").send().await.json()["commitment"].clone();
    let ana = json!({"players": 2, "name": "Ana", "first_seat": 0, "commitment": promise, "client_seed": seeds[0]});
    let ana = site.open(ana).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo", "client_seed": seeds[1]})).await;
    let cookie = enter(&site, &ana, None).await;
    enter(&site, &bo, Some(&cookie)).await;
    let offer = site.view(&ana).await["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(site.act(&ana, &offer, 0).await.status, 200);
    let view = site.view(&ana).await;
    let bid = format!("{}@1", view["hand"][0]);
    assert_eq!(site.act(&ana, &bid, 1).await.status, 200);
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&cookie).send().await.text;
    let hands = [site.view(&ana).await["hand"].clone(), site.view(&bo).await["hand"].clone()];
    (page, hands)
}

#[tokio::test]
async fn curtain_page_does_not_depend_on_hidden_cards() {
    let players = Players::new(2).unwrap();
    let seeds = ["a", "b"].map(|seed| ClientSeed::try_from(seed.to_owned()).unwrap());
    let [one, two] = indistinguishable_seeds(players, &seeds, Observer::Public);
    let (here, hands) = curtain(one, &seeds).await;
    let (there, others) = curtain(two, &seeds).await;
    assert!(hands[0] != others[0] && hands[1] != others[1]);
    assert!(here.contains("id=\"curtain\"") && here.contains("<b>Bo</b>"));
    assert_eq!(here, there);
}
