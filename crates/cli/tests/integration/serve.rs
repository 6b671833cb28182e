//! Tests of `sultan serve` as a process: start, stored data, no secrets in the log, shutdown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sultan_testkit::Backend;
use sultan_testkit::binary::{Binary, assert_fails};
use tempfile::TempDir;

fn sultan(arguments: &[&str]) -> Command {
    Binary(env!("CARGO_BIN_EXE_sultan")).command(arguments)
}

/// A server that runs until the test ends.
struct Server {
    child: Child,
    /// The address and port on which the server listens.
    address: String,
    /// The first three lines of the output: the link, the location of the database, and a hint.
    startup_output: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let startup_output = lines.by_ref().take(3).map(Result::unwrap).collect::<Vec<_>>().join("\n");
        let address = address_in_link(&startup_output).unwrap_or_else(|| panic!("no link: {startup_output}"));
        Self { child, address, startup_output }
    }

    /// Starts a server whose standard output and standard error go into one log, as in a service. The handle returns
    /// the log once the server has exited.
    fn start_with_log(mut command: Command) -> (Self, JoinHandle<String>) {
        let (log, output) = std::io::pipe().unwrap();
        let child = command.stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
        // Close our copies of the writing end of the pipe, so that the log ends when the server exits.
        drop(command);
        let (sender, address) = mpsc::channel();
        let log_reader = std::thread::spawn(move || {
            let mut text = String::new();
            for line in BufReader::new(log).lines().map(Result::unwrap) {
                if let Some(address) = address_in_link(&line) {
                    let _ = sender.send(address);
                }
                text.extend([&line, "\n"]);
            }
            text
        });
        (Self { child, address: address.recv().unwrap(), startup_output: String::new() }, log_reader)
    }

    fn start_with_database(db: &str) -> Self {
        Self::start(sultan(&["serve", "--no-open", "--bind", "127.0.0.1:0"]).args(["--db", db]))
    }

    /// Sends a request and returns the whole response as text. Each header ends with a line break.
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}");
        write!(stream, "{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// Opens a table of two and returns the JSON of the response.
    fn open_table(&self) -> Value {
        self.open_table_with(&json!({"players": 2, "name": "Ana"}))
    }

    /// Opens a table with these options and returns the JSON of the response.
    fn open_table_with(&self, options: &Value) -> Value {
        let response = self.request("POST", "/api/v1/tables", "", &options.to_string());
        serde_json::from_str(response.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }

    /// Opens a WebSocket, sends an action and a close frame, and waits for the end of the connection.
    fn act_over_websocket(&self, path: &str, token: &str) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // The server accepts any key; this is the sample from RFC 6455.
        let head = "host: x\r\norigin: http://x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
                    sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
        write!(stream, "GET {path} HTTP/1.1\r\n{head}\r\nauthorization: Bearer {token}\r\n\r\n").unwrap();
        let action = r#"{"action":"15@1","at":0}"#;
        // A text frame, masked with zeros.
        let frame = [&[0x81, 0x80 | u8::try_from(action.len()).unwrap(), 0, 0, 0, 0], action.as_bytes()].concat();
        stream.write_all(&frame).unwrap();
        // A close frame, answered after all earlier frames were read.
        stream.write_all(&[0x88, 0x80, 0, 0, 0, 0]).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        // The response is the upgrade and at least one message.
        let is_upgraded = response.starts_with(b"HTTP/1.1 101");
        assert!(is_upgraded && response.len() > 500, "{}", String::from_utf8_lossy(&response));
    }

    /// Stops the server with a signal, such as `-TERM`, and waits until it exits.
    fn stop(mut self, signal: &str) -> Stopped {
        let start = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let exit_code = self.child.wait().unwrap().code();
        let duration = start.elapsed();
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        Stopped { exit_code, log, duration }
    }
}

/// A server that was stopped.
struct Stopped {
    exit_code: Option<i32>,
    log: String,
    /// The time from the signal to the exit.
    duration: Duration,
}

/// The address and port in the first link of a text.
fn address_in_link(text: &str) -> Option<String> {
    text.split("http://").nth(1)?.split('/').next().map(ToOwned::to_owned)
}

/// The permissions of a file.
fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

/// The location of a database in this folder.
fn database_in(folder: &TempDir) -> String {
    format!("sqlite:{}", folder.path().join("games.db").display())
}

