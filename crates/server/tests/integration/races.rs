//! Concurrent requests over real sockets: every game has one history, and no action is played twice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sultan_table::Settings;
use sultan_testkit::http::{Answer, Connection, Events};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{Chance, Quick, in_time, record_faults};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Barrier;

use crate::site::app;

/// A table in play, with several watchers of its states.
struct Game {
    served: TestServer,
    table: String,
    tokens: Vec<String>,
    connection: Connection,
    /// A spectator, every seat, and the first seat on a second device.
    watchers: Vec<Events>,
    /// The version of the last state that the watchers received.
    version: u32,
    /// The played actions, in order.
    done: Vec<String>,
    chance: Quick,
}

/// The legal actions of the seat to act.
struct Turn {
    token: String,
    legal: Vec<String>,
    at: u64,
}

async fn open(address: SocketAddr) -> Connection {
    Connection::open(address).await.unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

impl Game {
    async fn new(players: u8) -> Self {
        let settings = Settings { bot_pause: Duration::ZERO, ..Settings::default() };
        let served = TestServer::start(settings, unlimited_config(), app).await;
        let mut connection = open(served.address).await;
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
            let mut watcher = Events::open(served.address, &table, token.map(String::as_str), None).await.unwrap();
            version = in_time(watcher.next()).await.unwrap().id;
            watchers.push(watcher);
        }
        Self {
            served,
            table,
            tokens,
            connection,
            watchers,
            version,
            done: Vec::new(),
            chance: Quick::new(players.into()),
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/tables/{}{rest}", self.table)
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
        let legal = view["legal"].as_array().unwrap().iter().map(text).collect();
        Some(Turn { token, legal, at: view["at"].as_u64().unwrap() })
    }

    fn pick(&mut self, turn: &Turn) -> String {
        turn.legal[self.chance.below(u32::try_from(turn.legal.len()).unwrap()) as usize].clone()
    }

    /// Sends all of these actions concurrently, each on its own connection.
    async fn send_concurrently(&self, turn: &Turn, actions: &[String]) -> Vec<Answer> {
        let barrier = Arc::new(Barrier::new(actions.len()));
        let ask = |action: &String| {
            let (barrier, address, path) = (Arc::clone(&barrier), self.served.address, self.path("/actions"));
            let (token, body) = (turn.token.clone(), json!({"action": action, "at": turn.at}).to_string());
            tokio::spawn(async move {
                let mut connection = open(address).await;
                barrier.wait().await;
                connection.ask("POST", &path, Some(&token), &body).await.unwrap()
            })
        };
        let mut answers = Vec::new();
        for asked in actions.iter().map(ask).collect::<Vec<_>>() {
            answers.push(in_time(asked).await.unwrap());
        }
        answers
    }

    /// Records that one action was played: all watchers must receive the next version, and no other.
    async fn record_played(&mut self, action: &str) {
        self.version += 1;
        self.done.push(action.to_owned());
        for watcher in &mut self.watchers {
            let event = in_time(watcher.next()).await.unwrap();
            assert_eq!(event.id, self.version, "no version is left out or repeated");
            let view: Value = serde_json::from_str(&event.data).unwrap();
            assert_eq!(view["at"], self.done.len());
        }
    }

    /// Asserts that the record contains exactly the played actions.
    async fn check_record(mut self) {
        let path = self.path("/record");
        let record = self.connection.ask("GET", &path, None, "").await.unwrap();
        assert_eq!(record.status, 200, "{}", record.body);
        assert_eq!(record_faults(&record.body), [""; 0]);
        assert_eq!(record.json().unwrap()["actions"], json!(self.done));
        self.served.stop().await;
        for watcher in &mut self.watchers {
            assert!(in_time(watcher.next()).await.is_err(), "no event follows the end");
        }
    }
}

/// Asserts that an action was rejected as too late.
fn assert_too_late(answer: &Answer) {
    assert_eq!(answer.status, 409, "{}", answer.body);
    // The other action may have ended the game.
    let code = text(&answer.json().unwrap()["code"]);
    assert!(["action/not-now", "table/over"].contains(&code.as_str()), "{code}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_identical_actions_are_applied_once() {
    let mut game = Game::new(2).await;
    while let Some(turn) = game.turn().await {
        let action = game.pick(&turn);
        let answers = game.send_concurrently(&turn, &vec![action.clone(); 10]).await;
        for answer in &answers {
            assert_eq!(answer.status, 200, "{}", answer.body);
            assert_eq!(answer.body, answers[0].body, "all answers are equal");
        }
        game.record_played(&action).await;
    }
    game.check_record().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_concurrent_actions_with_one_token_is_applied() {
    let mut game = Game::new(3).await;
    while let Some(turn) = game.turn().await {
        let wanted = [turn.legal[0].clone(), turn.legal.last().unwrap().clone()];
        let answers = game.send_concurrently(&turn, &wanted).await;
        let done: Vec<_> = answers.iter().zip(&wanted).filter(|(answer, _)| answer.status == 200).collect();
        if wanted[0] == wanted[1] {
            assert_eq!(done.len(), 2, "the only legal action");
        } else {
            assert_eq!(done.len(), 1, "one is applied");
            answers.iter().filter(|answer| answer.status != 200).for_each(assert_too_late);
        }
        let first = done[0].1.clone();
        game.record_played(&first).await;
    }
    game.check_record().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_of_all_seats_apply_only_the_turn() {
    let mut game = Game::new(4).await;
    while let Some(turn) = game.turn().await {
        let action = game.pick(&turn);
        let mut requests = Vec::new();
        for token in game.tokens.clone().into_iter().chain(["0".repeat(64)]) {
            let (address, path) = (game.served.address, game.path("/actions"));
            let body = json!({"action": action, "at": turn.at}).to_string();
            requests.push(tokio::spawn(async move {
                let answer = open(address).await.ask("POST", &path, Some(&token), &body).await.unwrap();
                (token, answer)
            }));
        }
        for request in requests {
            let (token, answer) = in_time(request).await.unwrap();
            let wanted = if token == turn.token {
                200
            } else if game.tokens.contains(&token) {
                409
            } else {
                403
            };
            assert_eq!(answer.status, wanted, "{}", answer.body);
        }
        game.record_played(&action).await;
    }
    game.check_record().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_after_a_disconnect_is_applied_once() {
    let mut game = Game::new(5).await;
    for hang_up in (0..4_u8).cycle() {
        let Some(turn) = game.turn().await else { break };
        let action = game.pick(&turn);
        let body = json!({"action": action, "at": turn.at}).to_string();
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            game.path("/actions"),
            turn.token,
            body.len()
        );
        let mut socket = TcpStream::connect(game.served.address).await.unwrap();
        // Some clients disconnect before the request is complete, some right after it, some a little later; some only
        // stop sending.
        let length = if hang_up == 0 { request.len() - 1 } else { request.len() };
        socket.write_all(&request.as_bytes()[..length]).await.unwrap();
        match hang_up {
            2 => tokio::time::sleep(Duration::from_millis(1)).await,
            3 => socket.shutdown().await.unwrap(),
            _ => {}
        }
        drop(socket);
        let again = game.send_concurrently(&turn, &[action.clone(), action.clone()]).await;
        assert!(again.iter().all(|answer| answer.status == 200), "{again:?}");
        game.record_played(&action).await;
    }
    game.check_record().await;
}
