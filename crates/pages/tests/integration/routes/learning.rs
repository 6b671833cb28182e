//! `/rules` and `/learn`: the rules with the numbers from the code in every language, and the start of a guided first
//! game.

use sultan_table::domain::{Jewel, Parameters, Players};
use sultan_text::Lang;

use crate::site::{self, Answer, Site, Translations};

/// The page at a path in a language.
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
    let without_tags = |content: &str| {
        let parts = content.split('<').enumerate();
        parts.map(|(index, part)| if index == 0 { part } else { part.split_once('>').unwrap().1 }).collect::<String>()
    };
    let elements = html.split(&open).skip(1).filter(|part| part.starts_with([' ', '>']));
    elements.map(|part| without_tags(part.split(&close).next().unwrap().split_once('>').unwrap().1)).collect()
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
            let expected = [
                parameters.cushions.into(),
                parameters.draw_size().into(),
                parameters.full_set().len(),
                parameters.highest_card.into(),
                parameters.hand_size().into(),
                parameters.bids_per_player.into(),
                parameters.rounds_per_stage.into(),
                parameters.rounds().into(),
            ];
            let shown: Vec<u32> = rows.iter().map(|row| row[column].parse().unwrap()).collect();
            assert_eq!(shown, expected, "{lang}, {players} players");
        }
        let [jewels, points] = ["jewels", "points"].map(|id| texts(part(&html, id, "</ul>"), "b").join(" "));
        // The jewels and their values are the same for every number of players.
        let parameters = Parameters::of(Players::FOUR);
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
            let from_first_digit = text.chars().skip_while(|character| !character.is_ascii_digit());
            let digits: String = from_first_digit.take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        // The first three `th` elements are the headings of the columns.
        let bonuses: Vec<u16> = texts(table, "th").iter().skip(3).map(|text| text.parse().unwrap()).collect();
        assert_eq!(bonuses, [2, 5, 10, 20], "{lang}");
        // Each row has the number of jewels that the bonus needs, for more than two players and for two.
        let jewel_counts: Vec<u8> = texts(table, "td").iter().map(first_number).collect();
        for (row, bonus) in jewel_counts.chunks(2).zip(bonuses) {
            for players in Players::ALL {
                let parameters = Parameters::of(players);
                let count = if players.count() == 2 { row[1] } else { row[0] };
                assert_eq!(parameters.bonus(count), bonus, "{lang}, {players} players");
                assert!(parameters.bonus(count - 1) < bonus, "{lang}, {players} players");
            }
        }
        // The example of RULES 5.6: the last two cells are the total points and the total bonus.
        let counted = texts(part(&html, "counted", "</table>"), "td");
        assert_eq!(counted[counted.len() - 2..], ["18", "+12"], "{lang}");
        // With two players the bonus is only 5.
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
        for link in main.split("href=\"#").skip(1).map(|link| link.split('"').next().unwrap()) {
            assert!(html.contains(&format!("id=\"{link}\"")), "{lang}: no element has the id of the link #{link}");
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
    let form = |from_site| {
        let request = site.post("/learn").header("content-type", "application/x-www-form-urlencoded");
        request.header("sec-fetch-site", from_site)
    };
    let opened = form("same-origin").send().await;
    assert_eq!(opened.status, 303);
    let cookie = opened.header("set-cookie").split(';').next().unwrap().to_owned();
    let table = opened.header("location").strip_prefix("/t/").unwrap().to_owned();
    let view = site.get(&format!("/api/v1/tables/{table}")).cookie(&cookie).send().await.json();
    assert_eq!((&view["guided"], &view["seat"], &view["to_act"]), (&true.into(), &0.into(), &0.into()));
    // A second guided game of the same browser has the same deal.
    let opened_again = form("same-origin").cookie(&cookie).send().await;
    let second_table = opened_again.header("location").strip_prefix("/t/").unwrap().to_owned();
    assert_ne!(second_table, table);
    let second_view = site.get(&format!("/api/v1/tables/{second_table}")).cookie(&cookie).send().await.json();
    assert_eq!((&second_view["hand"], &second_view["drawn"]), (&view["hand"], &view["drawn"]));
    let cross_site = form("cross-site").send().await;
    assert_eq!(cross_site.status, 403);
}

#[tokio::test]
async fn api_opens_guided_games_only_with_three_players() {
    let site = site::new().await;
    let ana = site.open(serde_json::json!({"players": 3, "guided": true, "name": "Ana"})).await;
    assert_eq!(site.view(&ana).await["guided"], true);
    let four_players = serde_json::json!({"players": 4, "guided": true});
    site.post("/api/v1/tables").json(&four_players).send().await.assert_problem(422, "table/bad");
}

#[tokio::test]
async fn guide_explains_the_score_at_the_end() {
    let site = site::new().await;
    let ana = site.open(serde_json::json!({"players": 3, "guided": true, "name": "Ana"})).await;
    let view = site.play_out(std::slice::from_ref(&ana)).await;
    let request = || site.get(&format!("/t/{}", ana.table));
    let end = request().token(&ana.token).send().await.text;
    let guide = part(&end, "guide", "</section>");
    let points = &view["final"][0]["points"];
    assert!(guide.contains("The screens are open:") && guide.contains(&format!("that makes {points}.")), "{guide}");
    assert!(!request().send().await.text.contains("id=\"guide\""), "a spectator sees the guide");
}

#[tokio::test]
async fn rules_begin_with_five_lines_in_every_language() {
    let site = site::new().await;
    let mut translations = Translations::default();
    for lang in Lang::ALL.map(Lang::code) {
        let html = site.get("/rules").header("accept-language", lang).send().await.text;
        let (summary, _) = html.split_once("id=\"contents\"").unwrap();
        let lines = summary.split_once("<ol class=\"plain\">").unwrap().1;
        assert_eq!(lines.matches("<li>").count(), 5, "{lang}: {lines}");
        assert!(lines.contains("+20") && !lines.contains('{'), "{lang}: {lines}");
        translations.add(lang, lines);
    }
}
