//! Concurrent requests on real connections: all observers see the same history, and no action is applied twice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sultan_table::Settings;
use sultan_testkit::http::{Answer, Connection, Events};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{Chance, FastRng, in_time, record_faults};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Barrier;

use crate::site::app;

/// A table in play, with several watchers of its event stream.
struct Game {
    server: TestServer,
    table: String,
    /// The token of each seat.
    tokens: Vec<String>,
    /// A connection for requests that are not concurrent.
    connection: Connection,
    /// The streams of a spectator, of every seat, and of the first seat on a second device.
    watchers: Vec<Events>,
    /// The version that the watchers received last.
    version: u32,
    /// The actions so far.
    actions: Vec<String>,
    rng: FastRng,
}

/// The turn of the seat to act.
struct Turn {
    token: String,
    legal_actions: Vec<String>,
    /// The number of actions so far.
    at: u64,
}

async fn connect(address: SocketAddr) -> Connection {
    Connection::open(address).await.unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

impl Game {
    async fn new(players: u8) -> Self {
        let settings = Settings { bot_pause: Duration::ZERO, ..Settings::default() };
        let server = TestServer::start(settings, unlimited_config(), app).await;
        let mut connection = connect(server.address).await;
        let body = json!({"players": players}).to_string();
        let opened = connection.ask("POST", "/api/v1/tables", None, &body).await.unwrap().json().unwrap();
        let (table, mut tokens) = (text(&opened["table"]), vec![text(&opened["token"])]);
        for _ in 1..players {
            let seated = connection.ask("POST", &format!("/api/v1/tables/{table}/seats"), None, "").await.unwrap();
            tokens.push(text(&seated.json().unwrap()["token"]));
        }
        let mut watchers = Vec::new();
        let mut version = 0;
        for token in [None, Some(&tokens[0])].into_iter().chain(tokens.iter().map(Some)) {
            let mut watcher = Events::open(server.address, &table, token.map(String::as_str), None).await.unwrap();
            version = in_time(watcher.next()).await.unwrap().id;
            watchers.push(watcher);
        }
        Self {
            server,
            table,
            tokens,
            connection,
            watchers,
            version,
            actions: Vec::new(),
            rng: FastRng::new(players.into()),
        }
    }

    fn path(&self, suffix: &str) -> String {
        format!("/api/v1/tables/{}{suffix}", self.table)
    }

    async fn view(&mut self, token: Option<&str>) -> Value {
        let path = self.path("");
        self.connection.ask("GET", &path, token, "").await.unwrap().json().unwrap()
    }

    /// The turn of the seat to act; `None` once the game is over.
    async fn turn(&mut self) -> Option<Turn> {
        let to_act = self.view(None).await["to_act"].as_u64()?;
        let token = self.tokens[usize::try_from(to_act).unwrap()].clone();
        let view = self.view(Some(&token)).await;
        let legal_actions = view["legal"].as_array().unwrap().iter().map(text).collect();
        Some(Turn { token, legal_actions, at: view["at"].as_u64().unwrap() })
    }

    fn random_action(&mut self, turn: &Turn) -> String {
        let count = u32::try_from(turn.legal_actions.len()).unwrap();
        turn.legal_actions[self.rng.below(count) as usize].clone()
    }

    /// Sends these actions with the token of the seat to act, all at the same time, each on its own connection.
    async fn send_concurrently(&self, turn: &Turn, actions: &[String]) -> Vec<Answer> {
        let barrier = Arc::new(Barrier::new(actions.len()));
        let send = |action: &String| {
            let (barrier, address, path) = (Arc::clone(&barrier), self.server.address, self.path("/actions"));
            let (token, body) = (turn.token.clone(), json!({"action": action, "at": turn.at}).to_string());
            tokio::spawn(async move {
                let mut connection = connect(address).await;
                // Waits until all connections are open.
                barrier.wait().await;
                connection.ask("POST", &path, Some(&token), &body).await.unwrap()
            })
        };
        let mut answers = Vec::new();
        for request in actions.iter().map(send).collect::<Vec<_>>() {
            answers.push(in_time(request).await.unwrap());
        }
        answers
    }

    /// Asserts that an action was applied once: the next view of every watcher has exactly one additional action.
    async fn assert_applied_once(&mut self, action: &str) {
        self.version += 1;
        self.actions.push(action.to_owned());
        for watcher in &mut self.watchers {
            let event = in_time(watcher.next()).await.unwrap();
            assert_eq!(event.id, self.version, "a version is missing or repeated");
            let view: Value = serde_json::from_str(&event.data).unwrap();
            assert_eq!(view["at"], self.actions.len());
        }
    }

    /// Asserts that the record of the finished game has exactly the actions that were applied.
    async fn assert_record_has_all_actions(mut self) {
        let path = self.path("/record");
        let record = self.connection.ask("GET", &path, None, "").await.unwrap();
        assert_eq!(record.status, 200, "{}", record.body);
        assert_eq!(record_faults(&record.body), [""; 0]);
        assert_eq!(record.json().unwrap()["actions"], json!(self.actions));
        self.server.stop().await;
        for watcher in &mut self.watchers {
            assert!(in_time(watcher.next()).await.is_err(), "an event follows the end of the game");
        }
    }
}

/// Asserts that an action was rejected because a different action was applied first.
fn assert_too_late(answer: &Answer) {
    assert_eq!(answer.status, 409, "{}", answer.body);
    // If the other action has ended the game, the code is `table/over`.
    let code = text(&answer.json().unwrap()["code"]);
    assert!(["action/not-now", "table/over"].contains(&code.as_str()), "{code}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_identical_actions_are_applied_once() {
    let mut game = Game::new(2).await;
    while let Some(turn) = game.turn().await {
        let action = game.random_action(&turn);
        let answers = game.send_concurrently(&turn, &vec![action.clone(); 10]).await;
        for answer in &answers {
            assert_eq!(answer.status, 200, "{}", answer.body);
            assert_eq!(answer.body, answers[0].body, "the answers to identical requests differ");
        }
        game.assert_applied_once(&action).await;
    }
    game.assert_record_has_all_actions().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_concurrent_actions_with_one_token_is_applied() {
    let mut game = Game::new(3).await;
    while let Some(turn) = game.turn().await {
        let actions = [turn.legal_actions[0].clone(), turn.legal_actions.last().unwrap().clone()];
        let answers = game.send_concurrently(&turn, &actions).await;
        let accepted: Vec<_> = answers.iter().zip(&actions).filter(|(answer, _)| answer.status == 200).collect();
        if actions[0] == actions[1] {
            assert_eq!(accepted.len(), 2, "the seat has only one legal action, so both requests are identical");
        } else {
            assert_eq!(accepted.len(), 1, "only one of two different actions can be applied");
            answers.iter().filter(|answer| answer.status != 200).for_each(assert_too_late);
        }
        let (_, applied) = accepted[0];
        game.assert_applied_once(&applied.clone()).await;
    }
    game.assert_record_has_all_actions().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_actions_of_all_seats_apply_only_that_of_the_seat_to_act() {
    let mut game = Game::new(4).await;
    while let Some(turn) = game.turn().await {
        let action = game.random_action(&turn);
        let mut requests = Vec::new();
        let unknown_token = "0".repeat(64);
        for token in game.tokens.clone().into_iter().chain([unknown_token]) {
            let (address, path) = (game.server.address, game.path("/actions"));
            let body = json!({"action": action, "at": turn.at}).to_string();
            requests.push(tokio::spawn(async move {
                let answer = connect(address).await.ask("POST", &path, Some(&token), &body).await.unwrap();
                (token, answer)
            }));
        }
        for request in requests {
            let (token, answer) = in_time(request).await.unwrap();
            // 409: it is not the turn of this seat. 403: no seat has this token.
            let expected_status = if token == turn.token {
                200
            } else if game.tokens.contains(&token) {
                409
            } else {
                403
            };
            assert_eq!(answer.status, expected_status, "{}", answer.body);
        }
        game.assert_applied_once(&action).await;
    }
    game.assert_record_has_all_actions().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn action_repeated_after_a_disconnect_is_applied_once() {
    let mut game = Game::new(5).await;
    // The four ways to disconnect: before the request is complete, right after it, one millisecond later, and by
    // closing only the sending side first.
    for way_to_disconnect in (0..4_u8).cycle() {
        let Some(turn) = game.turn().await else { break };
        let action = game.random_action(&turn);
        let body = json!({"action": action, "at": turn.at}).to_string();
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            game.path("/actions"),
            turn.token,
            body.len()
        );
        let mut socket = TcpStream::connect(game.server.address).await.unwrap();
        let length = if way_to_disconnect == 0 { request.len() - 1 } else { request.len() };
        socket.write_all(&request.as_bytes()[..length]).await.unwrap();
        match way_to_disconnect {
            2 => tokio::time::sleep(Duration::from_millis(1)).await,
            3 => socket.shutdown().await.unwrap(),
            _ => {}
        }
        drop(socket);
        let repeated = game.send_concurrently(&turn, &[action.clone(), action.clone()]).await;
        assert!(repeated.iter().all(|answer| answer.status == 200), "{repeated:?}");
        game.assert_applied_once(&action).await;
    }
    game.assert_record_has_all_actions().await;
}
