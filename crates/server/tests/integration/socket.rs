//! `/api/v1/tables/{id}/socket` over real connections: whole games, and errors on the way.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sultan_server::{Config, Connections, Rate, RateLimits};
use sultan_table::{Service, Settings, Visitor};
use sultan_testkit::http::{Connection, Events, random_legal};
use sultan_testkit::site::visitor_cookie;
use sultan_testkit::socket::{Message, Socket, close_frame};
use sultan_testkit::test_server::{TestServer, unlimited_config};
use sultan_testkit::{Backend, FakeTime, FaultyStore, GatedStore, Quick, in_time};

use crate::site::app;

async fn served() -> TestServer {
    TestServer::start(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, unlimited_config(), app).await
}

/// A table, and the tokens of its players.
struct OpenedTable {
    address: SocketAddr,
    id: String,
    tokens: Vec<String>,
}

impl OpenedTable {
    async fn new(served: &TestServer, options: Value, people: usize) -> Self {
        let mut connection = Connection::open(served.address).await.unwrap();
        let mut ask = async |path: &str, body: Value| {
            let answer = connection.ask("POST", path, None, &body.to_string()).await.unwrap();
            assert_eq!(answer.status, 201, "{}", answer.body);
            answer.json().unwrap()
        };
        let text = |answer: &Value, name: &str| answer[name].as_str().unwrap().to_owned();
        let opened = ask("/api/v1/tables", options).await;
        let (id, mut tokens) = (text(&opened, "table"), vec![text(&opened, "token")]);
        while tokens.len() < people {
            tokens.push(text(&ask(&format!("/api/v1/tables/{id}/seats"), json!({})).await, "token"));
        }
        Self { address: served.address, id, tokens }
    }

    async fn for_two(served: &TestServer) -> Self {
        Self::new(served, json!({"players": 2, "first_seat": 0}), 2).await
    }

    fn path(&self) -> String {
        format!("/api/v1/tables/{}/socket", self.id)
    }

    async fn connect_with(&self, head: &str) -> Result<Socket, u16> {
        Socket::open(self.address, &self.path(), head).await.unwrap()
    }

    async fn connect_seat(&self, seat: usize) -> Socket {
        self.connect_with(&format!("authorization: Bearer {}\r\n", self.tokens[seat])).await.unwrap()
    }
}

async fn next_message(socket: &mut Socket) -> Value {
    serde_json::from_str(&in_time(socket.next_text()).await.unwrap()).unwrap()
}

/// The next view.
async fn next_view(socket: &mut Socket) -> Value {
    let mut message = next_message(socket).await;
    assert!(message["version"].is_u64(), "{message}");
    message["view"].take()
}

/// The problem of a rejected action.
async fn next_problem(socket: &mut Socket) -> Value {
    next_message(socket).await["problem"].take()
}

/// Acts on the view, if it is this seat's turn.
async fn act(socket: &mut Socket, view: &Value, chance: &mut Quick) {
    if view["to_act"].is_u64() && view["to_act"] == view["seat"] {
        let action = random_legal(&view.to_string(), chance).unwrap();
        socket.send_text(&json!({"action": action, "at": view["at"]}).to_string()).await.unwrap();
    }
}

#[tokio::test]
async fn games_with_people_and_bots_are_played_and_watched() {
    for players in 2..=5_usize {
        let served = served().await;
        let bots = players / 3;
        let seats: Vec<_> = (0..players)
            .map(|seat| if seat < bots { json!({"bot": "page"}) } else { json!({"human": true}) })
            .collect();
        let opened = OpenedTable::new(&served, json!({"players": players, "seats": seats}), players - bots).await;
        let mut playing = Vec::new();
        for number in 0..players - bots {
            let mut socket = opened.connect_seat(number).await;
            playing.push(tokio::spawn(async move {
                let mut chance = Quick::new(number as u64);
                let (mut at, mut version) = (None, 0);
                loop {
                    let message = next_message(&mut socket).await;
                    assert!(message["version"].as_u64().unwrap() > version, "every version is newer");
                    version = message["version"].as_u64().unwrap();
                    let view = &message["view"];
                    let now = view["at"].as_u64().unwrap();
                    assert!(at.is_none_or(|at| now == at + 1), "one view for every action: {at:?}, {now}");
                    at = Some(now);
                    if view["phase"] == "over" {
                        break version;
                    }
                    act(&mut socket, view, &mut chance).await;
                }
            }));
        }
        let mut spectator = opened.connect_with("").await.unwrap();
        let last = loop {
            let message = next_message(&mut spectator).await;
            let view = &message["view"];
            assert_eq!((&view["seat"], &view["hand"]), (&Value::Null, &json!([])));
            if view["phase"] == "over" {
                break message["version"].as_u64().unwrap();
            }
        };
        for player in playing {
            assert_eq!(player.await.unwrap(), last);
        }
        served.stop().await;
    }
}

