//! Real sockets: slow, silent, greedy and broken clients, and the shutdown of the server.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sultan_server::{AppState, Config, Connections, listen, serve};
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

fn config() -> Config {
    let connections = Connections {
        per_address: None,
        head_time: Duration::from_millis(500),
        write_time: Duration::from_millis(500),
        stop_time: Duration::from_secs(1),
        ..Connections::default()
    };
    Config { rates: None, body_time: Duration::from_millis(500), connections, ..Config::default() }
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
    async fn request(&self, request: &str) -> Answer {
        let mut client = self.connect().await;
        client.send(request).await;
        client.answer().await.unwrap()
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

    /// Stops the server. Returns the time it took.
    async fn stop(mut self) -> Duration {
        let started = Instant::now();
        let _ = self.stop.take().unwrap().send(());
        timeout(Duration::from_secs(10), &mut self.running).await.expect("the server stops in time").unwrap();
        started.elapsed()
    }
}

struct Client(TcpStream);

#[derive(Debug)]
struct Answer {
    status: u16,
    body: String,
}

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Reads one response with a `content-length`; `None` if the connection ends before it.
    async fn answer(&mut self) -> Option<Answer> {
        let mut received = Vec::new();
        let head = loop {
            if let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            self.read_more(&mut received).await?;
        };
        let text = String::from_utf8(received[..head].to_vec()).unwrap();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        let length: usize = length.parse().unwrap();
        while received.len() < head + 4 + length {
            self.read_more(&mut received).await?;
        }
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        Some(Answer { status, body: String::from_utf8(received[head + 4..head + 4 + length].to_vec()).unwrap() })
    }

    async fn read_more(&mut self, received: &mut Vec<u8>) -> Option<()> {
        let read =
            timeout(Duration::from_secs(10), self.0.read_buf(received)).await.expect("a message arrives in time");
        read.ok().filter(|&count| count > 0).map(|_| ())
    }

    /// Starts to watch a table, and reads the first view.
    async fn watch(&mut self, table: &Value) {
        let path = format!("/api/v1/tables/{}/events", table["table"].as_str().unwrap());
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")).await;
        let mut received = Vec::new();
        while !received.ends_with(b"\n\n\r\n") {
            self.read_more(&mut received).await.expect("a stream begins");
        }
        assert!(received.starts_with(b"HTTP/1.1 200 OK"));
    }

    /// Reads until the end of the connection. Returns the bytes read.
    async fn read_to_end(&mut self) -> Vec<u8> {
        let mut received = Vec::new();
        while self.read_more(&mut received).await.is_some() {}
        received
    }
}

#[tokio::test]
async fn connection_serves_several_requests() {
    let server = Server::start(config()).await;
    let mut client = server.connect().await;
    for _ in 0..3 {
        client.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert_eq!(client.answer().await.unwrap().body, "ok\n");
    }
}

#[tokio::test]
async fn slow_or_silent_request_head_closes_the_connection() {
    let server = Server::start(config()).await;
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    let started = Instant::now();
    slow.send("GET /healthz HTTP/1.1\r\n").await;
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
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.status, 408, "{answer:?}");
}

#[tokio::test]
async fn client_that_sends_a_hundred_megabytes_gets_the_error() {
    const LENGTH: usize = 100 << 20;
    let server = Server::start(config()).await;
    for head in [format!("content-length: {LENGTH}"), "transfer-encoding: chunked".to_owned()] {
        let mut client = server.connect().await;
        let request =
            format!("POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{head}\r\n\r\n");
        client.send(&request).await;
        // A client that sends the whole request before it reads.
        if head.starts_with('t') {
            client.send(&format!("{LENGTH:x}\r\n")).await;
        }
        let piece = vec![b' '; 1 << 20];
        for _ in 0..100 {
            client.0.write_all(&piece).await.expect("the body is read to its end");
        }
        let answer = client.answer().await.unwrap();
        assert_eq!(answer.status, 413, "{answer:?}");
        assert!(answer.body.contains("body/too-long"));
    }
    assert!(server.is_healthy().await);
}

