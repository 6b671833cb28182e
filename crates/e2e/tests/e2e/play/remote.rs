//! `sultan play` at a table of a real server: play, lost connections, return and leaving.

use std::path::Path;
use std::time::Duration;

use sultan_testkit::http::Connection;
use sultan_testkit::server::Server;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::terminal::{TIMEOUT, Terminal, play_plain, spawn_piped, wait_with_output};
use crate::SULTAN;

/// Starts a server with a database in this folder.
pub(crate) async fn start_server(home: &TempDir) -> Server {
    let db = format!("sqlite:{}", home.path().join("server.db").display());
    Server::start(Path::new(SULTAN), &db, &[]).await.unwrap()
}

/// Opens a table. Returns its link and the link of the host's seat.
pub(crate) async fn open_table(server: &Server, body: &str) -> (String, String) {
    let mut connection = Connection::open(server.address).await.unwrap();
    let opened = connection.ask("POST", "/api/v1/tables", None, body).await.unwrap();
    assert_eq!(opened.status, 201, "{}", opened.body);
    let opened = opened.json().unwrap();
    let link = format!("http://{}/t/{}", server.address, opened["table"].as_str().unwrap());
    let token = opened["token"].as_str().unwrap();
    (link.clone(), format!("{link}/in/{token}"))
}

#[tokio::test]
async fn remote_game_is_played_by_two_clients() {
    let home = TempDir::new().unwrap();
    let server = start_server(&home).await;
    let body = r#"{"players":3,"seats":[{"human":true},{"human":true},{"bot":"merchant"}],"name":"Host"}"#;
    let (link, host) = open_table(&server, body).await;

    let mut terminal = Terminal::start(home.path(), (80, 24), &[&link, "--name", "王様", "--colour", "red"]);
    let start = terminal.wait_for_screen(|screen| screen.contains("Stage 1 of 3")).await;
    assert!(start.contains("王様 (you)") && start.contains("Host") && start.contains("Merchant"), "{start}");
    let input = "1\n".repeat(80);
    let args = [&host[..]];
    let (end, (output, code)) = tokio::join!(terminal.play(), play_plain(home.path(), &args, &input));
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("王様") && output.contains("points, "), "{output}");
    assert!(end.contains("王様") && end.contains("play once more"), "{end}");
    terminal.press("q").await;

    // A spectator can open the finished game.
    let (output, code) = play_plain(home.path(), &[&link], "").await;
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("points, "), "{output}");
}

#[tokio::test]
async fn client_reconnects_after_a_server_restart() {
    let home = TempDir::new().unwrap();
    let mut server = start_server(&home).await;
    let (_, host) = open_table(&server, TABLE_AGAINST_A_BOT).await;
    let mut terminal = Terminal::start(home.path(), (80, 24), &[&host]);
    terminal.wait_for_screen(|screen| screen.contains("which jewel goes on cushion 1")).await;
    server.kill().await.unwrap();
    terminal.wait_for_screen(|screen| screen.contains("cannot be reached")).await;
    server.restart().await.unwrap();
    terminal.wait_for_screen(|screen| screen.contains("which jewel goes on cushion 1")).await;
    // The jewels for the three cushions, by number.
    terminal.press("123\r").await;
    terminal.wait_for_screen(|screen| screen.contains("which card") || screen.contains("is bidding")).await;
    terminal.press("q").await;
    let (written, _) = terminal.wait_for_exit().await;
    assert!(written.contains("Come back to your seat with: sultan play http://"), "{written}");
}

/// Reads lines until one contains `text`, and returns them.
async fn read_until(lines: &mut Lines<BufReader<ChildStdout>>, text: &str) -> Vec<String> {
    let mut read_lines = Vec::new();
    let read = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            read_lines.push(line.clone());
            if line.contains(text) {
                return true;
            }
        }
        false
    };
    let found = timeout(TIMEOUT, read).await;
    assert_eq!(found, Ok(true), "no “{text}” in {read_lines:#?}");
    read_lines
}

/// The lines of a program's standard output.
fn output_lines(child: &mut Child) -> Lines<BufReader<ChildStdout>> {
    BufReader::new(child.stdout.take().unwrap()).lines()
}

/// The request for a table with a bot at which the host begins.
pub(crate) const TABLE_AGAINST_A_BOT: &str =
    r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"first_seat":0,"name":"Ana"}"#;

