//! `/t/{id}/branch`: plays on from a position of a finished game.

use serde_json::json;

use crate::site::{self, Answer, SeatedPlayer, Site};

/// Sends the form that opens a branch, like a browser on this site.
async fn open_branch(site: &Site, table: &str, form: &str) -> Answer {
    let request = site.post(&format!("/t/{table}/branch")).header("sec-fetch-site", "same-origin");
    request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}

/// Plays a game of two players to its end. Returns the first player.
async fn finished_game(site: &Site) -> SeatedPlayer {
    let players = site.two_player_table().await;
    site.play_out(&players).await;
    let [ana, _] = players;
    ana
}

#[tokio::test]
async fn branch_is_opened_from_a_replay_page() {
    let site = site::new().await;
    let ana = finished_game(&site).await;
    let seat_view = site.get(&format!("/t/{}/replay?at=9&eyes=1", ana.table)).send().await.text;
    assert!(seat_view.contains("id=\"branch\"") && seat_view.contains("You take this seat: Bo."));
    let open_view = site.get(&format!("/t/{}/replay?at=9&eyes=all", ana.table)).send().await.text;
    assert!(open_view.contains("<select class=\"input\" name=\"seat\">"));
    let last = site.get(&format!("/t/{}/replay?at=9999", ana.table)).send().await.text;
    assert!(!last.contains("id=\"branch\""), "the end of the game has a form for a branch");
    for hidden in ["imagined", "as-it-was"] {
        let form = format!("at=9&seat=1&hidden={hidden}&level=page&coach=yes");
        let opened = open_branch(&site, &ana.table, &form).await;
        assert_eq!(opened.status, 303, "{}", opened.text);
        let cookie = opened.header("set-cookie").split(';').next().unwrap().to_owned();
        let path = opened.header("location").to_owned();
        let page = site.get(&path).cookie(&cookie).send().await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("data-seat=\"1\"") && page.text.contains("branch-pill"), "{}", page.text);
        assert!(page.text.contains("id=\"ask-coach\""));
        let table = path.trim_start_matches("/t/");
        let view = site.get(&format!("/api/v1/tables/{table}")).send().await.json();
        assert_eq!(view["branch"], json!({"table": ana.table, "at": 9, "imagined": hidden == "imagined"}));
        assert_eq!(site.get(&format!("{path}/replay")).send().await.status, 403, "other hands of a branch are secret");
    }
}

#[tokio::test]
async fn branch_has_no_record_and_no_verification() {
    let site = site::new().await;
    let ana = finished_game(&site).await;
    let view = site.view(&ana).await;
    let at = view["at"].as_u64().unwrap() - 1;
    // Branches start one action before the end. In one of the two branches, a bot plays the last action.
    let last = site.get(&format!("/t/{}/replay?at={at}&eyes=all", ana.table)).send().await;
    assert_eq!(last.status, 200);
    for seat in 0..2 {
        let opened = open_branch(&site, &ana.table, &format!("at={at}&seat={seat}&hidden=imagined&level=page")).await;
        let path = opened.header("location").to_owned();
        let table = path.trim_start_matches("/t/").to_owned();
        // Wait until the bot has played the last action, or it is the turn of the person in `seat`.
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
            end.contains("Its deal cannot be verified") && end.contains(&format!("/t/{}/replay?at={at}", ana.table))
        );
        assert!(!end.contains("/verify\"") && !end.contains("/analysis\"") && !end.contains("record.sultan.json"));
        for route in ["verify", "analysis", "record.sultan.json"] {
            let rejected = site.get(&format!("{path}/{route}")).send().await;
            assert_eq!(rejected.status, 403, "{route}");
            assert!(rejected.text.contains("Its deal cannot be verified"), "{route}");
        }
        let record = site.get(&format!("/api/v1/tables/{table}/record")).send().await;
        assert_eq!((record.status, record.json()["code"].clone()), (403, json!("table/branch")));
        let replay = site.get(&format!("{path}/replay?at=3&eyes=0")).send().await;
        assert!(replay.status == 200 && !replay.text.contains("record.sultan.json"));
        return;
    }
    panic!("neither branch is over after the bots have acted");
}

#[tokio::test]
async fn branch_from_an_invalid_position_is_rejected() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    // The game is not over yet.
    assert_eq!(open_branch(&site, &ana.table, "at=0&seat=0&level=page").await.status, 403);
    site.play_out(&[ana.clone(), bo]).await;
    for (form, status) in [
        ("at=9999&seat=0&level=page", 409),
        ("at=x&seat=0&level=page", 422),
        ("at=1&seat=4&level=page", 404),
        ("at=1&seat=&level=page", 404),
        ("at=1&seat=0&level=nobody", 422),
        ("", 422),
    ] {
        assert_eq!(open_branch(&site, &ana.table, form).await.status, status, "{form}");
    }
    assert_eq!(open_branch(&site, "000000000000", "at=1&seat=0&level=page").await.status, 404);
    let cross_site = site.post(&format!("/t/{}/branch", ana.table)).header("sec-fetch-site", "cross-site").send().await;
    assert_eq!(cross_site.status, 403);
}