#[test]
fn tables_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with_database(&database_in(&folder));
    assert!(server.startup_output.contains(&database_in(&folder)), "{}", server.startup_output);
    assert!(server.request("GET", "/readyz", "", "").starts_with("HTTP/1.1 200 OK"));
    let table = server.open_table();
    let path = format!("/api/v1/tables/{}", table["table"].as_str().unwrap());
    // A connected watcher does not keep the server from stopping.
    let mut watching = TcpStream::connect(&server.address).unwrap();
    write!(watching, "GET {path}/events HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut status_line = [0; 12];
    watching.read_exact(&mut status_line).unwrap();
    assert_eq!(&status_line, b"HTTP/1.1 200");
    let Stopped { exit_code, log, duration } = server.stop("-TERM");
    assert_eq!(exit_code, Some(0), "{log}");
    assert!(duration < Duration::from_secs(5), "{duration:?}");
    let mut remaining = String::new();
    watching.read_to_string(&mut remaining).unwrap();
    assert!(remaining.ends_with("0\r\n\r\n"), "the stream does not end with a last chunk: {remaining}");

    let server = Server::start_with_database(&database_in(&folder));
    let token = format!("authorization: Bearer {}\r\n", table["token"].as_str().unwrap());
    let response = server.request("GET", &path, &token, "");
    assert!(response.contains("\"phase\":\"waiting\"") && response.contains("\"seat\":0"), "{response}");
    assert_eq!(server.stop("-INT").exit_code, Some(0));
    assert_eq!(mode(&folder.path().join("games.db")), 0o600);
}

#[test]
fn sultan_without_a_command_serves_from_the_data_directory() {
    let home = tempfile::tempdir().unwrap();
    let mut command = sultan(&[]);
    command.env("HOME", home.path()).env_remove("XDG_DATA_HOME").env("SULTAN_BIND", "127.0.0.1:0");
    let server = Server::start(command.env("SULTAN_NO_OPEN", "1"));
    assert!(server.startup_output.contains("sultan.db"), "{}", server.startup_output);
    assert!(server.startup_output.lines().nth(2).unwrap().contains("--lan"), "{}", server.startup_output);
    let file = server.startup_output.lines().nth(1).unwrap().rsplit("sqlite:").next().unwrap().to_owned();
    assert!(file.starts_with(home.path().to_str().unwrap()), "{file}");
    assert_eq!((mode(Path::new(&file)), mode(Path::new(&file).parent().unwrap())), (0o600, 0o700));
}

#[test]
fn servers_without_a_given_address_take_different_free_ports() {
    let folder = tempfile::tempdir().unwrap();
    let database = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let servers: Vec<Server> =
        ["a", "b"].map(|name| Server::start(&mut sultan(&["serve", "--db", &database(name)]))).into();
    assert_ne!(servers[0].address, servers[1].address);
    let ports = servers.iter().map(|server| server.address.strip_prefix("127.0.0.1:").unwrap().parse::<u16>().unwrap());
    assert!(ports.clone().all(|port| (8080..8180).contains(&port)), "{:?}", ports.collect::<Vec<_>>());
}

#[test]
fn startup_errors_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |db: &str| sultan(&["serve", "--bind", "127.0.0.1:0", "--db", db]).output().unwrap();
    let server = Server::start_with_database(&database_in(&folder));
    let output = sultan(&["serve", "--bind", &server.address, "--db", &database_in(&folder)]).output().unwrap();
    assert_fails(&output, &format!("cannot listen at {}", server.address));
    let not_a_database = folder.path().join("text.db");
    std::fs::write(&not_a_database, "text that is longer than the header of a database ".repeat(100)).unwrap();
    assert_fails(&serve(&format!("sqlite:{}", not_a_database.display())), "not a database");
    assert_fails(&serve("sqlite:/no/such/folder/x.db"), "/no/such/folder/x.db");
    let output = serve("postgres://ana:secret@localhost:port/x");
    assert_fails(&output, "postgres://USER@HOST");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("secret"));
    assert_fails(&serve("mysql://x"), "sqlite:FILE");
    let unreachable = serve("postgres://ana:secret@127.0.0.1:1/x");
    assert_fails(&unreachable, "postgres://127.0.0.1:1/x: the database server does not answer: ");
    for invalid in [&["--bind", "x"][..], &["--lan", "--bind", "127.0.0.1:0"], &["--bot-pause-ms", "-1"]] {
        let output = sultan(&["serve"]).args(invalid).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{invalid:?}");
    }
}

