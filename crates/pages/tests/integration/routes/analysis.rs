//! `/t/{id}/analysis`.

use std::time::{Duration, Instant};

use sultan_server::Config;
use sultan_table::Settings;
use sultan_text::Lang;

use crate::site::{self, Own, Site, Told, main};

async fn site() -> Site {
    let settings = Settings { bot_pause: Duration::ZERO, playouts: 20, ..Settings::default() };
    site::on(settings, Config { rate_limits: None, ..Config::default() }).await
}

/// A short game of two that was abandoned, so that its analysis is fast.
async fn short_game(site: &Site) -> Own {
    let [ana, bo] = site.two_player_table().await;
    for at in 0..2 {
        let view = site.view(&ana).await;
        let action = view["legal"][0].as_str().unwrap().to_owned();
        assert_eq!(site.act(&ana, &action, at).await.status, 200);
    }
    for own in [&ana, &bo] {
        let left = site.post(&format!("/api/v1/tables/{}/leave", own.table)).token(&own.token).send().await;
        assert_eq!(left.status, 204);
    }
    ana
}

/// The page once the analysis is complete.
async fn found(site: &Site, table: &str) -> String {
    let begun = Instant::now();
    loop {
        let page = site.get(&format!("/t/{table}/analysis")).send().await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        if !page.text.contains("data-running") {
            return page.text;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "it comes to its end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn analysis_before_the_end_is_rejected() {
    let site = site().await;
    let [ana, _] = site.two_player_table().await;
    let path = format!("/t/{}/analysis", ana.table);
    for ask in [site.get(&path), site.get(&path).token(&ana.token)] {
        let refused = ask.send().await;
        assert_eq!((refused.status, refused.header("content-type")), (403, "text/html; charset=utf-8"));
    }
    assert_eq!(site.get("/t/000000000000/analysis").send().await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_page_shows_progress_while_computing() {
    let site = site().await;
    let own = short_game(&site).await;
    let path = format!("/t/{}/analysis", own.table);
    let first = site.get(&path).send().await.text;
    assert!(first.contains("<progress max=\"100\" value=\"") && first.contains("http-equiv=\"refresh\""), "{first}");
    let part = site.get(&path).header("x-sultan", "live").send().await.text;
    assert!(part.starts_with("<main class=\"page\" id=\"analysis\"") && part.ends_with("</main>"), "{part}");
    let end = site.get(&format!("/t/{}", own.table)).send().await.text;
    assert!(end.contains(&format!("href=\"{path}\"")), "the end leads there");
    found(&site, &own.table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_is_shown_in_every_language() {
    let site = site().await;
    let own = short_game(&site).await;
    let page = found(&site, &own.table).await;
    assert!(page.contains("<svg xmlns") && page.contains("role=\"img\"") && page.contains("</svg>"), "a picture");
    assert!(page.contains(" ±\u{a0}"), "errors are shown");
    assert_eq!(page.matches("<table>").count(), 4, "the chances, the players, and what each of two did: {page}");
    assert!(page.contains("<span class=\"badge\"><svg"), "everybody has a sign");
    for at in 0..2 {
        let link = format!("/t/{}/replay?at={at}&amp;eyes=0", own.table);
        assert!(page.contains(&link), "a decision leads to its moment: {link}");
        assert_eq!(site.get(&link.replace("&amp;", "&")).send().await.status, 200);
    }
    let mut told = Told::default();
    for lang in Lang::ALL.map(Lang::code) {
        let ask = site.get(&format!("/t/{}/analysis", own.table)).header("accept-language", lang);
        let page = ask.send().await.text;
        assert!(page.contains(&format!("<html lang=\"{lang}\"")));
        assert!(
            !page.contains("style=\"") && !page.contains("<script>") && !page.contains("<style"),
            "the policy forbids these"
        );
        told.add(lang, main(&page));
    }
}
