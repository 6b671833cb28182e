//! The forms of a table.

use serde_json::json;

use super::page::{Page, post};
use super::render::open_table;
use crate::site::{self, SeatedPlayer, Site};

/// The form of an action as a page without a script sends it. `number` selects one of the choices on the page.
fn action_form(page: &Page, number: usize) -> String {
    let choice = |name: &str| {
        let choices = page.choices(name);
        choices[number % choices.len()].to_owned()
    };
    if page.phase() == "offer" {
        return format!("at={}&back={}", page.at(), choice("back"));
    }
    format!("at={}&card={}&cushion={}", page.at(), choice("card"), choice("cushion"))
}

/// The page that a player sees.
async fn page_of(site: &Site, player: &SeatedPlayer) -> Page {
    Page::of(site, Some(player), &player.table, "en").await
}

#[tokio::test]
async fn whole_game_can_be_played_by_forms() {
    let site = site::new().await;
    for player_count in 2..=5 {
        let players = open_table(&site, player_count, "closed").await;
        let mut actions = 0;
        loop {
            let mut has_acted = false;
            for player in &players {
                let page = page_of(&site, player).await;
                if page.is_turn() {
                    // The forms come in turn from a script, which gets no page, and from a browser without one.
                    let is_from_script = actions % 2 == 1;
                    let answer = post(&site, player, "act", &action_form(&page, actions), is_from_script).await;
                    assert_eq!(answer.status, if is_from_script { 204 } else { 303 }, "{}", answer.text);
                    if !is_from_script {
                        assert_eq!(answer.header("location"), format!("/t/{}", player.table));
                    }
                    actions += 1;
                    has_acted = true;
                }
            }
            if !has_acted {
                break;
            }
        }
        // Two players play 12 rounds of an offer and four bids; more players play 15 rounds with one bid each.
        assert_eq!(actions, if player_count == 2 { 60 } else { 15 * (1 + usize::from(player_count)) });
        assert_eq!(page_of(&site, &players[0]).await.phase(), "over");
    }
}

#[tokio::test]
async fn offer_may_have_the_jewels_in_any_order() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let view = site.view(&ana).await;
    let drawn: Vec<&str> = view["drawn"].as_array().unwrap().iter().map(|jewel| jewel.as_str().unwrap()).collect();
    // Jewel 2 goes back. The field `offer` has the order, so it has precedence over the field `back`.
    let offer: String = [drawn[3], drawn[0], drawn[1]].concat();
    assert_eq!(post(&site, &ana, "act", &format!("at=0&back=2&offer={offer}"), true).await.status, 204);
    let view = site.view(&ana).await;
    let cushions = view["cushions"].as_array().unwrap().iter();
    let placed: String = cushions.map(|cushion| cushion["jewel"].as_str().unwrap()).collect();
    assert_eq!(placed, offer);
    // A repeated action is played only once.
    assert_eq!(post(&site, &ana, "act", &format!("at=0&offer={offer}"), true).await.status, 204);
    assert_eq!(site.view(&ana).await["at"], 1);
}

#[tokio::test]
async fn form_errors_reach_the_page_and_the_script() {
    let site = site::new().await;
    // Ana is the host and is to act.
    let [ana, bo] = site.two_player_table().await;
    for (player, route, form, status, code) in [
        (&bo, "act", "at=0&back=0", 409, "action/not-your-turn"),
        (&ana, "act", "at=7&back=0", 409, "action/not-now"),
        (&ana, "act", "at=0", 422, "action/unreadable"),
        (&ana, "act", "at=0&back=9", 422, "action/unreadable"),
        (&ana, "act", "at=0&card=1&cushion=1", 422, "offer/due"),
        (&ana, "act", "at=x", 422, "body/wrong-shape"),
        (&ana, "fill", "seat=1&bot=merchant", 409, "seat/not-absent"),
        (&ana, "fill", "seat=9&bot=merchant", 404, "seat/not-found"),
        (&bo, "fill", "seat=0&bot=merchant", 403, "table/not-host"),
        (&bo, "return", "seat=0", 403, "table/not-host"),
        (&ana, "react", "reaction=shout", 422, "body/wrong-shape"),
    ] {
        let for_script = post(&site, player, route, form, true).await;
        let error = for_script.json();
        assert_eq!((for_script.status, error["code"].as_str().unwrap()), (status, code), "{route} {form}");
        let sentence = error["sentence"].as_str().unwrap();
        let answer = post(&site, player, route, form, false).await;
        assert_eq!(answer.status, status);
        let page = Page(answer.text);
        page.assert_valid();
        assert!(page.0.contains(&format!("role=\"alert\">{sentence}")), "{route} {form}: {sentence}");
    }
    assert_eq!(site.view(&ana).await["at"], 0);
    let wrong_token = SeatedPlayer { token: "0".repeat(64), ..ana.clone() };
    assert_eq!(post(&site, &wrong_token, "act", "at=0&back=0", true).await.json()["code"], "token/wrong");
    assert_eq!(post(&site, &wrong_token, "act", "at=0&back=0", false).await.status, 403);
}

