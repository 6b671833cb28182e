//! Tests of the example bots in `examples/`: over HTTP, and against `sultan engine`.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
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
fn has_python() -> bool {
    let output = std::process::Command::new("python3").arg("--version").output();
    let is_installed = output.is_ok_and(|output| output.status.success());
    if !is_installed {
        skip_or_fail("the bots in examples/; python3 is not installed: apt-get install python3");
    }
    is_installed
}

/// The command that runs an example.
fn example_command(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    // Without bytecode files beside the examples.
    command.arg("-B").arg(example(name)).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Runs an example until it exits, for at most two minutes.
async fn run_example(name: &str, arguments: &[&str]) -> Output {
    let output = example_command(name, arguments).output();
    timeout(Duration::from_mins(2), output).await.expect("the example exits").unwrap()
}

/// Runs an example, which must succeed, and returns its standard output.
async fn stdout_of(name: &str, arguments: &[&str]) -> String {
    let output = run_example(name, arguments).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

/// Starts a server with a database in this folder.
async fn start_server(folder: &TempDir) -> Server {
    let db = format!("sqlite:{}", folder.path().join("games.db").display());
    Server::start(Path::new(BINARY), &db, &[]).await.unwrap()
}

/// Checks that the record of a table exists and is valid.
async fn assert_record_is_valid(server: &Server, table: &str, folder: &TempDir) {
    let mut connection = Connection::open(server.address).await.unwrap();
    let response = connection.ask("GET", &format!("/api/v1/tables/{table}/record"), None, "").await.unwrap();
    assert_eq!(response.status, 200, "{}", response.body);
    let file = folder.path().join("game.sultan.json");
    std::fs::write(&file, &response.body).unwrap();
    let output = Command::new(BINARY).arg("verify").arg(&file).output().await.unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test]
async fn example_bot_opens_a_table_and_plays_to_the_end() {
    if !has_python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = start_server(&folder).await;
    let output = stdout_of("bot.py", &[&format!("http://{}", server.address)]).await;
    let mut lines = output.lines();
    let table = lines.next().unwrap().rsplit('/').next().unwrap();
    // The result has a line for each of four players.
    assert_eq!(lines.filter(|line| line.ends_with(" points")).count(), 4, "{output}");
    assert_record_is_valid(&server, table, &folder).await;
}

#[tokio::test]
async fn example_bot_sits_waits_and_survives_a_server_restart() {
    if !has_python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut server = start_server(&folder).await;
    let mut connection = Connection::open(server.address).await.unwrap();
    // Ana has seat 0, the example bot takes seat 1, and a bot of the server has seat 2.
    let request = r#"{"players":3,"seats":[{"human":true},{"human":true},{"bot":"page"}],"name":"Ana"}"#;
    let seat = connection.ask("POST", "/api/v1/tables", None, request).await.unwrap().json().unwrap();
    let (table, token) = (seat["table"].as_str().unwrap(), seat["token"].as_str().unwrap());
    let mut bot = example_command("bot.py", &[&format!("http://{}/t/{table}/", server.address)]).spawn().unwrap();
    let mut output = BufReader::new(bot.stdout.take().unwrap()).lines();
    assert!(output.next_line().await.unwrap().unwrap().starts_with("seat 1 at "));
    let path = format!("/api/v1/tables/{table}");
    // Ana plays the first legal action each time; in the middle of the game the server restarts.
    let mut is_over = false;
    for request in 0..6000 {
        let view = connection.ask("GET", &path, Some(token), "").await.unwrap().json().unwrap();
        is_over = view["phase"] == "over";
        if is_over {
            break;
        }
        if view["to_act"] == 0 {
            let body = format!(r#"{{"action":{},"at":{}}}"#, view["legal"][0], view["at"]);
            let response = connection.ask("POST", &format!("{path}/actions"), Some(token), &body).await.unwrap();
            assert_eq!(response.status, 200, "{}", response.body);
        }
        if request == 20 {
            server.kill().await.unwrap();
            server.restart().await.unwrap();
            connection = Connection::open(server.address).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(is_over, "the game does not end");
    let status = timeout(Duration::from_secs(30), bot.wait()).await.expect("the bot exits").unwrap();
    assert!(status.success());
    // The first line of the result is the winner.
    assert!(output.next_line().await.unwrap().unwrap().starts_with("1. seat "));
    assert_record_is_valid(&server, table, &folder).await;
}

#[tokio::test]
async fn full_table_is_reported_in_one_line() {
    if !has_python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = start_server(&folder).await;
    let mut connection = Connection::open(server.address).await.unwrap();
    let request = r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"name":"Ana"}"#;
    let seat = connection.ask("POST", "/api/v1/tables", None, request).await.unwrap().json().unwrap();
    let link = format!("http://{}/t/{}", server.address, seat["table"].as_str().unwrap());
    assert_fails_with_one_line("bot.py", &[&link], "no seat for us: ").await;
}

/// Checks that an example exits with 1 and one line of error that contains `reason`.
async fn assert_fails_with_one_line(name: &str, arguments: &[&str], reason: &str) {
    let output = run_example(name, arguments).await;
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{name} {arguments:?}: {message}");
    assert!(message.contains(reason), "{name} {arguments:?}: {message}");
}

#[tokio::test]
async fn unreachable_server_wrong_link_and_missing_engine_are_reported_in_one_line() {
    if !has_python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = start_server(&folder).await;
    let (url, unreachable) = (format!("http://{}", server.address), "http://127.0.0.1:1");
    let without_http = server.address.to_string();
    for (name, arguments, reason) in [
        ("bot.py", &[unreachable][..], "Connection refused"),
        ("bot.py", &[&without_http[..]], "unknown url type"),
        ("match.py", &[unreachable, "1", BINARY, "engine", "--bot", "page"], "Connection refused"),
        ("match.py", &[&without_http, "1", BINARY, "engine", "--bot", "page"], "unknown url type"),
        ("match.py", &[&url, "1", "/no/such/program"], "no engine: "),
        ("match.py", &[&url, "1", "true"], "true does not answer as an engine does"),
        ("match.py", &[&url, "1", "echo", "hello"], "echo hello does not answer as an engine does"),
    ] {
        assert_fails_with_one_line(name, arguments, reason).await;
    }
}

#[tokio::test]
async fn match_with_wrong_arguments_prints_its_usage() {
    if !has_python() {
        return;
    }
    for arguments in [&[][..], &["http://127.0.0.1:1"], &["http://127.0.0.1:1", "many", "true"]] {
        let output = run_example("match.py", arguments).await;
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("python3 examples/match.py"), "{arguments:?}: {message}");
    }
}

#[tokio::test]
async fn example_bot_plays_a_match_against_the_engine() {
    if !has_python() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let server = start_server(&folder).await;
    let address = format!("http://{}", server.address);
    let output = stdout_of("match.py", &[&address, "2", BINARY, "engine", "--bot", "jeweller"]).await;
    assert!(output.starts_with("2 games: won "), "{output}");
}
