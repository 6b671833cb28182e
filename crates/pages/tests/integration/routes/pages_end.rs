//! `/t/{id}` of a finished game, `/t/{id}/rematch`, `/t/{id}/record.sultan.json`, `/t/{id}/verify`, and the curtain.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sultan_table::Settings;
use sultan_table::domain::{ClientSeed, Observer, Players, ServerSeed};
use sultan_testkit::{FakeTime, indistinguishable_seeds, record_faults};
use sultan_text::Lang;

use crate::site::{self, Answer, SeatedPlayer, Site, Translations, main_element, unlimited_config};

/// Opens a player's secret link with a browser's cookie, or as a new browser. Returns the browser's cookie.
async fn open_link(site: &Site, player: &SeatedPlayer, cookie: Option<&str>) -> String {
    let request = site.get(&format!("/t/{}/in/{}", player.table, player.token));
    let answer = if let Some(cookie) = cookie { request.cookie(cookie) } else { request }.send().await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Sends a form like a browser on this site.
async fn send_form(site: &Site, path: &str, cookie: &str, form: &str) -> Answer {
    let request = site.post(path).cookie(cookie).header("sec-fetch-site", "same-origin");
    request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}

/// Plays a game of one person and bots to its end. Returns the person's seat and the last view.
async fn finished_game(site: &Site, players: u64) -> (SeatedPlayer, Value) {
    let bots: Vec<Value> = (1..players).map(|_| json!({"bot": "merchant"})).collect();
    let seats = [vec![json!({"human": true})], bots].concat();
    let ana = site.open(json!({"players": players, "seats": seats, "name": "Ana"})).await;
    let view = site.play_out(std::slice::from_ref(&ana)).await;
    (ana, view)
}

/// The value of the first attribute with this name.
fn attribute<'a>(html: &'a str, name: &str) -> &'a str {
    let start = html.find(&format!("{name}=\"")).unwrap_or_else(|| panic!("{name}: {html}")) + name.len() + 2;
    html[start..].split('"').next().unwrap()
}

/// The places on the page, each as seat, rank and points.
fn places(page: &str) -> Vec<[u64; 3]> {
    let number = |html: &str, name| attribute(html, name).parse().unwrap();
    let articles = page.split("<article class=\"tally").skip(1);
    articles.map(|html| ["data-seat", "data-rank", "data-points"].map(|name| number(html, name))).collect()
}

#[tokio::test]
async fn points_on_the_page_match_the_game() {
    let site = site::new().await;
    for players in 2..=5 {
        let (ana, view) = finished_game(&site, players).await;
        let cookie = open_link(&site, &ana, None).await;
        let path = format!("/t/{}", ana.table);
        // For a spectator, and for the player.
        for request in [site.get(&path), site.get(&path).cookie(&cookie)] {
            let page = request.send().await;
            assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
            let mut shown = places(&page.text);
            assert!(shown.is_sorted_by_key(|place| place[1]), "{shown:?}");
            shown.sort_unstable();
            let final_places = view["final"].as_array().unwrap();
            let place = |json: &Value| ["seat", "rank", "points"].map(|field| json[field].as_u64().unwrap());
            assert_eq!(shown, final_places.iter().map(place).collect::<Vec<_>>());
            for (place, html) in final_places.iter().zip(articles_by_seat(&page.text)) {
                // The lines of all colours, with their bonus, sum up to the total.
                let lines = html.split("class=\"num\"><span aria-hidden=\"true\">").skip(1);
                let lines: Vec<u64> = lines.map(|line| line.split('<').next().unwrap().parse().unwrap()).collect();
                assert_eq!((lines.len(), lines.iter().sum::<u64>()), (5, place["points"].as_u64().unwrap()), "{html}");
            }
        }
    }
}

/// The article with the scoring of each seat, in the order of the seats.
fn articles_by_seat(page: &str) -> Vec<&str> {
    let mut articles: Vec<&str> =
        page.split("<article").skip(1).map(|html| html.split("</article>").next().unwrap()).collect();
    articles.sort_by_key(|html| attribute(html, "data-seat").to_owned());
    articles
}

