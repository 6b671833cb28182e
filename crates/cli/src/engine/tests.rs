//! Tests of the engine: whole games, every kind of invalid line, and faulty bots.

use std::io::{BufReader, Cursor};
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use sultan_bots::{Bot, NAMES, WeighedAction, by_name};
use sultan_domain::{Observer, Players, Recall, RoundRecord, Screens, View};
use sultan_rules::{Chance, Quick, shuffle};
use sultan_testkit::{Edit, TestGame, apply_edits, random_moments, sample_people};

use super::*;

fn engine(name: &str) -> Engine {
    Engine { bot: by_name(name).unwrap(), seed: 1 }
}

/// Engines for all bots, created once: some are slow to create.
static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(|| NAMES.into_iter().map(engine).collect());

fn asked(engine: &Engine, line: &str) -> Value {
    answered(&engine.answer(line.as_bytes(), &|| false))
}

/// Parses an answer and checks that it is one line, an object, and has either an action or an error.
fn answered(line: &str) -> Value {
    assert!(!line.contains(['\n', '\r']), "{line}");
    let answer: Value = serde_json::from_str(line).unwrap();
    assert!(answer.is_object() && (answer.get("action").is_some() != answer.get("error").is_some()), "{line}");
    if let Some(error) = answer.get("error") {
        let error = error.as_str().unwrap();
        assert!(!error.is_empty() && error.chars().count() <= 401, "{error}");
    }
    answer
}

