//! Clients on real connections that are slow or silent, send too much or send garbage; and the shutdown of the server.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sultan_server::{AppState, Config, ConnectionLimits, listen, serve};
use sultan_table::{Service, Settings};
use sultan_testkit::Backend;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::site::app;

/// A server on its own port.
struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
    _backend: Backend,
}

/// A configuration with short timeouts, and without limits per client.
fn config() -> Config {
    let connection_limits = ConnectionLimits {
        max_per_address: None,
        head_timeout: Duration::from_millis(500),
        write_timeout: Duration::from_millis(500),
        shutdown_timeout: Duration::from_secs(1),
        ..ConnectionLimits::default()
    };
    Config { rate_limits: None, body_timeout: Duration::from_millis(500), connection_limits, ..Config::default() }
}

impl Server {
    async fn start(config: Config) -> Self {
        let backend = Backend::sqlite();
        let state = AppState::new(Service::new(backend.open().await, Settings::default()), config).await.unwrap();
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            serve(listener, app(state.clone()), &state, stopped).await;
        });
        Self { address, stop: Some(stop), running, _backend: backend }
    }

    async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }

    /// Sends a request on a new connection.
    async fn request(&self, request: &str) -> Response {
        let mut client = self.connect().await;
        client.send(request).await;
        client.read_response().await.unwrap()
    }

    async fn is_healthy(&self) -> bool {
        self.request("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.status == 200
    }

    async fn open_table(&self) -> Value {
        let body = json!({"players": 2}).to_string();
        let length = body.len();
        let head = format!("content-type: application/json\r\ncontent-length: {length}");
        let request = format!("POST /api/v1/tables HTTP/1.1\r\nhost: x\r\n{head}\r\n\r\n{body}");
        serde_json::from_str(&self.request(&request).await.body).unwrap()
    }

    /// Stops the server. Returns the duration of the shutdown.
    async fn stop(mut self) -> Duration {
        let started = Instant::now();
        let _ = self.stop.take().unwrap().send(());
        timeout(Duration::from_secs(10), &mut self.running).await.expect("the server stops in time").unwrap();
        started.elapsed()
    }
}

/// A client that sends and receives the bytes of HTTP itself.
struct Client(TcpStream);

#[derive(Debug)]
struct Response {
    status: u16,
    body: String,
}

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Reads a response; `None` if the connection ends before the response is complete.
    async fn read_response(&mut self) -> Option<Response> {
        let mut received = Vec::new();
        let body_start = loop {
            if let Some(head_end) = received.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break head_end + 4;
            }
            self.read_more(&mut received).await?;
        };
        let head = String::from_utf8(received[..body_start].to_vec()).unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        let body_end = body_start + length.parse::<usize>().unwrap();
        while received.len() < body_end {
            self.read_more(&mut received).await?;
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Some(Response { status, body: String::from_utf8(received[body_start..body_end].to_vec()).unwrap() })
    }

    /// Appends received bytes to `received`; `None` if the connection has ended.
    async fn read_more(&mut self, received: &mut Vec<u8>) -> Option<()> {
        let read = timeout(Duration::from_secs(10), self.0.read_buf(received)).await;
        let bytes = read.expect("the server sends or closes the connection in time").ok()?;
        (bytes > 0).then_some(())
    }

    /// Starts to watch a table, and reads the first view.
    async fn watch(&mut self, table: &Value) {
        let path = format!("/api/v1/tables/{}/events", table["table"].as_str().unwrap());
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")).await;
        let mut received = Vec::new();
        // An event ends with an empty line, and the HTTP chunk around it with CRLF.
        while !received.ends_with(b"\n\n\r\n") {
            self.read_more(&mut received).await.expect("the event stream begins");
        }
        assert!(received.starts_with(b"HTTP/1.1 200 OK"));
    }

    /// Reads until the connection ends. Returns the received bytes.
    async fn read_to_end(&mut self) -> Vec<u8> {
        let mut received = Vec::new();
        while self.read_more(&mut received).await.is_some() {}
        received
    }
}

