//! Tests of the engine: whole games, all kinds of invalid lines, and faulty bots.

use std::io::{BufReader, Cursor};
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use sultan_bots::{Bot, NAMES, WeighedAction, by_name};
use sultan_domain::{Observer, Players, Recall, RoundRecord, Screens, View};
use sultan_rules::{Chance, FastRng, shuffle};
use sultan_testkit::{Edit, TestGame, apply_edits, random_moments, sample_people, view_text};

use super::*;

fn engine(name: &str) -> Engine {
    Engine { bot: by_name(name).unwrap(), seed: 1 }
}

/// Engines for all bots, created once: some are slow to create.
static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(|| NAMES.into_iter().map(engine).collect());

/// Asks the engine a question and parses its answer.
fn ask(engine: &Engine, question: &str) -> Value {
    parse_answer(&engine.answer(question.as_bytes(), &|| false))
}

/// Parses an answer and checks that it is one line, an object, and has either an action or an error.
fn parse_answer(line: &str) -> Value {
    assert!(!line.contains(['\n', '\r']), "{line}");
    let answer: Value = serde_json::from_str(line).unwrap();
    assert!(answer.is_object() && (answer.get("action").is_some() != answer.get("error").is_some()), "{line}");
    if let Some(error) = answer.get("error") {
        let error = error.as_str().unwrap();
        // At most 400 characters and an ellipsis.
        assert!(!error.is_empty() && error.chars().count() <= 401, "{error}");
    }
    answer
}