#[tokio::test]
async fn seats_are_left_and_taken_back() {
    let site = site::new().await;
    let players = open_table(&site, 3, "closed").await;
    let [ana, bo, cy] = &players[..] else { panic!("a table of three has three players") };
    let left = post(&site, bo, "leave", "", false).await;
    assert_eq!((left.status, left.header("location")), (303, &*format!("/?left={}", bo.table)));
    let page = page_of(&site, bo).await;
    assert!(page.0.contains("Take my seat back") && !page.is_turn());
    assert!(page.0.contains("Jeweller is playing for you."), "{}", page.0);
    page.assert_valid();
    let host_page = page_of(&site, ana).await;
    assert!(host_page.0.contains("Give the seat back to Bo"));
    host_page.assert_valid();
    assert_eq!(post(&site, bo, "return", "", true).await.status, 204);
    assert!(!page_of(&site, bo).await.0.contains("Take my seat back"));
    assert_eq!(post(&site, cy, "react", "reaction=applause", true).await.status, 204);
}

#[tokio::test]
async fn forms_of_other_sites_are_rejected() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let link = site.get(&format!("/t/{}/in/{}", ana.table, ana.token)).send().await;
    let cookie = link.header("set-cookie").split(';').next().unwrap().to_owned();
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&cookie).send().await;
    assert!(Page(page.text).is_turn());
    let act = |path: String, from_site: &'static str| {
        let request = site.post(&path).cookie(&cookie).header("sec-fetch-site", from_site);
        request.header("content-type", "application/x-www-form-urlencoded").body("at=0&back=0").send()
    };
    let path = format!("/t/{}/act", ana.table);
    assert_eq!(act(path.clone(), "cross-site").await.status, 403);
    assert_eq!(site.view(&ana).await["at"], 0);
    assert_eq!(act(path, "same-origin").await.status, 303);
    assert_eq!(site.view(&ana).await["at"], json!(1));
}

#[tokio::test]
async fn form_of_a_shared_browser_keeps_the_seat_in_the_address() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let link = site.get(&format!("/t/{}/in/{}", ana.table, ana.token)).send().await;
    let cookie = link.header("set-cookie").split(';').next().unwrap().to_owned();
    site.get(&format!("/t/{}/in/{}", bo.table, bo.token)).cookie(&cookie).send().await;
    // The browser has both seats now, and this address names none of them.
    let curtain = site.get(&format!("/t/{}", ana.table)).cookie(&cookie).send().await;
    assert!(curtain.text.contains("<main id=\"curtain\"") && !curtain.text.contains("data-card"));
    let page_of_ana = site.get(&format!("/t/{}?seat=0", ana.table)).cookie(&cookie).send().await;
    let path = format!("/t/{}/act?seat=0", ana.table);
    assert!(page_of_ana.text.contains(&format!("action=\"{path}\"")));
    let request = site.post(&path).cookie(&cookie).header("sec-fetch-site", "same-origin");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body("at=0&back=0");
    let accepted = request.send().await;
    assert_eq!((accepted.status, accepted.header("location")), (303, format!("/t/{}?seat=0", ana.table).as_str()));
    assert_eq!(site.view(&ana).await["at"], json!(1));
}
