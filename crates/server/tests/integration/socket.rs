//! `/api/v1/tables/{id}/socket` on real connections: whole games, and errors.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sultan_server::{Config, ConnectionLimits, Rate, RateLimits};
use sultan_table::{Service, Settings, Visitor};
use sultan_testkit::http::{Connection, Events, random_legal};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::socket::{Message, Socket, close_frame};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{Backend, FakeTime, FastRng, FaultyStore, GatedStore, in_time};

use crate::site::app;

async fn start_server() -> TestServer {
    TestServer::start(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, unlimited_config(), app).await
}

/// A table on a server, and the tokens of its players.
struct OpenedTable {
    address: SocketAddr,
    id: String,
    /// One token for each person, in the order of their seats.
    tokens: Vec<String>,
}

impl OpenedTable {
    /// Opens a table with these options, and takes a seat for each person.
    async fn new(server: &TestServer, options: Value, people: usize) -> Self {
        let mut connection = Connection::open(server.address).await.unwrap();
        let mut post = async |path: &str, body: Value| {
            let answer = connection.ask("POST", path, None, &body.to_string()).await.unwrap();
            assert_eq!(answer.status, 201, "{}", answer.body);
            answer.json().unwrap()
        };
        let text = |answer: &Value, name: &str| answer[name].as_str().unwrap().to_owned();
        let opened = post("/api/v1/tables", options).await;
        let (id, mut tokens) = (text(&opened, "table"), vec![text(&opened, "token")]);
        while tokens.len() < people {
            tokens.push(text(&post(&format!("/api/v1/tables/{id}/seats"), json!({})).await, "token"));
        }
        Self { address: server.address, id, tokens }
    }

    /// A table for two people. Seat 0 begins.
    async fn for_two(server: &TestServer) -> Self {
        Self::new(server, json!({"players": 2, "first_seat": 0}), 2).await
    }

    fn path(&self) -> String {
        format!("/api/v1/tables/{}/socket", self.id)
    }

    /// Opens a WebSocket with additional headers. An error is the status of the response.
    async fn connect_with(&self, headers: &str) -> Result<Socket, u16> {
        Socket::open(self.address, &self.path(), headers).await.unwrap()
    }

    /// Opens the WebSocket of a person. People are numbered in the order of their seats, without the bots.
    async fn connect_person(&self, number: usize) -> Socket {
        self.connect_with(&format!("authorization: Bearer {}\r\n", self.tokens[number])).await.unwrap()
    }
}

async fn next_message(socket: &mut Socket) -> Value {
    serde_json::from_str(&in_time(socket.next_text()).await.unwrap()).unwrap()
}

/// The view in the next message.
async fn next_view(socket: &mut Socket) -> Value {
    let mut message = next_message(socket).await;
    assert!(message["version"].is_u64(), "{message}");
    message["view"].take()
}

/// The problem in the next message.
async fn next_problem(socket: &mut Socket) -> Value {
    next_message(socket).await["problem"].take()
}

/// Sends a random legal action if it is this seat's turn in the view.
async fn act(socket: &mut Socket, view: &Value, rng: &mut FastRng) {
    if view["to_act"].is_u64() && view["to_act"] == view["seat"] {
        let action = random_legal(&view.to_string(), rng).unwrap();
        socket.send_text(&json!({"action": action, "at": view["at"]}).to_string()).await.unwrap();
    }
}

