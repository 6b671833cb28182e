//! Ten thousand streams, and connections without a complete request, do not slow down other clients.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};
use sultan_e2e::run_with_limit;
use sultan_pages::app;
use sultan_server::{AppState, Config, ConnectionLimits, listen, serve};
use sultan_table::{Service, Settings};
use sultan_testkit::http::{Connection, Events};
use sultan_testkit::{Backend, in_time};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::machine;

/// The number of streams, if this process may open enough files.
const STREAMS: u64 = 10_000;
/// The number of connections without a complete request.
const INCOMPLETE_REQUESTS: usize = 100;
/// The number of connections that the server still accepts for other clients.
const OTHER_CLIENTS: usize = 20;
/// Time limit for a response, even on a slow machine.
const RESPONSE_LIMIT: Duration = Duration::from_secs(5);
/// The number of tasks that open streams in parallel.
const OPENERS: usize = 50;

/// The number of streams that this process can open, at most [`STREAMS`]. Both ends of each stream are open files of
/// this process. `None` if there are too few for this test.
fn possible_streams() -> Option<usize> {
    /// Files for everything else, with a reserve.
    const OTHER_FILES: u64 = 2 * (INCOMPLETE_REQUESTS + OTHER_CLIENTS) as u64 + 100;
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let (files, hard_limit) = rlimit::getrlimit(rlimit::Resource::NOFILE).unwrap_or((u64::MAX, u64::MAX));
    let streams_with = |files: u64| files.saturating_sub(OTHER_FILES) / 2;
    let streams = streams_with(files).min(STREAMS);
    if streams >= 1000 {
        return usize::try_from(streams).ok();
    }
    eprintln!("!!! skipped: a limit of {files} open files is too low; raise it (ulimit -n 20400)");
    assert!(
        !sultan_testkit::is_ci() || streams_with(hard_limit) < 1000,
        "the limit of open files could be raised to {hard_limit}"
    );
    None
}

/// A client that plays while streams are open.
struct PlayingClient {
    connection: Connection,
}

impl PlayingClient {
    /// Sends a request, which must succeed within [`RESPONSE_LIMIT`].
    async fn ask(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> Value {
        let start = Instant::now();
        let answer = in_time(self.connection.ask(method, path, token, body)).await.unwrap();
        let duration = start.elapsed();
        assert!(duration < RESPONSE_LIMIT, "{method} {path} took {duration:?}");
        assert!((200..300).contains(&answer.status), "{method} {path} failed: {}", answer.body);
        answer.json().unwrap_or_default()
    }

    /// Opens a table, takes the second seat, and plays an action.
    async fn play(&mut self) {
        let body = json!({"players": 2, "first_seat": 0}).to_string();
        let opened = self.ask("POST", "/api/v1/tables", None, &body).await;
        let path = format!("/api/v1/tables/{}", opened["table"].as_str().unwrap());
        let token = opened["token"].as_str();
        self.ask("POST", &format!("{path}/seats"), None, "").await;
        let view = self.ask("GET", &path, token, "").await;
        let action = json!({"action": view["legal"][0], "at": 0}).to_string();
        let view = self.ask("POST", &format!("{path}/actions"), token, &action).await;
        assert_eq!(view["at"], 1);
    }
}

/// Opens connections that send nothing or only a part of a request.
async fn open_incomplete_requests(address: SocketAddr) -> Vec<TcpStream> {
    let mut sockets = Vec::new();
    for number in 0..INCOMPLETE_REQUESTS {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let request: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET /api/v1/tables HTTP/1.1\r\nhost: x\r\nx-y: ",
            _ => b"POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
        };
        socket.write_all(request).await.unwrap();
        sockets.push(socket);
    }
    sockets
}

/// Opens streams that watch one table.
async fn open_streams(address: SocketAddr, table: &str, stream_count: usize) -> Vec<Events> {
    let open = |opener: usize| {
        let (table, count) = (table.to_owned(), stream_count / OPENERS + usize::from(opener < stream_count % OPENERS));
        tokio::spawn(async move {
            let mut opened = Vec::new();
            for _ in 0..count {
                let mut events = Events::open(address, &table, None, None).await.unwrap();
                // Version 1 is the opened table.
                assert_eq!(events.next().await.unwrap().id, 1);
                opened.push(events);
            }
            opened
        })
    };
    let mut streams = Vec::new();
    for opener in (0..OPENERS).map(open).collect::<Vec<_>>() {
        streams.extend(opener.await.unwrap());
    }
    streams
}