/// Returns the error message for a line.
fn refused(line: &[u8]) -> String {
    let answer = answered(&engine("random").answer(line, &|| false));
    answer["error"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Checks an answer against the view of its question.
fn check(answer: &Value, view: &View) {
    let legal: Vec<String> = view.legal().iter().map(|action| action.to_string()).collect();
    let values = answer["values"].as_array().unwrap_or_else(|| panic!("{answer} for {view}"));
    assert!(legal.iter().any(|action| answer["action"] == *action), "{answer}");
    assert!(values.iter().map(|value| value["action"].as_str().unwrap()).eq(legal.iter()), "{answer}");
    let number = |value: &Value, what: &str| value[what].as_f64().unwrap();
    let in_range = |number: f64| (0.0..=1.0).contains(&number);
    assert!(values.iter().all(|value| in_range(number(value, "share")) && in_range(number(value, "win"))), "{answer}");
    let sum: f64 = values.iter().map(|value| number(value, "share")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{answer}");
    let chosen = values.iter().find(|value| value["action"] == answer["action"]).unwrap();
    assert!(number(chosen, "share") > 0.0, "{answer}");
}

#[derive(Clone, Copy, Debug)]
enum Memory {
    Full,
    Missing,
    Null,
    Empty,
    Short,
    LastOnly,
    Mixed,
}

const MEMORIES: [Memory; 7] =
    [Memory::Full, Memory::Missing, Memory::Null, Memory::Empty, Memory::Short, Memory::LastOnly, Memory::Mixed];

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// A question as another program might write it.
fn question(view: &View, recall: &Recall, memory: Memory, rng: &mut Quick) -> Value {
    let rounds = recall.rounds();
    let json = view.to_json(&sample_people(view.parameters.players), Some("2026-01-01T00:00:00Z"));
    let mut question = json!({"id": view.at, "view": parsed(&json), "history": rounds, "more": [1, {"x": null}]});
    match memory {
        Memory::Full => {}
        Memory::Missing => drop(question.as_object_mut().unwrap().remove("history")),
        Memory::Null => question["history"] = Value::Null,
        Memory::Empty => question["history"] = json!([]),
        Memory::Short => question["history"] = json!(&rounds[..rounds.len() / 2]),
        Memory::LastOnly => question["history"] = json!(&rounds[rounds.len().saturating_sub(1)..]),
        Memory::Mixed => {
            // Shuffled, and with the current round as far as the seat knows it.
            let mut history: Vec<Value> = rounds.iter().map(|round| json!(round)).collect();
            let bids: Vec<Value> = view.bids.iter().map(|bid| json!({"seat": bid.seat()})).collect();
            history.push(json!({"stage": view.stage, "round": view.round, "bids": bids, "winners": null}));
            shuffle(&mut history, rng);
            question["history"] = json!(history);
        }
    }
    question
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whole_games_are_played_line_by_line(count in 2_u8..=5, open: bool, seed: u64, bot in 0..NAMES.len(), memory in 0..MEMORIES.len()) {
        let screens = if open { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(Players::new(count).unwrap(), screens, seed);
        let mut rng = Quick::new(!seed);
        while let Some((view, recall)) = table.next_turn() {
            let question = question(&view, recall, MEMORIES[memory], &mut rng);
            let start = Instant::now();
            let line = ENGINES[bot].answer(question.to_string().as_bytes(), &|| start.elapsed().as_millis() >= 1);
            let answer = answered(&line);
            check(&answer, &view);
            prop_assert_eq!(&answer["id"], view.at);
            table.play(answer["action"].as_str().unwrap().parse().unwrap());
        }
        prop_assert!(table.game().outcome().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_question_with_mistakes_is_answered_or_refused(count in 2_u8..=5, open: bool, number in 0_u64..20, moves in 0_usize..60, seed: u64) {
        let screens = if open { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(Players::new(count).unwrap(), screens, number);
        (0..moves).for_each(|_| if table.next_turn().is_some() { table.play_random_action() });
        let mut rng = Quick::new(seed);
        let Some((view, recall)) = table.next_turn() else { return Ok(()) };
        let line = question(&view, recall, Memory::Full, &mut rng).to_string();
        let engine = &ENGINES[rng.below(u32::try_from(NAMES.len()).unwrap()) as usize];
        for mistakes in 1..4 {
            let edits: Vec<Edit> = (0..mistakes).map(|_| Edit::random(&mut rng)).collect();
            let start = Instant::now();
            answered(&engine.answer(&apply_edits(&line, &edits), &|| start.elapsed().as_millis() >= 1));
        }
    }

    #[test]
    fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), json in r#"[{}\[\]",:0-9a-z_ \\]{0,200}"#) {
        refused(&bytes);
        refused(json.as_bytes());
        refused(format!(r#"{{"id":1,"view":{{"format":"sultan-view","version":1,{json}}}}}"#).as_bytes());
        refused(format!(r#"{{"id":1,"history":{json},"view":{{}}}}"#).as_bytes());
    }
}

/// A question in the middle of a game of four, its view and the finished rounds.
fn middle() -> (Value, View, Vec<RoundRecord>) {
    let mut table = TestGame::new(Players::new(4).unwrap(), Screens::Closed, 5);
    for _ in 0..37 {
        table.next_turn();
        table.play_random_action();
    }
    let (view, recall) = table.next_turn().unwrap();
    let rounds = recall.rounds().to_vec();
    (question(&view, recall, Memory::Full, &mut Quick::new(1)), view, rounds)
}

#[test]
fn response_repeats_the_request_id() {
    let (mut question, ..) = middle();
    question.as_object_mut().unwrap().remove("id");
    let rest = question.to_string();
    let rest = rest.strip_prefix('{').unwrap();
    let engine = engine("random");
    let ids =
        ["1", "\"a\\u001b\u{7f}\\n\"", "null", "1234567890123456789012345678901234567890", "1.50e+3", "[1, {\"a\":2}]"];
    for id in ids {
        let answer = engine.answer(format!("{{\"id\": {id} ,{rest}").as_bytes(), &|| false);
        assert!(answer.starts_with(&format!("{{\"id\":{id},\"action\":\"")), "{answer}");
        let refusal = engine.answer(format!("{{\"id\":{id}}}").as_bytes(), &|| false);
        assert!(refusal.starts_with(&format!("{{\"id\":{id},\"error\":\"")), "{refusal}");
    }
    // Without an id there is no echo; a carriage return does not break the line.
    assert!(engine.answer(format!("{{{rest}").as_bytes(), &|| false).starts_with("{\"action\":\""));
    assert_eq!(asked(&engine, &format!("{{\"id\":[1,\r2],{rest}\r"))["id"], json!([1, 2]));
    assert_eq!(asked(&engine, &format!("\u{feff}{{\"id\":7,{rest}"))["id"], 7);
}

#[test]
fn the_same_position_gets_the_same_answer() {
    let (question, view, rounds) = middle();
    let nameless = json!({"id": view.at, "view": parsed(&view.to_json(&[], None)), "history": rounds});
    let mut backwards = question.clone();
    backwards["history"].as_array_mut().unwrap().reverse();
    // The view contains the last round, so the history may omit it.
    let mut shorter = question.clone();
    shorter["history"].as_array_mut().unwrap().pop();
    for name in NAMES {
        let engine = engine(name);
        let answer = asked(&engine, &question.to_string());
        check(&answer, &view);
        for same in [&nameless, &backwards, &shorter, &question] {
            assert_eq!(asked(&engine, &same.to_string()), answer, "{name}");
        }
    }
    let by_seed = |seed| asked(&Engine { seed, ..engine("random") }, &question.to_string())["action"].clone();
    assert!((2..20).any(|seed| by_seed(seed) != by_seed(1)), "other seeds choose other actions");
}

#[test]
fn every_bad_question_is_refused_with_its_reason() {
    let (question, view, rounds) = middle();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut question = question.clone();
        change(&mut question);
        refused(question.to_string().as_bytes())
    };
    let starts = |error: String, with: &str| assert!(error.starts_with(with), "{with}: {error}");
    for (line, with) in [
        ("", "the line is empty"),
        (" \t\r", "the line is empty"),
        ("{", "not JSON: EOF"),
        ("hello", "not JSON: expected value"),
        ("{\"id\":1}{\"id\":2}", "not JSON: trailing characters"),
        ("[1,{},[]]", "a question is a JSON object with a `view`"),
        ("5", "a question is"),
        ("{}", "a question is"),
        ("{\"view\":null}", "a question is"),
        ("{\"view\":[]}", "a question is"),
        ("{\"id\":1,\"id\":2}", "the question cannot be read: duplicate field `id`"),
        ("{\"view\":{\"phase\":\"waiting\"}}", "`view` cannot be read: missing field"),
        (
            "{\"view\":{\"phase\":\"waiting\",\"players\":2,\"seats\":[]}}",
            "`view` cannot be read: the game has not started",
        ),
    ] {
        starts(refused(line.as_bytes()), with);
    }
    starts(refused(b"{\"id\":\"\xff\"}"), "not UTF-8 from byte 8 on");
    starts(refused(&vec![b'['; 500_000]), "not JSON: ");
    starts(refused(format!("{{\"id\":1,\"view\":{}", "{\"a\":".repeat(100_000)).as_bytes()), "not JSON: ");
    starts(changed(&|q| q["view"]["version"] = json!(3)), "`view` cannot be read: not a view of format “sultan-view”");
    starts(changed(&|q| q["view"]["stage"] = json!(4)), "`view` cannot be read: a stage or round");
    starts(changed(&|q| q["view"]["phase"] = json!("x".repeat(10_000))), "`view` cannot be read: unknown variant");
    starts(changed(&|q| q["history"] = json!({})), "`history` cannot be read: ");
    starts(changed(&|q| q["history"] = json!([1])), "`history` cannot be read: ");
    starts(changed(&|q| q["history"][0]["drawn"] = json!("?")), "`history` cannot be read: ");
    starts(changed(&|q| q["history"][1] = json!(rounds[0])), "`history` contains round 1 of stage 1 twice");
    let other = |stage: u8| json!(RoundRecord { stage: sultan_domain::Stage(stage), ..rounds[0] });
    starts(changed(&|q| q["history"] = (1..20).map(other).collect()), "`history` has more rounds than a game");
    starts(changed(&|q| q["history"][0] = other(3)), "no game can look like this: round 1 of stage 3 is impossible");
    starts(changed(&|q| q["history"][0]["put_back"] = json!(null)), "no game can look like this: round 1 of stage 1");
    starts(changed(&|q| q["view"]["at"] = json!(9)), "no game can look like this: the stage, round and number");
    let own = &format!("/view/seats/{}/collection/W", view.observer.seat().unwrap());
    starts(changed(&|q| *q.pointer_mut(own).unwrap() = json!(12)), "no game can look like this: the jewels");
    starts(changed(&|q| q["view"]["seats"][1]["deck"] = json!(9)), "no game can look like this: the cards of seat 1");
}

#[test]
fn engine_returns_no_action_out_of_turn() {
    let moments = random_moments(Players::new(3).unwrap(), 2);
    let reasons = |at: usize| -> Vec<String> {
        let views = Observer::all(Players::new(3).unwrap()).map(|observer| moments[at].game.view(observer));
        let answers = views.map(|view| {
            let line = format!(r#"{{"id":3,"view":{}}}"#, view.to_json(&[], None));
            asked(&engine("random"), &line)
        });
        answers.map(|answer| answer["error"].as_str().unwrap_or("acts").to_owned()).collect()
    };
    let spectator = "the view is a spectator's, which has no turn";
    let not_drawn = "the jewels of the round are not drawn yet";
    assert_eq!(reasons(0), [not_drawn, not_drawn, not_drawn, spectator]);
    let to_act = moments[1].game.to_act().unwrap();
    let due = |seat: u8| {
        if to_act.number() == seat {
            "acts".to_owned()
        } else {
            format!("it is not the viewer's turn, but that of seat {to_act}")
        }
    };
    assert_eq!(reasons(1), [due(0), due(1), due(2), spectator.to_owned()]);
    let over = "the game is over";
    assert_eq!(reasons(moments.len() - 1), [over, over, over, spectator]);
}

/// A bot that returns the weights of a function, once its time is up.
struct Wrong(fn(&View) -> Vec<WeighedAction>);

impl Bot for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        while !stop() {}
        (self.0)(view)
    }
}

fn shares(view: &View, share: f64) -> Vec<WeighedAction> {
    view.legal().iter().map(|action| WeighedAction { action, share, win: 0.5 }).collect()
}

#[test]
fn invalid_bot_weights_are_rejected() {
    let (question, view, _) = middle();
    let by = |bot| {
        answered(&Engine { bot: Box::new(Wrong(bot)), seed: 1 }.answer(question.to_string().as_bytes(), &|| true))
    };
    let wrong: [fn(&View) -> Vec<WeighedAction>; 6] = [
        |_| Vec::new(),
        |view| shares(view, 0.0),
        |view| shares(view, f64::NAN),
        |view| shares(view, -1.0),
        |view| shares(view, 1.0).split_off(1),
        |view| vec![shares(view, 1.0)[0]; view.legal().len() as usize],
    ];
    for bot in wrong {
        assert_eq!(by(bot)["error"], "the bot wrong found no action");
    }
    // Wrong order and scale are corrected.
    let answer = by(|view| {
        let mut weighed = shares(view, 7.0);
        weighed.reverse();
        weighed[0].win = 1.0 + 1e-12;
        weighed
    });
    check(&answer, &view);
}

#[test]
fn lines_are_answered_in_order_and_in_time() {
    let (question, ..) = middle();
    let long = "x".repeat(MAX_LINE_BYTES + 1);
    let input = format!("{question}\n\n{long}\n{question}\r\nnonsense\n{question}");
    let mut output = Vec::new();
    // The bot uses all its time: the test ends only if the time limit works.
    let engine = Engine { bot: Box::new(Wrong(|view| shares(view, 1.0))), seed: 1 };
    serve(&engine, Duration::from_millis(5), &mut BufReader::with_capacity(7, input.as_bytes()), &mut output).unwrap();
    let lines: Vec<Value> = String::from_utf8(output).unwrap().lines().map(answered).collect();
    assert_eq!(lines.len(), 6);
    assert!([0, 3, 5].iter().all(|&at| lines[at]["id"] == 37 && lines[at]["action"].is_string()));
    assert_eq!(lines[1], json!({"error": "the line is empty"}));
    assert_eq!(lines[2], json!({"error": "the line has more than 1048576 bytes"}));
    assert!(lines[4]["error"].as_str().unwrap().starts_with("not JSON"));
    for millis in [0, 1, 5, 100, 10_000, u64::MAX] {
        let limit = Duration::from_millis(millis);
        assert!(thinking_time(limit) <= limit && thinking_time(limit) >= limit / 2);
        assert!(millis == 0 || thinking_time(limit) < limit);
    }
}

#[test]
fn lines_of_any_length_are_read_in_little_memory() {
    let mut line = Vec::new();
    let mut input =
        Cursor::new([vec![b'a'; MAX_LINE_BYTES], vec![b'b'; MAX_LINE_BYTES + 1], vec![b'c'], vec![]].join(&b'\n'));
    let mut next = |line: &mut Vec<u8>| read_line(&mut input, line).unwrap();
    assert_eq!((next(&mut line), line.len()), (Some(Length::Whole), MAX_LINE_BYTES));
    assert_eq!(next(&mut line), Some(Length::TooLong));
    assert_eq!((next(&mut line), line.as_slice()), (Some(Length::Whole), &b"c"[..]));
    assert_eq!(next(&mut line), None);
    let mut endless = BufReader::new(std::io::Read::take(std::io::repeat(b'x'), 50_000_000));
    let mut line = Vec::new();
    assert_eq!(read_line(&mut endless, &mut line).unwrap(), Some(Length::TooLong));
    assert!(line.capacity() <= 2 * MAX_LINE_BYTES);
}