#[tokio::test]
async fn connections_of_a_trusted_proxy_are_not_limited_per_address() {
    for (trust_proxy, second_is_accepted) in [(false, false), (true, true)] {
        let connection_limits = ConnectionLimits { max_per_address: Some(1), ..config().connection_limits };
        let server = Server::start(Config { trust_proxy, connection_limits, ..config() }).await;
        let mut first = server.connect().await;
        first.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        // Once it has been answered, the first connection is counted. It stays open.
        assert_eq!(first.read_response().await.unwrap().status, 200);
        assert_eq!(server.is_healthy().await, second_is_accepted, "trust_proxy: {trust_proxy}");
    }
}

#[tokio::test]
async fn connection_serves_several_requests() {
    let server = Server::start(config()).await;
    let mut client = server.connect().await;
    for _ in 0..3 {
        client.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert_eq!(client.read_response().await.unwrap().body, "ok\n");
    }
}

#[tokio::test]
async fn slow_or_silent_request_head_closes_the_connection() {
    let server = Server::start(config()).await;
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    let started = Instant::now();
    slow.send("GET /healthz HTTP/1.1\r\n").await;
    // Sends one header every 100 ms, for longer than the time limit of a request head.
    for _ in 0..20 {
        sleep(Duration::from_millis(100)).await;
        if slow.0.write_all(b"a: b\r\n").await.is_err() {
            break;
        }
    }
    slow.read_to_end().await;
    silent.read_to_end().await;
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(server.is_healthy().await);
}

#[tokio::test]
async fn slow_request_body_gets_a_timeout_error() {
    let server = Server::start(config()).await;
    let mut client = server.connect().await;
    client
        .send(
            "POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
        )
        .await;
    let response = client.read_response().await.unwrap();
    assert_eq!(response.status, 408, "{response:?}");
}

#[tokio::test]
async fn client_that_sends_a_hundred_megabytes_gets_the_error() {
    const LENGTH: usize = 100 << 20;
    let server = Server::start(config()).await;
    for length_header in [format!("content-length: {LENGTH}"), "transfer-encoding: chunked".to_owned()] {
        let mut client = server.connect().await;
        let headers = format!("content-type: application/json\r\n{length_header}");
        client.send(&format!("POST /api/v1/tables HTTP/1.1\r\nhost: x\r\n{headers}\r\n\r\n")).await;
        if length_header.ends_with("chunked") {
            // The length of the first chunk.
            client.send(&format!("{LENGTH:x}\r\n")).await;
        }
        // The client sends the whole body before it reads the response.
        let megabyte = vec![b' '; 1 << 20];
        for _ in 0..100 {
            client.0.write_all(&megabyte).await.expect("the server reads the whole body");
        }
        let response = client.read_response().await.unwrap();
        assert_eq!(response.status, 413, "{response:?}");
        assert!(response.body.contains("body/too-long"), "{response:?}");
    }
    assert!(server.is_healthy().await);
}

#[tokio::test]
async fn garbage_and_endless_heads_are_refused() {
    let server = Server::start(config()).await;
    let long = "x".repeat(40_000);
    let many_headers = "a: b\r\n".repeat(200);
    for request in [
        // The start of a TLS handshake.
        "\u{16}\u{3}\u{1}\u{2}\u{0}nonsense\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nhost: x\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\na: {long}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\n{many_headers}\r\n"),
        "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello".to_owned(),
        "GET / HTTP/1.1\r\nhost: x\r\na\0b: c\r\n\r\n".to_owned(),
    ] {
        let mut client = server.connect().await;
        let _ = client.0.write_all(request.as_bytes()).await;
        let received = client.read_to_end().await;
        let status = String::from_utf8_lossy(&received).split(' ').nth(1).map(str::to_owned);
        // The server closes the connection, with or without an error as a response.
        assert!(status.as_ref().is_none_or(|status| status.starts_with('4')), "{request:?}: {status:?}");
    }
    assert!(server.is_healthy().await);
}