#[tokio::test]
async fn end_and_verification_pages_render_in_every_language() {
    let site = site::new().await;
    let (ana, _) = finished_game(&site, 3).await;
    let cookie = open_link(&site, &ana, None).await;
    for path in ["", "/verify"] {
        let mut translations = Translations::default();
        for lang in Lang::ALL.map(Lang::code) {
            let request = site.get(&format!("/t/{}{path}", ana.table)).cookie(&cookie).header("accept-language", lang);
            let page = request.send().await;
            assert_eq!(page.status, 200);
            assert!(page.text.contains(&format!("<html lang=\"{lang}\"")));
            let has_inline_code = page.text.contains("style=\"") || page.text.contains("<script>");
            assert!(!has_inline_code, "the content security policy forbids inline styles and scripts");
            translations.add(lang, main_element(&page.text));
        }
    }
}

#[tokio::test]
async fn record_and_verification_before_the_end_are_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = open_link(&site, &ana, None).await;
    let record_path = format!("/t/{}/record.sultan.json", ana.table);
    let verify_path = format!("/t/{}/verify", ana.table);
    for path in [&record_path, &verify_path] {
        for request in [site.get(path), site.get(path).cookie(&cookie), site.get(path).token(&ana.token)] {
            let rejected = request.send().await;
            assert_eq!((rejected.status, rejected.header("content-type")), (403, "text/html; charset=utf-8"));
            assert!(rejected.text.contains("That opens when the game is over."));
        }
    }
    site.play_out(&[ana.clone(), bo]).await;
    let record = site.get(&record_path).send().await;
    assert_eq!((record.status, record.header("content-type")), (200, "application/json"));
    assert_eq!(record.header("content-disposition"), format!("attachment; filename=\"{}.sultan.json\"", ana.table));
    assert_eq!(record_faults(&record.text), Vec::<String>::new());
    let page = site.get(&verify_path).send().await;
    assert_eq!(page.status, 200);
    assert_eq!(attribute(&page.text, "data-commitment"), record.json()["commitment"]);
    assert!(page.text.contains("sultan verify") && page.text.contains("<noscript>"));
    // The page has the places, which the script compares with its own result.
    for place in site.view(&ana).await["final"].as_array().unwrap() {
        let row = format!(
            "data-seat=\"{}\" data-points=\"{}\" data-rank=\"{}\"",
            place["seat"], place["points"], place["rank"]
        );
        assert!(page.text.contains(&row), "{row}: {}", page.text);
    }
    for path in ["/t/000000000000/record.sultan.json", "/t/000000000000/verify"] {
        assert_eq!(site.get(path).send().await.status, 404);
    }
}

