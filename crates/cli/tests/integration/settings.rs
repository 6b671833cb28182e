//! Tests of the settings of `sultan serve`: command line, environment, file, and their precedence.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use sultan_testkit::binary::Binary;
use tempfile::TempDir;

/// The program with these arguments, and without settings in its environment.
fn sultan(arguments: &[&str]) -> Command {
    let mut command = Binary(env!("CARGO_BIN_EXE_sultan")).command(arguments);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SULTAN_")) {
        command.env_remove(name);
    }
    command
}

/// Writes a file and returns its path.
fn write_file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A server that runs until the test ends.
struct Server {
    child: Child,
    /// The lines printed at the start: the link of the server and the location of its database.
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
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let startup_output = lines.take(2).map(Result::unwrap).collect::<Vec<_>>().join("\n");
        Self { child, startup_output }
    }

    fn address(&self) -> &str {
        self.startup_output.split("http://").nth(1).unwrap().split('/').next().unwrap()
    }
}

/// Checks that the program exited with 1 and one line of error, and returns the line.
fn error_line(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
    message
}

#[test]
fn command_line_overrides_environment_and_environment_overrides_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let text = format!("db = \"{}\"\nbind = '127.0.0.1:0'\nno-open = true\nmax-tables = 1_000\n", db("file.db"));
    let file = write_file(&folder, "sultan.toml", &text);
    let file = file.to_str().unwrap();
    let startup_output = |command: &mut Command| Server::start(command).startup_output.clone();
    assert!(startup_output(&mut sultan(&["serve", "--config", file])).contains("file.db"));
    assert!(startup_output(sultan(&[]).env("SULTAN_CONFIG", file)).contains("file.db"));
    let with_environment = |options: &[&str]| {
        let mut command = sultan(&["serve", "--config", file]);
        startup_output(command.args(options).env("SULTAN_DB", db("environment.db")))
    };
    assert!(with_environment(&[]).contains("environment.db"));
    assert!(with_environment(&["--db", &db("command-line.db")]).contains("command-line.db"));
}

#[test]
fn command_line_overrides_lan_and_bind_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("db = 'sqlite:{}'\n", folder.path().join("x.db").display());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    // No server can listen on this address, so an error shows that a server tried to.
    let used_address = listener.local_addr().unwrap();
    let file_with_bind = write_file(&folder, "bind.toml", &format!("{db}bind = '{used_address}'\n"));
    let file_with_lan = write_file(&folder, "lan.toml", &format!("{db}lan = true\n"));
    let serve = |file: &Path| sultan(&["serve", "--config", file.to_str().unwrap()]);
    let server = Server::start(serve(&file_with_lan).args(["--bind", "127.0.0.1:0"]));
    assert!(server.address().starts_with("127.0.0.1:"), "{}", server.startup_output);
    let server = Server::start(serve(&file_with_bind).arg("--lan"));
    assert!(!server.startup_output.contains(&used_address.to_string()), "{}", server.startup_output);
    // `SULTAN_LAN=false` does not override `bind`.
    let output = serve(&file_with_bind).env("SULTAN_LAN", "false").output().unwrap();
    assert!(error_line(&output).contains(&format!("cannot listen at {used_address}")));
}

#[test]
fn unknown_word_for_a_boolean_variable_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("sqlite:{}", folder.path().join("x.db").display());
    let serve = |value: &str| {
        let mut command = sultan(&["serve", "--bind", "127.0.0.1:0", "--db", &db]);
        command.env("SULTAN_TRUST_PROXY", value);
        command
    };
    for value in ["true", "False", "yes", "no", "ON", "off", "1", "0", ""] {
        assert!(Server::start(&mut serve(value)).startup_output.contains("http://"), "{value}");
    }
    let output = serve("nein").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let reason = "'nein' for '--trust-proxy': must be true or false (or yes, no, on, off, 1, 0)";
    assert!(message.contains(reason), "{message}");
}

