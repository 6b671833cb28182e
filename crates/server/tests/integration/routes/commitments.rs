//! `/api/v1/commitments`.

use serde_json::json;

use crate::site;

#[tokio::test]
async fn commitment_can_be_used_for_one_table() {
    let site = site::new().await;
    let answer = site.post("/api/v1/commitments").send().await;
    assert_eq!(answer.status, 201);
    let commitment = answer.json()["commitment"].clone();
    assert_eq!(commitment.as_str().unwrap().len(), 64);
    let table = json!({"players": 2, "commitment": commitment});
    let opened = site.post("/api/v1/tables").json(&table).send().await;
    assert_eq!((opened.status, &opened.json()["commitment"]), (201, &commitment));
    site.post("/api/v1/tables").json(&table).send().await.assert_problem(409, "commitment/not-found");
    let unknown_commitment = json!({"players": 2, "commitment": "0".repeat(64)});
    site.post("/api/v1/tables").json(&unknown_commitment).send().await.assert_problem(409, "commitment/not-found");
    let malformed_commitment = json!({"players": 2, "commitment": "x"});
    site.post("/api/v1/tables").json(&malformed_commitment).send().await.assert_problem(422, "body/wrong-shape");
}