/// A socket rejects actions with the same errors as requests.
#[tokio::test]
async fn socket_errors_equal_request_errors() {
    let served = served().await;
    let opened = OpenedTable::for_two(&served).await;
    let mut sockets =
        [opened.connect_seat(0).await, opened.connect_seat(1).await, opened.connect_with("").await.unwrap()];
    for socket in &mut sockets {
        next_view(socket).await;
    }
    let mut connection = Connection::open(opened.address).await.unwrap();
    let actions = format!("/api/v1/tables/{}/actions", opened.id);
    for (seat, body) in [
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
        sockets[seat].send_text(body).await.unwrap();
        let problem = next_problem(&mut sockets[seat]).await;
        let token = opened.tokens.get(seat).map(String::as_str);
        let answer = connection.ask("POST", &actions, token, body).await.unwrap();
        assert_eq!((answer.status >= 400, &problem), (true, &answer.json().unwrap()), "{body}");
    }
    // The game is unchanged, and all players can continue.
    sockets[0].send(Message::binary(&b"{}"[..])).await.unwrap();
    assert_eq!(next_problem(&mut sockets[0]).await["code"], "body/not-json");
    let view = connection.ask("GET", &actions.replace("/actions", ""), Some(&opened.tokens[0]), "").await.unwrap();
    let view = view.json().unwrap();
    assert_eq!(view["at"], 0);
    act(&mut sockets[0], &view, &mut Quick::new(1)).await;
    for socket in &mut sockets {
        assert_eq!(next_view(socket).await["at"], 1);
    }
    served.stop().await;
}

#[tokio::test]
async fn repeated_action_is_applied_once_and_answered_each_time() {
    let served = served().await;
    let opened = OpenedTable::for_two(&served).await;
    let mut socket = opened.connect_seat(0).await;
    let view = next_view(&mut socket).await;
    let action = json!({"action": view["legal"][0], "at": 0}).to_string();
    let mut views = Vec::new();
    for _ in 0..3 {
        socket.send_text(&action).await.unwrap();
        views.push(next_view(&mut socket).await);
    }
    assert_eq!((&views[0]["at"], &views[1], &views[2]), (&json!(1), &views[0], &views[0]));
    // All at once: one action is new, the repeated ones are answered with the newest view.
    let action = json!({"action": views[0]["legal"][0], "at": 1}).to_string();
    for _ in 0..5 {
        socket.send_text(&action).await.unwrap();
    }
    for _ in 0..5 {
        assert_eq!(next_view(&mut socket).await["at"], 2);
    }
    served.stop().await;
}

#[tokio::test]
async fn socket_upgrade_without_access_is_rejected() {
    let served = served().await;
    let opened = OpenedTable::for_two(&served).await;
    let wrong = format!("authorization: Bearer {}\r\n", "0".repeat(64));
    for (head, status) in [("authorization: Bearer x\r\n", 401), (&wrong, 403)] {
        assert_eq!(opened.connect_with(head).await.err(), Some(status), "{head}");
    }
    let nowhere = Socket::open(served.address, "/api/v1/tables/000000000000/socket", "").await.unwrap();
    assert_eq!(nowhere.err(), Some(404));
    let mut connection = Connection::open(served.address).await.unwrap();
    let plain = connection.ask("GET", &opened.path(), None, "").await.unwrap();
    assert_eq!((plain.status, plain.json().unwrap()["code"].as_str()), (426, Some("socket/upgrade")));
    // A browser that has the seat, first from one of our pages, then from a page of another site.
    let browser = Visitor::random();
    served.service.link(opened.id.parse().unwrap(), opened.tokens[0].parse().unwrap(), &browser).await.unwrap();
    let cookie = visitor_cookie(&browser);
    let head = |origin: &str| format!("cookie: {cookie}\r\norigin: http://{origin}\r\n");
    let mut own = opened.connect_with(&head("sultan.example")).await.unwrap();
    assert_eq!(next_view(&mut own).await["seat"], 0);
    for head in [head("evil.example"), format!("cookie: {cookie}\r\n")] {
        assert_eq!(opened.connect_with(&head).await.err(), Some(403), "{head}");
    }
    served.stop().await;
}