/// Returns the error message for an invalid line.
fn error_for(line: &[u8]) -> String {
    let answer = parse_answer(&engine("random").answer(line, &|| false));
    answer["error"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Checks that an answer with an action has all legal actions of the view, and valid numbers for them.
fn assert_is_valid(answer: &Value, view: &View) {
    let legal: Vec<String> = view.legal().iter().map(|action| action.to_string()).collect();
    let values = answer["values"].as_array().unwrap_or_else(|| panic!("{answer} for {}", view_text(view)));
    assert!(legal.iter().any(|action| answer["action"] == *action), "{answer}");
    assert!(values.iter().map(|value| value["action"].as_str().unwrap()).eq(legal.iter()), "{answer}");
    let number = |value: &Value, field: &str| value[field].as_f64().unwrap();
    let is_probability = |value: &Value, field: &str| (0.0..=1.0).contains(&number(value, field));
    assert!(values.iter().all(|value| is_probability(value, "share") && is_probability(value, "win")), "{answer}");
    let sum: f64 = values.iter().map(|value| number(value, "share")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{answer}");
    let chosen = values.iter().find(|value| value["action"] == answer["action"]).unwrap();
    assert!(number(chosen, "share") > 0.0, "{answer}");
}

/// The `history` of a question: all finished rounds, or fewer, or other valid forms.
#[derive(Clone, Copy, Debug)]
enum History {
    AllRounds,
    MissingField,
    Null,
    Empty,
    FirstHalf,
    LastRound,
    ShuffledWithCurrentRound,
}

const HISTORIES: [History; 7] = [
    History::AllRounds,
    History::MissingField,
    History::Null,
    History::Empty,
    History::FirstHalf,
    History::LastRound,
    History::ShuffledWithCurrentRound,
];

fn parse_json(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// A question as another program might write it: with an unknown field.
fn question(view: &View, recall: &Recall, history: History, rng: &mut FastRng) -> Value {
    let rounds = recall.rounds();
    let json = view.to_json(&sample_people(view.parameters.players), Some("2026-01-01T00:00:00Z"));
    let mut question =
        json!({"id": view.action_count, "view": parse_json(&json), "history": rounds, "more": [1, {"x": null}]});
    match history {
        History::AllRounds => {}
        History::MissingField => drop(question.as_object_mut().unwrap().remove("history")),
        History::Null => question["history"] = Value::Null,
        History::Empty => question["history"] = json!([]),
        History::FirstHalf => question["history"] = json!(&rounds[..rounds.len() / 2]),
        History::LastRound => question["history"] = json!(&rounds[rounds.len().saturating_sub(1)..]),
        History::ShuffledWithCurrentRound => {
            let mut history: Vec<Value> = rounds.iter().map(|round| json!(round)).collect();
            // The current round as far as the seat knows it.
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
    fn whole_games_are_played_line_by_line(count in 2_u8..=5, open: bool, seed: u64, bot in 0..NAMES.len(), history in 0..HISTORIES.len()) {
        let screens = if open { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(Players::new(count).unwrap(), screens, seed);
        let mut rng = FastRng::new(!seed);
        while let Some((view, recall)) = table.next_turn() {
            let question = question(&view, recall, HISTORIES[history], &mut rng);
            let start = Instant::now();
            let line = ENGINES[bot].answer(question.to_string().as_bytes(), &|| start.elapsed().as_millis() >= 1);
            let answer = parse_answer(&line);
            assert_is_valid(&answer, &view);
            prop_assert_eq!(&answer["id"], view.action_count);
            table.play(answer["action"].as_str().unwrap().parse().unwrap());
        }
        prop_assert!(table.game().outcome().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn question_with_random_edits_gets_an_action_or_an_error(count in 2_u8..=5, open: bool, number in 0_u64..20, moves in 0_usize..60, seed: u64) {
        let screens = if open { Screens::Open } else { Screens::Closed };
        let mut table = TestGame::new(Players::new(count).unwrap(), screens, number);
        (0..moves).for_each(|_| if table.next_turn().is_some() { table.play_random_action() });
        let mut rng = FastRng::new(seed);
        let Some((view, recall)) = table.next_turn() else { return Ok(()) };
        let line = question(&view, recall, History::AllRounds, &mut rng).to_string();
        let engine = &ENGINES[rng.below(u32::try_from(NAMES.len()).unwrap()) as usize];
        for edit_count in 1..4 {
            let edits: Vec<Edit> = (0..edit_count).map(|_| Edit::random(&mut rng)).collect();
            let start = Instant::now();
            parse_answer(&engine.answer(&apply_edits(&line, &edits), &|| start.elapsed().as_millis() >= 1));
        }
    }

    #[test]
    fn random_bytes_and_random_json_are_answered_with_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200), json in r#"[{}\[\]",:0-9a-z_ \\]{0,200}"#) {
        error_for(&bytes);
        error_for(json.as_bytes());
        error_for(format!(r#"{{"id":1,"view":{{"format":"sultan-view","version":1,{json}}}}}"#).as_bytes());
        error_for(format!(r#"{{"id":1,"history":{json},"view":{{}}}}"#).as_bytes());
    }
}

/// A question in the middle of a game of four, its view and the finished rounds.
fn mid_game_question() -> (Value, View, Vec<RoundRecord>) {
    let mut table = TestGame::new(Players::new(4).unwrap(), Screens::Closed, 5);
    for _ in 0..37 {
        table.next_turn();
        table.play_random_action();
    }
    let (view, recall) = table.next_turn().unwrap();
    let rounds = recall.rounds().to_vec();
    (question(&view, recall, History::AllRounds, &mut FastRng::new(1)), view, rounds)
}

#[test]
fn answer_repeats_the_id_of_the_question() {
    let (mut question, ..) = mid_game_question();
    question.as_object_mut().unwrap().remove("id");
    let question = question.to_string();
    let other_fields = question.strip_prefix('{').unwrap();
    let engine = engine("random");
    let ids =
        ["1", "\"a\\u001b\u{7f}\\n\"", "null", "1234567890123456789012345678901234567890", "1.50e+3", "[1, {\"a\":2}]"];
    for id in ids {
        let answer = engine.answer(format!("{{\"id\": {id} ,{other_fields}").as_bytes(), &|| false);
        assert!(answer.starts_with(&format!("{{\"id\":{id},\"action\":\"")), "{answer}");
        let answer = engine.answer(format!("{{\"id\":{id}}}").as_bytes(), &|| false);
        assert!(answer.starts_with(&format!("{{\"id\":{id},\"error\":\"")), "{answer}");
    }
    // Without an id in the question, there is none in the answer.
    assert!(engine.answer(question.as_bytes(), &|| false).starts_with("{\"action\":\""));
    // A carriage return in the id does not break the line of the answer.
    assert_eq!(ask(&engine, &format!("{{\"id\":[1,\r2],{other_fields}\r"))["id"], json!([1, 2]));
    let byte_order_mark = '\u{feff}';
    assert_eq!(ask(&engine, &format!("{byte_order_mark}{{\"id\":7,{other_fields}"))["id"], 7);
}

#[test]
fn the_same_position_gets_the_same_answer() {
    let (question, view, rounds) = mid_game_question();
    let without_names =
        json!({"id": view.action_count, "view": parse_json(&view.to_json(&[], None)), "history": rounds});
    let mut reversed_history = question.clone();
    reversed_history["history"].as_array_mut().unwrap().reverse();
    // The view contains the last round, so the history may omit it.
    let mut without_last_round = question.clone();
    without_last_round["history"].as_array_mut().unwrap().pop();
    for name in NAMES {
        let engine = engine(name);
        let answer = ask(&engine, &question.to_string());
        assert_is_valid(&answer, &view);
        for same_position in [&without_names, &reversed_history, &without_last_round, &question] {
            assert_eq!(ask(&engine, &same_position.to_string()), answer, "{name}");
        }
    }
    let action = |seed| ask(&Engine { seed, ..engine("random") }, &question.to_string())["action"].clone();
    assert!((2..20).any(|seed| action(seed) != action(1)), "the seed does not change the action");
}

#[test]
fn invalid_line_is_answered_with_the_reason() {
    let start_of_deep_json = format!("{{\"id\":1,\"view\":{}", "{\"a\":".repeat(100_000));
    for (line, reason) in [
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
        (&"[".repeat(500_000), "not JSON: "),
        (&start_of_deep_json, "not JSON: "),
    ] {
        let error = error_for(line.as_bytes());
        assert!(error.starts_with(reason), "{reason}: {error}");
    }
    assert!(error_for(b"{\"id\":\"\xff\"}").starts_with("not UTF-8 from byte 8 on"));
}

#[test]
fn invalid_field_is_answered_with_the_reason() {
    let (question, view, rounds) = mid_game_question();
    let first_round_in_stage = |stage: u8| json!(RoundRecord { stage: sultan_domain::Stage(stage), ..rounds[0] });
    let own_white_jewels = &format!("/view/seats/{}/collection/W", view.observer.seat().unwrap());
    // JSON pointers to the fields, their invalid values, and the errors.
    for (pointer, value, reason) in [
        ("/view/version", json!(3), "`view` cannot be read: not a view of format “sultan-view”"),
        ("/view/stage", json!(4), "`view` cannot be read: a stage or round"),
        ("/view/phase", json!("x".repeat(10_000)), "`view` cannot be read: unknown variant"),
        ("/history", json!({}), "`history` cannot be read: "),
        ("/history", json!([1]), "`history` cannot be read: "),
        ("/history/0/drawn", json!("?"), "`history` cannot be read: "),
        ("/history/1", json!(rounds[0]), "`history` contains round 1 of stage 1 twice"),
        ("/history", (1..20).map(first_round_in_stage).collect(), "`history` has more rounds than a game"),
        ("/history/0", first_round_in_stage(3), "no game can look like this: round 1 of stage 3 is impossible"),
        ("/history/0/put_back", json!(null), "no game can look like this: round 1 of stage 1"),
        ("/view/at", json!(9), "no game can look like this: the stage, round and number"),
        (own_white_jewels, json!(12), "no game can look like this: the jewels"),
        ("/view/seats/1/deck", json!(9), "no game can look like this: the cards of seat 1"),
    ] {
        let mut changed = question.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        let error = error_for(changed.to_string().as_bytes());
        assert!(error.starts_with(reason), "{pointer}, {reason}: {error}");
    }
}

#[test]
fn engine_returns_no_action_out_of_turn() {
    let players = Players::new(3).unwrap();
    let moments = random_moments(players, 2);
    // The errors for the views of the three seats and of a spectator at one state of the game; "acts" for an action.
    let errors = |moment: usize| -> Vec<String> {
        let views = Observer::all(players).map(|observer| moments[moment].game.view(observer));
        let lines = views.map(|view| format!(r#"{{"id":3,"view":{}}}"#, view.to_json(&[], None)));
        let answers = lines.map(|line| ask(&engine("random"), &line));
        answers.map(|answer| answer["error"].as_str().unwrap_or("acts").to_owned()).collect()
    };
    let spectator = "the view is a spectator's, which has no turn";
    let not_drawn = "the jewels of the round are not drawn yet";
    // Before the first draw.
    assert_eq!(errors(0), [not_drawn, not_drawn, not_drawn, spectator]);
    let to_act = moments[1].game.to_act().unwrap();
    let mut expected = vec![format!("it is not the viewer's turn, but that of seat {to_act}"); 3];
    expected[to_act.index()] = "acts".to_owned();
    expected.push(spectator.to_owned());
    assert_eq!(errors(1), expected);
    let over = "the game is over";
    assert_eq!(errors(moments.len() - 1), [over, over, over, spectator]);
}

/// A bot that waits until its time is up, and then returns the result of this function.
struct FaultyBot(fn(&View) -> Vec<WeighedAction>);

impl Bot for FaultyBot {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn weigh(&self, view: &View, _: &Recall, _: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        while !stop() {}
        (self.0)(view)
    }
}

/// All legal actions, each with this share.
fn equal_shares(view: &View, share: f64) -> Vec<WeighedAction> {
    view.legal().iter().map(|action| WeighedAction { action, share, win: 0.5 }).collect()
}

#[test]
fn invalid_shares_of_a_bot_are_rejected_and_their_order_and_scale_are_corrected() {
    let (question, view, _) = mid_game_question();
    let answer_of = |weigh| {
        let engine = Engine { bot: Box::new(FaultyBot(weigh)), seed: 1 };
        parse_answer(&engine.answer(question.to_string().as_bytes(), &|| true))
    };
    let invalid: [fn(&View) -> Vec<WeighedAction>; 6] = [
        |_| Vec::new(),
        |view| equal_shares(view, 0.0),
        |view| equal_shares(view, f64::NAN),
        |view| equal_shares(view, -1.0),
        // One action is missing.
        |view| equal_shares(view, 1.0).split_off(1),
        // All shares are for the same action.
        |view| vec![equal_shares(view, 1.0)[0]; view.legal().len() as usize],
    ];
    for weigh in invalid {
        assert_eq!(answer_of(weigh)["error"], "the bot faulty found no action");
    }
    let corrected = answer_of(|view| {
        // Reversed, with a sum above 1, and a chance to win a little above 1.
        let mut weighed = equal_shares(view, 7.0);
        weighed.reverse();
        weighed[0].win = 1.0 + 1e-12;
        weighed
    });
    assert_is_valid(&corrected, &view);
}

#[test]
fn lines_are_answered_in_order_and_in_time() {
    let (question, ..) = mid_game_question();
    let too_long = "x".repeat(MAX_LINE_BYTES + 1);
    let input = format!("{question}\n\n{too_long}\n{question}\r\nnonsense\n{question}");
    let mut output = Vec::new();
    // The bot uses all its time: the test ends only if the time limit works.
    let engine = Engine { bot: Box::new(FaultyBot(|view| equal_shares(view, 1.0))), seed: 1 };
    // The reader has a tiny buffer, so that each line arrives in several parts.
    serve(&engine, Duration::from_millis(5), &mut BufReader::with_capacity(7, input.as_bytes()), &mut output).unwrap();
    let answers: Vec<Value> = String::from_utf8(output).unwrap().lines().map(parse_answer).collect();
    assert_eq!(answers.len(), 6);
    // The three questions, with the id 37.
    assert!([0, 3, 5].iter().all(|&index| answers[index]["id"] == 37 && answers[index]["action"].is_string()));
    assert_eq!(answers[1], json!({"error": "the line is empty"}));
    assert_eq!(answers[2], json!({"error": "the line has more than 1048576 bytes"}));
    assert!(answers[4]["error"].as_str().unwrap().starts_with("not JSON"));
}

#[test]
fn thinking_time_is_a_little_shorter_than_the_time_limit() {
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
    let mut read_next = |line: &mut Vec<u8>| read_line(&mut input, line).unwrap();
    assert_eq!((read_next(&mut line), line.len()), (Some(Length::Whole), MAX_LINE_BYTES));
    assert_eq!(read_next(&mut line), Some(Length::TooLong));
    assert_eq!((read_next(&mut line), line.as_slice()), (Some(Length::Whole), &b"c"[..]));
    assert_eq!(read_next(&mut line), None);
    let mut endless = BufReader::new(std::io::Read::take(std::io::repeat(b'x'), 50_000_000));
    let mut line = Vec::new();
    assert_eq!(read_line(&mut endless, &mut line).unwrap(), Some(Length::TooLong));
    assert!(line.capacity() <= 2 * MAX_LINE_BYTES);
}
