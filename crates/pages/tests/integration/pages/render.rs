//! `/t/{id}` in every phase, for every number of players and observer, in every language.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sultan_text::Lang;

use super::page::Page;
use crate::site::{self, SeatedPlayer, Site};

/// Starts a game of people only, and returns their seats. One of the names looks like markup, one is empty.
pub(crate) async fn open_table(site: &Site, player_count: u8, screens: &str) -> Vec<SeatedPlayer> {
    let names = ["Ana", "Bo", "Cy", "<b>\"Di\"</b>", ""];
    let table = json!({"players": player_count, "name": names[0], "screens": screens, "seconds_per_action": 600});
    let mut players = vec![site.open(table).await];
    for name in &names[1..usize::from(player_count)] {
        players.push(site.sit(&players[0].table, json!({"name": name})).await);
    }
    players
}

#[tokio::test]
async fn whole_game_renders_for_every_observer() {
    let site = site::new().await;
    let langs = Lang::ALL.map(Lang::code);
    for player_count in 2..=5_u8 {
        let players = open_table(&site, player_count, if player_count % 2 == 0 { "closed" } else { "open" }).await;
        let table = &players[0].table;
        let mut phases = BTreeSet::new();
        for step in 0_usize.. {
            // All players and a spectator, each in another language.
            for (lang, player) in langs.iter().cycle().skip(step).zip(players.iter().map(Some).chain([None])) {
                let page = Page::of(&site, player, table, lang).await;
                page.assert_valid();
                phases.insert(page.phase().to_owned());
                assert!(page.0.contains(&format!("<html lang=\"{lang}\"")));
                assert!(!page.0.contains("<b>\"Di\""), "a name is not escaped");
                assert_eq!(page.choices("card").is_empty() && page.choices("back").is_empty(), !page.is_turn());
                assert_eq!(page.choices("cushion").is_empty(), !page.is_turn() || page.phase() != "bid");
            }
            let view = site.view(&players[0]).await;
            let Some(to_act) = players.iter().find(|player| view["to_act"] == player.seat) else { break };
            let view = site.view(to_act).await;
            let legal = view["legal"].as_array().unwrap();
            // Not always the first legal action, so that games vary.
            let action = legal[(step * 7) % legal.len()].as_str().unwrap();
            assert_eq!(site.act(to_act, action, view["at"].as_u64().unwrap()).await.status, 200);
        }
        assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["bid", "offer", "over"]);
    }
}

#[tokio::test]
async fn table_and_abandoned_game_render_in_every_language() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    // The stage in words of each language, which is in the first 60 bytes.
    let mut clocks = BTreeSet::new();
    for lang in Lang::ALL.map(Lang::code) {
        let page = Page::of(&site, Some(&ana), &ana.table, lang).await;
        clocks.insert(page.0.split("id=\"clock\"").nth(1).unwrap()[..60].to_owned());
    }
    assert_eq!(clocks.len(), Lang::ALL.len(), "{clocks:?}");
    // After all players have left, no seat is to act.
    for player in [&ana, &bo] {
        site.post(&format!("/api/v1/tables/{}/leave", player.table)).token(&player.token).send().await;
    }
    let page = Page::of(&site, Some(&ana), &ana.table, "en").await;
    page.assert_valid();
    assert_eq!(page.phase(), "over");
    assert!(!page.is_turn());
}

