//! `/api/v1/tables/{id}/seats`, and `/leave`.

use serde_json::{Value, json};

use crate::site::{self, Answer, SeatedPlayer, Site};

/// Sends a request with a player's token. `path_suffix` follows the path of the player's table.
async fn request_as(
    site: &Site,
    method: &str,
    player: &SeatedPlayer,
    path_suffix: &str,
    body: Option<Value>,
) -> Answer {
    let request = site.request(method, &format!("/api/v1/tables/{}/{path_suffix}", player.table)).token(&player.token);
    match body {
        Some(body) => request.json(&body).send().await,
        None => request.send().await,
    }
}

#[tokio::test]
async fn joining_takes_the_lowest_free_seat_until_full() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3, "seats": [{"human": true}, {"bot": "random"}], "colour": "red"})).await;
    let seats_path = format!("/api/v1/tables/{}/seats", ana.table);
    site.post(&seats_path).json(&json!({"colour": "red"})).send().await.assert_problem(409, "seat/colour-taken");
    site.post(&seats_path).json(&json!({"colour": "pink"})).send().await.assert_problem(422, "body/wrong-shape");
    site.post(&seats_path).json(&json!({"name": "a\nb"})).send().await.assert_problem(422, "seat/bad-name");
    // All fields are optional, so the body may be empty.
    let answer = site.post(&seats_path).send().await;
    assert_eq!((answer.status, &answer.json()["seat"]), (201, &json!(2)));
    let view = site.view(&ana).await;
    assert_eq!(view["phase"], "offer", "the game starts when the last seat is taken");
    // The request names no colour, so the seat gets the first free colour.
    assert_eq!(view["seats"][2]["colour"], "violet");
    site.post(&seats_path).json(&json!({})).send().await.assert_problem(409, "table/started");
    site.post("/api/v1/tables/000000000000/seats").json(&json!({})).send().await.assert_problem(404, "table/not-found");
    site.post("/api/v1/tables/000000000000/seats").body("{").send().await.assert_problem(404, "table/not-found");
    site.post("/api/v1/tables/nonsense/seats").send().await.assert_problem(404, "table/not-found");
}

#[tokio::test]
async fn player_may_change_name_and_colour_before_the_start() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 3, "name": "Ana"})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo", "colour": "green"})).await;
    let change = json!({"name": "Bob", "colour": "blue", "client_seed": "s"});
    let changed = request_as(&site, "PUT", &bo, "seats/1", Some(change)).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    assert_eq!(changed.json()["seats"][1]["name"], "Bob");
    assert_eq!(changed.json()["seats"][1]["colour"], "blue");
    let without_change = request_as(&site, "PUT", &bo, "seats/1", Some(json!({}))).await.json();
    assert_eq!(without_change["seats"][1]["name"], "Bob");
    request_as(&site, "PUT", &ana, "seats/1", Some(json!({}))).await.assert_problem(403, "token/wrong");
    request_as(&site, "PUT", &ana, "seats/0", Some(json!({"colour": "blue"})))
        .await
        .assert_problem(409, "seat/colour-taken");
    request_as(&site, "PUT", &ana, "seats/9", Some(json!({}))).await.assert_problem(404, "seat/not-found");
    request_as(&site, "PUT", &ana, "seats/x", Some(json!({}))).await.assert_problem(404, "seat/not-found");
    request_as(&site, "PUT", &ana, "seats/0", Some(json!({"token": "x"})))
        .await
        .assert_problem(422, "body/wrong-shape");
    let path = format!("/api/v1/tables/{}/seats/1", ana.table);
    site.request("PUT", &path).json(&json!({})).send().await.assert_problem(401, "token/missing");
    site.sit(&ana.table, json!({})).await;
    request_as(&site, "PUT", &bo, "seats/1", Some(json!({}))).await.assert_problem(409, "table/started");
}

