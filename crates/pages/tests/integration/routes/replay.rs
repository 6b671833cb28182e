//! `/t/{id}/replay`.

use serde_json::json;
use sultan_text::Lang;

use crate::site::{self, SeatedPlayer, Site, Translations, main_element};

/// Plays a game of two players to its end.
async fn finished_game(site: &Site) -> [SeatedPlayer; 2] {
    let players = site.two_player_table().await;
    site.play_out(&players).await;
    players
}

/// The replay page with this query.
async fn page(site: &Site, table: &str, query: &str) -> String {
    let answer = site.get(&format!("/t/{table}/replay{query}")).send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
    answer.text
}

#[tokio::test]
async fn replay_before_the_end_is_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let path = format!("/t/{}/replay", ana.table);
    for request in [site.get(&path), site.get(&path).token(&ana.token), site.get(&format!("{path}?at=0&eyes=1"))] {
        let rejected = request.send().await;
        assert_eq!((rejected.status, rejected.header("content-type")), (403, "text/html; charset=utf-8"));
        assert!(rejected.text.contains("That opens when the game is over."));
    }
    site.play_out(&[ana.clone(), bo]).await;
    assert_eq!(site.get(&path).send().await.status, 200);
    let end = site.get(&format!("/t/{}", ana.table)).send().await;
    assert!(end.text.contains(&format!("href=\"{path}\"")), "the end page has no link to the replay");
    assert_eq!(site.get("/t/000000000000/replay").send().await.status, 404);
}

#[tokio::test]
async fn every_replay_position_renders_without_controls() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    let mut translations = Translations::default();
    for lang in Lang::ALL.map(Lang::code) {
        let path = format!("/t/{}/replay?at=7&eyes=all", ana.table);
        let page = site.get(&path).header("accept-language", lang).send().await.text;
        assert!(page.contains(&format!("<html lang=\"{lang}\"")));
        let has_inline_code = page.contains("style=\"") || page.contains("<script>");
        assert!(!has_inline_code, "the content security policy forbids inline styles and scripts");
        translations.add(lang, main_element(&page));
    }
    // The game has 60 actions; a higher number shows the end.
    for at in 0..=90 {
        for eyes in ["0", "1", "all"] {
            let page = page(&site, &ana.table, &format!("?at={at}&eyes={eyes}")).await;
            assert!(
                !page.contains("name=\"card\"") && !page.contains("id=\"choice\""),
                "a replay has controls: {page}"
            );
            assert_eq!(page.contains("id=\"all-cards\""), eyes == "all");
        }
    }
}

#[tokio::test]
async fn invalid_replay_positions_count_as_the_first_or_last() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    let first = page(&site, &ana.table, "").await;
    assert!(first.contains("Move 0 of ") && first.contains("id=\"all-cards\""), "hands are hidden from a stranger");
    for query in ["?at=x&eyes=9", "?eyes=", "?at=-1", "?other=1"] {
        assert!(page(&site, &ana.table, query).await.contains("Move 0 of "), "{query}");
    }
    let last = page(&site, &ana.table, "?at=99999").await;
    assert!(last.contains("id=\"to-back\"") && last.contains("The game is over"), "{last}");
    let for_player = site.get(&format!("/t/{}/replay?at=1", ana.table)).token(&ana.token).send().await.text;
    let is_seat_view = !for_player.contains("id=\"all-cards\"") && for_player.contains("id=\"own\"");
    assert!(is_seat_view, "a player does not see the view of the own seat by default: {for_player}");
}