#[tokio::test]
async fn database_of_a_newer_version_is_rejected() {
    let backend = Backend::sqlite();
    backend.open().await.close().await.unwrap();
    let insert_newer_migration =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (99, 'newer', TRUE, x'00', 0)";
    // A newer version of the program has changed the database.
    backend.execute(insert_newer_migration).await;
    let database = backend.location().to_string();
    let output = sultan(&["serve", "--bind", "127.0.0.1:0", "--db", &database]).output().unwrap();
    assert_fails(&output, "use a newer sultan");
}

#[test]
fn table_limit_is_enforced() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = sultan(&["serve", "--no-open", "--bind", "127.0.0.1:0", "--db", &database_in(&folder)]);
    let server = Server::start(command.args(["--max-tables", "1"]));
    assert_eq!(server.open_table()["seat"], 0);
    assert_eq!(server.open_table()["code"], "table/too-many");
}

#[test]
fn secrets_are_never_logged() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["text", "json"] {
        let mut command =
            sultan(&["serve", "--bind", "127.0.0.1:0", "--db", &database_in(&folder), "--log-format", format]);
        command.env("SULTAN_LOG", "trace");
        let (mut server, log_reader) = Server::start_with_log(command);
        let table =
            server.open_table_with(&json!({"players": 2, "seats": [{"human": true}, {"bot": "page"}], "name": "Ana"}));
        let (id, token) = (table["table"].as_str().unwrap(), table["token"].as_str().unwrap());
        server.act_over_websocket(&format!("/api/v1/tables/{id}/socket"), token);
        server.act_over_websocket(&format!("/t/{id}/live?page=table&format=2"), token);
        let response = server.request("GET", &format!("/t/{id}/in/{token}"), "", "");
        let cookie = response.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
        server.request("GET", "/api/v1/my/games", &format!("cookie: {cookie}\r\n"), "");
        let bearer = format!("authorization: Bearer {token}\r\n");
        server.request("POST", &format!("/api/v1/tables/{id}/actions"), &bearer, "{\"action\":\"1@1\",\"at\":0}");
        // A wrong token that contains the right one.
        server.request("GET", &format!("/t/{id}/in/{token}x"), "", "");
        let process = server.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        server.child.wait().unwrap();
        let log = log_reader.join().unwrap();
        assert!(log.contains("/t/{id}/in/{token}"), "no request is logged by its route:\n{log}");
        assert!(!log.contains(token), "{log}");
        // The end of the cookie is the identity of the visitor.
        let visitor = &cookie[cookie.len() - 64..];
        assert!(!log.contains(visitor) && !log.contains("Ana"), "{log}");
        // The log contains neither hands nor actions.
        for hidden in ["sultan-view", "hand", "15@1", "1@1"] {
            assert!(!log.contains(hidden), "{hidden} is in the log:\n{log}");
        }
        assert!(log.contains(&database_in(&folder)), "{log}");
        if format == "json" {
            assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
        }
    }
}

#[test]
fn metrics_are_served_on_their_own_port() {
    let folder = tempfile::tempdir().unwrap();
    // The listener is closed at once, so its port is free.
    let free_address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut command =
        sultan(&["serve", "--bind", "127.0.0.1:0", "--db", &database_in(&folder), "--metrics-bind", &free_address]);
    let mut server = Server::start(&mut command);
    server.open_table();
    assert!(server.request("GET", "/metrics", "", "").starts_with("HTTP/1.1 404"));
    // From here on, requests are sent to the address of the metrics.
    server.address = free_address;
    let metrics = server.request("GET", "/metrics", "", "");
    assert!(metrics.starts_with("HTTP/1.1 200 OK"), "{metrics}");
    let opened_tables = "sultan_requests_total{route=\"/api/v1/tables\",method=\"POST\",status=\"201\"} 1";
    assert!(metrics.contains(opened_tables) && metrics.contains("sultan_connections "), "{metrics}");
    assert!(metrics.contains("sultan_request_seconds_bucket"), "{metrics}");
    assert!(server.request("GET", "/api/v1/tables", "", "").starts_with("HTTP/1.1 404"), "the API is served");
    assert_eq!(server.stop("-TERM").exit_code, Some(0));
}