#[tokio::test]
async fn host_puts_bots_in_seats_and_frees_seats() {
    let site = site::new().await;
    let ana = site.open(json!({"players": 4})).await;
    let bo = site.sit(&ana.table, json!({"name": "Bo"})).await;
    let page_bot = || Some(json!({"bot": "page"}));
    request_as(&site, "POST", &bo, "seats/2/bot", page_bot()).await.assert_problem(403, "table/not-host");
    request_as(&site, "POST", &ana, "seats/2/bot", Some(json!({"bot": "x"})))
        .await
        .assert_problem(422, "bot/not-found");
    request_as(&site, "POST", &ana, "seats/2/bot", None).await.assert_problem(422, "body/wrong-shape");
    request_as(&site, "POST", &ana, "seats/4/bot", page_bot()).await.assert_problem(404, "seat/not-found");
    let filled = request_as(&site, "POST", &ana, "seats/2/bot", page_bot()).await;
    assert_eq!((filled.status, &filled.json()["seats"][2]["kind"]), (200, &json!("bot:page")));
    request_as(&site, "DELETE", &bo, "seats/2", None).await.assert_problem(403, "table/not-host");
    assert_eq!(request_as(&site, "DELETE", &ana, "seats/2", None).await.status, 204);
    request_as(&site, "DELETE", &ana, "seats/2", None).await.assert_problem(409, "seat/nobody-there");
    // The host removes Bo. From then on, Bo's token is rejected.
    assert_eq!(request_as(&site, "DELETE", &ana, "seats/1", None).await.status, 204);
    site.get(&format!("/api/v1/tables/{}", bo.table)).token(&bo.token).send().await.assert_problem(403, "token/wrong");
    // Players can also free their own seat.
    let cy = site.sit(&ana.table, json!({})).await;
    assert_eq!(cy.seat, 1);
    assert_eq!(request_as(&site, "DELETE", &cy, "seats/1", None).await.status, 204);
    // The game starts when bots have taken all other seats.
    for seat in 1..4 {
        assert_eq!(request_as(&site, "POST", &ana, &format!("seats/{seat}/bot"), page_bot()).await.status, 200);
    }
    assert_ne!(site.view(&ana).await["phase"], "waiting");
    request_as(&site, "DELETE", &ana, "seats/1", None).await.assert_problem(409, "table/started");
}

#[tokio::test]
async fn stand_in_replaces_a_player_who_left_until_the_player_returns() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    request_as(&site, "POST", &ana, "seats/1/bot", Some(json!({"bot": "page"})))
        .await
        .assert_problem(409, "seat/not-absent");
    assert_eq!(request_as(&site, "POST", &ana, "leave", None).await.status, 204);
    let view = site.view(&bo).await;
    assert_eq!((&view["seats"][0]["kind"], &view["host"]), (&json!("stand-in:jeweller"), &json!(1)));
    // Ana is no longer the host, so she can only return to her own seat.
    request_as(&site, "POST", &ana, "seats/1/return", None).await.assert_problem(403, "table/not-host");
    let returned = request_as(&site, "POST", &ana, "seats/0/return", None).await;
    assert_eq!((returned.status, &returned.json()["seats"][0]["kind"]), (200, &json!("human")));
    // When all players have left, the game is over, and the record is public.
    let record_path = format!("/api/v1/tables/{}/record", ana.table);
    site.get(&record_path).send().await.assert_problem(403, "table/not-over");
    assert_eq!(request_as(&site, "POST", &ana, "leave", None).await.status, 204);
    assert_eq!(request_as(&site, "POST", &bo, "leave", None).await.status, 204);
    assert_eq!(site.view(&bo).await["ended"], true);
    assert_eq!(site.get(&record_path).send().await.status, 200);
    site.post(&format!("/api/v1/tables/{}/leave", bo.table)).send().await.assert_problem(401, "token/missing");
    site.post("/api/v1/tables/000000000000/leave").send().await.assert_problem(404, "table/not-found");
}
