//! `/t/{id}/hint` and `/t/{id}/holds`.

use serde_json::json;
use sultan_text::Lang;

use crate::site::{self, Ask, Own, Site, Told, main};

/// A table of two with a coach and open screens; seat 0 is first.
async fn coached(site: &Site) -> [Own; 2] {
    let table = json!({"players": 2, "name": "Ana", "first_seat": 0, "coach": true, "screens": "open"});
    let ana = site.open(table).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    [ana, bo]
}

fn form<'a>(site: &'a Site, own: &Own) -> Ask<'a> {
    let ask = site.post(&format!("/t/{}/hint", own.table)).token(&own.token);
    ask.header("content-type", "application/x-www-form-urlencoded")
}

#[tokio::test]
async fn coach_is_shown_only_on_tables_with_a_coach() {
    let site = site::new().await;
    let [ana, _] = coached(&site).await;
    let own = site.get(&format!("/t/{}", ana.table)).token(&ana.token).send().await.text;
    assert!(own.contains(&format!("action=\"/t/{}/hint\"", ana.table)));
    let spectator = site.get(&format!("/t/{}", ana.table)).send().await.text;
    assert!(spectator.contains("This table has a coach") && !spectator.contains("/hint\""));
    let [other, _] = site.two_player_table().await;
    let page = site.get(&format!("/t/{}", other.table)).token(&other.token).send().await.text;
    assert!(!page.contains("/hint\"") && !page.contains("has a coach"));
    let refused = form(&site, &other).send().await;
    assert_eq!(refused.status, 403);
    assert!(refused.text.contains("This table has no coach."));
}

#[tokio::test]
async fn hint_is_a_page_or_a_part_for_the_script() {
    let site = site::new().await;
    let [ana, bo] = coached(&site).await;
    assert_eq!(form(&site, &bo).send().await.status, 409, "not the other's turn");
    assert_eq!(site.post(&format!("/t/{}/hint", ana.table)).send().await.status, 401);
    let mut told = Told::default();
    for lang in Lang::ALL.map(Lang::code) {
        let page = form(&site, &ana).header("accept-language", lang).send().await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains(&format!("<html lang=\"{lang}\"")));
        told.add(lang, main(&page.text));
    }
    let part = form(&site, &ana).header("x-sultan", "live").send().await.text;
    assert!(part.starts_with("<div class=\"coach-said\">") && part.contains(" ±\u{a0}"), "{part}");
}

#[tokio::test]
async fn possible_hands_have_their_own_panel() {
    let site = site::new().await;
    let [ana, bo] = coached(&site).await;
    let ask = |own: &Own| {
        let ask = site.post(&format!("/t/{}/holds", own.table)).token(&own.token);
        ask.header("content-type", "application/x-www-form-urlencoded")
    };
    for own in [&ana, &bo] {
        let table = site.get(&format!("/t/{}", own.table)).token(&own.token).send().await.text;
        assert!(table.contains("id=\"ask-holds\""));
        // Also on the other player's turn.
        let page = ask(own).send().await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("<h1 id=\"main\"") && page.text.contains("class=\"holds\""));
        let part = ask(own).header("x-sultan", "live").send().await.text;
        assert!(part.starts_with("<div class=\"coach-said\">") && part.contains("<b>12 ×2</b>"), "{part}");
    }
    let closed = site.open(json!({"players": 2, "coach": true, "seats": [{"human": true}, {"bot": "page"}]})).await;
    let table = site.get(&format!("/t/{}", closed.table)).token(&closed.token).send().await.text;
    assert!(!table.contains("id=\"ask-holds\"") && table.contains("id=\"ask-coach\""));
    assert_eq!(ask(&closed).send().await.status, 403);
    assert_eq!(site.post(&format!("/t/{}/holds", ana.table)).send().await.status, 401);
}
