//! The forms about a whole game: pause, let a bot play the rest, leave. All without a script.

use serde_json::json;

use super::home::{cookies, form, table, view};
use crate::site::{self, Site};

/// Starts a game against one bot. Returns the table and the cookies of the browser.
async fn play_alone(site: &Site) -> (String, String) {
    let answer = form(site, "/play", &[("bots", "1"), ("level", "merchant"), ("name", "Ana")]).send().await;
    (table(&answer), cookies(&answer))
}

/// The page at a path, as this browser sees it.
async fn page(site: &Site, path: &str, cookies: &str) -> String {
    let answer = site.get(path).cookie(cookies).send().await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.text
}

/// Sends a form of a browser, and returns the address that it is redirected to.
async fn send(site: &Site, path: &str, fields: &[(&str, &str)], cookies: &str) -> String {
    let answer = form(site, path, fields).cookie(cookies).send().await;
    assert_eq!(answer.status, 303, "{path}: {}", answer.text);
    answer.header("location").to_owned()
}

/// The position of the first of these words in a page.
#[track_caller]
fn position(page: &str, word: &str) -> usize {
    page.find(word).unwrap_or_else(|| panic!("no {word} in {page}"))
}

#[tokio::test]
async fn game_against_bots_can_be_paused_and_resumed_at_the_table_and_on_the_home_page() {
    let site = site::new().await;
    let (table, ana) = play_alone(&site).await;
    let (table_path, pause, resume) =
        (format!("/t/{table}"), format!("/t/{table}/pause"), format!("/t/{table}/resume"));
    let home = page(&site, "/", &ana).await;
    assert!(position(&home, &pause) < position(&home, "action=\"/play\""), "a running game is the first thing");
    assert!(page(&site, &table_path, &ana).await.contains(&format!("action=\"{pause}\"")));
    assert_eq!(send(&site, &pause, &[("seat", "0")], &ana).await, table_path);
    assert_eq!(view(&site, &table, &ana).await["paused"], true);
    let paused = page(&site, &table_path, &ana).await;
    assert!(paused.contains("The game is paused.") && paused.contains("data-turn=\"false\""), "{paused}");
    let home = page(&site, "/", &ana).await;
    assert!(home.contains("Paused · Stage 1"), "{home}");
    assert!(home.contains(&format!("action=\"{resume}\"")) && !home.contains(&pause), "{home}");
    assert_eq!(send(&site, &resume, &[("seat", "0"), ("back", "home")], &ana).await, "/");
    assert!(view(&site, &table, &ana).await["paused"].is_null());
}

#[tokio::test]
async fn discarded_game_leads_to_a_new_one() {
    let site = site::new().await;
    let (table, ana) = play_alone(&site).await;
    let at_table = page(&site, &format!("/t/{table}"), &ana).await;
    let unfolds = position(&at_table, "<summary class=\"btn quiet\">");
    assert!(unfolds < position(&at_table, &format!("action=\"/t/{table}/leave\"")), "one tap leaves the game");
    assert!(at_table.contains("This cannot be undone."));
    let left = send(&site, &format!("/t/{table}/leave"), &[("seat", "0")], &ana).await;
    assert_eq!(left, format!("/?left={table}"));
    let home = page(&site, &left, &ana).await;
    assert!(position(&home, "How about a new one?") < position(&home, "action=\"/play\""), "{home}");
    assert!(position(&home, "action=\"/play\"") < position(&home, &format!("href=\"/t/{table}\"")), "{home}");
    // Other browsers, and other addresses, do not show the note.
    for (path, cookies) in [(left.as_str(), ""), ("/", &ana), ("/?left=x", &ana), ("/?left=000000000000", &ana)] {
        assert!(!page(&site, path, cookies).await.contains("How about a new one?"), "{path}");
    }
}

#[tokio::test]
async fn player_can_leave_to_a_bot_and_return() {
    let site = site::new().await;
    let host = site.open(json!({"players": 3, "name": "Ana", "stand_in": "merchant"})).await;
    site.sit(&host.table, json!({"name": "Bo"})).await;
    let cy = cookies(&form(&site, &format!("/t/{}/sit", host.table), &[("name", "Cy")]).send().await);
    let path = |route: &str| format!("/t/{}{route}", host.table);
    let at_table = page(&site, &path(""), &cy).await;
    // Only a game of one person can be paused. The table's stand-in plays, whatever the form says.
    assert!(!at_table.contains(&path("/pause")) && !at_table.contains("name=\"bot\""), "{at_table}");
    assert!(at_table.contains("The Merchant plays on in your place."), "{at_table}");
    assert_eq!(form(&site, &path("/pause"), &[]).cookie(&cy).send().await.status, 422);
    let seat_kind = async || view(&site, &host.table, &cy).await["seats"][2]["kind"].clone();
    assert_eq!(send(&site, &path("/fill"), &[("seat", "2")], &cy).await, path(""));
    assert_eq!(seat_kind().await, "stand-in:merchant");
    assert!(page(&site, "/", &cy).await.contains(&format!("action=\"{}\"", path("/return"))));
    assert_eq!(send(&site, &path("/return"), &[("seat", "2"), ("back", "home")], &cy).await, "/");
    assert_eq!(seat_kind().await, "human");
    let left = send(&site, &path("/leave"), &[("seat", "2")], &cy).await;
    let home = page(&site, &left, &cy).await;
    assert!(home.contains("You have left the table. The Merchant plays on for you."), "{home}");
    assert_eq!(seat_kind().await, "stand-in:merchant");
    // Another player's seat cannot be given away.
    assert_eq!(form(&site, &path("/fill"), &[("seat", "1")]).cookie(&cy).send().await.status, 403);
}
