//! `/t/{id}/hint` and `/t/{id}/holds`.

use serde_json::json;
use sultan_text::Lang;

use crate::site::{self, PreparedRequest, SeatedPlayer, Site, Translations, main_element};

/// A table of two with a coach and open screens; seat 0 is first.
async fn coached(site: &Site) -> [SeatedPlayer; 2] {
    let table = json!({"players": 2, "name": "Ana", "first_seat": 0, "coach": true, "screens": "open"});
    let ana = site.open(table).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    [ana, bo]
}

/// An empty form sent to a route of the player's table, `hint` or `holds`.
fn form<'a>(site: &'a Site, player: &SeatedPlayer, route: &str) -> PreparedRequest<'a> {
    let request = site.post(&format!("/t/{}/{route}", player.table)).token(&player.token);
    request.header("content-type", "application/x-www-form-urlencoded")
}

#[tokio::test]
async fn coach_is_shown_only_on_tables_with_a_coach() {
    let site = site::new().await;
    let [ana, _] = coached(&site).await;
    let player = site.get(&format!("/t/{}", ana.table)).token(&ana.token).send().await.text;
    assert!(player.contains(&format!("action=\"/t/{}/hint\"", ana.table)));
    let spectator = site.get(&format!("/t/{}", ana.table)).send().await.text;
    assert!(spectator.contains("This table has a coach") && !spectator.contains("/hint\""));
    let [other, _] = site.two_player_table().await;
    let page = site.get(&format!("/t/{}", other.table)).token(&other.token).send().await.text;
    assert!(!page.contains("/hint\"") && !page.contains("has a coach"));
    let rejected = form(&site, &other, "hint").send().await;
    assert_eq!(rejected.status, 403);
    assert!(rejected.text.contains("This table has no coach."));
}

#[tokio::test]
async fn hint_is_a_page_or_for_scripts_the_content_of_a_dialog() {
    let site = site::new().await;
    let [ana, bo] = coached(&site).await;
    assert_eq!(form(&site, &bo, "hint").send().await.status, 409, "it is not the turn of this player");
    assert_eq!(site.post(&format!("/t/{}/hint", ana.table)).send().await.status, 401);
    let mut translations = Translations::default();
    for lang in Lang::ALL.map(Lang::code) {
        let page = form(&site, &ana, "hint").header("accept-language", lang).send().await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains(&format!("<html lang=\"{lang}\"")));
        translations.add(lang, main_element(&page.text));
    }
    let for_script = form(&site, &ana, "hint").header("x-sultan", "live").send().await.text;
    assert!(for_script.starts_with("<div class=\"coach-said\">") && for_script.contains(" ±\u{a0}"), "{for_script}");
}

#[tokio::test]
async fn possible_cards_are_shown_to_players_if_screens_are_open() {
    let site = site::new().await;
    let [ana, bo] = coached(&site).await;
    // Also to Bo, although it is Ana's turn.
    for player in [&ana, &bo] {
        let table = site.get(&format!("/t/{}", player.table)).token(&player.token).send().await.text;
        assert!(table.contains("id=\"ask-holds\""));
        let page = form(&site, player, "holds").send().await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("<h1 id=\"main\"") && page.text.contains("class=\"holds\""));
        let for_script = form(&site, player, "holds").header("x-sultan", "live").send().await.text;
        assert!(for_script.starts_with("<div class=\"coach-said\">"), "{for_script}");
        // In a game of two, each player has every card twice.
        assert!(for_script.contains("<b>12 ×2</b>"), "{for_script}");
    }
    // Screens are closed by default.
    let closed = site.open(json!({"players": 2, "coach": true, "seats": [{"human": true}, {"bot": "page"}]})).await;
    let table = site.get(&format!("/t/{}", closed.table)).token(&closed.token).send().await.text;
    assert!(!table.contains("id=\"ask-holds\"") && table.contains("id=\"ask-coach\""));
    assert_eq!(form(&site, &closed, "holds").send().await.status, 403);
    assert_eq!(site.post(&format!("/t/{}/holds", ana.table)).send().await.status, 401);
}