/// Opens connections until the server rejects one because of the connection limit.
///
/// Uses raw sockets: the server rejects a connection before it has read a request, which an HTTP client reports as an
/// error.
async fn use_all_connections(address: SocketAddr) -> Vec<TcpStream> {
    let mut accepted = Vec::new();
    for _ in 0..=OTHER_CLIENTS {
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let answer = in_time(read_answer(&mut socket)).await;
        if answer.starts_with("HTTP/1.1 200 ") {
            accepted.push(socket);
            continue;
        }
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        let answer = answer.to_ascii_lowercase();
        assert!(answer.contains("content-type: application/problem+json\r\n"), "{answer}");
        assert!(answer.contains("retry-after: 10\r\n"), "{answer}");
        assert!(answer.contains("\"code\":\"server/connections\""), "{answer}");
        return accepted;
    }
    panic!("the connection limit is not enforced");
}

/// Reads a response up to the end of its body, which has a `content-length`.
async fn read_answer(socket: &mut TcpStream) -> String {
    let mut answer = String::new();
    let mut buffer = [0; 1024];
    loop {
        let read = socket.read(&mut buffer).await.unwrap();
        assert!(read > 0, "the connection was closed after “{answer}”");
        answer += std::str::from_utf8(&buffer[..read]).unwrap();
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if length.is_some_and(|length| length.parse() == Ok(body.len())) {
            return answer;
        }
    }
}

/// Starts a server for this number of streams, with timeouts that are longer than the test. Returns its address, a
/// sender that stops the server, and a future that resolves when the server has stopped.
async fn start_server(streams: usize) -> (SocketAddr, oneshot::Sender<()>, impl Future<Output = ()>) {
    let connection_limits = ConnectionLimits {
        max_total: streams + INCOMPLETE_REQUESTS + OTHER_CLIENTS,
        max_per_address: None,
        head_timeout: Duration::from_hours(1),
        shutdown_timeout: Duration::from_secs(10),
        ..ConnectionLimits::default()
    };
    let hour = Duration::from_hours(1);
    let config = Config {
        rate_limits: None,
        keep_alive_interval: hour,
        body_timeout: hour,
        connection_limits,
        ..Config::default()
    };
    let backend = Backend::sqlite();
    let service = Service::new(backend.open().await, Settings::default());
    let state = AppState::new(service.clone(), config).await.unwrap();
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(async move {
        let stopped = async { drop(stopped.await) };
        serve(listener, app(state.clone()), &state, stopped).await;
        service.close().await;
        drop(backend);
    });
    (address, stop, async { serving.await.unwrap() })
}

#[test]
fn idle_and_silent_connections_do_not_slow_down_players() -> Result<()> {
    let Some(streams) = possible_streams() else { return Ok(()) };
    let _lock = machine::lock_alone();
    run_with_limit(Duration::from_mins(10), async {
        play_beside_streams(streams).await;
        Ok(())
    })
}

/// Plays while streams are open and other connections are silent.
async fn play_beside_streams(streams: usize) {
    let (address, stop, stopped) = start_server(streams).await;
    let mut client = PlayingClient { connection: Connection::open(address).await.unwrap() };
    let incomplete = open_incomplete_requests(address).await;
    let opened = client.ask("POST", "/api/v1/tables", None, "{\"players\":2}").await;
    let table = opened["table"].as_str().unwrap();
    let mut all_streams = open_streams(address, table, streams).await;
    println!("{streams} streams are open");
    for _ in 0..10 {
        client.play().await;
    }

    // All streams get the start of the game (version 2) while another client plays.
    let stop_playing = Arc::new(AtomicBool::new(false));
    let must_stop = Arc::clone(&stop_playing);
    let playing = tokio::spawn(async move {
        while !must_stop.load(Ordering::Relaxed) {
            client.play().await;
        }
        client
    });
    let mut host = PlayingClient { connection: Connection::open(address).await.unwrap() };
    host.ask("POST", &format!("/api/v1/tables/{table}/seats"), None, "").await;
    for events in &mut all_streams {
        assert_eq!(in_time(events.next()).await.unwrap().id, 2);
    }
    stop_playing.store(true, Ordering::Relaxed);
    let mut client = in_time(playing).await.unwrap();

    // A client with an open connection can still play when the server rejects new connections.
    let _accepted = use_all_connections(address).await;
    client.play().await;
    drop(incomplete);
    stop.send(()).unwrap();
    in_time(stopped).await;
}
