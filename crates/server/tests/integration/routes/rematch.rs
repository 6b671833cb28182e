//! `/api/v1/tables/{id}/rematch`.

use serde_json::json;

use crate::site::{self, SeatedPlayer};

#[tokio::test]
async fn rematch_opens_one_table_for_the_same_players_after_the_game() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let path = format!("/api/v1/tables/{}/rematch", ana.table);
    site.post(&path).token(&ana.token).send().await.assert_problem(409, "table/not-over");
    site.post(&path).send().await.assert_problem(401, "token/missing");
    site.post(&path).token(&"0".repeat(64)).send().await.assert_problem(403, "token/wrong");
    site.post("/api/v1/tables/000000000000/rematch").send().await.assert_problem(404, "table/not-found");
    site.play_out(&[ana.clone(), bo.clone()]).await;
    let change = json!({"name": "Anna", "client_seed": "again"});
    let answer = site.post(&path).token(&ana.token).json(&change).send().await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let table = answer.json()["table"].as_str().unwrap().to_owned();
    // Ana has opened the table, and Bo gets the same one.
    let second = site.post(&path).token(&bo.token).send().await;
    assert_eq!((second.status, &second.json()["table"]), (201, &json!(table)));
    assert_eq!(site.view(&ana).await["rematch"], table);
    // Bo agrees, and the game starts. The first seat is the left neighbour of the first seat in the previous game.
    let bo = SeatedPlayer { table: table.clone(), ..bo };
    let agreed = site.request("PUT", &format!("/api/v1/tables/{table}/seats/1")).token(&bo.token).send().await;
    assert_eq!((agreed.status, &agreed.json()["first_seat"]), (200, &json!(1)));
    assert_eq!(agreed.json()["seats"][0]["name"], "Anna");
}