#[tokio::test]
async fn too_many_connections_get_503_after_their_request() {
    let connection_limits = ConnectionLimits { max_total: 6, max_per_address: Some(4), ..config().connection_limits };
    let server = Server::start(Config { connection_limits, ..config() }).await;
    let table = server.open_table().await;
    // Wait until the connection that has opened the table has ended and is not counted any longer.
    sleep(Duration::from_millis(50)).await;
    let mut watchers = Vec::new();
    for _ in 0..4 {
        let mut client = server.connect().await;
        client.watch(&table).await;
        watchers.push(client);
    }
    let mut refused = server.connect().await;
    refused.send("GET /healthz HTTP/1.1\r\n").await;
    // HTTP clients treat a response before the end of their request as a broken connection.
    let early_response = timeout(Duration::from_millis(100), refused.0.read_u8()).await;
    assert!(early_response.is_err(), "the server responds before the end of the request: {early_response:?}");
    refused.send("host: x\r\n\r\n").await;
    let response = refused.read_response().await.unwrap();
    assert_eq!(response.status, 503);
    assert!(response.body.contains("server/connections"), "{response:?}");
    assert!(response.body.contains("\"retry_after\":10"), "{response:?}");
    assert!(refused.read_to_end().await.is_empty(), "the connection is closed");
    // Once a watcher has disconnected, another connection is accepted.
    watchers.pop();
    for _ in 0..50 {
        sleep(Duration::from_millis(20)).await;
        if server.is_healthy().await {
            return;
        }
    }
    panic!("a connection that has ended is still counted");
}

#[tokio::test]
async fn client_that_does_not_read_is_disconnected() {
    let server = Server::start(config()).await;
    let mut client = server.connect().await;
    // Sends requests and never reads a response.
    let requests = "GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let started = Instant::now();
    loop {
        let written = timeout(Duration::from_secs(5), client.0.write_all(requests.as_bytes())).await;
        if written.expect("the server closes the connection in time").is_err() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "the server still reads requests of this client");
    }
    assert!(server.is_healthy().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_streams_do_not_slow_down_requests() {
    let server = Server::start(config()).await;
    let table = server.open_table().await;
    let mut watchers = Vec::new();
    for _ in 0..400 {
        let mut client = server.connect().await;
        client.watch(&table).await;
        watchers.push(client);
    }
    let started = Instant::now();
    for _ in 0..50 {
        assert!(server.is_healthy().await);
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    // All watchers get the change when the second player sits down, which starts the game.
    let path = format!("/api/v1/tables/{}/seats", table["table"].as_str().unwrap());
    let sat = server.request(&format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")).await;
    assert_eq!(sat.status, 201);
    for client in &mut watchers {
        let mut received = Vec::new();
        // The end of an event, as in `watch`.
        while !received.ends_with(b"\n\n\r\n") {
            client.read_more(&mut received).await.expect("the stream continues");
        }
        assert!(String::from_utf8_lossy(&received).contains("\"phase\":\"offer\""));
    }
    assert!(server.stop().await < Duration::from_secs(2));
}

#[tokio::test]
async fn shutdown_ends_streams_and_closes_idle_connections() {
    let server = Server::start(config()).await;
    let table = server.open_table().await;
    let mut watcher = server.connect().await;
    watcher.watch(&table).await;
    let mut idle = server.connect().await;
    idle.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
    idle.read_response().await.unwrap();
    let address = server.address;
    let (duration, received, _) = tokio::join!(server.stop(), watcher.read_to_end(), idle.read_to_end());
    // Less than `shutdown_timeout` (1 s), after which connections would be aborted.
    assert!(duration < Duration::from_millis(900), "{duration:?}");
    assert_eq!(received, b"0\r\n\r\n", "the event stream ends with the last chunk of HTTP");
    assert!(TcpStream::connect(address).await.is_err(), "the server still listens");
}

#[tokio::test]
async fn unfinished_requests_do_not_block_shutdown() {
    let server = Server::start(config()).await;
    let mut half_sent_body = server.connect().await;
    half_sent_body
        .send("POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{")
        .await;
    let mut half_sent_head = server.connect().await;
    half_sent_head.send("GET /heal").await;
    sleep(Duration::from_millis(50)).await;
    // The requests end after their timeouts (500 ms), at the latest after `shutdown_timeout` (1 s).
    assert!(server.stop().await < Duration::from_secs(3));
}
