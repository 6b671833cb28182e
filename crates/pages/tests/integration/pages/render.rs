//! `/t/{id}` in every phase, for every number of players and observer, in every language.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sultan_text::Lang;

use super::page::Page;
use crate::site::{self, Own, Site};

/// A table of people only, in play.
pub(crate) async fn people(site: &Site, players: u8, screens: &str) -> Vec<Own> {
    let names = ["Ana", "Bo", "Cy", "<b>\"Di\"</b>", ""];
    let host =
        site.open(json!({"players": players, "name": names[0], "screens": screens, "seconds_per_action": 600})).await;
    let mut all = vec![host];
    for name in &names[1..usize::from(players)] {
        all.push(site.sit(&all[0].table, json!({"name": name})).await);
    }
    all
}

#[tokio::test]
async fn whole_game_renders_for_every_observer() {
    let site = site::new().await;
    let langs = Lang::ALL.map(Lang::code);
    for players in 2..=5_u8 {
        let all = people(&site, players, if players % 2 == 0 { "closed" } else { "open" }).await;
        let table = &all[0].table;
        let mut phases = BTreeSet::new();
        for step in 0_usize.. {
            for (lang, own) in langs.iter().cycle().skip(step).zip(all.iter().map(Some).chain([None])) {
                let page = Page::of(&site, own, table, lang).await;
                page.is_sound();
                phases.insert(page.phase().to_owned());
                assert!(page.0.contains(&format!("<html lang=\"{lang}\"")));
                assert!(!page.0.contains("<b>\"Di\""), "names are only text");
                assert_eq!(page.choices("card").is_empty() && page.choices("back").is_empty(), !page.is_turn());
                assert_eq!(page.choices("cushion").is_empty(), !page.is_turn() || page.phase() != "bid");
            }
            let view = site.view(&all[0]).await;
            let Some(to_act) = all.iter().find(|own| view["to_act"] == own.seat) else { break };
            let view = site.view(to_act).await;
            let legal = view["legal"].as_array().unwrap();
            let action = legal[(step * 7) % legal.len()].as_str().unwrap();
            assert_eq!(site.act(to_act, action, view["at"].as_u64().unwrap()).await.status, 200);
        }
        assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["bid", "offer", "over"]);
    }
}

#[tokio::test]
async fn every_page_renders_in_every_language() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let mut clocks = BTreeSet::new();
    for lang in Lang::ALL.map(Lang::code) {
        let page = Page::of(&site, Some(&ana), &ana.table, lang).await;
        clocks.insert(page.0.split("id=\"clock\"").nth(1).unwrap()[..60].to_owned());
    }
    assert_eq!(clocks.len(), Lang::ALL.len(), "{clocks:?}");
    // All players have left: no seat is to act.
    for own in [&ana, &bo] {
        site.post(&format!("/api/v1/tables/{}/leave", own.table)).token(&own.token).send().await;
    }
    let page = Page::of(&site, Some(&ana), &ana.table, "en").await;
    page.is_sound();
    assert_eq!(page.phase(), "over");
    assert!(!page.is_turn());
}

#[tokio::test]
async fn not_found_page_uses_the_readers_language() {
    let site = site::new().await;
    for (path, status) in [("/t/000000000000", 404), ("/t/x", 404)] {
        let answer = site.get(path).header("accept-language", "de").send().await;
        assert_eq!(answer.status, status);
        assert!(answer.text.contains("Diesen Tisch gibt es hier nicht."), "{}", answer.text);
    }
    let open = site.open(json!({"players": 3})).await;
    let answer = site.get(&format!("/t/{}", open.table)).send().await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn own_bid_closes_a_cushion_to_the_second_bid() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    for own in [&ana, &ana, &bo] {
        let view = site.view(own).await;
        assert_eq!(site.act(own, view["legal"][0].as_str().unwrap(), view["at"].as_u64().unwrap()).await.status, 200);
    }
    let page = Page::of(&site, Some(&ana), &ana.table, "en").await;
    assert_eq!(page.choices("cushion"), ["2", "3"]);
    assert!(page.0.contains("Your other card lies here: choose another cushion."));
}