#[tokio::test]
async fn interrupted_plain_client_prints_the_seat_link() {
    let home = TempDir::new().unwrap();
    let server = start_server(&home).await;
    let (_, host) = open_table(&server, TABLE_AGAINST_A_BOT).await;
    for signal in ["-INT", "-TERM"] {
        let mut child = spawn_piped(home.path(), &[&host]);
        let mut lines = output_lines(&mut child);
        read_until(&mut lines, "Drawn: ").await;
        let pid = child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().await.unwrap().success());
        read_until(&mut lines, &format!("Come back to your seat with: sultan play {host}")).await;
        assert_eq!(wait_with_output(child).await.1, Some(0));
    }
}

#[tokio::test]
async fn plain_client_can_leave_while_waiting() {
    let home = TempDir::new().unwrap();
    let server = start_server(&home).await;
    let body = r#"{"players":2,"seats":[{"human":true},{"human":true}],"first_seat":1,"name":"Ana"}"#;
    let (link, host) = open_table(&server, body).await;
    // Input before the game starts is answered and does not end the program.
    let mut child = spawn_piped(home.path(), &[&host]);
    let mut lines = output_lines(&mut child);
    read_until(&mut lines, "still missing").await;
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"?\n\n").await.unwrap();
    read_until(&mut lines, "q stops").await;
    let (output, _) = play_plain(home.path(), &[&link, "--name", "Bo"], "").await;
    assert!(output.contains("Come back to your seat"), "{output}");
    read_until(&mut lines, "Bo draws").await;
    input.write_all(b"rules\nq\n").await.unwrap();
    read_until(&mut lines, "The rules in short, for 2 players").await;
    read_until(&mut lines, &format!("Come back to your seat with: sultan play {host}")).await;
    assert_eq!(wait_with_output(child).await.1, Some(0));
    // The same at the end of the input, and for spectators.
    let (output, code) = timeout(TIMEOUT, play_plain(home.path(), &[&host], "")).await.unwrap();
    assert!(code == Some(0) && output.contains("Bo draws") && output.contains("Come back to your seat"), "{output}");
    let (output, code) = timeout(TIMEOUT, play_plain(home.path(), &[&link], "1\nq\n")).await.unwrap();
    assert!(code == Some(0) && output.contains("Bo draws"), "{output}");
}

#[tokio::test]
async fn plain_client_reports_a_lost_server_once() {
    let home = TempDir::new().unwrap();
    let mut server = start_server(&home).await;
    let body = r#"{"players":2,"seats":[{"human":true},{"human":true}],"first_seat":1,"name":"Ana"}"#;
    let (link, host) = open_table(&server, body).await;
    let mut child = spawn_piped(home.path(), &[&host]);
    let mut lines = output_lines(&mut child);
    read_until(&mut lines, "still missing").await;
    server.kill().await.unwrap();
    read_until(&mut lines, "cannot be reached").await;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    server.restart().await.unwrap();
    // Another player sits down, and the game starts.
    let (output, _) = play_plain(home.path(), &[&link, "--name", "Bo"], "").await;
    assert!(output.contains("Come back to your seat"), "{output}");
    let more = read_until(&mut lines, "Bo draws").await;
    assert!(!more.iter().any(|line| line.contains("cannot be reached")), "reported again: {more:#?}");
}

#[tokio::test]
async fn client_stops_waiting_at_an_abandoned_table() {
    let home = TempDir::new().unwrap();
    let server = start_server(&home).await;
    let (link, host) = open_table(&server, r#"{"players":2,"name":"Ana"}"#).await;
    let mut child = spawn_piped(home.path(), &[&host]);
    let mut lines = output_lines(&mut child);
    read_until(&mut lines, "still missing").await;
    // Keep stdin open: its end would also end the program.
    let _input = child.stdin.take();
    let (table, token) = (link.rsplit('/').next().unwrap(), host.rsplit('/').next().unwrap());
    let mut connection = Connection::open(server.address).await.unwrap();
    let left = connection.ask("POST", &format!("/api/v1/tables/{table}/leave"), Some(token), "").await.unwrap();
    assert!((200..300).contains(&left.status), "{}", left.body);
    // The seat no longer belongs to the host.
    let (output, code) = wait_with_output(child).await;
    assert!(code == Some(1) && output.contains("Nothing more comes from this table: "), "{output}");
    let (output, code) = play_plain(home.path(), &[&link], "").await;
    assert!(code == Some(0) && output.contains("Everybody has left this table."), "{output}");
}