#[tokio::test]
async fn socket_messages_count_towards_the_rate_limit() {
    let few = Rate { burst: NonZeroU32::new(6).unwrap(), one_per: Duration::from_mins(1) };
    let many = Rate { burst: NonZeroU32::new(100).unwrap(), one_per: Duration::from_millis(1) };
    let rates = RateLimits { per_address: many, per_token: few, opening: many };
    let served = TestServer::start(Settings::default(), Config { rates: Some(rates), ..unlimited_config() }, app).await;
    let opened = OpenedTable::for_two(&served).await;
    let mut socket = opened.connect_seat(0).await;
    next_view(&mut socket).await;
    let mut problems = Vec::new();
    for _ in 0..7 {
        socket.send_text(r#"{"action":"RYB","at":9}"#).await.unwrap();
        problems.push(next_problem(&mut socket).await);
    }
    assert!(problems[..5].iter().all(|problem| problem["code"] == "action/not-now"), "{problems:?}");
    for problem in &problems[5..] {
        assert_eq!(problem["code"], "request/too-many");
        assert!(problem["retry_after"].as_u64().is_some_and(|seconds| (1..=61).contains(&seconds)), "{problem}");
    }
    // Binary messages and pings count, too: a client that sends too many is disconnected.
    socket.send(Message::binary(&b"bytes"[..])).await.unwrap();
    assert_eq!(next_problem(&mut socket).await["code"], "request/too-many");
    socket.send(Message::Ping((&b"ping"[..]).into())).await.unwrap();
    let last = loop {
        match in_time(socket.next_message()).await.unwrap() {
            Some(Message::Pong(_)) => {}
            last => break last,
        }
    };
    assert!(matches!(last, Some(Message::Close(_)) | None), "{last:?}");
    served.stop().await;
}

#[tokio::test]
async fn sockets_are_closed_with_a_close_frame() {
    let served = served().await;
    let opened = OpenedTable::for_two(&served).await;
    // A client that sends too much, and an uninvolved client.
    let (mut loud, mut quiet) = (opened.connect_seat(0).await, opened.connect_seat(1).await);
    next_view(&mut loud).await;
    next_view(&mut quiet).await;
    loud.send_text(&" ".repeat(2000)).await.unwrap();
    assert!(matches!(in_time(loud.next_message()).await.unwrap(), Some(Message::Close(_)) | None));
    // When the server stops, all clients get a close frame.
    let ((), last) = tokio::join!(served.stop(), quiet.next_message());
    assert_eq!(last.unwrap(), Some(Message::Close(None)));
}

#[tokio::test]
async fn close_frame_is_answered() {
    let served = served().await;
    let opened = OpenedTable::for_two(&served).await;
    let mut socket = opened.connect_seat(0).await;
    next_view(&mut socket).await;
    socket.send(close_frame(1000)).await.unwrap();
    assert_eq!(in_time(socket.next_message()).await.unwrap(), Some(close_frame(1000)));
    assert_eq!(in_time(socket.next_message()).await.unwrap(), None);
    served.stop().await;
}

#[tokio::test]
async fn sockets_count_as_connections_as_long_as_they_are_open() {
    let connections = Connections { per_address: Some(3), ..unlimited_config().connections };
    let served = TestServer::start(Settings::default(), Config { connections, ..unlimited_config() }, app).await;
    let opened = OpenedTable::for_two(&served).await;
    let mut open = Vec::new();
    // The connection that opened the table may still be counted for a short time.
    let all = async {
        while open.len() < 3 {
            match opened.connect_with("").await {
                Ok(socket) => open.push(socket),
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    in_time(all).await;
    assert_eq!(opened.connect_with("").await.err(), Some(503));
    drop(open);
    let again = async {
        while opened.connect_with("").await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    in_time(again).await;
    served.stop().await;
}

#[tokio::test]
async fn open_stream_counts_as_presence() {
    let time = FakeTime::default();
    let served = TestServer::start(time.settings(1), unlimited_config(), app).await;
    let opened = OpenedTable::for_two(&served).await;
    let table = opened.id.parse().unwrap();
    let mut socket = opened.connect_seat(0).await;
    next_view(&mut socket).await;
    let mut events = Events::open(served.address, &opened.id, Some(&opened.tokens[1]), None).await.unwrap();
    events.next().await.unwrap();
    let wait_until_absent = async |seats: &str| {
        while served.service.absent_seats(table).unwrap().digits() != seats {
            time.advance(1000);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    drop(socket);
    in_time(wait_until_absent("0")).await;
    drop(events);
    in_time(wait_until_absent("01")).await;
    next_view(&mut opened.connect_seat(1).await).await;
    assert!(!served.service.absent_seats(table).unwrap().digits().contains('1'));
    served.stop().await;
}

/// An action that is being stored when the server stops is still answered with the resulting view.
#[tokio::test]
async fn change_stored_during_shutdown_is_sent() {
    let backend = Backend::sqlite();
    let (held, gate) = GatedStore::new(backend.open().await);
    let service = Service::new(Arc::new(FaultyStore(held)), Settings::default());
    let served = TestServer::serve(backend, service, unlimited_config(), app).await;
    let opened = OpenedTable::for_two(&served).await;
    let (mut acting, mut watching) = (opened.connect_seat(0).await, opened.connect_seat(1).await);
    next_view(&mut watching).await;
    let view = next_view(&mut acting).await;
    let held = gate.close().await;
    act(&mut acting, &view, &mut Quick::new(1)).await;
    in_time(gate.wait_until_blocked()).await;
    let stopping = tokio::spawn(served.stop());
    assert_eq!(
        in_time(watching.next_message()).await.unwrap(),
        Some(Message::Close(None)),
        "the action of another seat is not sent"
    );
    drop(held);
    assert_eq!(next_view(&mut acting).await["at"], 1);
    assert_eq!(in_time(acting.next_message()).await.unwrap(), Some(Message::Close(None)));
    in_time(stopping).await.unwrap();
}