#[tokio::test]
async fn replay_position_links_to_its_neighbours_and_all_views() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    let link = |at: usize, eyes: &str| format!("href=\"?at={at}&amp;eyes={eyes}\"");
    let seventh = page(&site, &ana.table, "?at=7&eyes=1").await;
    let nav = seventh.split("id=\"eyes\"").nth(1).unwrap().split("</nav>").next().unwrap();
    for (eyes, is_current) in [("0", false), ("1", true), ("all", false)] {
        let is_marked = nav.contains(&format!("{} aria-current=\"true\"", link(7, eyes)));
        assert_eq!((nav.contains(&link(7, eyes)), is_marked), (true, is_current), "{eyes}: {nav}");
    }
    let last = seventh.split("max=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let links_to = |page: &str, at: usize| page.split("id=\"steps\"").nth(1).unwrap().contains(&link(at, "1"));
    assert!([0, 6, 8, last].iter().all(|&at| links_to(&seventh, at)), "{seventh}");
    let first = page(&site, &ana.table, "?at=0&eyes=1").await;
    assert!(!links_to(&first, 0) && links_to(&first, 1) && links_to(&first, last));
    let end = page(&site, &ana.table, &format!("?at={last}&eyes=1")).await;
    assert!(links_to(&end, 0) && links_to(&end, last - 1) && !links_to(&end, last) && !links_to(&end, last + 1));
}

#[tokio::test]
async fn replay_shows_turned_up_cards_only_at_the_end_of_a_round() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    // A round of two players has five actions: an offer, and two bids of each player.
    for (at, cushions) in [(4, 0), (5, 3), (6, 0)] {
        let page = page(&site, &ana.table, &format!("?at={at}&eyes=1")).await;
        let turned_up = page.split("id=\"settled\"").nth(1).map_or(0, |html| html.matches("is-settled").count());
        assert_eq!(turned_up, cushions, "after {at} actions");
    }
}

#[tokio::test]
async fn script_gets_only_the_main_element() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    let path = format!("/t/{}/replay?at=3&eyes=1", ana.table);
    let for_script = site.get(&path).header("x-sultan", "live").send().await.text;
    let is_main_element =
        for_script.starts_with("<main class=\"page\" id=\"replay\"") && for_script.ends_with("</main>");
    assert!(is_main_element, "{for_script}");
    assert!(site.get(&path).send().await.text.contains(&for_script));
}

/// A replay from a seat's view shows only cards that the seat could see then.
#[tokio::test]
async fn replay_from_a_seat_has_no_other_hands() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "Ana", "first_seat": 0})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let hand = site.view(&bo).await["hand"].clone();
    site.play_out(&[ana.clone(), bo]).await;
    let shown_cards = |page: &str| -> Vec<u64> {
        page.split("data-card=\"").skip(1).map(|value| value.split('"').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(json!(shown_cards(&page(&site, &ana.table, "?at=0&eyes=1").await)), hand);
    assert_ne!(json!(shown_cards(&page(&site, &ana.table, "?at=0&eyes=0").await)), hand);
    // Until the reveal, the board shows the values of the seat's own cards only.
    for at in 2..6 {
        for (eyes, own_colour) in [("0", "violet"), ("1", "gold")] {
            let page = page(&site, &ana.table, &format!("?at={at}&eyes={eyes}")).await;
            let board = page.split("id=\"board\"").nth(1).unwrap().split("</section>").next().unwrap();
            for bid in board.split("class=\"bid\"").skip(1) {
                let is_own = bid.contains(&format!("data-colour=\"{own_colour}\""));
                assert_eq!(bid.contains("class=\"value\""), is_own, "{bid}");
            }
        }
    }
}

#[tokio::test]
async fn viewer_is_called_you_in_every_view_of_the_own_game() {
    let site = site::new().await;
    let [ana, _] = finished_game(&site).await;
    for eyes in ["0", "1", "all"] {
        let path = format!("/t/{}/replay?at=7&eyes={eyes}", ana.table);
        let for_player = site.get(&path).token(&ana.token).send().await.text;
        let for_stranger = page(&site, &ana.table, &format!("?at=7&eyes={eyes}")).await;
        let perspectives =
            |page: &str| page.split("id=\"eyes\"").nth(1).unwrap().split("</nav>").next().unwrap().to_owned();
        assert!(perspectives(&for_player).contains("<span>You</span>"), "{for_player}");
        assert!(!perspectives(&for_stranger).contains("<span>You</span>"), "{for_stranger}");
        // "You" would be a strange choice among the seats of a new table.
        let branch = for_player.split("id=\"branch\"").nth(1).unwrap();
        assert!(!branch.contains("You</option>") && !branch.contains("seat: You."), "{branch}");
    }
}
