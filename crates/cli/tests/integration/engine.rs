//! Tests of `sultan engine` as a process: a pipe that stays open, lines in order, clean exits.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use sultan_domain::{Players, Screens};
use sultan_testkit::{TestGame, sample_people};

/// A running engine. Another thread reads its output, so that a missing answer fails the test after a minute.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sultan"));
        command.arg("engine").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, answers) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, input, answers }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn read_answer(&self) -> Value {
        serde_json::from_str(&self.answers.recv_timeout(Duration::from_mins(1)).unwrap()).unwrap()
    }

    /// Closes the input. The engine must exit without further output.
    fn close(mut self) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert!(self.answers.recv().is_err(), "an unexpected answer");
    }
}

#[test]
fn a_game_is_played_through_an_open_pipe() {
    let mut engine = Engine::start(&["--bot", "random", "--millis", "50", "--seed", "9"]);
    let players = Players::new(3).unwrap();
    let mut table = TestGame::new(players, Screens::Closed, 4);
    while let Some((view, recall)) = table.next_turn() {
        let id = format!("action {}", view.action_count);
        let view: Value = serde_json::from_str(&view.to_json(&sample_people(players), None)).unwrap();
        engine.write(format!("{}\n", json!({"id": id, "view": view, "history": recall.rounds()})).as_bytes());
        let answer = engine.read_answer();
        assert_eq!(answer["id"], id);
        table.play(answer["action"].as_str().unwrap().parse().unwrap());
    }
    assert!(table.game().outcome().is_some());
    engine.close();
}

#[test]
fn several_lines_at_once_are_answered_in_order() {
    let mut engine = Engine::start(&["--bot", "random"]);
    let mut table = TestGame::new(Players::new(5).unwrap(), Screens::Open, 4);
    let (view, _) = table.next_turn().unwrap();
    let view: Value = serde_json::from_str(&view.to_json(&[], None)).unwrap();
    let question = |id: u32| json!({"id": id, "view": view}).to_string();
    let too_long = "x".repeat(3_000_000);
    let lines = [question(1), "nonsense".to_owned(), String::new(), question(2), too_long, question(3)].join("\n");
    engine.write(lines.as_bytes());
    let answers: Vec<Value> = (0..5).map(|_| engine.read_answer()).collect();
    // The last line has no line break, so it is answered only at the end of the input.
    drop(engine.input.take());
    let last = engine.read_answer();
    assert_eq!((&answers[0]["id"], &answers[3]["id"], &last["id"]), (&json!(1), &json!(2), &json!(3)));
    // The questions differ only in their ids.
    assert_eq!((&answers[0]["action"], &answers[0]["values"]), (&last["action"], &last["values"]));
    let error = |index: usize| answers[index]["error"].as_str().unwrap();
    assert!(error(1).starts_with("not JSON") && error(2).contains("empty") && error(4).contains("1048576 bytes"));
    engine.close();
}

#[test]
fn engine_exits_without_an_error_if_its_output_is_closed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sultan"));
    command.args(["engine", "--bot", "random"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The engine may exit before the whole input is written; then the write fails.
    let _ = input.write_all(&b"nonsense\n".repeat(1000));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn engine_without_input_exits_without_an_error() {
    Engine::start(&["--bot", "random"]).close();
}

#[test]
fn wrong_usage_is_rejected_and_an_unknown_bot_with_the_names_of_all_bots() {
    for arguments in [&["--bot", "nobody"][..], &[], &["--bot", "random", "--millis", "-1"], &["--bot", "random", "x"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_sultan")).arg("engine").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty() && message.starts_with("error: "), "{message}");
        let names_all_bots = sultan_bots::NAMES.iter().all(|name| message.contains(name));
        assert!(names_all_bots || !arguments.contains(&"nobody"), "{message}");
    }
}
