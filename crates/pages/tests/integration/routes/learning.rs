//! `/rules` and `/learn`: the rules with the numbers from the code in every language, and the start of a guided first
//! game.

use sultan_table::domain::{Jewel, Parameters, Players};
use sultan_text::Lang;

use crate::site::{self, Answer, Site};

async fn page(site: &Site, path: &str, lang: &str) -> Answer {
    let answer = site.get(path).header("accept-language", lang).send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"), "{lang}");
    assert!(answer.text.contains(&format!("<html lang=\"{lang}\"")), "{lang}");
    answer
}

/// The part of a page from an id to the end of its element.
fn part<'a>(html: &'a str, id: &str, end: &str) -> &'a str {
    let start = html.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"));
    html[start..].split(end).next().unwrap()
}

/// The texts of all elements with this name, without nested tags.
fn texts(html: &str, element: &str) -> Vec<String> {
    let (open, close) = (format!("<{element}"), format!("</{element}>"));
    let plain = |inner: &str| {
        let parts = inner.split('<').enumerate();
        parts.map(|(index, part)| if index == 0 { part } else { part.split_once('>').unwrap().1 }).collect::<String>()
    };
    let inner = html.split(&open).skip(1).filter(|part| part.starts_with([' ', '>']));
    inner.map(|part| plain(part.split(&close).next().unwrap().split_once('>').unwrap().1)).collect()
}

#[tokio::test]
async fn rules_page_shows_the_parameters_of_each_number_of_players() {
    let site = site::new().await;
    for lang in Lang::ALL.map(Lang::code) {
        let html = page(&site, "/rules", lang).await.text;
        let cells = texts(part(&html, "numbers", "</table>"), "td");
        let rows: Vec<_> = cells.chunks(Players::ALL.len()).collect();
        for (column, players) in Players::ALL.into_iter().enumerate() {
            let parameters = Parameters::of(players);
            let wanted = [
                parameters.cushions.into(),
                parameters.draw().into(),
                parameters.full_set().len(),
                parameters.highest_card.into(),
                parameters.hand().into(),
                parameters.bids_per_round.into(),
                parameters.rounds_per_stage.into(),
                parameters.rounds().into(),
            ];
            let shown: Vec<u32> = rows.iter().map(|row| row[column].parse().unwrap()).collect();
            assert_eq!(shown, wanted, "{lang}, {players} players");
        }
        let [jewels, points] = ["jewels", "points"].map(|id| texts(part(&html, id, "</ul>"), "b").join(" "));
        let parameters = Parameters::of(Players::ALL[2]);
        assert_eq!(jewels, Jewel::ALL.map(|jewel| parameters.pouch.count(jewel).to_string()).join(" "), "{lang}");
        assert_eq!(points, Jewel::ALL.map(|jewel| jewel.points().to_string()).join(" "), "{lang}");
    }
}

