//! `/t/{id}/analysis`.

use std::time::{Duration, Instant};

use sultan_table::Settings;
use sultan_text::Lang;

use crate::site::{self, SeatedPlayer, Site, Translations, main_element, unlimited_config};

/// A site with analyses of few playouts, which are fast.
async fn site() -> Site {
    let settings = Settings { bot_pause: Duration::ZERO, playouts: 20, ..Settings::default() };
    site::with_settings(settings, unlimited_config()).await
}

/// A game of two players that both left after two actions, so that its analysis is fast.
async fn short_game(site: &Site) -> SeatedPlayer {
    let [ana, bo] = site.two_player_table().await;
    // Ana's offer and her first bid.
    for at in 0..2 {
        let view = site.view(&ana).await;
        let action = view["legal"][0].as_str().unwrap().to_owned();
        assert_eq!(site.act(&ana, &action, at).await.status, 200);
    }
    for player in [&ana, &bo] {
        let left = site.post(&format!("/api/v1/tables/{}/leave", player.table)).token(&player.token).send().await;
        assert_eq!(left.status, 204);
    }
    ana
}

/// Requests the page until the analysis is complete.
async fn complete_page(site: &Site, table: &str) -> String {
    let start = Instant::now();
    loop {
        let page = site.get(&format!("/t/{table}/analysis")).send().await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        if !page.text.contains("data-running") {
            return page.text;
        }
        assert!(start.elapsed() < Duration::from_mins(2), "the analysis does not end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn analysis_before_the_end_is_rejected() {
    let site = site().await;
    let [ana, _] = site.two_player_table().await;
    let path = format!("/t/{}/analysis", ana.table);
    for request in [site.get(&path), site.get(&path).token(&ana.token)] {
        let refused = request.send().await;
        assert_eq!((refused.status, refused.header("content-type")), (403, "text/html; charset=utf-8"));
    }
    assert_eq!(site.get("/t/000000000000/analysis").send().await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_page_shows_progress_while_computing() {
    let site = site().await;
    let player = short_game(&site).await;
    let path = format!("/t/{}/analysis", player.table);
    let first = site.get(&path).send().await.text;
    assert!(first.contains("<progress max=\"100\" value=\"") && first.contains("http-equiv=\"refresh\""), "{first}");
    let part = site.get(&path).header("x-sultan", "live").send().await.text;
    assert!(part.starts_with("<main class=\"page\" id=\"analysis\"") && part.ends_with("</main>"), "{part}");
    let end = site.get(&format!("/t/{}", player.table)).send().await.text;
    assert!(end.contains(&format!("href=\"{path}\"")), "the end page has no link to the analysis");
    complete_page(&site, &player.table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_is_shown_in_every_language() {
    let site = site().await;
    let player = short_game(&site).await;
    let page = complete_page(&site, &player.table).await;
    assert!(
        page.contains("<svg xmlns") && page.contains("role=\"img\"") && page.contains("</svg>"),
        "no chart: {page}"
    );
    assert!(page.contains(" ±\u{a0}"), "no margins of error: {page}");
    // The tables of the chances, the players, and the decisions of each of the two players.
    assert_eq!(page.matches("<table>").count(), 4, "{page}");
    assert!(page.contains("<span class=\"badge\"><svg"), "no emblems of the players: {page}");
    for at in 0..2 {
        let link = format!("/t/{}/replay?at={at}&amp;eyes=0", player.table);
        assert!(page.contains(&link), "a decision has no link to its position in the replay: {link}");
        assert_eq!(site.get(&link.replace("&amp;", "&")).send().await.status, 200);
    }
    let mut translations = Translations::default();
    for lang in Lang::ALL.map(Lang::code) {
        let request = site.get(&format!("/t/{}/analysis", player.table)).header("accept-language", lang);
        let page = request.send().await.text;
        assert!(page.contains(&format!("<html lang=\"{lang}\"")));
        assert!(
            !page.contains("style=\"") && !page.contains("<script>") && !page.contains("<style"),
            "the content security policy forbids inline styles and scripts"
        );
        translations.add(lang, main_element(&page));
    }
}