#[tokio::test]
async fn rematch_is_requested_from_the_page() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let [ana_cookie, bo_cookie] = [open_link(&site, &ana, None).await, open_link(&site, &bo, None).await];
    let path = format!("/t/{}/rematch", ana.table);
    assert_eq!(send_form(&site, &path, &ana_cookie, "").await.status, 409, "a rematch before the end of the game");
    site.play_out(&[ana.clone(), bo.clone()]).await;
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&ana_cookie).send().await;
    assert_eq!(attribute(page.text.split("id=\"triumph\"").nth(1).unwrap(), "action"), format!("{path}?seat=0"));
    // Spectators and other sites may not open a rematch.
    assert_eq!(site.post(&path).send().await.status, 401);
    let cross_site = site.post(&path).cookie(&ana_cookie).header("sec-fetch-site", "cross-site");
    assert_eq!(cross_site.send().await.status, 403);
    assert_eq!(send_form(&site, &path, &ana_cookie, "commitment=x").await.status, 422);
    let commitment = site.post("/api/v1/commitments").send().await.json()["commitment"].as_str().unwrap().to_owned();
    let fields = format!("client_seed=a&commitment={commitment}");
    let opened = send_form(&site, &format!("{path}?seat=0"), &ana_cookie, &fields).await;
    assert_eq!(opened.status, 303, "{}", opened.text);
    let rematch = opened.header("location").strip_prefix("/t/").unwrap().to_owned();
    let view = site.get(&format!("/api/v1/tables/{rematch}")).send().await.json();
    assert_eq!((&view["phase"], &view["commitment"]), (&json!("waiting"), &json!(commitment)));
    // The other player sees the request, above everything else, and a button to agree. The script notes the commitment.
    let request = async |cookie: &str| {
        let page = site.get(&format!("/t/{}", ana.table)).cookie(cookie).send().await.text;
        main_element(&page).split("id=\"triumph\"").next().unwrap().to_owned()
    };
    let asked = request(&bo_cookie).await;
    assert!(asked.contains("Ana wants to play again.") && asked.contains("I am in"), "{asked}");
    assert_eq!(attribute(&asked, "action"), format!("{path}?seat=1"));
    assert_eq!(attribute(&asked, "data-commitment"), commitment);
    // The player who has asked, and spectators, see a link to the rematch.
    for cookie in [&*ana_cookie, ""] {
        let link = request(cookie).await;
        assert!(link.contains(&format!("href=\"/t/{rematch}\"")) && !link.contains("<form"), "{link}");
    }
    // All seats are kept, so the game does not wait for a free seat. Only players who have agreed count.
    let page = site.get(&format!("/t/{rematch}")).cookie(&ana_cookie).send().await.text;
    assert!(page.contains("1 of 2 seats taken") && page.contains("as soon as everybody has said yes"), "{page}");
    assert!(!page.contains("when the last seat is taken"), "{page}");
    // In the lobby, the form to agree adds a client seed. Ana has added her seed when she opened the rematch.
    let seat_form = async |cookie: &str, seat: u8| {
        let page = site.get(&format!("/t/{rematch}")).cookie(cookie).send().await.text;
        page.split(&format!("id=\"seat-form-{seat}\"")).nth(1).unwrap().split('>').next().unwrap().to_owned()
    };
    assert!(seat_form(&bo_cookie, 1).await.contains("data-seed"));
    assert!(!seat_form(&ana_cookie, 0).await.contains("data-seed"));
    // Bo agrees with one tap on the end page: the game starts.
    let agreed = send_form(&site, &format!("{path}?seat=1"), &bo_cookie, "client_seed=b").await;
    assert_eq!((agreed.status, agreed.header("location")), (303, &*format!("/t/{rematch}")), "{}", agreed.text);
    let started = request(&bo_cookie).await;
    assert!(started.contains("Go to the rematch") && !started.contains("<form"), "{started}");
    let players = [ana, bo].map(|player| SeatedPlayer { table: rematch.clone(), ..player });
    site.play_out(&players).await;
    let record = site.get(&format!("/t/{rematch}/record.sultan.json")).send().await.json();
    assert_eq!(record["client_seeds"], json!(["a", "b"]));
}

#[tokio::test]
async fn picture_of_the_result_is_public_only_after_the_end() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let path = format!("/t/{}/result.svg", ana.table);
    let early = site.get(&path).send().await;
    assert!(early.status == 403 && early.text.contains("That opens when the game is over."), "{}", early.text);
    site.play_out(&[ana.clone(), bo]).await;
    let picture = site.get(&path).send().await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/svg+xml"));
    for place in site.view(&ana).await["final"].as_array().unwrap() {
        assert!(picture.text.contains(&format!(">{}</text>", place["points"])), "{}", picture.text);
    }
    let page = site.get(&format!("/t/{}", ana.table)).send().await.text;
    let link = format!("http://sultan.example/t/{}", ana.table);
    assert!(page.contains(&format!("data-copy=\"{link}\"")) && page.contains(&format!("data-share=\"{link}\"")));
    assert!(page.contains(&format!("href=\"{path}\" download=\"{}.svg\"", ana.table)), "{page}");
    assert_eq!(site.get("/t/000000000000/result.svg").send().await.status, 404);
}

