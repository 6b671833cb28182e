//! `/api/v1/tables/{id}/actions`.

use serde_json::json;

use crate::site::{self, SeatedPlayer, Site};

/// The id of no table.
const UNKNOWN_TABLE: &str = "000000000000";
/// A token of no seat.
const UNKNOWN_TOKEN: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The first legal action of a seat.
async fn first_legal(site: &Site, player: &SeatedPlayer) -> String {
    site.view(player).await["legal"][0].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn action_returns_the_resulting_view_and_is_applied_once() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let offer = first_legal(&site, &ana).await;
    let acted = site.act(&ana, &offer, 0).await;
    assert_eq!(acted.status, 200);
    assert_eq!(acted.header("content-type"), "application/json");
    let view = acted.json();
    assert_eq!((view["at"].as_u64(), view["phase"].as_str()), (Some(1), Some("bid")));
    assert_eq!((view["seat"].as_u64(), view["to_act"].as_u64()), (Some(0), Some(0)));
    assert_eq!(view, site.view(&ana).await);
    // A repeated action gets the same answer, and does not change the game.
    let repeated = site.act(&ana, &offer, 0).await;
    assert_eq!((repeated.status, repeated.json()), (200, view));
    // The same text from another seat is not a repeated action.
    site.act(&bo, &offer, 0).await.assert_problem(409, "action/not-now");
}

#[tokio::test]
async fn error_precedence_follows_the_api_contract() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let path = format!("/api/v1/tables/{}/actions", ana.table);
    let unknown_path = format!("/api/v1/tables/{UNKNOWN_TABLE}/actions");
    let action = json!({"action": "12@2", "at": 77});
    // An unknown table takes precedence over all other errors.
    for path in [unknown_path.as_str(), "/api/v1/tables/..%2Fx/actions", "/api/v1/tables/x/actions"] {
        site.post(path).send().await.assert_problem(404, "table/not-found");
        site.post(path).json(&action).send().await.assert_problem(404, "table/not-found");
        site.post(path).token("x").json(&action).send().await.assert_problem(404, "table/not-found");
        site.post(path).token(&ana.token).body("{").send().await.assert_problem(404, "table/not-found");
    }
    // A missing or malformed token.
    site.post(&path).json(&action).send().await.assert_problem(401, "token/missing");
    site.post(&path).body("{").send().await.assert_problem(401, "token/missing");
    site.post(&path).token("x").json(&action).send().await.assert_problem(401, "token/ill-formed");
    site.post(&path)
        .header("authorization", "Basic eA==")
        .json(&action)
        .send()
        .await
        .assert_problem(401, "token/ill-formed");
    // The token of another table, or an unknown token.
    let [other, _] = site.two_player_table().await;
    site.post(&path).token(UNKNOWN_TOKEN).json(&action).send().await.assert_problem(403, "token/wrong");
    site.post(&path).token(&other.token).json(&action).send().await.assert_problem(403, "token/wrong");
    site.post(&path).token(UNKNOWN_TOKEN).body("{").send().await.assert_problem(403, "token/wrong");
    // A wrong `at` or another seat's turn, even if the text is not an action.
    site.act(&ana, "12@2", 77).await.assert_problem(409, "action/not-now");
    site.act(&ana, "nonsense", 77).await.assert_problem(409, "action/not-now");
    site.act(&ana, "nonsense", u64::MAX).await.assert_problem(409, "action/not-now");
    site.act(&bo, "12@2", 0).await.assert_problem(409, "action/not-your-turn");
    site.act(&bo, "nonsense", 0).await.assert_problem(409, "action/not-your-turn");
    // Illegal actions.
    site.act(&ana, "12@2", 0).await.assert_problem(422, "offer/due");
    site.act(&ana, "nonsense", 0).await.assert_problem(422, "action/unreadable");
    assert_eq!(site.view(&ana).await["at"], 0);
}

#[tokio::test]
async fn illegal_action_is_rejected_with_the_number_of_its_rule() {
    let site = site::new().await;
    let [ana, _] = site.two_player_table().await;
    for (action, code, rule) in [
        ("1@1", "offer/due", "4.1"),
        ("W", "offer/wrong-number", "4.1"),
        ("WWWWWWW", "action/unreadable", "4.1"),
        ("99@1", "action/unreadable", "1.2"),
        ("1@9", "action/unreadable", "1.3"),
        ("", "action/unreadable", "4.1-4.3"),
    ] {
        let answer = site.act(&ana, action, 0).await;
        answer.assert_problem(422, code);
        assert_eq!(answer.json()["rule"], rule, "{action}");
    }
    let offer = first_legal(&site, &ana).await;
    site.act(&ana, &offer, 0).await;
    let hand = site.view(&ana).await["hand"].clone();
    let missing_card = (1..=12).find(|card| !hand.as_array().unwrap().contains(&json!(card))).unwrap();
    let answer = site.act(&ana, &format!("{missing_card}@1"), 1).await;
    answer.assert_problem(422, "bid/card-not-in-hand");
    assert_eq!(answer.json()["rule"], "4.2/4.3");
}

#[tokio::test]
async fn actions_before_start_and_after_end_are_rejected() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 2})).await;
    site.act(&ana, "12@2", 0).await.assert_problem(409, "table/not-started");
    site.act(&ana, "nonsense", 0).await.assert_problem(409, "table/not-started");
    let bo = site.sit(&ana.table, json!({})).await;
    let over = site.play_out(&[ana.clone(), bo]).await;
    site.act(&ana, "12@2", over["at"].as_u64().unwrap()).await.assert_problem(409, "table/over");
}