#[tokio::test]
async fn cushion_shows_the_value_of_its_jewel() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    let view = site.view(&ana).await;
    assert_eq!(site.act(&ana, view["legal"][0].as_str().unwrap(), 0).await.status, 200);
    let view = site.view(&ana).await;
    for (lang, one, more) in [
        ("en", "One point", "points"),
        ("de", "Ein Punkt", "Punkte"),
        ("fr", "1 point", "points"),
        ("nl", "Eén punt", "punten"),
        ("hu", "1 pont", "pont"),
    ] {
        for own in [Some(&ana), None] {
            let page = Page::of(&site, own, &ana.table, lang).await;
            let coins = page.0.matches("<b class=\"worth\" aria-hidden=\"true\"").count();
            assert_eq!(coins, view["cushions"].as_array().unwrap().len());
            for cushion in view["cushions"].as_array().unwrap() {
                let points = 1 + "WRYGB".find(cushion["jewel"].as_str().unwrap()).unwrap();
                let words = if points == 1 { one.to_owned() } else { format!("{points} {more}") };
                let coin = format!("title=\"{words}\">{points}</b><span class=\"visually-hidden\">");
                // Visible beside the jewel, and read once by screen readers, with its cushion.
                assert!(page.0.contains(&coin) && page.0.contains(&format!(". {words}.</span>")), "{lang}: {}", page.0);
            }
        }
    }
}

#[tokio::test]
async fn reveal_notice_replaces_the_prompt() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    for (lang, words) in [
        ("en", "All cards are turned up."),
        ("de", "Alle Karten werden aufgedeckt."),
        ("fr", "Toutes les cartes sont retournées."),
        ("nl", "Alle kaarten worden omgedraaid."),
        ("hu", "Minden kártyát felfordítunk."),
    ] {
        // One player is to act, the other waits.
        for own in [&ana, &bo] {
            let page = Page::of(&site, Some(own), &ana.table, lang).await;
            let dock = page.0.split("id=\"own-step\">").nth(1).unwrap().split("</div>").next().unwrap();
            let hint = dock.split("<p class=\"hint turned\">").nth(1).unwrap().split("</p>").next().unwrap();
            assert!(hint.contains(words), "{lang}: {hint}");
        }
    }
}

/// A waiting player sees the reason, and after the reveal all observers see the order of the bids.
#[tokio::test]
async fn waiting_player_sees_the_reason_and_the_order_of_bids() {
    let site = site::new().await;
    let all = people(&site, 3, "open").await;
    let name = |seat: &Value| ["Ana", "Bo", "Cy"][usize::try_from(seat.as_u64().unwrap()).unwrap()];
    let first = site.view(&all[0]).await["to_act"].clone();
    let waits = [
        format!("Waiting for {}", name(&first)),
        "3 more cards, then all are turned up".to_owned(),
        "2 more cards, then all are turned up".to_owned(),
        "One more card, then all are turned up".to_owned(),
    ];
    for told in waits {
        let to_act = site.view(&all[0]).await["to_act"].clone();
        let (actor, others): (Vec<&Own>, Vec<&Own>) = all.iter().partition(|own| to_act == own.seat);
        for own in others {
            let page = Page::of(&site, Some(own), &own.table, "en").await.0;
            assert!(page.contains(&told), "{told}: {page}");
            assert!(page.contains("<title>Stage 1, round 1 · Sultan</title>"), "{page}");
            // The host's page offers a stand-in bot for the seat to act.
            assert_eq!(page.contains(&format!("action=\"/t/{}/fill\"", own.table)), own.seat == 0, "{page}");
        }
        let page = Page::of(&site, Some(actor[0]), &actor[0].table, "en").await.0;
        assert!(page.contains("<title>● Your turn · Sultan</title>"), "{page}");
        let view = site.view(actor[0]).await;
        let (action, at) = (view["legal"][0].as_str().unwrap(), view["at"].as_u64().unwrap());
        assert_eq!(site.act(actor[0], action, at).await.status, 200);
    }
    let bids = site.view(&all[0]).await["last_round"]["bids"].clone();
    let page = Page::of(&site, None, &all[0].table, "en").await.0;
    for (order, bid) in (1..).zip(bids.as_array().unwrap()) {
        let told = format!("Card {order}: {}, {}.", name(&bid["seat"]), bid["card"]);
        assert!(page.contains(&told), "{told}: {page}");
    }
    assert_eq!(bids.as_array().unwrap().len(), 3);
    // A winner sees the won jewel behind their own screen.
    let winners = site.view(&all[0]).await["last_round"]["winners"].clone();
    for own in &all {
        let page = Page::of(&site, Some(own), &own.table, "en").await.0;
        let treasure = page.split("class=\"treasure\"").nth(1).unwrap().split("</ul>").next().unwrap();
        let kinds = 5 - treasure.matches("class=\"none\"").count();
        assert_eq!(kinds > 0, winners.as_array().unwrap().contains(&own.seat.into()), "{winners}: {treasure}");
    }
}

#[tokio::test]
async fn names_are_text_and_never_markup() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "<script>alert(1)</script>"})).await;
    let page = site.get(&format!("/t/{}", ana.table)).send().await.text;
    assert!(page.contains("&lt;script&gt;alert") && !page.contains("<script>alert"), "{page}");
}