#[tokio::test]
async fn links_have_a_preview_image() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2})).await;
    let lobby = site.get(&format!("/t/{}", ana.table)).send().await.text;
    for property in ["og:title", "og:description", "og:image"] {
        assert!(lobby.contains(&format!("property=\"{property}\"")), "{property}");
    }
    let image = attribute(lobby.split("og:image").nth(1).unwrap(), "content");
    let path = image.strip_prefix("http://sultan.example").expect("the address is absolute");
    let answer = site.get(path).begin().await;
    assert_eq!((answer.status().as_u16(), &answer.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
}

#[tokio::test]
async fn players_sharing_a_browser_request_a_rematch_together() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = open_link(&site, &ana, None).await;
    open_link(&site, &bo, Some(&cookie)).await;
    site.play_out(&[ana.clone(), bo]).await;
    let opened = send_form(&site, &format!("/t/{}/rematch?seat=0", ana.table), &cookie, "client_seed=a").await;
    let rematch = opened.header("location").strip_prefix("/t/").unwrap();
    let view = site.get(&format!("/api/v1/tables/{rematch}")).send().await.json();
    assert_eq!((&view["phase"], &view["first_seat"]), (&json!("offer"), &json!(1)), "the rematch has not started");
    assert!(site.get(&format!("/t/{rematch}")).cookie(&cookie).send().await.text.contains("id=\"curtain\""));
}

#[tokio::test]
async fn curtain_separates_the_turns_of_people_sharing_a_browser() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let cookie = open_link(&site, &ana, None).await;
    let page = async |query: &str| site.get(&format!("/t/{}{query}", ana.table)).cookie(&cookie).send().await.text;
    assert!(page("").await.contains("id=\"own\""), "a browser with one seat gets a curtain");
    open_link(&site, &bo, Some(&cookie)).await;
    let curtain = page("").await;
    assert!(curtain.contains("id=\"curtain\"") && curtain.contains("<b>Ana</b>") && curtain.contains("?seat=0\""));
    assert!(!curtain.contains("name=\"card\"") && !curtain.contains("id=\"own\""));
    assert!(page("?seat=1").await.contains("?seat=0\""), "no curtain for the seat that is not to act");
    assert!(page("?seat=0").await.contains("id=\"table\""));
    let offer = site.view(&ana).await["legal"][0].as_str().unwrap().to_owned();
    let acted =
        send_form(&site, &format!("/t/{}/act?seat=0", ana.table), &cookie, &format!("offer={offer}&at=0")).await;
    assert_eq!(acted.status, 303);
    // Ana also bids first. Then the curtain names Bo, even if the address names Ana's seat.
    assert!(page("?seat=0").await.contains("id=\"table\""));
    let bid = site.view(&ana).await["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(site.act(&ana, &bid, 1).await.status, 200);
    for query in ["", "?seat=0"] {
        let curtain = page(query).await;
        assert!(curtain.contains("id=\"curtain\"") && curtain.contains("<b>Bo</b>"), "{curtain}");
    }
    site.play_out(&[ana.clone(), bo]).await;
    assert!(page("").await.contains("id=\"end\""));
}

/// With two players, the last bidder of a round makes the next offer. All at the device see the result before that,
/// without any hand, also without a script.
#[tokio::test]
async fn curtain_with_the_result_falls_after_each_round() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "Ana", "first_seat": 0})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let cookie = open_link(&site, &ana, None).await;
    open_link(&site, &bo, Some(&cookie)).await;
    let page = async |query: &str| site.get(&format!("/t/{}{query}", ana.table)).cookie(&cookie).send().await.text;
    for (player, at) in [&ana, &ana, &bo, &ana].into_iter().zip(0..) {
        let action = site.view(player).await["legal"][0].as_str().unwrap().to_owned();
        assert_eq!(site.act(player, &action, at).await.status, 200);
    }
    let bids = page("?seat=1").await;
    assert!(bids.contains("id=\"table\" class=\"shared\"") && bids.contains("data-look=\"Everyone look!\""));
    // Bo makes the last bid of the round with the form.
    let bid = site.view(&bo).await["legal"][0].as_str().unwrap().replace('@', "&cushion=");
    let path = format!("/t/{}/act?seat=1", ana.table);
    let answer = send_form(&site, &path, &cookie, &format!("card={bid}&at=4")).await;
    assert_eq!((answer.status, answer.header("location")), (303, &*format!("/t/{}?seat=1", ana.table)));
    for query in ["?seat=1", "?seat=0", "", "?seat=1&after=1.2", "?seat=1&after=%22%0d"] {
        let curtain = page(query).await;
        assert!(curtain.contains("id=\"curtain\"") && curtain.contains("<b>Bo</b>"), "{query}: {curtain}");
        assert!(curtain.contains("class=\"carpet revealed\"") && curtain.contains("The previous round"), "{curtain}");
        assert!(!curtain.contains("name=\"card\"") && !curtain.contains("id=\"own\""), "{curtain}");
    }
    let lifted = format!("/t/{}?seat=1&amp;after=1.1", ana.table);
    assert_eq!(attribute(page("").await.split("id=\"lift\"").nth(1).unwrap(), "href"), lifted);
    let table = page("?seat=1&after=1.1").await;
    assert!(table.contains("id=\"own-hand\"") && table.contains("/act?seat=1&amp;after=1.1\""), "{table}");
}

