//! The verification of a deal by JavaScript in the page has the same results as `sultan verify`.
//!
//! Runs `84-deal.js` in Chromium, or in Node if Chromium is not installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sultan_domain::{Parameters, Players, Record, Variant};
use sultan_e2e::browser::Engine;
use sultan_testkit::binary::Binary;
use sultan_testkit::{random_record, random_record_of, record_faults, skip_or_fail};
use tempfile::TempDir;

use crate::SULTAN;

/// The program that runs the script (Chromium or Node), and whether it is a browser.
fn script_engine() -> Option<(PathBuf, bool)> {
    let can_run = |program: &Path| {
        let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    };
    let engines = [Engine::Chromium.installed().map(|browser| (browser, true)), Some((PathBuf::from("node"), false))];
    engines.into_iter().flatten().find(|(program, _)| can_run(program))
}

/// `84-deal.js`, followed by code that evaluates the expression over `input`.
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
    let Some((program, is_browser)) = script_engine() else {
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
        let print = "document.body.textContent = '[[' + Array.from(new TextEncoder().encode(output)).join() + ']]';";
        let html = format!("<!doctype html><meta charset=\"utf-8\"><body><script>{script}{print}</script>");
        std::fs::write(&page, html).unwrap();
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom", &profile]);
        command.arg(format!("file://{}", page.display()));
    } else {
        let file = folder.path().join("script.mjs");
        let print = "console.log('[[' + Array.from(new TextEncoder().encode(output)).join() + ']]');";
        std::fs::write(&file, format!("{script}{print}")).unwrap();
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
    let expression = "input.map((game) => {
        const seed = dealGameSeed(game.server_seed, game.client_seeds);
        const parameters = dealParameters(game.players, game.parameters);
        const decks = game.client_seeds.map((_, seat) => dealDeck(seed, seat, parameters));
        return { commitment: dealHex(dealSha256(dealBytes(game.server_seed))), game_seed: dealHex(seed), decks,
                 first_seat: dealStream(seed, 64)(game.players), first_draw: dealDraw(seed, 0, parameters.pouch.slice(), game.draws[0].length).join('') };
    })";
    let Some(computed) = evaluate(expression, &known) else { return };
    for (known, computed) in known.as_array().unwrap().iter().zip(computed.as_array().unwrap()) {
        for field in ["commitment", "game_seed", "decks", "first_seat"] {
            assert_eq!(known[field], computed[field], "{field} of a game of {} players", known["players"]);
        }
        assert_eq!(known["draws"][0], computed["first_draw"]);
    }
}

/// Checks records with the script, together with the points and ranks that the page shows. Returns the results of
/// `checkDeal`.
fn check_records(records: &[Value], shown: &[Value]) -> Option<Vec<Value>> {
    let input = json!({"records": records, "shown": shown});
    let found = evaluate("input.records.map((record, i) => checkDeal(record, [], input.shown[i]))", &input)?;
    Some(found.as_array().unwrap().clone())
}

/// The standard output of a successful command of `sultan`.
fn sultan(arguments: &[&str]) -> String {
    Binary(SULTAN).successful_stdout(arguments)
}

/// The JSON values on the lines of a text.
fn json_lines(text: &str) -> Vec<Value> {
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
        records.extend(json_lines(&std::fs::read_to_string(&path).unwrap()));
        replayed.extend(json_lines(&sultan(&["replay", &path, "--json"])));
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
        let numbers_of = |places: &Value, field: &str| -> Vec<u64> {
            places.as_array().unwrap().iter().map(|place| place[field].as_u64().unwrap()).collect()
        };
        for field in ["points", "bonus", "count", "rank"] {
            assert_eq!(numbers_of(&found["final"], field), numbers_of(&replayed["final"], field), "{field}");
        }
    }
}

/// Copies of a record, each with a different manipulation.
fn tampered(record: &Record) -> Vec<Value> {
    let original = serde_json::to_value(record).unwrap();
    let with = |field: &str, value: Value| {
        let mut changed = original.clone();
        changed[field] = value;
        changed
    };
    let with_action = |at: usize, action: &str| {
        let mut changed = original.clone();
        changed["actions"][at] = json!(action);
        changed
    };
    // Action 0 is the first offer, action 1 the first bid.
    let actions = original["actions"].as_array().unwrap();
    let first_bid = actions[1].as_str().unwrap();
    let (card, cushion) = first_bid.split_once('@').unwrap();
    let mut longer = actions.clone();
    longer.push(json!("1@1"));
    // Other values, an action after the end, an illegal offer, an impossible cushion, card and action, a repeated card.
    vec![
        with("commitment", json!("00".repeat(32))),
        with("server_seed", json!("11".repeat(32))),
        with("first_seat", json!((u8::from(record.first_seat.number() == 0)))),
        with("client_seeds", json!(vec!["other"; usize::from(record.players.count())])),
        with("actions", json!(longer)),
        with_action(0, "WWW"),
        with_action(1, &format!("{card}@9")),
        with_action(1, &format!("16@{cushion}")),
        with_action(1, "pass"),
        with_action(actions.len() - 1, first_bid),
    ]
}

