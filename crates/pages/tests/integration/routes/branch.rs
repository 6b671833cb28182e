//! `/t/{id}/branch`: plays on from a position of a finished game.

use serde_json::json;

use crate::site::{self, Answer, Own, Site};

/// Sends a form like a browser on this site.
async fn play_on(site: &Site, table: &str, form: &str) -> Answer {
    let ask = site.post(&format!("/t/{table}/branch")).header("sec-fetch-site", "same-origin");
    ask.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}

async fn finished(site: &Site) -> Own {
    let two = site.two_player_table().await;
    site.play_out(&two).await;
    two[0].clone()
}

#[tokio::test]
async fn branch_is_opened_from_a_replay_page() {
    let site = site::new().await;
    let own = finished(&site).await;
    let of_seat = site.get(&format!("/t/{}/replay?at=9&eyes=1", own.table)).send().await.text;
    assert!(of_seat.contains("id=\"branch\"") && of_seat.contains("You take this seat: Bo."));
    let open = site.get(&format!("/t/{}/replay?at=9&eyes=all", own.table)).send().await.text;
    assert!(open.contains("<select class=\"input\" name=\"seat\">"));
    let last = site.get(&format!("/t/{}/replay?at=9999", own.table)).send().await.text;
    assert!(!last.contains("id=\"branch\""), "from the end nothing goes on");
    for hidden in ["imagined", "as-it-was"] {
        let form = format!("at=9&seat=1&hidden={hidden}&level=page&coach=yes");
        let begun = play_on(&site, &own.table, &form).await;
        assert_eq!(begun.status, 303, "{}", begun.text);
        let cookie = begun.header("set-cookie").split(';').next().unwrap().to_owned();
        let path = begun.header("location").to_owned();
        let page = site.get(&path).cookie(&cookie).send().await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("data-seat=\"1\"") && page.text.contains("branch-pill"), "the page says what it is");
        assert!(page.text.contains("id=\"ask-coach\""));
        let table = path.trim_start_matches("/t/");
        let view = site.get(&format!("/api/v1/tables/{table}")).send().await.json();
        assert_eq!(view["branch"], json!({"table": own.table, "at": 9, "imagined": hidden == "imagined"}));
        assert_eq!(site.get(&format!("{path}/replay")).send().await.status, 403, "the others' hands are secret again");
    }
}

#[tokio::test]
async fn branch_has_no_record_and_no_verification() {
    let site = site::new().await;
    let own = finished(&site).await;
    let view = site.view(&own).await;
    let at = view["at"].as_u64().unwrap() - 1;
    // One action before the end. In one of the two branches a bot has the last action.
    let last = site.get(&format!("/t/{}/replay?at={at}&eyes=all", own.table)).send().await;
    assert_eq!(last.status, 200);
    for seat in 0..2 {
        let begun = play_on(&site, &own.table, &format!("at={at}&seat={seat}&hidden=imagined&level=page")).await;
        let path = begun.header("location").to_owned();
        let table = path.trim_start_matches("/t/").to_owned();
        for _ in 0..2000 {
            let view = site.get(&format!("/api/v1/tables/{table}")).send().await.json();
            if view["phase"] == "over" || view["to_act"] == seat {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        let view = site.get(&format!("/api/v1/tables/{table}")).send().await.json();
        if view["phase"] != "over" {
            continue;
        }
        let end = site.get(&path).send().await.text;
        assert!(
            end.contains("Its deal cannot be verified") && end.contains(&format!("/t/{}/replay?at={at}", own.table))
        );
        assert!(!end.contains("/verify\"") && !end.contains("/analysis\"") && !end.contains("record.sultan.json"));
        for what in ["verify", "analysis", "record.sultan.json"] {
            let refused = site.get(&format!("{path}/{what}")).send().await;
            assert_eq!(refused.status, 403, "{what}");
            assert!(refused.text.contains("Its deal cannot be verified"), "{what}");
        }
        let record = site.get(&format!("/api/v1/tables/{table}/record")).send().await;
        assert_eq!((record.status, record.json()["code"].clone()), (403, json!("table/branch")));
        let again = site.get(&format!("{path}/replay?at=3&eyes=0")).send().await;
        assert!(again.status == 200 && !again.text.contains("record.sultan.json"));
        return;
    }
    panic!("one of the two seats had nothing more to do");
}

#[tokio::test]
async fn branch_from_an_invalid_position_is_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    assert_eq!(play_on(&site, &ana.table, "at=0&seat=0&level=page").await.status, 403);
    site.play_out(&[ana.clone(), bo]).await;
    for (form, status) in [
        ("at=9999&seat=0&level=page", 409),
        ("at=x&seat=0&level=page", 422),
        ("at=1&seat=4&level=page", 404),
        ("at=1&seat=&level=page", 404),
        ("at=1&seat=0&level=nobody", 422),
        ("", 422),
    ] {
        assert_eq!(play_on(&site, &ana.table, form).await.status, status, "{form}");
    }
    assert_eq!(play_on(&site, "000000000000", "at=1&seat=0&level=page").await.status, 404);
    let foreign = site.post(&format!("/t/{}/branch", ana.table)).header("sec-fetch-site", "cross-site").send().await;
    assert_eq!(foreign.status, 403);
}
