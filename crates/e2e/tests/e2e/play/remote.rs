//! `sultan play` at a table of a real server: play, lost connections, return and leaving.

use std::path::Path;
use std::time::Duration;

use sultan_testkit::http::Connection;
use sultan_testkit::server::Server;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::terminal::{PATIENCE, Terminal, piped, plain, said};
use crate::SULTAN;

pub(crate) async fn serve(home: &TempDir) -> Server {
    let db = format!("sqlite:{}", home.path().join("server.db").display());
    Server::start(Path::new(SULTAN), &db, &[]).await.unwrap()
}

/// Opens a table. Returns its link and the link of the host's seat.
pub(crate) async fn table(server: &Server, body: &str) -> (String, String) {
    let mut connection = Connection::open(server.address).await.unwrap();
    let opened = connection.ask("POST", "/api/v1/tables", None, body).await.unwrap();
    assert_eq!(opened.status, 201, "{}", opened.body);
    let opened = opened.json().unwrap();
    let link = format!("http://{}/t/{}", server.address, opened["table"].as_str().unwrap());
    let token = opened["token"].as_str().unwrap();
    (link.clone(), format!("{link}/in/{token}"))
}

#[tokio::test]
async fn a_game_is_played_at_a_real_server_s_table() {
    let home = TempDir::new().unwrap();
    let server = serve(&home).await;
    let body = r#"{"players":3,"seats":[{"human":true},{"human":true},{"bot":"merchant"}],"name":"Host"}"#;
    let (link, host) = table(&server, body).await;

    let mut terminal = Terminal::start(home.path(), (80, 24), &[&link, "--name", "王様", "--colour", "red"]);
    let start = terminal.until(|screen| screen.contains("Stage 1 of 3")).await;
    assert!(start.contains("王様 (you)") && start.contains("Host") && start.contains("Merchant"), "{start}");
    let lines = "1\n".repeat(80);
    let args = [&host[..]];
    let (end, (said, code)) = tokio::join!(terminal.play(), plain(home.path(), &args, &lines));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("王様") && said.contains("points, "), "{said}");
    assert!(end.contains("王様") && end.contains("play once more"), "{end}");
    terminal.press("q").await;

    // A spectator can open the finished game.
    let (said, code) = plain(home.path(), &[&link], "").await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("points, "), "{said}");
}

#[tokio::test]
async fn client_reconnects_after_a_server_restart() {
    let home = TempDir::new().unwrap();
    let mut server = serve(&home).await;
    let body = r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"first_seat":0,"name":"Ana"}"#;
    let (_, host) = table(&server, body).await;
    let mut terminal = Terminal::start(home.path(), (80, 24), &[&host]);
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    server.kill().await.unwrap();
    terminal.until(|screen| screen.contains("cannot be reached")).await;
    server.restart().await.unwrap();
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    terminal.press("123\r").await;
    terminal.until(|screen| screen.contains("which card") || screen.contains("is bidding")).await;
    terminal.press("q").await;
    let (written, _) = terminal.ended().await;
    assert!(written.contains("Come back to your seat with: sultan play http://"), "{written}");
}

/// Reads lines until one contains these words, and returns them.
async fn until(lines: &mut Lines<BufReader<ChildStdout>>, words: &str) -> Vec<String> {
    let mut all = Vec::new();
    let read = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            all.push(line.clone());
            if line.contains(words) {
                return true;
            }
        }
        false
    };
    let found = timeout(PATIENCE, read).await;
    assert_eq!(found, Ok(true), "no “{words}” in {all:#?}");
    all
}

fn lines(child: &mut Child) -> Lines<BufReader<ChildStdout>> {
    BufReader::new(child.stdout.take().unwrap()).lines()
}

/// A table against a bot where it is the host's turn.
pub(crate) const ALONE: &str = r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"first_seat":0,"name":"Ana"}"#;