#[tokio::test]
async fn bonus_table_shows_the_bonuses_for_two_and_more_players() {
    let site = site::new().await;
    for lang in Lang::ALL.map(Lang::code) {
        let html = page(&site, "/rules", lang).await.text;
        let table = part(&html, "bonuses", "</table>");
        let first_number = |text: &String| -> u8 {
            let from_number = text.chars().skip_while(|sign| !sign.is_ascii_digit());
            let digits: String = from_number.take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        let bonuses: Vec<u16> = texts(table, "th").iter().skip(3).map(|text| text.parse().unwrap()).collect();
        assert_eq!(bonuses, [2, 5, 10, 20], "{lang}");
        let needed: Vec<u8> = texts(table, "td").iter().map(first_number).collect();
        for (row, bonus) in needed.chunks(2).zip(bonuses) {
            for players in Players::ALL {
                let parameters = Parameters::of(players);
                let count = if players.count() == 2 { row[1] } else { row[0] };
                assert_eq!(parameters.bonus(count), bonus, "{lang}, {players} players");
                assert!(parameters.bonus(count - 1) < bonus, "{lang}, {players} players");
            }
        }
        // RULES 5.6
        let counted = texts(part(&html, "counted", "</table>"), "td");
        assert_eq!(counted[counted.len() - 2..], ["18", "12"], "{lang}");
        assert!(html.contains("18 + 5 = 23"), "{lang}");
    }
}

#[tokio::test]
async fn rules_page_has_the_same_headings_and_anchors_in_all_languages() {
    let site = site::new().await;
    let headings = |html: &str| ["<h1", "<h2", "<h3", "<dt", "<th", "<figure"].map(|tag| html.matches(tag).count());
    let english = page(&site, "/rules", "en").await.text;
    for lang in Lang::ALL.map(Lang::code) {
        let html = page(&site, "/rules", lang).await.text;
        assert_eq!(headings(&html), headings(&english), "{lang}");
        assert!(!html.contains("style=\"") && !html.contains("onclick"), "{lang}");
        let main = html.split("<main").nth(1).unwrap();
        for link in main.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(html.contains(&format!("id=\"{link}\"")), "{lang}: #{link} leads nowhere");
        }
    }
    for anchor in ["round", "two", "end", "example", "knowledge", "faq", "here", "fair"] {
        assert!(english.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
}

#[tokio::test]
async fn guided_game_starts_with_one_button() {
    let site = site::new().await;
    for lang in Lang::ALL.map(Lang::code) {
        let html = page(&site, "/learn", lang).await.text;
        assert!(html.contains("<form method=\"post\" action=\"/learn\">"), "{lang}");
    }
    // A form without fields, as a browser sends it.
    let send = |from| {
        let form = site.post("/learn").header("content-type", "application/x-www-form-urlencoded");
        form.header("sec-fetch-site", from)
    };
    let begun = send("same-origin").send().await;
    assert_eq!(begun.status, 303);
    let cookie = begun.header("set-cookie").split(';').next().unwrap().to_owned();
    let table = begun.header("location").strip_prefix("/t/").unwrap().to_owned();
    let view = site.get(&format!("/api/v1/tables/{table}")).cookie(&cookie).send().await.json();
    assert_eq!((&view["guided"], &view["seat"], &view["to_act"]), (&true.into(), &0.into(), &0.into()));
    // A second guided game of the same browser has the same deal.
    let again = send("same-origin").cookie(&cookie).send().await;
    let other = again.header("location").strip_prefix("/t/").unwrap().to_owned();
    assert_ne!(other, table);
    let second = site.get(&format!("/api/v1/tables/{other}")).cookie(&cookie).send().await.json();
    assert_eq!((&second["hand"], &second["drawn"]), (&view["hand"], &view["drawn"]));
    let foreign = send("cross-site").send().await;
    assert_eq!(foreign.status, 403);
}

#[tokio::test]
async fn api_opens_guided_games() {
    let site = site::new().await;
    let own = site.open(serde_json::json!({"players": 3, "guided": true, "name": "Ana"})).await;
    assert_eq!(site.view(&own).await["guided"], true);
    let wrong = serde_json::json!({"players": 4, "guided": true});
    site.post("/api/v1/tables").json(&wrong).send().await.assert_problem(422, "table/bad");
}

#[tokio::test]
async fn guide_explains_the_score_at_the_end() {
    let site = site::new().await;
    let own = site.open(serde_json::json!({"players": 3, "guided": true, "name": "Ana"})).await;
    let view = site.play_out(std::slice::from_ref(&own)).await;
    let ask = || site.get(&format!("/t/{}", own.table));
    let end = ask().token(&own.token).send().await.text;
    let guide = part(&end, "guide", "</section>");
    let points = &view["final"][0]["points"];
    assert!(guide.contains("The screens are open:") && guide.contains(&format!("that makes {points}.")), "{guide}");
    assert!(!ask().send().await.text.contains("id=\"guide\""), "only the player is helped");
}
