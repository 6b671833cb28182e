//! `/api/openapi.json`: the document describes all routes, and all fields of responses.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sultan_domain::Seat;
use sultan_table::{BranchRequest, NewPlayer, Visitor};
use sultan_testkit::site::visitor_cookie;

use crate::site::{self, Site};

async fn document(site: &Site) -> Value {
    let answer = site.get("/api/openapi.json").send().await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    answer.json()
}

/// The operations in the `OpenAPI` document, as `METHOD path`.
fn operations(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().unwrap();
    let methods = |(path, item): (&String, &Value)| {
        let methods = item.as_object().unwrap().keys().map(|method| format!("{} {path}", method.to_uppercase()));
        methods.collect::<Vec<_>>()
    };
    paths.iter().flat_map(methods).collect()
}

/// The operations in the table of `docs/api.md`, and the two health checks, which that table omits.
fn documented_operations() -> BTreeSet<String> {
    let api = include_str!("../../../../../docs/api.md");
    let rows = api.lines().filter(|line| line.starts_with('|')).filter_map(|line| line.split('`').nth(1));
    let operations = rows.filter_map(|route| route.split_once(" /"));
    let operations = operations.map(|(method, path)| format!("{method} /api/v1/{path}"));
    operations.chain(["GET /healthz".to_owned(), "GET /readyz".to_owned()]).collect()
}

#[tokio::test]
async fn routes_openapi_and_docs_agree() {
    let site = site::new().await;
    let document = document(&site).await;
    let described = operations(&document);
    assert_eq!(described, documented_operations());
    for operation in &described {
        let (method, described_path) = operation.split_once(' ').unwrap();
        let path = described_path.replace("{id}", "000000000000").replace("{n}", "0");
        let answer = site.request(method, &path).send().await;
        assert_ne!(answer.status, 405, "{operation}");
        assert!(!answer.text.contains("path/not-found"), "{operation}");
        // Methods of this path that are not described are not served either.
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            if !described.contains(&format!("{method} {described_path}")) {
                site.request(method, &path).send().await.assert_problem(405, "method/not-allowed");
            }
        }
    }
}

/// Adds every `$ref` within a value to `found`.
fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn openapi_document_has_valid_references_and_complete_operations() {
    let site = site::new().await;
    let document = document(&site).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["info"]["title"], "Sultan");
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 10);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} points nowhere");
    }
    let mut operation_ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let operation_name = format!("{method} {path}");
            assert!(
                operation_ids.insert(operation["operationId"].as_str().unwrap()),
                "{operation_name}: duplicate operationId"
            );
            assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{operation_name}");
            assert!(!operation["responses"].as_object().unwrap().is_empty(), "{operation_name}");
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            for part in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                assert!(
                    parameters.iter().any(|parameter| parameter["name"] == part && parameter["required"] == true),
                    "{operation_name}: the parameter {part} of the path is not described"
                );
            }
            for scheme in operation["security"].as_array().into_iter().flatten().filter_map(Value::as_object) {
                let schemes = document["components"]["securitySchemes"].as_object().unwrap();
                assert!(scheme.keys().all(|name| schemes.contains_key(name)), "{operation_name}");
            }
        }
    }
}

/// Asserts that a value has one of the types in its schema.
fn assert_type(schema: &Value, value: &Value, path: &str) {
    let has_type = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{path}: no type is called {other}"),
    };
    let is_as_described = match &schema["type"] {
        Value::Array(names) => names.iter().any(has_type),
        Value::Null => true,
        name => has_type(name),
    };
    assert!(is_as_described, "{path} is described as {}, but is {value}", schema["type"]);
}

