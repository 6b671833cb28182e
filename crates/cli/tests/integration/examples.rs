//! Tests of the example bots in `examples/`: over HTTP, and against `sultan engine`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use sultan_testkit::http::Connection;
use sultan_testkit::server::Server;
use sultan_testkit::skip_or_fail;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

const BINARY: &str = env!("CARGO_BIN_EXE_sultan");

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Returns whether Python is installed. If all checks are required, a missing Python is a failure.
fn python() -> bool {
    let there =
        std::process::Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        skip_or_fail("the bots in examples/; python3 is not installed: apt-get install python3");
    }
    there
}

fn run(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    // Write no bytecode beside the examples.
    command.arg("-B").arg(example(name)).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Runs an example to its end and returns its output.
async fn printed(name: &str, arguments: &[&str]) -> String {
    let output = timeout(Duration::from_mins(2), run(name, arguments).output()).await.expect("it ends").unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

async fn server(folder: &TempDir) -> Server {
    let db = format!("sqlite:{}", folder.path().join("games.db").display());
    Server::start(Path::new(BINARY), &db, &[]).await.unwrap()
}

/// Checks that the record of a table exists and is valid.
async fn verified(server: &Server, table: &str, folder: &TempDir) {
    let mut line = Connection::open(server.address).await.unwrap();
    let answer = line.ask("GET", &format!("/api/v1/tables/{table}/record"), None, "").await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.body);
    let file = folder.path().join("game.sultan.json");
    std::fs::write(&file, &answer.body).unwrap();
    let output = Command::new(BINARY).arg("verify").arg(&file).output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test]
async fn the_bot_opens_a_table_and_plays_it_to_the_end() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = server(&folder).await;
    let output = printed("bot.py", &[&format!("http://{}", server.address)]).await;
    let mut lines = output.lines();
    let table = lines.next().unwrap().rsplit('/').next().unwrap();
    assert_eq!(lines.filter(|line| line.ends_with(" points")).count(), 4, "{output}");
    verified(&server, table, &folder).await;
}

#[tokio::test]
async fn example_bot_sits_waits_and_survives_a_server_restart() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut server = server(&folder).await;
    let mut line = Connection::open(server.address).await.unwrap();
    let opening = r#"{"players":3,"seats":[{"human":true},{"human":true},{"bot":"page"}],"name":"Ana"}"#;
    let opened = line.ask("POST", "/api/v1/tables", None, opening).await.unwrap().json().unwrap();
    let (table, token) = (opened["table"].as_str().unwrap(), opened["token"].as_str().unwrap());
    let mut bot = run("bot.py", &[&format!("http://{}/t/{table}/", server.address)]).spawn().unwrap();
    let mut output = BufReader::new(bot.stdout.take().unwrap()).lines();
    assert!(output.next_line().await.unwrap().unwrap().starts_with("seat 1 at "));
    let path = format!("/api/v1/tables/{table}");
    // Ana plays the first legal action each time; in the middle of the game the server restarts.
    let mut over = false;
    for asked in 0..6000 {
        let view = line.ask("GET", &path, Some(token), "").await.unwrap().json().unwrap();
        over = view["phase"] == "over";
        if over {
            break;
        }
        if view["to_act"] == 0 {
            let body = format!(r#"{{"action":{},"at":{}}}"#, view["legal"][0], view["at"]);
            let answer = line.ask("POST", &format!("{path}/actions"), Some(token), &body).await.unwrap();
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
        if asked == 20 {
            server.kill().await.unwrap();
            server.restart().await.unwrap();
            line = Connection::open(server.address).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(over);
    let ended = timeout(Duration::from_secs(30), bot.wait()).await.expect("it ends").unwrap();
    assert!(ended.success());
    assert!(output.next_line().await.unwrap().unwrap().starts_with("1. seat "));
    verified(&server, table, &folder).await;
}

#[tokio::test]
async fn full_table_is_reported_in_one_sentence() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = server(&folder).await;
    let mut line = Connection::open(server.address).await.unwrap();
    let opening = r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"name":"Ana"}"#;
    let opened = line.ask("POST", "/api/v1/tables", None, opening).await.unwrap().json().unwrap();
    let link = format!("http://{}/t/{}", server.address, opened["table"].as_str().unwrap());
    let output = timeout(Duration::from_mins(2), run("bot.py", &[&link]).output()).await.expect("it ends").unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(1) && message.starts_with("no seat for us: ") && message.lines().count() == 1,
        "{message}"
    );
}

#[tokio::test]
async fn missing_table_is_reported_in_one_sentence() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = server(&folder).await;
    let (there, nowhere) = (format!("http://{}", server.address), "http://127.0.0.1:1");
    let without = server.address.to_string();
    for (name, arguments, words) in [
        ("bot.py", &[nowhere][..], "Connection refused"),
        ("bot.py", &[&without[..]], "unknown url type"),
        ("match.py", &[nowhere, "1", BINARY, "engine", "--bot", "page"], "Connection refused"),
        ("match.py", &[&without, "1", BINARY, "engine", "--bot", "page"], "unknown url type"),
        ("match.py", &[&there, "1", "/no/such/program"], "no engine: "),
        ("match.py", &[&there, "1", "true"], "true does not answer as an engine does"),
        ("match.py", &[&there, "1", "echo", "hello"], "echo hello does not answer as an engine does"),
    ] {
        let output = timeout(Duration::from_mins(2), run(name, arguments).output()).await.expect("it ends").unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        let output = output.status.code() == Some(1) && message.contains(words) && message.lines().count() == 1;
        assert!(output, "{name} {arguments:?}: {message}");
    }
    for arguments in [&[][..], &[nowhere], &[nowhere, "many", "true"]] {
        let output = run("match.py", arguments).output().await.unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(1) && message.contains("python3 examples/match.py"),
            "{arguments:?}: {message}"
        );
    }
}

#[tokio::test]
async fn the_bot_meets_the_engine() {
    if !python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = server(&folder).await;
    let address = format!("http://{}", server.address);
    let output = printed("match.py", &[&address, "2", BINARY, "engine", "--bot", "jeweller"]).await;
    assert!(output.starts_with("2 games: won "), "{output}");
}
