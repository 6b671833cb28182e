//! `/api/v1/tables` and `/api/v1/tables/{id}`.

use serde_json::{Value, json};

use crate::site;

#[tokio::test]
async fn table_is_opened_with_the_requested_options() {
    let site = site::new().await;
    let options = json!({
        "players": 4, "seats": [{"bot": "merchant"}, {"human": true}], "screens": "open", "first_seat": 3,
        "seconds_per_action": 90, "public": true, "even_pace": true, "stand_in": "page", "name": " Ana ",
        "colour": "gold", "client_seed": "x"
    });
    let ana = site.open(options).await;
    assert_eq!(ana.seat, 1, "the host gets the first seat for people, after the bot in seat 0");
    assert_eq!(ana.token.len(), 64);
    let view = site.view(&ana).await;
    assert_eq!(view["phase"], "waiting");
    assert_eq!(view["players"], 4);
    assert_eq!(view["seat"], 1);
    assert_eq!(view["host"], 1);
    let options = &view["options"];
    assert_eq!(options["screens"], "open");
    assert_eq!(options["first_seat"], 3);
    assert_eq!(options["seconds_per_action"], 90);
    assert_eq!(options["public"], true);
    assert_eq!(options["even_pace"], true);
    assert_eq!(options["stand_in"], "page");
    let seats = view["seats"].as_array().unwrap();
    let kinds: Vec<&str> = seats.iter().map(|seat| seat["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["bot:merchant", "human", "open", "open"]);
    assert_eq!((&seats[1]["name"], &seats[1]["colour"]), (&json!("Ana"), &json!("gold")));
}

#[tokio::test]
async fn table_needs_only_the_number_of_players() {
    let site = site::new().await;
    let all_optional_null = json!({
        "players": 3, "seats": null, "screens": null, "first_seat": null, "seconds_per_action": null, "public": null,
        "even_pace": null, "stand_in": null, "name": null, "colour": null, "commitment": null, "client_seed": null
    });
    for options in [json!({"players": 3}), all_optional_null] {
        let ana = site.open(options).await;
        let view = site.view(&ana).await;
        assert_eq!((ana.seat, &view["options"]["screens"]), (0, &json!("closed")));
        assert_eq!(view["options"]["public"], false);
        assert!(view["seats"].as_array().unwrap().iter().skip(1).all(|seat| seat["kind"] == "open"));
    }
}

#[tokio::test]
async fn invalid_table_options_are_rejected() {
    let site = site::new().await;
    for (options, code) in [
        (json!({}), "body/wrong-shape"),
        (json!({"players": 1}), "body/wrong-shape"),
        (json!({"players": 6}), "body/wrong-shape"),
        (json!({"players": "4"}), "body/wrong-shape"),
        (json!({"players": 2, "player": 3}), "body/wrong-shape"),
        (json!({"players": 2, "screens": "half"}), "body/wrong-shape"),
        (json!({"players": 2, "colour": "pink"}), "body/wrong-shape"),
        (json!({"players": 2, "client_seed": "x".repeat(256)}), "body/wrong-shape"),
        // No table has a seat 5. A table with more players has a seat 4.
        (json!({"players": 2, "first_seat": 5}), "body/wrong-shape"),
        (json!({"players": 2, "first_seat": 4}), "seat/not-found"),
        (json!({"players": 2, "seats": [{"bot": "nobody"}]}), "bot/not-found"),
        (json!({"players": 2, "stand_in": "nobody"}), "bot/not-found"),
        (json!({"players": 2, "seats": [{}]}), "table/bad"),
        (json!({"players": 2, "seats": [{"human": false}]}), "table/bad"),
        (json!({"players": 2, "seats": [{"human": true, "bot": "page"}]}), "table/bad"),
        (json!({"players": 2, "seats": [{"human": true, "name": "x"}]}), "body/wrong-shape"),
        (json!({"players": 2, "seats": [{"bot": "page"}, {"bot": "page"}]}), "table/bad"),
        (json!({"players": 2, "seats": [{"human": true}, {"human": true}, {"human": true}]}), "table/bad"),
        (json!({"players": 2, "seconds_per_action": 0}), "table/bad"),
        (json!({"players": 2, "parameters": {"stages": 4}}), "table/bad-parameters"),
        (json!({"players": 2, "parameters": {"cushions": 1}}), "table/bad-parameters"),
        (json!({"players": 4, "parameters": {"rounds": 6}}), "table/bad-parameters"),
        (
            json!({"players": 4, "parameters": {"pouch": {"W": 9, "R": 0, "Y": 0, "G": 0, "B": 0}}}),
            "table/bad-parameters",
        ),
        (json!({"players": 4, "parameters": {"stage": 1}}), "table/bad-parameters"),
        (json!({"players": 4, "parameters": []}), "table/bad-parameters"),
        (json!({"players": 2, "name": "n".repeat(41)}), "seat/bad-name"),
        // A character that reverses the direction of text.
        (json!({"players": 2, "name": "a\u{202e}b"}), "seat/bad-name"),
    ] {
        let answer = site.post("/api/v1/tables").json(&options).send().await;
        assert_eq!(answer.status, 422, "{options}");
        answer.assert_problem(422, code);
    }
}

#[tokio::test]
async fn view_of_a_seat_has_its_hand_and_view_of_a_spectator_has_no_cards() {
    let site = site::new().await;
    let [ana, bo] = site.two_player_table().await;
    let path = format!("/api/v1/tables/{}", ana.table);
    let spectator = site.get(&path).send().await.json();
    assert_eq!((&spectator["seat"], &spectator["hand"]), (&Value::Null, &json!([])));
    let view = site.view(&ana).await;
    assert_eq!((&view["seat"], view["hand"].as_array().unwrap().len()), (&json!(0), 8));
    assert_eq!(site.view(&bo).await["seat"], 1);
    site.get("/api/v1/tables/000000000000").send().await.assert_problem(404, "table/not-found");
    site.get("/api/v1/tables/nonsense").send().await.assert_problem(404, "table/not-found");
    site.get("/api/v1/tables/nonsense").token("x").send().await.assert_problem(404, "table/not-found");
    site.get(&path).token("x").send().await.assert_problem(401, "token/ill-formed");
    site.get(&path).token(&"0".repeat(64)).send().await.assert_problem(403, "token/wrong");
    // The id of a table may be in upper case.
    let upper_case = ana.table.to_uppercase();
    assert_eq!(site.get(&format!("/api/v1/tables/{upper_case}")).send().await.status, 200);
}

#[tokio::test]
async fn only_public_tables_are_listed() {
    let site = site::new().await;
    assert_eq!(site.get("/api/v1/tables").send().await.json(), json!({"tables": []}));
    site.open(json!({"players": 2})).await;
    let public = site.open(json!({"players": 2, "public": true, "name": "Zoë <b>&"})).await;
    let listed = site.get("/api/v1/tables").send().await.json();
    let tables = listed["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0]["table"], public.table);
    assert_eq!(tables[0]["playing"], false);
    assert_eq!(tables[0]["seats"][0]["name"], "Zoë <b>&");
    assert!(!listed.to_string().contains(&public.token), "the list contains the host's token");
}