/// Asserts that a value has all required fields, and no field that is not described.
fn assert_described(document: &Value, schema: &Value, value: &Value, path: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        return assert_described(document, schema, value, path);
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choice].as_array() {
            // For null the choices with the type null, for other values the choices with another type.
            let applicable = choices.iter().filter(|choice| (choice["type"] == "null") == value.is_null());
            return applicable.for_each(|choice| assert_described(document, choice, value, path));
        }
    }
    assert_type(schema, value, path);
    match value {
        Value::Object(fields) if schema["properties"].is_object() => {
            let properties = schema["properties"].as_object().unwrap();
            for (name, value) in fields {
                let schema = properties.get(name).unwrap_or_else(|| panic!("{path}.{name} is not described"));
                assert_described(document, schema, value, &format!("{path}.{name}"));
            }
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(fields.contains_key(required.as_str().unwrap()), "{path} has no {required}");
            }
        }
        Value::Array(values) => {
            values.iter().for_each(|value| assert_described(document, &schema["items"], value, &format!("{path}[]")));
        }
        Value::String(text) if schema["enum"].is_array() => {
            assert!(schema["enum"].as_array().unwrap().iter().any(|allowed| allowed == text), "{path}: {text}");
        }
        _ => {}
    }
}

#[tokio::test]
async fn responses_match_the_openapi_schemas() {
    let site = site::new().await;
    let document = document(&site).await;
    let assert_matches = |name: &str, value: &Value| {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "{name} is not described");
        assert_described(&document, schema, value, name);
    };
    let options = json!({"players": 2, "public": true, "seconds_per_action": 60, "first_seat": 0});
    let ana = site.open(options).await;
    assert_matches("View", &site.view(&ana).await);
    assert_matches("Tables", &site.get("/api/v1/tables").send().await.json());
    let bo = site.sit(&ana.table, json!({})).await;
    let (table, browser) = (ana.table.parse().unwrap(), Visitor::random());
    site.service.link(table, ana.token.parse().unwrap(), &browser).await.unwrap();
    let games = site.get("/api/v1/my/games").cookie(&visitor_cookie(&browser)).send().await.json();
    assert_eq!(games["games"].as_array().unwrap().len(), 1);
    assert_matches("Games", &games);
    let mut view = site.view(&ana).await;
    for _ in 0..6 {
        assert_matches("View", &view);
        let player = if view["to_act"] == 0 { &ana } else { &bo };
        let (action, at) = (site.view(player).await["legal"][0].clone(), view["at"].as_u64().unwrap());
        view = site.act(player, action.as_str().unwrap(), at).await.json();
    }
    assert_matches("Problem", &site.act(&ana, "x", 99).await.json());
    assert_matches("View", &site.play_out(&[ana.clone(), bo]).await);
    assert_matches("Record", &site.get(&format!("/api/v1/tables/{}/record", ana.table)).send().await.json());
    // Tables that have additional fields: a guided first game, a table with a coach, a rematch, a branch.
    let guided = site.open(json!({"players": 3, "guided": true})).await;
    assert_matches("View", &site.view(&guided).await);
    let coached = site.open(json!({"players": 2, "coach": true, "seats": [{"human": true}, {"bot": "page"}]})).await;
    assert_matches("View", &site.view(&coached).await);
    let rematch = site.post(&format!("/api/v1/tables/{}/rematch", ana.table)).token(&ana.token).send().await.json();
    let rematch_path = format!("/api/v1/tables/{}", rematch["table"].as_str().unwrap());
    let waiting = site.get(&rematch_path).token(&ana.token).send().await.json();
    assert_eq!(waiting["options"]["rematch_of"], ana.table);
    assert_matches("View", &waiting);
    let over = site.view(&ana).await;
    assert!(over["rematch"].is_string());
    assert_matches("View", &over);
    let (seat, host) = (Seat::new(0).unwrap(), NewPlayer { name: "Ana".to_owned(), ..NewPlayer::default() });
    let branch = BranchRequest { at: 5, seat, imagined: false, bot: "page".to_owned(), coach: false, host };
    let branch = site.service.branch(table, branch).await.unwrap().table;
    let branch_view = site.get(&format!("/api/v1/tables/{branch}")).send().await.json();
    assert!(branch_view["branch"].is_object(), "{branch_view}");
    assert_matches("View", &branch_view);
}