#[tokio::test]
async fn people_play_whole_games_with_bots_by_socket() {
    for players in 2..=5_usize {
        let server = start_server().await;
        let bots = players / 3;
        let seats: Vec<_> = (0..players)
            .map(|seat| if seat < bots { json!({"bot": "page"}) } else { json!({"human": true}) })
            .collect();
        let opened = OpenedTable::new(&server, json!({"players": players, "seats": seats}), players - bots).await;
        let mut people = Vec::new();
        for number in 0..players - bots {
            let mut socket = opened.connect_person(number).await;
            // Plays the game of one person to its end. Returns the last version.
            people.push(tokio::spawn(async move {
                let mut rng = FastRng::new(number as u64);
                let (mut last_at, mut version) = (None, 0);
                loop {
                    let message = next_message(&mut socket).await;
                    assert!(message["version"].as_u64().unwrap() > version, "the version is not newer: {message}");
                    version = message["version"].as_u64().unwrap();
                    let view = &message["view"];
                    let at = view["at"].as_u64().unwrap();
                    let is_next = last_at.is_none_or(|last_at| at == last_at + 1);
                    assert!(is_next, "an action has no view of its own: {last_at:?}, {at}");
                    last_at = Some(at);
                    if view["phase"] == "over" {
                        break version;
                    }
                    act(&mut socket, view, &mut rng).await;
                }
            }));
        }
        let mut spectator = opened.connect_with("").await.unwrap();
        let last_version = loop {
            let message = next_message(&mut spectator).await;
            let view = &message["view"];
            assert_eq!((&view["seat"], &view["hand"]), (&Value::Null, &json!([])));
            if view["phase"] == "over" {
                break message["version"].as_u64().unwrap();
            }
        };
        for person in people {
            assert_eq!(person.await.unwrap(), last_version);
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn action_rejected_by_socket_gets_the_same_error_as_by_request() {
    let server = start_server().await;
    let opened = OpenedTable::for_two(&server).await;
    let mut sockets =
        [opened.connect_person(0).await, opened.connect_person(1).await, opened.connect_with("").await.unwrap()];
    for socket in &mut sockets {
        next_view(socket).await;
    }
    let mut connection = Connection::open(opened.address).await.unwrap();
    let actions_path = format!("/api/v1/tables/{}/actions", opened.id);
    // The index of the socket: seat 0, seat 1, or 2 for the spectator.
    for (index, body) in [
        (0, r#"{"action":"RYB","at":7}"#),
        (0, r#"{"action":"12@2","at":0}"#),
        (0, r#"{"action":"nonsense","at":0}"#),
        (0, r#"{"action":"RYB"}"#),
        (0, r#"{"action":"RYB","at":0,"more":1}"#),
        (0, "{"),
        (0, "[]"),
        (1, r#"{"action":"RYB","at":0}"#),
        (2, r#"{"action":"RYB","at":0}"#),
    ] {
        sockets[index].send_text(body).await.unwrap();
        let problem = next_problem(&mut sockets[index]).await;
        let token = opened.tokens.get(index).map(String::as_str);
        let answer = connection.ask("POST", &actions_path, token, body).await.unwrap();
        assert!(answer.status >= 400, "{body}: {}", answer.body);
        assert_eq!(problem, answer.json().unwrap(), "{body}");
    }
    // The rejected messages have not changed the game, and all sockets are still open.
    sockets[0].send(Message::binary(&b"{}"[..])).await.unwrap();
    assert_eq!(next_problem(&mut sockets[0]).await["code"], "body/not-json");
    let view = connection.ask("GET", &actions_path.replace("/actions", ""), Some(&opened.tokens[0]), "").await.unwrap();
    let view = view.json().unwrap();
    assert_eq!(view["at"], 0);
    act(&mut sockets[0], &view, &mut FastRng::new(1)).await;
    for socket in &mut sockets {
        assert_eq!(next_view(socket).await["at"], 1);
    }
    server.stop().await;
}

#[tokio::test]
async fn repeated_action_is_applied_once_and_answered_each_time() {
    let server = start_server().await;
    let opened = OpenedTable::for_two(&server).await;
    let mut socket = opened.connect_person(0).await;
    let view = next_view(&mut socket).await;
    let action = json!({"action": view["legal"][0], "at": 0}).to_string();
    let mut views = Vec::new();
    for _ in 0..3 {
        socket.send_text(&action).await.unwrap();
        views.push(next_view(&mut socket).await);
    }
    assert_eq!((&views[0]["at"], &views[1], &views[2]), (&json!(1), &views[0], &views[0]));
    // Five identical messages, sent before the first answer: the action is applied once, and all get the newest view.
    let action = json!({"action": views[0]["legal"][0], "at": 1}).to_string();
    for _ in 0..5 {
        socket.send_text(&action).await.unwrap();
    }
    for _ in 0..5 {
        assert_eq!(next_view(&mut socket).await["at"], 2);
    }
    server.stop().await;
}

#[tokio::test]
async fn socket_upgrade_without_access_is_rejected() {
    let server = start_server().await;
    let opened = OpenedTable::for_two(&server).await;
    let wrong_token = format!("authorization: Bearer {}\r\n", "0".repeat(64));
    for (header, status) in [("authorization: Bearer x\r\n", 401), (&wrong_token, 403)] {
        assert_eq!(opened.connect_with(header).await.err(), Some(status), "{header}");
    }
    let unknown_table = Socket::open(server.address, "/api/v1/tables/000000000000/socket", "").await.unwrap();
    assert_eq!(unknown_table.err(), Some(404));
    let mut connection = Connection::open(server.address).await.unwrap();
    let without_upgrade = connection.ask("GET", &opened.path(), None, "").await.unwrap();
    assert_eq!(
        (without_upgrade.status, without_upgrade.json().unwrap()["code"].as_str()),
        (426, Some("socket/upgrade"))
    );
    // A browser that has seat 0 may connect from a page of this site, and not from a page of another site.
    let browser = Visitor::random();
    server.service.link(opened.id.parse().unwrap(), opened.tokens[0].parse().unwrap(), &browser).await.unwrap();
    let cookie = visitor_cookie(&browser);
    let headers_from = |origin: &str| format!("cookie: {cookie}\r\norigin: http://{origin}\r\n");
    let mut socket = opened.connect_with(&headers_from("sultan.example")).await.unwrap();
    assert_eq!(next_view(&mut socket).await["seat"], 0);
    for headers in [headers_from("evil.example"), format!("cookie: {cookie}\r\n")] {
        assert_eq!(opened.connect_with(&headers).await.err(), Some(403), "{headers}");
    }
    server.stop().await;
}

#[tokio::test]
async fn socket_messages_count_towards_the_rate_limit() {
    let few = Rate { burst: NonZeroU32::new(6).unwrap(), interval: Duration::from_mins(1) };
    let many = Rate { burst: NonZeroU32::new(100).unwrap(), interval: Duration::from_millis(1) };
    let limits = RateLimits { per_address: many, per_token: few, opening_tables: many };
    let server =
        TestServer::start(Settings::default(), Config { rate_limits: Some(limits), ..unlimited_config() }, app).await;
    let opened = OpenedTable::for_two(&server).await;
    let mut socket = opened.connect_person(0).await;
    next_view(&mut socket).await;
    let mut problems = Vec::new();
    for _ in 0..7 {
        socket.send_text(r#"{"action":"RYB","at":9}"#).await.unwrap();
        problems.push(next_problem(&mut socket).await);
    }
    // The limit of six requests allows the request for the WebSocket and five messages.
    assert!(problems[..5].iter().all(|problem| problem["code"] == "action/not-now"), "{problems:?}");
    for problem in &problems[5..] {
        assert_eq!(problem["code"], "request/too-many");
        assert!(problem["retry_after"].as_u64().is_some_and(|seconds| (1..=61).contains(&seconds)), "{problem}");
    }
    // Binary messages and pings count, too. A binary message over the limit gets an error, a ping ends the connection.
    socket.send(Message::binary(&b"bytes"[..])).await.unwrap();
    assert_eq!(next_problem(&mut socket).await["code"], "request/too-many");
    socket.send(Message::Ping((&b"ping"[..]).into())).await.unwrap();
    let last_message = loop {
        match in_time(socket.next_message()).await.unwrap() {
            Some(Message::Pong(_)) => {}
            message => break message,
        }
    };
    assert!(matches!(last_message, Some(Message::Close(_)) | None), "{last_message:?}");
    server.stop().await;
}

#[tokio::test]
async fn close_frame_is_sent_for_a_too_long_message_and_at_shutdown() {
    let server = start_server().await;
    let opened = OpenedTable::for_two(&server).await;
    let (mut sender, mut other) = (opened.connect_person(0).await, opened.connect_person(1).await);
    next_view(&mut sender).await;
    next_view(&mut other).await;
    // The server accepts at most 1024 bytes.
    sender.send_text(&" ".repeat(2000)).await.unwrap();
    assert!(matches!(in_time(sender.next_message()).await.unwrap(), Some(Message::Close(_)) | None));
    // The other socket stays open until the server stops.
    let ((), message) = tokio::join!(server.stop(), other.next_message());
    assert_eq!(message.unwrap(), Some(Message::Close(None)));
}

#[tokio::test]
async fn close_frame_of_the_client_is_answered() {
    let server = start_server().await;
    let opened = OpenedTable::for_two(&server).await;
    let mut socket = opened.connect_person(0).await;
    next_view(&mut socket).await;
    socket.send(close_frame(1000)).await.unwrap();
    assert_eq!(in_time(socket.next_message()).await.unwrap(), Some(close_frame(1000)));
    assert_eq!(in_time(socket.next_message()).await.unwrap(), None);
    server.stop().await;
}

#[tokio::test]
async fn sockets_count_as_connections_as_long_as_they_are_open() {
    let connection_limits = ConnectionLimits { max_per_address: Some(3), ..unlimited_config().connection_limits };
    let server = TestServer::start(Settings::default(), Config { connection_limits, ..unlimited_config() }, app).await;
    let opened = OpenedTable::for_two(&server).await;
    let mut open = Vec::new();
    // The connection that opened the table may still be counted for a short time.
    let open_three = async {
        while open.len() < 3 {
            match opened.connect_with("").await {
                Ok(socket) => open.push(socket),
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    in_time(open_three).await;
    assert_eq!(opened.connect_with("").await.err(), Some(503));
    drop(open);
    let connect_again = async {
        while opened.connect_with("").await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    in_time(connect_again).await;
    server.stop().await;
}

#[tokio::test]
async fn player_with_an_open_socket_or_event_stream_is_present() {
    let time = FakeTime::default();
    let server = TestServer::start(time.settings(1), unlimited_config(), app).await;
    let opened = OpenedTable::for_two(&server).await;
    let table = opened.id.parse().unwrap();
    let mut socket = opened.connect_person(0).await;
    next_view(&mut socket).await;
    let mut events = Events::open(server.address, &opened.id, Some(&opened.tokens[1]), None).await.unwrap();
    events.next().await.unwrap();
    // Waits until exactly these seats (their digits in order) are absent.
    let wait_until_absent = async |seats: &str| {
        while server.service.attendance(table).unwrap().code() != seats {
            time.advance(1000);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    drop(socket);
    in_time(wait_until_absent("0")).await;
    drop(events);
    in_time(wait_until_absent("01")).await;
    next_view(&mut opened.connect_person(1).await).await;
    assert!(!server.service.attendance(table).unwrap().code().contains('1'));
    server.stop().await;
}

#[tokio::test]
async fn action_stored_during_shutdown_is_answered_with_the_resulting_view() {
    let backend = Backend::sqlite();
    let (store, gate) = GatedStore::new(backend.open().await);
    let service = Service::new(Arc::new(FaultyStore(store)), Settings::default());
    let server = TestServer::serve(backend, service, unlimited_config(), app).await;
    let opened = OpenedTable::for_two(&server).await;
    let (mut acting, mut watching) = (opened.connect_person(0).await, opened.connect_person(1).await);
    next_view(&mut watching).await;
    let view = next_view(&mut acting).await;
    // While the gate is closed, the store does not finish any write.
    let closed_gate = gate.close().await;
    act(&mut acting, &view, &mut FastRng::new(1)).await;
    in_time(gate.wait_until_blocked()).await;
    let stopping = tokio::spawn(server.stop());
    assert_eq!(
        in_time(watching.next_message()).await.unwrap(),
        Some(Message::Close(None)),
        "the action of another seat is not sent"
    );
    drop(closed_gate);
    assert_eq!(next_view(&mut acting).await["at"], 1);
    assert_eq!(in_time(acting.next_message()).await.unwrap(), Some(Message::Close(None)));
    in_time(stopping).await.unwrap();
}
