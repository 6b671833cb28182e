//! Tests of the settings of `sultan serve`: command line, environment, file, and their precedence.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use sultan_testkit::binary::Binary;
use tempfile::TempDir;

fn sultan(arguments: &[&str]) -> Command {
    let mut command = Binary(env!("CARGO_BIN_EXE_sultan")).command(arguments);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SULTAN_")) {
        command.env_remove(name);
    }
    command
}

fn written(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A server that runs until the test ends, and its output at the start.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let message = lines.take(2).map(Result::unwrap).collect::<Vec<_>>().join("\n");
        Self(child, message)
    }

    fn address(&self) -> &str {
        self.1.split("http://").nth(1).unwrap().split('/').next().unwrap()
    }
}

/// Checks that the settings are rejected with one line, and returns it.
fn refused(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
    message
}

#[test]
fn command_line_overrides_environment_and_environment_overrides_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let text = format!("db = \"{}\"\nbind = '127.0.0.1:0'\nno-open = true\nmax-tables = 1_000\n", db("file.db"));
    let file = written(&folder, "sultan.toml", &text);
    let file = file.to_str().unwrap();
    let kept = |command: &mut Command| Server::start(command).1.clone();
    assert!(kept(&mut sultan(&["serve", "--config", file])).contains("file.db"));
    assert!(kept(sultan(&[]).env("SULTAN_CONFIG", file)).contains("file.db"));
    let environment = |more: &[&str]| {
        let mut command = sultan(&["serve", "--config", file]);
        kept(command.args(more).env("SULTAN_DB", db("environment.db")))
    };
    assert!(environment(&[]).contains("environment.db"));
    assert!(environment(&["--db", &db("line.db")]).contains("line.db"));
}

#[test]
fn command_line_overrides_lan_and_bind_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("db = 'sqlite:{}'\n", folder.path().join("x.db").display());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap();
    let bind = written(&folder, "bind.toml", &format!("{db}bind = '{taken}'\n"));
    let lan = written(&folder, "lan.toml", &format!("{db}lan = true\n"));
    let serve = |file: &Path| sultan(&["serve", "--config", file.to_str().unwrap()]);
    assert!(Server::start(serve(&lan).args(["--bind", "127.0.0.1:0"])).address().starts_with("127.0.0.1:"));
    let everywhere = Server::start(serve(&bind).arg("--lan"));
    assert!(!everywhere.1.contains(&taken.to_string()), "{}", everywhere.1);
    let nowhere = serve(&bind).env("SULTAN_LAN", "false").output().unwrap();
    assert!(!nowhere.status.success() && refused(&nowhere).contains(&format!("cannot listen at {taken}")));
}

#[test]
fn boolean_environment_variables_are_strict() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("sqlite:{}", folder.path().join("x.db").display());
    let serve = |value: &str| {
        let mut command = sultan(&["serve", "--bind", "127.0.0.1:0", "--db", &db]);
        command.env("SULTAN_TRUST_PROXY", value);
        command
    };
    for value in ["true", "False", "yes", "no", "ON", "off", "1", "0", ""] {
        assert!(Server::start(&mut serve(value)).1.contains("http://"), "{value}");
    }
    let nein = serve("nein").output().unwrap();
    let message = String::from_utf8(nein.stderr).unwrap();
    assert_eq!(nein.status.code(), Some(2), "{message}");
    assert!(
        message.contains("'nein' for '--trust-proxy': must be true or false (or yes, no, on, off, 1, 0)"),
        "{message}"
    );
}

#[test]
fn config_error_names_the_line_but_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let message = |text: &str| {
        let file = written(&folder, "sultan.toml", text);
        refused(&sultan(&["serve", "--config", file.to_str().unwrap()]).output().unwrap())
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
    assert!(refused(&missing).contains("the settings in /no/such/file: No such file"));
}

#[test]
fn database_password_is_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(&folder, "password", "secret\n");
    let empty = written(&folder, "empty", "\n");
    let serve = |db: &str, file: &Path| {
        let mut command = sultan(&["serve", "--bind", "127.0.0.1:0", "--db", db]);
        refused(&command.arg("--db-password-file").arg(file).output().unwrap())
    };
    let message = serve("postgres://ana@127.0.0.1:1/x", &file);
    assert!(message.contains("postgres://127.0.0.1:1/x: the database server does not answer"), "{message}");
    assert!(serve("postgres://ana@127.0.0.1:1/x", &empty).contains("no password in"));
    assert!(serve("sqlite:x.db", &file).contains("a password is for Postgres"));
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
    // Unchanged, apart from the database file and the address.
    let here = format!("sqlite:{}", folder.path().join("x.db").display());
    let as_it_is = example.replace("sqlite:/var/lib/sultan/sultan.db", &here).replace("127.0.0.1:8080", "127.0.0.1:0");
    let file = written(&folder, "as-it-is.toml", &as_it_is);
    assert!(Server::start(&mut sultan(&["serve", "--config", file.to_str().unwrap()])).1.contains(&here));
    // All settings, also those in comments (of the two databases only Postgres), and an unknown setting: its error
    // shows that all others are valid.
    let is_setting = |line: &str| line.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '));
    let shown = example.lines().map(|line| line.strip_prefix("# ").filter(|rest| is_setting(rest)).unwrap_or(line));
    let shown: Vec<&str> = shown.filter(|line| is_setting(line) && !line.starts_with("db = \"sqlite")).collect();
    let file = written(&folder, "all.toml", &format!("{}\nzzz = 1\n", shown.join("\n")));
    let message = refused(&sultan(&["serve", "--config", file.to_str().unwrap()]).output().unwrap());
    let (_, known) =
        message.split_once("zzz: unknown setting; known settings: ").unwrap_or_else(|| panic!("{message}"));
    for name in known.trim().split(", ") {
        assert!(shown.iter().any(|line| line.starts_with(&format!("{name} = "))), "{name} is not shown");
    }
    assert_eq!(shown.len(), known.trim().split(", ").count(), "{shown:?}");
}

#[test]
fn health_command_checks_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("sqlite:{}", folder.path().join("x.db").display());
    let server = Server::start(&mut sultan(&["serve", "--bind", "0.0.0.0:0", "--db", &db]));
    let port = server.address().rsplit(':').next().unwrap();
    let bind = format!("0.0.0.0:{port}");
    let well = sultan(&["health"]).env("SULTAN_BIND", &bind).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&well.stdout), format!("127.0.0.1:{port} is ready\n"));
    drop(server);
    assert!(refused(&sultan(&["health", "--bind", &bind]).output().unwrap()).contains("does not answer"));
}