/// Variants that together change every parameter.
fn variants() -> Vec<Parameters> {
    let espresso = Players::ALL.map(|players| (players.count(), r#"{"stages":1}"#));
    let other_variants = [
        (2, r#"{"cards":8,"copies":1,"stages":2,"rounds":2,"cushions":2,"bonus":[[1,1],[3,9]]}"#),
        (3, r#"{"cards":9,"copies":2,"stages":2,"rounds":8,"cushions":3,"pouch":{"W":20,"R":1,"Y":19,"G":0,"B":20}}"#),
        (4, r#"{"copies":2,"stages":3,"rounds":8,"cushions":1,"bonus":[[2,3],[3,4],[4,6],[5,8],[6,99]]}"#),
    ];
    let parameters = |(players, json): (u8, &str)| {
        let variant: Variant = serde_json::from_str(json).unwrap();
        variant.parameters(Players::new(players).unwrap()).unwrap()
    };
    espresso.into_iter().chain(other_variants).map(parameters).collect()
}

/// Records of valid games of four players whose `version` and `parameters` are replaced. Some of these records are
/// invalid.
fn records_with_replaced_parameters() -> Vec<Value> {
    let published = random_record(Players::FOUR, 1).0;
    let espresso = random_record_of(Variant::ESPRESSO.parameters(Players::FOUR).unwrap(), 1).0;
    let with = |record: &Record, version: u32, parameters: Value| {
        let mut changed = serde_json::to_value(record).unwrap();
        (changed["version"], changed["parameters"]) = (json!(version), parameters);
        changed
    };
    // With 12 white jewels, this is the pouch of the published game; 7 are too few for 15 rounds, 23 make 61 in all.
    let pouch = |white: u32| json!({"pouch": {"W": white, "R": 11, "Y": 10, "G": 9, "B": 8}});
    let for_published = [
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
    let mut records: Vec<Value> = for_published.into_iter().map(|parameters| with(&published, 2, parameters)).collect();
    records.push(with(&espresso, 1, json!({"stages": 1})));
    records.push(with(&espresso, 3, json!({"stages": 1})));
    records
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
    records.extend(records_with_replaced_parameters());
    let shown = vec![json!({}); records.len()];
    let Some(found) = check_records(&records, &shown) else { return };
    let mut invalid_records = 0;
    for (record, found) in records.iter().zip(&found) {
        let faults = record_faults(&record.to_string());
        assert_eq!(found["good"], json!(faults.is_empty()), "{faults:?}: {} {record}", found["steps"]);
        invalid_records += u32::from(!faults.is_empty());
    }
    assert!(invalid_records > 150, "only {invalid_records} records were invalid");
}

#[test]
fn page_check_reports_differences_between_page_and_record() {
    let (record, games) = random_record(Players::new(3).unwrap(), 1);
    let places = serde_json::to_value(games.last().unwrap().outcome().unwrap()).unwrap();
    let record = serde_json::to_value(&record).unwrap();
    let mut wrong_places = places.clone();
    wrong_places[0]["points"] = json!(wrong_places[0]["points"].as_u64().unwrap() + 1);
    let mut unfinished = record.clone();
    unfinished["actions"].as_array_mut().unwrap().truncate(30);
    // A player's seed changes the deal, so this record has no actions.
    let mut seeded = record.clone();
    (seeded["client_seeds"][0], seeded["actions"], seeded["first_seat_by"]) = (json!("mine"), json!([]), json!("host"));
    let noted = json!({"commitment": record["commitment"], "seed": "mine"});
    // The arguments of `checkDeal`: the record, the notes of the browser, and the information on the page.
    let input = json!([
        [record, [], {"places": places, "commitment": record["commitment"]}],
        [record, [], {"places": wrong_places}],
        [record, [], {"commitment": "00".repeat(32)}],
        [seeded, [noted], {}],
        [seeded, [{"commitment": "00".repeat(32), "seed": "not there"}], {}],
        [seeded, [{"commitment": "00".repeat(32), "seed": "not used"}, noted], {}],
        [unfinished, [], {}],
        [unfinished, [], {"places": places}],
        [{"format": "other"}, [], {}],
        [null, [], {}],
    ]);
    let Some(found) = evaluate("input.map((args) => checkDeal(...args))", &input) else { return };
    let step = |number: usize, name: &str| found[number]["steps"][name].as_str().unwrap_or_default().to_owned();
    let good: Vec<bool> = found.as_array().unwrap().iter().map(|result| result["good"].as_bool().unwrap()).collect();
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
    let other_commitment = "00".repeat(32);
    let used = json!({"commitment": record["commitment"], "seed": "mine"});
    let unused = json!({"commitment": other_commitment, "seed": "not taken", "rematch": true});
    let other_deal = json!({"commitment": other_commitment, "seed": "mine", "rematch": true});
    let input = json!([[record, [unused]], [record, [unused, used]], [record, [other_deal]]]);
    let Some(found) = evaluate("input.map(([record, noted]) => checkDeal(record, noted, {}))", &input) else { return };
    let steps = |number: usize| ["noted", "seed"].map(|name| found[number]["steps"][name].as_str().unwrap().to_owned());
    assert_eq!(steps(0), ["unknown", "unknown"]);
    assert_eq!(steps(1), ["good", "good"]);
    assert_eq!(steps(2), ["bad", "good"], "the seed was used, but with another commitment");
}

#[test]
fn seed_is_stored_only_for_the_table_it_was_submitted_to() {
    // The seed that was submitted, and the page that follows.
    let input = json!([
        [{}, {"table": "a"}],
        [{"table": "a"}, {"table": "a"}],
        [{"table": "a"}, {"table": "b"}],
        [{"table": "a"}, {"table": "a", "refused": true}],
        [{}, {}],
    ]);
    let Some(found) = evaluate("input.map((args) => dealSeedBelongsToTable(...args))", &input) else { return };
    assert_eq!(found, json!([true, true, false, false, false]));
}
