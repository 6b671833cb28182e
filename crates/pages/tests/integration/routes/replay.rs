//! `/t/{id}/replay`.

use serde_json::json;
use sultan_text::Lang;

use crate::site::{self, Own, Site, Told, main};

/// A finished game of two people.
async fn finished(site: &Site) -> [Own; 2] {
    let two = site.two_player_table().await;
    site.play_out(&two).await;
    two
}

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
    for ask in [site.get(&path), site.get(&path).token(&ana.token), site.get(&format!("{path}?at=0&eyes=1"))] {
        let refused = ask.send().await;
        assert_eq!((refused.status, refused.header("content-type")), (403, "text/html; charset=utf-8"));
        assert!(refused.text.contains("That opens when the game is over."));
    }
    site.play_out(&[ana.clone(), bo]).await;
    assert_eq!(site.get(&path).send().await.status, 200);
    let end = site.get(&format!("/t/{}", ana.table)).send().await;
    assert!(end.text.contains(&format!("href=\"{path}\"")), "the end leads there");
    assert_eq!(site.get("/t/000000000000/replay").send().await.status, 404);
}

#[tokio::test]
async fn every_replay_step_renders_in_every_language() {
    let site = site::new().await;
    let [ana, _] = finished(&site).await;
    let mut told = Told::default();
    for lang in Lang::ALL.map(Lang::code) {
        let path = format!("/t/{}/replay?at=7&eyes=all", ana.table);
        let page = site.get(&path).header("accept-language", lang).send().await.text;
        assert!(page.contains(&format!("<html lang=\"{lang}\"")));
        assert!(!page.contains("style=\"") && !page.contains("<script>"), "the policy forbids these");
        told.add(lang, main(&page));
    }
    for at in 0..=90 {
        for eyes in ["0", "1", "all"] {
            let page = page(&site, &ana.table, &format!("?at={at}&eyes={eyes}")).await;
            assert!(!page.contains("name=\"card\"") && !page.contains("id=\"choice\""), "no choice is possible");
            assert_eq!(page.contains("id=\"all-cards\""), eyes == "all");
        }
    }
}

#[tokio::test]
async fn invalid_replay_steps_redirect_to_a_valid_step() {
    let site = site::new().await;
    let [ana, _] = finished(&site).await;
    let first = page(&site, &ana.table, "").await;
    assert!(first.contains("Move 0 of ") && first.contains("id=\"all-cards\""), "a stranger sees everything");
    for query in ["?at=x&eyes=9", "?eyes=", "?at=-1", "?other=1"] {
        assert!(page(&site, &ana.table, query).await.contains("Move 0 of "), "{query}");
    }
    let last = page(&site, &ana.table, "?at=99999").await;
    assert!(last.contains("id=\"to-back\"") && last.contains("The game is over"), "{last}");
    let own = site.get(&format!("/t/{}/replay?at=1", ana.table)).token(&ana.token).send().await.text;
    assert!(
        !own.contains("id=\"all-cards\"") && own.contains("id=\"own\""),
        "whoever played looks with their own eyes"
    );
}

#[tokio::test]
async fn replay_step_links_to_neighbours_and_all_perspectives() {
    let site = site::new().await;
    let [ana, _] = finished(&site).await;
    let link = |at: usize, eyes: &str| format!("href=\"?at={at}&amp;eyes={eyes}\"");
    let moment = page(&site, &ana.table, "?at=7&eyes=1").await;
    let nav = moment.split("id=\"eyes\"").nth(1).unwrap().split("</nav>").next().unwrap();
    for (eyes, current) in [("0", false), ("1", true), ("all", false)] {
        let now = nav.contains(&format!("{} aria-current=\"true\"", link(7, eyes)));
        assert_eq!((nav.contains(&link(7, eyes)), now), (true, current), "{eyes}: {nav}");
    }
    let last = moment.split("max=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let leads = |page: &str, to: usize| page.split("id=\"steps\"").nth(1).unwrap().contains(&link(to, "1"));
    assert!([0, 6, 8, last].iter().all(|&to| leads(&moment, to)), "{moment}");
    let first = page(&site, &ana.table, "?at=0&eyes=1").await;
    assert!(!leads(&first, 0) && leads(&first, 1) && leads(&first, last));
    let end = page(&site, &ana.table, &format!("?at={last}&eyes=1")).await;
    // After the last action of a round its cards are turned up: the offer and two cards of each player.
    let settled = |page: &str| page.split("id=\"settled\"").nth(1).map_or(0, |part| part.matches("is-settled").count());
    assert_eq!(settled(&page(&site, &ana.table, "?at=4&eyes=1").await), 0);
    assert_eq!(settled(&page(&site, &ana.table, "?at=5&eyes=1").await), 3);
    assert_eq!(settled(&moment), 0, "another round is on");
    assert!(leads(&end, 0) && leads(&end, last - 1) && !leads(&end, last) && !leads(&end, last + 1));
}

#[tokio::test]
async fn script_gets_only_the_main_element() {
    let site = site::new().await;
    let [ana, _] = finished(&site).await;
    let path = format!("/t/{}/replay?at=3&eyes=1", ana.table);
    let part = site.get(&path).header("x-sultan", "live").send().await.text;
    assert!(part.starts_with("<main class=\"page\" id=\"replay\"") && part.ends_with("</main>"), "{part}");
    assert!(site.get(&path).send().await.text.contains(&part));
}

/// The replay from a seat's view contains no information that was hidden from it: two games that differ only in the
/// hands of others look the same.
#[tokio::test]
async fn replay_from_a_seat_has_no_other_hands() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2, "name": "Ana", "first_seat": 0})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let hand = site.view(&bo).await["hand"].clone();
    site.play_out(&[ana.clone(), bo]).await;
    let shown = |page: &str| -> Vec<u64> {
        page.split("data-card=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
    };
    let of_bo = page(&site, &ana.table, "?at=0&eyes=1").await;
    assert_eq!(json!(shown(&of_bo)), hand);
    assert_ne!(json!(shown(&page(&site, &ana.table, "?at=0&eyes=0").await)), hand);
    // Until the reveal, the board shows the values of the seat's own cards only.
    for at in 2..6 {
        for (eyes, own) in [("0", "violet"), ("1", "gold")] {
            let page = page(&site, &ana.table, &format!("?at={at}&eyes={eyes}")).await;
            let board = page.split("id=\"board\"").nth(1).unwrap().split("</section>").next().unwrap();
            for bid in board.split("class=\"bid\"").skip(1) {
                assert_eq!(bid.contains("class=\"value\""), bid.contains(&format!("data-colour=\"{own}\"")), "{bid}");
            }
        }
    }
}