#[tokio::test]
async fn not_found_page_uses_the_readers_language() {
    let site = site::new().await;
    for path in ["/t/000000000000", "/t/x"] {
        let answer = site.get(path).header("accept-language", "de").send().await;
        assert_eq!(answer.status, 404);
        assert!(answer.text.contains("Diesen Tisch gibt es hier nicht."), "{}", answer.text);
    }
    // A table that still waits for players is found.
    let waiting = site.open(json!({"players": 3})).await;
    let answer = site.get(&format!("/t/{}", waiting.table)).send().await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn own_bid_closes_a_cushion_to_the_second_bid() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    // Ana's offer, Ana's first bid, Bo's first bid. The first legal bid is on cushion 1.
    for player in [&ana, &ana, &bo] {
        let view = site.view(player).await;
        let (action, at) = (view["legal"][0].as_str().unwrap(), view["at"].as_u64().unwrap());
        assert_eq!(site.act(player, action, at).await.status, 200);
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
    for (lang, one_point, points_word) in [
        ("en", "One point", "points"),
        ("de", "Ein Punkt", "Punkte"),
        ("fr", "1 point", "points"),
        ("nl", "Eén punt", "punten"),
        ("hu", "1 pont", "pont"),
    ] {
        for player in [Some(&ana), None] {
            let page = Page::of(&site, player, &ana.table, lang).await;
            let coins = page.0.matches("<b class=\"worth\" aria-hidden=\"true\"").count();
            assert_eq!(coins, view["cushions"].as_array().unwrap().len());
            for cushion in view["cushions"].as_array().unwrap() {
                // From 1 for white to 5 for blue.
                let points = 1 + "WRYGB".find(cushion["jewel"].as_str().unwrap()).unwrap();
                let words = if points == 1 { one_point.to_owned() } else { format!("{points} {points_word}") };
                let coin = format!("title=\"{words}\">{points}</b><span class=\"visually-hidden\">");
                // The value is visible as a coin, and screen readers read it once, with the cushion.
                assert!(page.0.contains(&coin) && page.0.contains(&format!(". {words}.</span>")), "{lang}: {}", page.0);
            }
        }
    }
}

#[tokio::test]
async fn own_area_has_a_notice_for_the_reveal() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    for (lang, words) in [
        ("en", "All cards are turned up."),
        ("de", "Alle Karten werden aufgedeckt."),
        ("fr", "Toutes les cartes sont retournées."),
        ("nl", "Alle kaarten worden omgedraaid."),
        ("hu", "Minden kártyát felfordítunk."),
    ] {
        // Ana is to act, and Bo waits.
        for player in [&ana, &bo] {
            let page = Page::of(&site, Some(player), &ana.table, lang).await;
            let step = page.0.split("id=\"own-step\">").nth(1).unwrap().split("</div>").next().unwrap();
            let hint = step.split("<p class=\"turned hint\">").nth(1).unwrap().split("</p>").next().unwrap();
            assert!(hint.contains(words), "{lang}: {hint}");
        }
    }
}

#[tokio::test]
async fn waiting_player_sees_the_reason_and_the_order_of_bids() {
    let site = site::new().await;
    let players = open_table(&site, 3, "open").await;
    let name = |seat: &Value| ["Ana", "Bo", "Cy"][usize::try_from(seat.as_u64().unwrap()).unwrap()];
    let first_seat = site.view(&players[0]).await["to_act"].clone();
    let reasons = [
        format!("Waiting for {}", name(&first_seat)),
        "3 more cards, then all are turned up".to_owned(),
        "2 more cards, then all are turned up".to_owned(),
        "One more card, then all are turned up".to_owned(),
    ];
    for reason in reasons {
        let to_act = site.view(&players[0]).await["to_act"].clone();
        let (acting, waiting): (Vec<&SeatedPlayer>, Vec<&SeatedPlayer>) =
            players.iter().partition(|player| to_act == player.seat);
        for player in waiting {
            let page = Page::of(&site, Some(player), &player.table, "en").await.0;
            assert!(page.contains(&reason), "{reason}: {page}");
            assert!(page.contains("<title>Stage 1, round 1 · Sultan</title>"), "{page}");
            // The host's page offers a stand-in bot for the seat to act.
            assert_eq!(page.contains("Let a bot play for "), player.seat == 0, "{page}");
        }
        let page = Page::of(&site, Some(acting[0]), &acting[0].table, "en").await.0;
        assert!(page.contains("<title>● Your turn · Sultan</title>"), "{page}");
        let view = site.view(acting[0]).await;
        let (action, at) = (view["legal"][0].as_str().unwrap(), view["at"].as_u64().unwrap());
        assert_eq!(site.act(acting[0], action, at).await.status, 200);
    }
    let bids = site.view(&players[0]).await["last_round"]["bids"].clone();
    let page = Page::of(&site, None, &players[0].table, "en").await.0;
    for (order, bid) in (1..).zip(bids.as_array().unwrap()) {
        let sentence = format!("Card {order}: {}, {}.", name(&bid["seat"]), bid["card"]);
        assert!(page.contains(&sentence), "{sentence}: {page}");
    }
    assert_eq!(bids.as_array().unwrap().len(), 3);
    // A winner sees the won jewel behind their own screen.
    let winners = site.view(&players[0]).await["last_round"]["winners"].clone();
    for player in &players {
        let page = Page::of(&site, Some(player), &player.table, "en").await.0;
        let treasure = page.split("class=\"treasure\"").nth(1).unwrap().split("</ul>").next().unwrap();
        let colours_won = 5 - treasure.matches("class=\"won none\"").count();
        let is_winner = winners.as_array().unwrap().contains(&player.seat.into());
        assert_eq!(colours_won > 0, is_winner, "{winners}: {treasure}");
    }
}

#[tokio::test]
async fn names_are_text_and_never_markup() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "<script>alert(1)</script>"})).await;
    let page = site.get(&format!("/t/{}", ana.table)).send().await.text;
    assert!(page.contains("&lt;script&gt;alert") && !page.contains("<script>alert"), "{page}");
}