#[tokio::test]
async fn shared_browser_shows_the_public_view_during_bot_turns() {
    // The bot's turn does not end during the test.
    let settings = Settings { bot_pause: std::time::Duration::from_hours(1), ..Settings::default() };
    let site = site::with_settings(settings, unlimited_config()).await;
    let seats = [json!({"human": true}), json!({"human": true}), json!({"bot": "page"})];
    let ana = site.open(json!({"players": 3, "seats": seats, "first_seat": 2, "name": "Ana"})).await;
    let cookie = open_link(&site, &ana, None).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    open_link(&site, &bo, Some(&cookie)).await;
    let path = format!("/t/{}", ana.table);
    let shared = site.get(&path).cookie(&cookie).send().await.text;
    assert!(shared.contains("id=\"wait\"") && shared.contains("id=\"table\"") && !shared.contains("data-seat="));
    let spectator = site.get(&path).send().await.text;
    // Except for the links to its seats, a shared browser gets the page of a spectator.
    let (before_links, links_and_rest) = shared.split_once("<details class=\"shared-wait\"").unwrap();
    let (_, after_links) = links_and_rest.split_once("</details>").unwrap();
    assert_eq!(format!("{before_links}{after_links}"), spectator);
}

/// The curtain before the second player's first bid, at a table with these seeds, and the hands of both players.
async fn curtain_and_hands(server_seed: ServerSeed, client_seeds: &[ClientSeed]) -> (String, [Value; 2]) {
    let settings = FakeTime::default().settings(1);
    let (other_bytes, is_first) = (Arc::clone(&settings.random_bytes), AtomicBool::new(true));
    // The server seed is the first secret that the server draws.
    let random_bytes = move || if is_first.swap(false, Ordering::Relaxed) { server_seed.0 } else { other_bytes() };
    let settings = Settings { random_bytes: Arc::new(random_bytes), ..settings };
    let site = site::with_settings(settings, unlimited_config()).await;
    let commitment = site.post("/api/v1/commitments").send().await.json()["commitment"].clone();
    let ana = site
        .open(json!({
            "players": 2, "name": "Ana", "first_seat": 0, "commitment": commitment, "client_seed": client_seeds[0],
        }))
        .await;
    let bo = site.sit(&ana.table, json!({"name": "Bo", "client_seed": client_seeds[1]})).await;
    let cookie = open_link(&site, &ana, None).await;
    open_link(&site, &bo, Some(&cookie)).await;
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
    let client_seeds = ["a", "b"].map(|seed| ClientSeed::try_from(seed.to_owned()).unwrap());
    // Two server seeds that differ only in information hidden from spectators.
    let [first_seed, second_seed] = indistinguishable_seeds(players, &client_seeds, Observer::Public);
    let (first_curtain, first_hands) = curtain_and_hands(first_seed, &client_seeds).await;
    let (second_curtain, second_hands) = curtain_and_hands(second_seed, &client_seeds).await;
    assert!(first_hands[0] != second_hands[0] && first_hands[1] != second_hands[1]);
    assert!(first_curtain.contains("id=\"curtain\"") && first_curtain.contains("<b>Bo</b>"));
    assert_eq!(first_curtain, second_curtain);
}