#[tokio::test]
async fn interrupted_plain_client_prints_the_seat_link() {
    let home = TempDir::new().unwrap();
    let server = serve(&home).await;
    let (_, host) = table(&server, ALONE).await;
    for signal in ["-INT", "-TERM"] {
        let mut child = piped(home.path(), &[&host]);
        let mut lines = lines(&mut child);
        until(&mut lines, "Drawn: ").await;
        let pid = child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().await.unwrap().success());
        until(&mut lines, &format!("Come back to your seat with: sultan play {host}")).await;
        assert_eq!(said(child).await.1, Some(0));
    }
}

#[tokio::test]
async fn plain_client_can_leave_while_waiting() {
    let home = TempDir::new().unwrap();
    let server = serve(&home).await;
    let body = r#"{"players":2,"seats":[{"human":true},{"human":true}],"first_seat":1,"name":"Ana"}"#;
    let (link, host) = table(&server, body).await;
    // Input before the game starts is answered and does not end the program.
    let mut child = piped(home.path(), &[&host]);
    let mut lines = lines(&mut child);
    until(&mut lines, "still missing").await;
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"?\n\n").await.unwrap();
    until(&mut lines, "q stops").await;
    let (said_there, _) = plain(home.path(), &[&link, "--name", "Bo"], "").await;
    assert!(said_there.contains("Come back to your seat"), "{said_there}");
    until(&mut lines, "Bo draws").await;
    input.write_all(b"rules\nq\n").await.unwrap();
    until(&mut lines, "The rules in short, for 2 players").await;
    until(&mut lines, &format!("Come back to your seat with: sultan play {host}")).await;
    assert_eq!(said(child).await.1, Some(0));
    // The same at the end of the input, and for spectators.
    let (words, code) = timeout(PATIENCE, plain(home.path(), &[&host], "")).await.unwrap();
    assert!(code == Some(0) && words.contains("Bo draws") && words.contains("Come back to your seat"), "{words}");
    let (words, code) = timeout(PATIENCE, plain(home.path(), &[&link], "1\nq\n")).await.unwrap();
    assert!(code == Some(0) && words.contains("Bo draws"), "{words}");
}

#[tokio::test]
async fn plain_client_reports_a_lost_server_once() {
    let home = TempDir::new().unwrap();
    let mut server = serve(&home).await;
    let body = r#"{"players":2,"seats":[{"human":true},{"human":true}],"first_seat":1,"name":"Ana"}"#;
    let (link, host) = table(&server, body).await;
    let mut child = piped(home.path(), &[&host]);
    let mut lines = lines(&mut child);
    until(&mut lines, "still missing").await;
    server.kill().await.unwrap();
    until(&mut lines, "cannot be reached").await;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    server.restart().await.unwrap();
    // Another player sits down, and the game starts.
    let (said, _) = plain(home.path(), &[&link, "--name", "Bo"], "").await;
    assert!(said.contains("Come back to your seat"), "{said}");
    let more = until(&mut lines, "Bo draws").await;
    assert!(!more.iter().any(|line| line.contains("cannot be reached")), "{more:#?}");
}

#[tokio::test]
async fn client_stops_waiting_at_an_abandoned_table() {
    let home = TempDir::new().unwrap();
    let server = serve(&home).await;
    let (link, host) = table(&server, r#"{"players":2,"name":"Ana"}"#).await;
    let mut child = piped(home.path(), &[&host]);
    let mut lines = lines(&mut child);
    until(&mut lines, "still missing").await;
    // Keep stdin open: its end would also end the program.
    let _input = child.stdin.take();
    let (table, token) = (link.rsplit('/').next().unwrap(), host.rsplit('/').next().unwrap());
    let mut connection = Connection::open(server.address).await.unwrap();
    let left = connection.ask("POST", &format!("/api/v1/tables/{table}/leave"), Some(token), "").await.unwrap();
    assert!((200..300).contains(&left.status), "{}", left.body);
    // The seat no longer belongs to the host.
    let (words, code) = said(child).await;
    assert!(code == Some(1) && words.contains("Nothing more comes from this table: "), "{words}");
    let (words, code) = plain(home.path(), &[&link], "").await;
    assert!(code == Some(0) && words.contains("Everybody has left this table."), "{words}");
}
