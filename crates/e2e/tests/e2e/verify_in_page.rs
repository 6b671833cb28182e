//! The verification of a deal by JavaScript in the page has the same results as `sultan verify`.
//!
//! Runs `84-deal.js` in Chromium, or in Node if Chromium is not installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sultan_domain::{Parameters, Players, Record, Variant};
use sultan_e2e::browser::Browser;
use sultan_testkit::binary::Binary;
use sultan_testkit::{random_record, random_record_of, record_faults, skip_or_fail};
use tempfile::TempDir;

use crate::SULTAN;

/// The program that runs the script, and whether it is a browser.
fn engine() -> Option<(PathBuf, bool)> {
    let works = |program: &Path| {
        let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    let all = [Browser::installed().map(|browser| (browser, true)), Some((PathBuf::from("node"), false))];
    all.into_iter().flatten().find(|(program, _)| works(program))
}

/// The script, followed by code that evaluates the expression.
fn script_with(expression: &str, input: &Value) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pages/assets/js/84-deal.js");
    let script = std::fs::read_to_string(script).unwrap();
    // A closing tag in a string would end the script element.
    let input = input.to_string().replace('<', "\\u003c");
    format!("{script}\nconst input = {input};\nconst output = JSON.stringify({expression});\n")
}

/// Evaluates an expression over `input` with the functions of the script. `None` if neither Chromium nor Node is
/// installed.
fn evaluate(expression: &str, input: &Value) -> Option<Value> {
    let Some((program, is_browser)) = engine() else {
        skip_or_fail(
            "the check in the page; neither Chromium nor Node is installed: apt-get install chromium (or set SULTAN_CHROMIUM)",
        );
        return None;
    };
    let folder = TempDir::new().unwrap();
    let script = script_with(expression, input);
    let mut command = Command::new(program);
    if is_browser {
        let page = folder.path().join("page.html");
        let show = "document.body.textContent = '[[' + Array.from(new TextEncoder().encode(output)).join() + ']]';";
        let html = format!("<!doctype html><meta charset=\"utf-8\"><body><script>{script}{show}</script>");
        std::fs::write(&page, html).unwrap();
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom", &profile]);
        command.arg(format!("file://{}", page.display()));
    } else {
        let file = folder.path().join("script.mjs");
        let show = "console.log('[[' + Array.from(new TextEncoder().encode(output)).join() + ']]');";
        std::fs::write(&file, format!("{script}{show}")).unwrap();
        command.arg(file);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    // The output is a list of bytes, so that no HTML escaping is needed.
    let bytes = stdout.split_once("[[").and_then(|(_, rest)| rest.split_once("]]")).map(|(bytes, _)| bytes);
    let bytes = bytes.unwrap_or_else(|| panic!("{stdout}{}", String::from_utf8_lossy(&output.stderr)));
    let bytes: Vec<u8> = bytes.split(',').map(|byte| byte.parse().unwrap()).collect();
    Some(serde_json::from_slice(&bytes).unwrap())
}

#[test]
fn page_check_matches_known_answers() {
    let answers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/chance/known_answers.json");
    let known: Value = serde_json::from_str(&std::fs::read_to_string(answers).unwrap()).unwrap();
    let expression = "input.map((one) => {
        const seed = dealGameSeed(one.server_seed, one.client_seeds);
        const numbers = dealNumbers(one.players, one.parameters);
        const decks = one.client_seeds.map((_, seat) => dealDeck(seed, seat, numbers));
        return { commitment: dealHex(dealSha256(dealBytes(one.server_seed))), game_seed: dealHex(seed), decks,
                 first_seat: dealStream(seed, 64)(one.players), first_draw: dealDraw(seed, 0, numbers.pouch.slice(), one.draws[0].length).join('') };
    })";
    let Some(found) = evaluate(expression, &known) else { return };
    for (known, found) in known.as_array().unwrap().iter().zip(found.as_array().unwrap()) {
        for field in ["commitment", "game_seed", "decks", "first_seat"] {
            assert_eq!(known[field], found[field], "{field} of {}", known["players"]);
        }
        assert_eq!(known["draws"][0], found["first_draw"]);
    }
}