#[tokio::test]
async fn garbage_and_endless_heads_are_refused() {
    let server = Server::start(config()).await;
    let long = "x".repeat(40_000);
    let many = "a: b\r\n".repeat(200);
    for request in [
        "\u{16}\u{3}\u{1}\u{2}\u{0}nonsense\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nhost: x\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\na: {long}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n"),
        "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello".to_owned(),
        "GET / HTTP/1.1\r\nhost: x\r\na\0b: c\r\n\r\n".to_owned(),
    ] {
        let mut client = server.connect().await;
        let _ = client.0.write_all(request.as_bytes()).await;
        let received = client.read_to_end().await;
        let status = String::from_utf8_lossy(&received).split(' ').nth(1).map(str::to_owned);
        assert!(status.as_ref().is_none_or(|status| status.starts_with('4')), "{status:?}");
    }
    assert!(server.is_healthy().await);
}

#[tokio::test]
async fn too_many_connections_get_503_after_their_request() {
    let connections = Connections { all: 6, per_address: Some(4), ..config().connections };
    let server = Server::start(Config { connections, ..config() }).await;
    let table = server.open_table().await;
    sleep(Duration::from_millis(50)).await;
    let mut watching = Vec::new();
    for _ in 0..4 {
        let mut client = server.connect().await;
        client.watch(&table).await;
        watching.push(client);
    }
    let mut refused = server.connect().await;
    refused.send("GET /healthz HTTP/1.1\r\n").await;
    let early = timeout(Duration::from_millis(100), refused.0.read_u8()).await;
    assert!(early.is_err(), "a client would take a response before its request for a broken connection: {early:?}");
    refused.send("host: x\r\n\r\n").await;
    let answer = refused.answer().await.unwrap();
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("server/connections") && answer.body.contains("\"retry_after\":10"));
    assert!(refused.read_to_end().await.is_empty(), "the connection is closed");
    // As soon as a connection has ended, another is accepted.
    watching.pop();
    for _ in 0..50 {
        sleep(Duration::from_millis(20)).await;
        if server.is_healthy().await {
            return;
        }
    }
    panic!("the ended connection is still counted");
}

#[tokio::test]
async fn client_that_does_not_read_is_disconnected() {
    let server = Server::start(config()).await;
    let mut client = server.connect().await;
    // Sends requests without ever reading a response.
    let request = "GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let started = Instant::now();
    loop {
        let written = timeout(Duration::from_secs(5), client.0.write_all(request.as_bytes())).await;
        if written.expect("the idle connection is closed").is_err() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "the server never closes the connection");
    }
    assert!(server.is_healthy().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_streams_do_not_slow_down_requests() {
    let server = Server::start(config()).await;
    let table = server.open_table().await;
    let mut watching = Vec::new();
    for _ in 0..400 {
        let mut client = server.connect().await;
        client.watch(&table).await;
        watching.push(client);
    }
    let started = Instant::now();
    for _ in 0..50 {
        assert!(server.is_healthy().await);
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    // All watchers get the change when a player sits down.
    let path = format!("/api/v1/tables/{}/seats", table["table"].as_str().unwrap());
    let sat = server.request(&format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")).await;
    assert_eq!(sat.status, 201);
    for client in &mut watching {
        let mut received = Vec::new();
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
    let mut watching = server.connect().await;
    watching.watch(&table).await;
    let mut idle = server.connect().await;
    idle.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
    idle.answer().await.unwrap();
    let address = server.address;
    let (took, received, _) = tokio::join!(server.stop(), watching.read_to_end(), idle.read_to_end());
    assert!(took < Duration::from_millis(900), "{took:?}");
    assert_eq!(received, b"0\r\n\r\n", "the stream ends with the last chunk");
    assert!(TcpStream::connect(address).await.is_err(), "the server still listens");
}

#[tokio::test]
async fn open_connections_do_not_block_shutdown() {
    let server = Server::start(config()).await;
    let mut half_sent_body = server.connect().await;
    half_sent_body
        .send("POST /api/v1/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{")
        .await;
    let mut incomplete = server.connect().await;
    incomplete.send("GET /heal").await;
    sleep(Duration::from_millis(50)).await;
    assert!(server.stop().await < Duration::from_secs(3));
}
