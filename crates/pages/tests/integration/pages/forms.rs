//! The forms of a table.

use serde_json::json;

use super::page::{Page, post};
use super::render::people;
use crate::site::{self, Own, Site};

/// The form that a page without a script sends. `step` selects the choice.
fn form(page: &Page, step: usize) -> String {
    let pick = |name: &str| {
        let all = page.choices(name);
        all[step % all.len()].to_owned()
    };
    if page.phase() == "offer" {
        return format!("at={}&back={}", page.at(), pick("back"));
    }
    format!("at={}&card={}&cushion={}", page.at(), pick("card"), pick("cushion"))
}

async fn seen(site: &Site, own: &Own) -> Page {
    Page::of(site, Some(own), &own.table, "en").await
}

#[tokio::test]
async fn whole_game_can_be_played_by_forms() {
    let site = site::new().await;
    for players in 2..=5 {
        let all = people(&site, players, "closed").await;
        let mut steps = 0;
        loop {
            let mut acted = false;
            for own in &all {
                let page = seen(&site, own).await;
                if page.is_turn() {
                    let answer = post(&site, own, "act", &form(&page, steps), steps % 2 == 1).await;
                    let wanted = if steps % 2 == 1 { 204 } else { 303 };
                    assert_eq!(answer.status, wanted, "{}", answer.text);
                    if wanted == 303 {
                        assert_eq!(answer.header("location"), format!("/t/{}", own.table));
                    }
                    steps += 1;
                    acted = true;
                }
            }
            if !acted {
                break;
            }
        }
        assert_eq!(steps, if players == 2 { 60 } else { 15 * (1 + usize::from(players)) });
        assert_eq!(seen(&site, &all[0]).await.phase(), "over");
    }
}

#[tokio::test]
async fn jewels_may_be_put_on_the_cushions_in_any_order() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let view = site.view(&ana).await;
    let drawn: Vec<&str> = view["drawn"].as_array().unwrap().iter().map(|jewel| jewel.as_str().unwrap()).collect();
    let offer: String = [drawn[3], drawn[0], drawn[1]].concat();
    assert_eq!(post(&site, &ana, "act", &format!("at=0&back=2&offer={offer}"), true).await.status, 204);
    let view = site.view(&ana).await;
    let lies: String = view["cushions"].as_array().unwrap().iter().map(|one| one["jewel"].as_str().unwrap()).collect();
    assert_eq!(lies, offer);
    // A repeated action is played only once.
    assert_eq!(post(&site, &ana, "act", &format!("at=0&offer={offer}"), true).await.status, 204);
    assert_eq!(site.view(&ana).await["at"], 1);
}

#[tokio::test]
async fn form_errors_reach_the_page_and_the_script() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    for (own, what, form, status, code) in [
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
        let answer = post(&site, own, what, form, true).await;
        assert_eq!((answer.status, answer.json()["code"].as_str().unwrap()), (status, code), "{what} {form}");
        let sentence = answer.json()["sentence"].as_str().unwrap().to_owned();
        let answer = post(&site, own, what, form, false).await;
        assert_eq!(answer.status, status);
        let page = Page(answer.text);
        page.is_sound();
        assert!(page.0.contains(&format!("role=\"alert\">{sentence}")), "{what} {form}: {sentence}");
    }
    assert_eq!(site.view(&ana).await["at"], 0);
    let wrong_token = Own { token: "0".repeat(64), ..ana.clone() };
    assert_eq!(post(&site, &wrong_token, "act", "at=0&back=0", true).await.json()["code"], "token/wrong");
    assert_eq!(post(&site, &wrong_token, "act", "at=0&back=0", false).await.status, 403);
}

#[tokio::test]
async fn seats_are_left_and_taken_back() {
    let site = site::new().await;
    let all = people(&site, 3, "closed").await;
    assert_eq!(post(&site, &all[1], "leave", "", false).await.status, 303);
    let page = seen(&site, &all[1]).await;
    assert!(page.0.contains("Take my seat back") && !page.is_turn());
    assert!(page.0.contains("Jeweller is playing for you."), "{}", page.0);
    page.is_sound();
    let host = seen(&site, &all[0]).await;
    assert!(host.0.contains("Give the seat back to Bo"));
    host.is_sound();
    assert_eq!(post(&site, &all[1], "return", "", true).await.status, 204);
    assert!(!seen(&site, &all[1]).await.0.contains("Take my seat back"));
    assert_eq!(post(&site, &all[2], "react", "reaction=applause", true).await.status, 204);
}

#[tokio::test]
async fn forms_of_other_sites_are_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let link = site.get(&format!("/t/{}/in/{}", ana.table, ana.token)).send().await;
    let cookie = link.header("set-cookie").split(';').next().unwrap().to_owned();
    let page = site.get(&format!("/t/{}", ana.table)).cookie(&cookie).send().await;
    assert!(Page(page.text).is_turn());
    let act = |path: String, site_of: &'static str| {
        let ask = site.post(&path).cookie(&cookie).header("sec-fetch-site", site_of);
        ask.header("content-type", "application/x-www-form-urlencoded").body("at=0&back=0").send()
    };
    let path = format!("/t/{}/act", ana.table);
    assert_eq!(act(path.clone(), "cross-site").await.status, 403);
    assert_eq!(site.view(&ana).await["at"], 0);
    // A browser with two seats: the seat in the address is kept.
    site.get(&format!("/t/{}/in/{}", bo.table, bo.token)).cookie(&cookie).send().await;
    let both = site.get(&format!("/t/{}", ana.table)).cookie(&cookie).send().await;
    assert!(both.text.contains("<main id=\"curtain\"") && !both.text.contains("data-card"));
    let anas = site.get(&format!("/t/{}?seat=0", ana.table)).cookie(&cookie).send().await;
    assert!(anas.text.contains(&format!("action=\"/t/{}/act?seat=0\"", ana.table)));
    let done = act(format!("{path}?seat=0"), "same-origin").await;
    assert_eq!((done.status, done.header("location")), (303, format!("/t/{}?seat=0", ana.table).as_str()));
    assert_eq!(site.view(&ana).await["at"], json!(1));
}