/// Verifies records in the page, together with the values that the table shows.
fn check_records(records: &[Value], shown: &[Value]) -> Option<Vec<Value>> {
    let input = json!({"records": records, "shown": shown});
    let found = evaluate("input.records.map((record, i) => checkDeal(record, [], input.shown[i]))", &input)?;
    Some(found.as_array().unwrap().clone())
}

fn sultan(arguments: &[&str]) -> String {
    Binary(SULTAN).successful_stdout(arguments)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn page_check_accepts_arena_records_and_agrees_with_replay() {
    let folder = TempDir::new().unwrap();
    let (mut records, mut replayed) = (Vec::new(), Vec::new());
    for players in ["2", "3", "4", "5"] {
        let path = folder.path().join(players).to_str().unwrap().to_owned();
        let bots = vec!["merchant"; players.parse().unwrap()].join(",");
        sultan(&["arena", "--players", players, "--bots", &bots, "--games", "5", "--seed", "7", "--records", &path]);
        records.extend(lines(&std::fs::read_to_string(&path).unwrap()));
        replayed.extend(lines(&sultan(&["replay", &path, "--json"])));
    }
    assert_eq!(records.len(), 20);
    let shown: Vec<Value> = replayed.iter().map(|game| json!({"places": game["final"]})).collect();
    let Some(found) = check_records(&records, &shown) else { return };
    for (found, replayed) in found.iter().zip(&replayed) {
        assert_eq!((&found["good"], &found["steps"]["result"]), (&json!(true), &json!("good")), "{}", found["steps"]);
        assert_eq!(found["decks"], replayed["decks"]);
        for (round, expected) in found["rounds"].as_array().unwrap().iter().zip(replayed["rounds"].as_array().unwrap())
        {
            for (page_name, cli_name) in [
                ("drawn", "drawn"),
                ("offer", "offer"),
                ("putBack", "put_back"),
                ("bids", "bids"),
                ("winners", "winners"),
            ] {
                assert_eq!(round[page_name], expected[cli_name], "{cli_name}");
            }
        }
        let points = |places: &Value, field: &str| -> Vec<u64> {
            places.as_array().unwrap().iter().map(|place| place[field].as_u64().unwrap()).collect()
        };
        for field in ["points", "bonus", "count", "rank"] {
            assert_eq!(points(&found["final"], field), points(&replayed["final"], field), "{field}");
        }
    }
}

/// Copies of a record, each with a different manipulation.
fn tampered(record: &Record) -> Vec<Value> {
    let whole = serde_json::to_value(record).unwrap();
    let with = |field: &str, value: Value| {
        let mut other = whole.clone();
        other[field] = value;
        other
    };
    let action = |at: usize, action: &str| {
        let mut other = whole.clone();
        other["actions"][at] = json!(action);
        other
    };
    let (first, last) = (whole["actions"][1].as_str().unwrap(), whole["actions"].as_array().unwrap().len());
    let (card, cushion) = first.split_once('@').unwrap();
    let mut longer = whole["actions"].as_array().unwrap().clone();
    longer.push(json!("1@1"));
    vec![
        with("commitment", json!("00".repeat(32))),
        with("server_seed", json!("11".repeat(32))),
        with("first_seat", json!((u8::from(record.first_seat.number() == 0)))),
        with("client_seeds", json!(vec!["other"; usize::from(record.players.count())])),
        with("actions", json!(longer)),
        action(0, "WWW"),
        action(1, &format!("{card}@9")),
        action(1, &format!("16@{cushion}")),
        action(1, "pass"),
        action(last - 1, first),
    ]
}

/// Variants that together change every parameter.
fn variants() -> Vec<Parameters> {
    let espresso = Players::ALL.map(|players| (players.count(), r#"{"stages":1}"#));
    let others = [
        (2, r#"{"cards":8,"copies":1,"stages":2,"rounds":2,"cushions":2,"bonus":[[1,1],[3,9]]}"#),
        (3, r#"{"cards":9,"copies":2,"stages":2,"rounds":8,"cushions":3,"pouch":{"W":20,"R":1,"Y":19,"G":0,"B":20}}"#),
        (4, r#"{"copies":2,"stages":3,"rounds":8,"cushions":1,"bonus":[[2,3],[3,4],[4,6],[5,8],[6,99]]}"#),
    ];
    let parameters = |(players, json): (u8, &str)| {
        let variant: Variant = serde_json::from_str(json).unwrap();
        variant.parameters(Players::new(players).unwrap()).unwrap()
    };
    espresso.into_iter().chain(others).map(parameters).collect()
}

/// Valid games with other parameters in the record, which may make the record invalid or not.
fn odd_parameters() -> Vec<Value> {
    let full = random_record(Players::ALL[2], 1).0;
    let short = random_record_of(Variant::ESPRESSO.parameters(Players::ALL[2]).unwrap(), 1).0;
    let with = |record: &Record, version: u32, parameters: Value| {
        let mut other = serde_json::to_value(record).unwrap();
        (other["version"], other["parameters"]) = (json!(version), parameters);
        other
    };
    let pouch = |white: u32| json!({"pouch": {"W": white, "R": 11, "Y": 10, "G": 9, "B": 8}});
    let of_full = [
        json!(null),
        json!({}),
        json!("espresso"),
        json!({"stages": null}),
        json!({"stages": 3, "cards": 15}),
        json!({"stages": 1}),
        json!({"stages": 2.5}),
        json!({"stages": 0}),
        json!({"stages": 4}),
        json!({"rounds": 6}),
        json!({"cards": 14}),
        json!({"cards": 16}),
        json!({"cushions": 4}),
        json!({"colour": "red"}),
        pouch(12),
        pouch(7),
        pouch(23),
        json!({"pouch": {"W": 50}}),
        json!({"bonus": []}),
        json!({"bonus": [[3, 2], [3, 4]]}),
        json!({"bonus": [[3, 2, 1]]}),
        json!({"bonus": [[3, 2], [4, 5], [5, 10], [6, 20]]}),
    ];
    let mut all: Vec<Value> = of_full.into_iter().map(|parameters| with(&full, 2, parameters)).collect();
    all.push(with(&short, 1, json!({"stages": 1})));
    all.push(with(&short, 3, json!({"stages": 1})));
    all
}

#[test]
fn page_check_counts_points_with_the_bonus_of_a_variant() {
    let games: Vec<_> = variants().into_iter().map(|parameters| random_record_of(parameters, 3)).collect();
    let records: Vec<Value> = games.iter().map(|(record, _)| serde_json::to_value(record).unwrap()).collect();
    let outcomes =
        games.iter().map(|(_, games)| serde_json::to_value(games.last().unwrap().outcome().unwrap()).unwrap());
    let shown: Vec<Value> = outcomes.map(|places| json!({"places": places})).collect();
    let Some(found) = check_records(&records, &shown) else { return };
    for (record, found) in records.iter().zip(&found) {
        assert_eq!(found["steps"]["result"], json!("good"), "{} {}", found["steps"], record["parameters"]);
    }
}

#[test]
fn page_check_rejects_the_same_records_as_verify() {
    let mut records = Vec::new();
    let published = Players::ALL.map(Parameters::of);
    for parameters in published.into_iter().chain(variants()) {
        for number in 0..4 {
            let (record, _) = random_record_of(parameters, number);
            records.push(serde_json::to_value(&record).unwrap());
            records.extend(tampered(&record));
        }
    }
    records.extend(odd_parameters());
    let shown = vec![json!({}); records.len()];
    let Some(found) = check_records(&records, &shown) else { return };
    let mut bad = 0;
    for (record, found) in records.iter().zip(&found) {
        let faults = record_faults(&record.to_string());
        assert_eq!(found["good"], json!(faults.is_empty()), "{faults:?}: {} {record}", found["steps"]);
        bad += u32::from(!faults.is_empty());
    }
    assert!(bad > 150, "only {bad} had faults");
}

#[test]
fn page_check_reports_differences_between_page_and_record() {
    let (record, games) = random_record(Players::new(3).unwrap(), 1);
    let places = serde_json::to_value(games.last().unwrap().outcome().unwrap()).unwrap();
    let record = serde_json::to_value(&record).unwrap();
    let mut other = places.clone();
    other[0]["points"] = json!(other[0]["points"].as_u64().unwrap() + 1);
    let mut short = record.clone();
    short["actions"].as_array_mut().unwrap().truncate(30);
    // A player's seed changes the deal, so this record has no actions.
    let mut own = record.clone();
    (own["client_seeds"][0], own["actions"], own["first_seat_by"]) = (json!("mine"), json!([]), json!("host"));
    let noted = json!({"commitment": record["commitment"], "seed": "mine"});
    let input = json!([
        [record, [], {"places": places, "commitment": record["commitment"]}],
        [record, [], {"places": other}],
        [record, [], {"commitment": "00".repeat(32)}],
        [own, [noted], {}],
        [own, [{"commitment": "00".repeat(32), "seed": "not there"}], {}],
        [own, [{"commitment": "00".repeat(32), "seed": "not used"}, noted], {}],
        [short, [], {}],
        [short, [], {"places": places}],
        [{"format": "other"}, [], {}],
        [null, [], {}],
    ]);
    let Some(found) = evaluate("input.map((one) => checkDeal(...one))", &input) else { return };
    let step = |number: usize, name: &str| found[number]["steps"][name].as_str().unwrap_or_default().to_owned();
    let good: Vec<bool> = found.as_array().unwrap().iter().map(|one| one["good"].as_bool().unwrap()).collect();
    assert_eq!(good, [true, false, false, true, false, true, true, false, false, false]);
    assert_eq!((step(0, "noted"), step(0, "seed")), ("unknown".to_owned(), "unknown".to_owned()));
    assert_eq!((step(1, "result"), step(2, "commitment")), ("bad".to_owned(), "bad".to_owned()));
    assert_eq!((step(4, "noted"), step(4, "seed")), ("bad".to_owned(), "bad".to_owned()));
    assert_eq!((step(3, "noted"), step(3, "seed")), ("good".to_owned(), "good".to_owned()));
    assert_eq!((step(3, "first"), step(6, "result")), ("host".to_owned(), "unknown".to_owned()));
}

#[test]
fn second_rematch_request_does_not_fail_the_check() {
    let (record, _) = random_record(Players::new(3).unwrap(), 1);
    let mut record = serde_json::to_value(&record).unwrap();
    (record["client_seeds"][0], record["actions"], record["first_seat_by"]) = (json!("mine"), json!([]), json!("host"));
    let other = "00".repeat(32);
    let used = json!({"commitment": record["commitment"], "seed": "mine"});
    let second = json!({"commitment": other, "seed": "not taken", "rematch": true});
    let cheated = json!({"commitment": other, "seed": "mine", "rematch": true});
    let input = json!([[record, [second]], [record, [second, used]], [record, [cheated]]]);
    let Some(found) = evaluate("input.map(([record, noted]) => checkDeal(record, noted, {}))", &input) else { return };
    let steps = |number: usize| ["noted", "seed"].map(|name| found[number]["steps"][name].as_str().unwrap().to_owned());
    assert_eq!(steps(0), ["unknown", "unknown"]);
    assert_eq!(steps(1), ["good", "good"]);
    assert_eq!(steps(2), ["bad", "good"], "the seed was used, but with another commitment");
}

#[test]
fn seed_is_stored_only_for_the_table_it_was_submitted_to() {
    let input = json!([
        [{}, {"table": "a"}],
        [{"table": "a"}, {"table": "a"}],
        [{"table": "a"}, {"table": "b"}],
        [{"table": "a"}, {"table": "a", "refused": true}],
        [{}, {}],
    ]);
    let Some(found) = evaluate("input.map((one) => dealSeedBelongsToTable(...one))", &input) else { return };
    assert_eq!(found, json!([true, true, false, false, false]));
}
