//! `/replay`: games from record files.

use serde_json::{Value, json};
use sultan_text::Lang;

use crate::site::{self, Answer, Site, Translations};

/// Plays a game of two players to its end. Returns its table and its record.
async fn table_and_record(site: &Site) -> (String, String) {
    let players = site.two_player_table().await;
    site.play_out(&players).await;
    let [ana, _] = players;
    let record = site.get(&format!("/t/{}/record.sultan.json", ana.table)).send().await.text;
    (ana.table, record)
}

/// The record of a finished game of two players.
async fn record(site: &Site) -> String {
    table_and_record(site).await.1
}

/// Uploads a file like a browser.
async fn upload(site: &Site, file: &str, lang: &str) -> Answer {
    let form = format!(
        "--xYz\r\nContent-Disposition: form-data; name=\"record\"; filename=\"g.sultan.json\"\r\n\
         Content-Type: application/json\r\n\r\n{file}\r\n--xYz--\r\n"
    );
    let request = site.post("/replay").header("content-type", "multipart/form-data; boundary=xYz");
    request.header("accept-language", lang).body(form).send().await
}

/// A record after this change of its JSON.
fn changed(record: &str, change: impl Fn(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(record).unwrap();
    change(&mut value);
    value.to_string()
}

#[tokio::test]
async fn replay_of_a_file_equals_the_replay_of_its_table() {
    let site = site::new().await;
    let (table, record) = table_and_record(&site).await;
    let uploaded = upload(&site, &record, "en").await;
    assert_eq!(uploaded.status, 303, "{}", uploaded.text);
    let address = uploaded.header("location").to_owned();
    assert!(address.starts_with("/replay?record=") && address.len() < 3000, "{}", address.len());
    for query in ["", "&at=7&eyes=all", "&at=5&eyes=1", "&at=99999&eyes=0"] {
        let from_file = site.get(&format!("{address}{query}")).send().await;
        assert_eq!(from_file.status, 200);
        let query_of_table = query.replacen('&', "?", 1);
        let from_table = site.get(&format!("/t/{table}/replay{query_of_table}")).send().await.text;
        for id in ["id=\"seats\"", "id=\"board\"", "id=\"happened\"", "id=\"own\""] {
            let section = |page: &str| {
                let from_id = page.split(id).nth(1);
                from_id.map(|html| html.split("</section>").next().unwrap().to_owned())
            };
            assert_eq!(section(&from_file.text), section(&from_table), "{query} {id}");
        }
        assert!(!from_file.text.contains("id=\"branch\"") && !from_file.text.contains("/t/"), "a file has no table");
    }
    // The page's script loads other positions as for any replay.
    let for_script = site.get(&format!("{address}&at=3&eyes=1")).header("x-sultan", "live").send().await.text;
    assert!(for_script.starts_with("<main class=\"page\" id=\"replay\"") && for_script.ends_with("</main>"));
    assert!(for_script.contains("name=\"record\""), "the form for another position omits the record");
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
    let records = [record(&site).await, record(&site).await];
    // Editors may write a byte order mark at the start of a file.
    let uploaded = upload(&site, &format!("\u{feff}{}\n", records.join("\n")), "en").await;
    assert_eq!(uploaded.status, 200);
    let links: Vec<&str> = uploaded.text.split("href=\"/replay?record=").skip(1).collect();
    assert_eq!(links.len(), 2);
    assert!(uploaded.text.contains("Game 2: Ana, Bo"));
    let address = format!("/replay?record={}", links[1].split('"').next().unwrap());
    assert_eq!(site.get(&address).send().await.status, 200);
}

#[tokio::test]
async fn file_errors_are_shown_in_every_language() {
    let site = site::new().await;
    let record = record(&site).await;
    let repeat_action = |value: &mut Value| value["actions"][1] = value["actions"][0].clone();
    // The file, the status, and a part of the English error message.
    let cases = [
        (record[..record.len() - 9].to_owned(), 422, "it ends in the middle"),
        ("hello".to_owned(), 422, "This is not a record"),
        ("{\"a\":1}".to_owned(), 422, "This is not a record"),
        (" ".to_owned(), 422, "There is no record"),
        (changed(&record, |value| value["version"] = json!(3)), 422, "version 3: a newer program"),
        (changed(&record, |value| value["names"] = json!(["x"])), 422, "what it says is not a possible game"),
        (changed(&record, |value| value["actions"][0] = json!("zz")), 422, "what it says is not a possible game"),
        (changed(&record, repeat_action), 422, "move 2 is not possible"),
        (changed(&record, |value| value["names"][0] = json!("x".repeat(7000))), 413, "too long"),
        ("x".repeat(20_000), 413, "too long"),
    ];
    for (file, status, sentence) in &cases {
        let mut translations = Translations::default();
        for lang in Lang::ALL.map(Lang::code) {
            let answer = upload(&site, file, lang).await;
            assert_eq!(answer.status, *status, "{sentence}");
            let alert = answer.text.split("role=\"alert\">").nth(1).unwrap().split("</p>").next().unwrap();
            assert!(answer.text.contains("id=\"record-file\""), "no other file can be chosen: {}", answer.text);
            assert!(lang != "en" || alert.contains(sentence), "{alert}");
            translations.add(lang, alert);
        }
    }
    // An empty value, a wrong character, Base64 without JSON, and `{}` in Base64.
    for address in ["/replay?record=", "/replay?record=%00", "/replay?record=abc", "/replay?record=e30"] {
        let rejected = site.get(address).send().await;
        assert_eq!(rejected.status, 422, "{address}");
    }
}

#[tokio::test]
async fn unverifiable_record_is_shown_with_a_warning() {
    let site = site::new().await;
    let record = record(&site).await;
    let replay_page = async |file: String| {
        let uploaded = upload(&site, &file, "en").await;
        site.get(uploaded.header("location")).send().await.text
    };
    assert!(!replay_page(record.clone()).await.contains("Take care"));
    let wrong_commitment = changed(&record, |value| value["commitment"] = json!("00".repeat(32)));
    assert!(replay_page(wrong_commitment).await.contains("not the one that was promised"));
    let unfinished = changed(&record, |value| value["actions"].as_array_mut().unwrap().truncate(9));
    let page = replay_page(unfinished).await;
    assert!(page.contains("The record ends before the game is over.") && page.contains("Move 0 of 9"));
    // Names are displayed as plain text, without control characters.
    let with_markup = changed(&record, |value| value["names"] = json!(["<script>\u{202e}", "bot:sultan"]));
    let page = replay_page(with_markup).await;
    assert!(!page.contains("<script>\u{202e}") && page.contains("&lt;script&gt;") && !page.contains('\u{202e}'));
}
