//! Whole games, and their records.

use serde_json::json;
use sultan_testkit::record_faults;

use crate::site::{self, SeatedPlayer, Site};

/// Asserts that the record of a finished game is public and valid.
async fn assert_record_is_valid(site: &Site, player: &SeatedPlayer) {
    let answer = site.get(&format!("/api/v1/tables/{}/record", player.table)).send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert_eq!(record_faults(&answer.text), Vec::<String>::new());
}

#[tokio::test]
async fn record_of_a_game_of_two_people_is_public_once_it_is_over() {
    let site = site::new().await;
    let commitment = site.post("/api/v1/commitments").send().await.json()["commitment"].clone();
    let ana = site.open(json!({"players": 2, "name": "Ana", "commitment": commitment, "client_seed": "a"})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo", "client_seed": "b"})).await;
    let record_path = format!("/api/v1/tables/{}/record", ana.table);
    site.get(&record_path).send().await.assert_problem(403, "table/not-over");
    site.get(&record_path).token(&ana.token).send().await.assert_problem(403, "table/not-over");
    let over = site.play_out(&[ana.clone(), bo]).await;
    assert_eq!(over["final"].as_array().unwrap().len(), 2);
    assert_record_is_valid(&site, &ana).await;
    let record = site.get(&record_path).send().await.json();
    assert_eq!(record["format"], "sultan-record");
    assert_eq!(record["names"], json!(["Ana", "Bo"]));
    assert_eq!((&record["commitment"], &record["client_seeds"]), (&commitment, &json!(["a", "b"])));
    assert_eq!(record["actions"].as_array().unwrap().len() as u64, over["at"].as_u64().unwrap());
}

#[tokio::test]
async fn game_of_people_and_bots_has_a_valid_record() {
    let site = site::new().await;
    for players in 3..=5 {
        let seats = [json!({"bot": "page"}), json!({"human": true}), json!({"bot": "merchant"})];
        // Two seats have bots, and people take the others.
        let mut people = vec![site.open(json!({"players": players, "seats": seats})).await];
        while people.len() < players - 2 {
            people.push(site.sit(&people[0].table, json!({})).await);
        }
        site.play_out(&people).await;
        assert_record_is_valid(&site, &people[0]).await;
    }
}

#[tokio::test]
async fn record_of_an_unknown_table_is_not_found() {
    let site = site::new().await;
    site.get("/api/v1/tables/000000000000/record").send().await.assert_problem(404, "table/not-found");
    let ana = site.open(json!({"players": 2})).await;
    site.get(&format!("/api/v1/tables/{}/record", ana.table)).send().await.assert_problem(403, "table/not-over");
}