#[test]
fn config_error_names_the_line_but_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let message = |text: &str| {
        let file = write_file(&folder, "sultan.toml", text);
        error_line(&sultan(&["serve", "--config", file.to_str().unwrap()]).output().unwrap())
    };
    for (text, reason) in [
        ("\n\nbnd = 'x'", "line 3: bnd: unknown setting; known settings: bind, db, "),
        ("config = 'x'", "line 1: config: unknown setting"),
        ("[serve]\nbind = 'x'", "line 1: serve: unknown setting"),
        ("# here\nbind = 'x'", "line 2: bind: must be an address and a port, both in numbers"),
        ("bind = 8080", "line 1: bind: must be text, in quotes"),
        ("max-tables = '5'", "line 1: max-tables: must be a number, without quotes"),
        ("max-tables = 0", "line 1: max-tables: must be a number, at least 1"),
        ("bot-pause-ms = -1", "line 1: bot-pause-ms: must be a number from 0 to 600000"),
        ("lan = 1", "line 1: lan: must be true or false"),
        ("log-format = 'xml'", "possible values: text, json"),
        ("log = 'loud=very'", "invalid log filter"),
        ("log = 'inof'", "invalid log level: inof is not error, warn, info, debug, trace or off"),
        ("lan = true\nbind = '127.0.0.1:0'", "lan and bind exclude each other"),
        ("lan = true\nlan = false", "line 2: duplicate key"),
        ("db = postgres://ana:secret@db/sultan", "line 1: "),
        ("db = 'postgres://ana:secret@db/sultan", "line 1: "),
        ("db = 'postgres://ana:secret@db:port/sultan'", "the address cannot be read"),
        ("db = ['postgres://ana:secret@db/sultan']", "line 1: db: must be text, in quotes"),
        ("db-password-file = '/no/such/file'", "cannot read /no/such/file"),
    ] {
        let message = message(text);
        assert!(message.contains(reason) && !message.contains("secret"), "{text}: {message}");
    }
    let missing = sultan(&["serve", "--config", "/no/such/file"]).output().unwrap();
    assert!(error_line(&missing).contains("the settings in /no/such/file: No such file"));
}

#[test]
fn database_password_is_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let password_file = write_file(&folder, "password", "secret\n");
    let empty_file = write_file(&folder, "empty", "\n");
    let error_with = |db: &str, file: &Path| {
        let mut command = sultan(&["serve", "--bind", "127.0.0.1:0", "--db", db]);
        error_line(&command.arg("--db-password-file").arg(file).output().unwrap())
    };
    // The password is read, but no database server listens on this port.
    let message = error_with("postgres://ana@127.0.0.1:1/x", &password_file);
    assert!(message.contains("postgres://127.0.0.1:1/x: the database server does not answer"), "{message}");
    assert!(error_with("postgres://ana@127.0.0.1:1/x", &empty_file).contains("no password in"));
    assert!(error_with("sqlite:x.db", &password_file).contains("a password is for Postgres"));
}

#[test]
fn every_option_can_be_set_in_the_environment_and_no_password_is_in_the_help() {
    let help = sultan(&["serve", "--help"]).env("SULTAN_DB", "postgres://ana:secret@db/sultan").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let options: Vec<&str> =
        help.lines().filter_map(|line| line.trim_start().strip_prefix("--")?.split(' ').next()).collect();
    assert!(options.len() > 10, "{help}");
    for option in options {
        let name = format!("SULTAN_{}", option.to_uppercase().replace('-', "_"));
        assert!(help.contains(&format!("[env: {name}")), "{option} has no {name}");
    }
    assert!(!help.contains("secret"), "{help}");
}

#[test]
fn example_settings_file_lists_every_setting() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/sultan.toml");
    let example = std::fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // A server starts with the file, apart from the location of the database and the address.
    let db = format!("sqlite:{}", folder.path().join("x.db").display());
    let adapted = example.replace("sqlite:/var/lib/sultan/sultan.db", &db).replace("127.0.0.1:8080", "127.0.0.1:0");
    let file = write_file(&folder, "adapted.toml", &adapted);
    let server = Server::start(&mut sultan(&["serve", "--config", file.to_str().unwrap()]));
    assert!(server.startup_output.contains(&db), "{}", server.startup_output);
    // A file with all settings of the example, also those in comments (of the two databases only Postgres), and an
    // unknown setting. Settings are checked in alphabetical order, so its error shows that all others are valid. The
    // error names all known settings.
    let is_setting = |line: &str| line.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '));
    let uncommented = |line| str::strip_prefix(line, "# ").filter(|setting| is_setting(setting)).unwrap_or(line);
    let lines = example.lines().map(uncommented);
    let settings: Vec<&str> = lines.filter(|line| is_setting(line) && !line.starts_with("db = \"sqlite")).collect();
    let file = write_file(&folder, "all.toml", &format!("{}\nzzz = 1\n", settings.join("\n")));
    let message = error_line(&sultan(&["serve", "--config", file.to_str().unwrap()]).output().unwrap());
    let (_, known) =
        message.split_once("zzz: unknown setting; known settings: ").unwrap_or_else(|| panic!("{message}"));
    for name in known.trim().split(", ") {
        assert!(settings.iter().any(|line| line.starts_with(&format!("{name} = "))), "{name} is not in the example");
    }
    assert_eq!(settings.len(), known.trim().split(", ").count(), "{settings:?}");
}

#[test]
fn health_succeeds_while_the_server_runs_and_fails_after_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("sqlite:{}", folder.path().join("x.db").display());
    let server = Server::start(&mut sultan(&["serve", "--bind", "0.0.0.0:0", "--db", &db]));
    let port = server.address().rsplit(':').next().unwrap();
    let bind = format!("0.0.0.0:{port}");
    let output = sultan(&["health"]).env("SULTAN_BIND", &bind).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("127.0.0.1:{port} is ready\n"));
    drop(server);
    assert!(error_line(&sultan(&["health", "--bind", &bind]).output().unwrap()).contains("does not answer"));
}
