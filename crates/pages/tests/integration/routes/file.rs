//! `/replay`: games from record files.

use serde_json::{Value, json};
use sultan_text::Lang;

use crate::site::{self, Answer, Site, Told};

/// The record of a finished game of two people.
async fn record(site: &Site) -> String {
    let two = site.two_player_table().await;
    site.play_out(&two).await;
    site.get(&format!("/t/{}/record.sultan.json", two[0].table)).send().await.text
}

/// Uploads a file like a browser.
async fn send(site: &Site, file: &str, lang: &str) -> Answer {
    let form = format!(
        "--xYz\r\nContent-Disposition: form-data; name=\"record\"; filename=\"g.sultan.json\"\r\n\
         Content-Type: application/json\r\n\r\n{file}\r\n--xYz--\r\n"
    );
    let ask = site.post("/replay").header("content-type", "multipart/form-data; boundary=xYz");
    ask.header("accept-language", lang).body(form).send().await
}

fn changed(record: &str, change: impl Fn(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(record).unwrap();
    change(&mut value);
    value.to_string()
}

#[tokio::test]
async fn replay_of_a_file_equals_the_replay_of_its_table() {
    let site = site::new().await;
    let two = site.two_player_table().await;
    site.play_out(&two).await;
    let record = site.get(&format!("/t/{}/record.sultan.json", two[0].table)).send().await.text;
    let sent = send(&site, &record, "en").await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    let address = sent.header("location").to_owned();
    assert!(address.starts_with("/replay?record=") && address.len() < 3000, "{}", address.len());
    for query in ["", "&at=7&eyes=all", "&at=5&eyes=1", "&at=99999&eyes=0"] {
        let from_file = site.get(&format!("{address}{query}")).send().await;
        assert_eq!(from_file.status, 200);
        let wanted = query.replacen('&', "?", 1);
        let from_table = site.get(&format!("/t/{}/replay{wanted}", two[0].table)).send().await.text;
        for part in ["id=\"seats\"", "id=\"board\"", "id=\"happened\"", "id=\"own\""] {
            let cut =
                |page: &str| page.split(part).nth(1).map(|rest| rest.split("</section>").next().unwrap().to_owned());
            assert_eq!(cut(&from_file.text), cut(&from_table), "{query} {part}");
        }
        assert!(!from_file.text.contains("id=\"branch\"") && !from_file.text.contains("/t/"), "there is no table");
    }
    // The script loads positions of it like those of any other replay.
    let part = site.get(&format!("{address}&at=3&eyes=1")).header("x-sultan", "live").send().await.text;
    assert!(part.starts_with("<main class=\"page\" id=\"replay\"") && part.ends_with("</main>"));
    assert!(part.contains("name=\"record\""), "a form keeps the game");
}

#[tokio::test]
async fn record_can_be_pasted_or_sent_as_the_body() {
    let site = site::new().await;
    let record = record(&site).await;
    let escaped = record.replace('%', "%25").replace('&', "%26").replace('+', "%2b");
    let form = site.post("/replay").header("content-type", "application/x-www-form-urlencoded");
    let pasted = form.body(format!("record={escaped}")).send().await;
    let plain = site.post("/replay").header("content-type", "application/json").body(record.clone()).send().await;
    assert_eq!((pasted.status, plain.status), (303, 303));
    assert_eq!(pasted.header("location"), plain.header("location"));
    let page = site.get("/replay").send().await;
    assert!(page.text.contains("id=\"record-file\"") && page.text.contains("<textarea"));
    assert!(site.get("/").send().await.text.contains("href=\"/replay\""));
}

#[tokio::test]
async fn file_with_several_games_shows_a_list() {
    let site = site::new().await;
    let (one, two) = (record(&site).await, record(&site).await);
    let sent = send(&site, &format!("\u{feff}{one}\n{two}\n"), "en").await;
    assert_eq!(sent.status, 200);
    let links: Vec<&str> = sent.text.split("href=\"/replay?record=").skip(1).collect();
    assert_eq!(links.len(), 2);
    assert!(sent.text.contains("Game 2: Ana, Bo"));
    let address = format!("/replay?record={}", links[1].split('"').next().unwrap());
    assert_eq!(site.get(&address).send().await.status, 200);
}

#[tokio::test]
async fn file_errors_are_shown_in_every_language() {
    let site = site::new().await;
    let record = record(&site).await;
    let other_move = |value: &mut Value| value["actions"][1] = value["actions"][0].clone();
    let cases = [
        (record[..record.len() - 9].to_owned(), 422, "it ends in the middle"),
        ("hello".to_owned(), 422, "This is not a record"),
        ("{\"a\":1}".to_owned(), 422, "This is not a record"),
        (" ".to_owned(), 422, "There is no record"),
        (changed(&record, |value| value["version"] = json!(3)), 422, "version 3: a newer program"),
        (changed(&record, |value| value["names"] = json!(["x"])), 422, "what it says is not a possible game"),
        (changed(&record, |value| value["actions"][0] = json!("zz")), 422, "what it says is not a possible game"),
        (changed(&record, other_move), 422, "move 2 is not possible"),
        (changed(&record, |value| value["names"][0] = json!("x".repeat(7000))), 413, "too long"),
        ("x".repeat(20_000), 413, "too long"),
    ];
    for (file, status, sentence) in &cases {
        let mut told = Told::default();
        for lang in Lang::ALL.map(Lang::code) {
            let answer = send(&site, file, lang).await;
            assert_eq!(answer.status, *status, "{sentence}");
            let alert = answer.text.split("role=\"alert\">").nth(1).unwrap().split("</p>").next().unwrap();
            assert!(answer.text.contains("id=\"record-file\""), "and another can be chosen");
            assert!(lang != "en" || alert.contains(sentence), "{alert}");
            told.add(lang, alert);
        }
    }
    for address in ["/replay?record=", "/replay?record=%00", "/replay?record=abc", "/replay?record=e30"] {
        let refused = site.get(address).send().await;
        assert_eq!(refused.status, 422, "{address}");
    }
}

#[tokio::test]
async fn unverifiable_record_is_shown_with_a_warning() {
    let site = site::new().await;
    let record = record(&site).await;
    let shown = async |file: String| {
        let sent = send(&site, &file, "en").await;
        site.get(sent.header("location")).send().await.text
    };
    assert!(!shown(record.clone()).await.contains("Take care"));
    let promised = changed(&record, |value| value["commitment"] = json!("00".repeat(32)));
    assert!(shown(promised).await.contains("not the one that was promised"));
    let begun = changed(&record, |value| value["actions"].as_array_mut().unwrap().truncate(9));
    let page = shown(begun).await;
    assert!(page.contains("The record ends before the game is over.") && page.contains("Move 0 of 9"));
    // Names are displayed as plain text.
    let named = changed(&record, |value| value["names"] = json!(["<script>\u{202e}", "bot:sultan"]));
    let page = shown(named).await;
    assert!(!page.contains("<script>\u{202e}") && page.contains("&lt;script&gt;") && !page.contains('\u{202e}'));
}
