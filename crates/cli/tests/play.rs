//! `sultan play`, the real binary, on a pseudo-terminal and behind pipes: whole games, here and at a real server's table.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use pty_process::{OwnedWritePty, Size};
use sultan_testkit::http::Connection;
use sultan_testkit::server::Server;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::timeout;

const SULTAN: &str = env!("CARGO_BIN_EXE_sultan");
/// The machine may be busy.
const PATIENCE: Duration = Duration::from_mins(2);

/// What was written to a terminal, and what it shows of it.
#[derive(Clone)]
struct Shown {
    screen: String,
    raw: Vec<u8>,
    closed: bool,
}

/// Where something stands last in what was written lately.
fn last(raw: &[u8], mark: &[u8]) -> Option<usize> {
    let from = raw.len().saturating_sub(100_000);
    raw[from..].windows(mark.len()).rposition(|window| window == mark)
}

/// The program on a terminal of its own.
struct Terminal {
    child: Child,
    keys: OwnedWritePty,
    shown: watch::Receiver<Shown>,
}

impl Terminal {
    fn start(home: &Path, size: (u16, u16), args: &[&str]) -> Self {
        Self::run("play", home, size, args)
    }

    fn run(command: &str, home: &Path, size: (u16, u16), args: &[&str]) -> Self {
        let (pty, pts) = pty_process::open().unwrap();
        pty.resize(Size::new(size.1, size.0)).unwrap();
        let command = pty_process::Command::new(SULTAN)
            .arg(command)
            .args(args)
            .env("XDG_DATA_HOME", home)
            .env("HOME", home)
            .env("SULTAN_BOT_PAUSE_MS", "0")
            .env("TERM", "xterm-256color")
            .env("LANG", "en_US.UTF-8")
            .env_remove("LC_ALL")
            .env_remove("NO_COLOR")
            .kill_on_drop(true);
        let child = command.spawn(pts).unwrap();
        let (mut output, keys) = pty.into_split();
        let (sender, shown) = watch::channel(Shown { screen: String::new(), raw: Vec::new(), closed: false });
        tokio::spawn(async move {
            let mut parser = vt100::Parser::new(size.1.try_into().unwrap(), size.0.try_into().unwrap(), 0);
            let mut piece = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut piece).await {
                parser.process(&piece[..length]);
                let screen = parser.screen().contents();
                sender.send_modify(|shown| {
                    shown.raw.extend_from_slice(&piece[..length]);
                    // Half a picture is no picture.
                    if last(&shown.raw, b"\x1b[?2026h") <= last(&shown.raw, b"\x1b[?2026l") {
                        shown.screen = screen;
                    }
                });
            }
            sender.send_modify(|shown| shown.closed = true);
        });
        Self { child, keys, shown }
    }

    /// Waits until the terminal shows something.
    async fn until(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        let found = timeout(PATIENCE, self.shown.wait_for(|shown| wanted(&shown.screen))).await;
        let found = found.ok().and_then(Result::ok).map(|shown| shown.screen.clone());
        found.unwrap_or_else(|| panic!("that is never shown; the last was:\n{}", self.shown.borrow().screen))
    }

    async fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).await.unwrap();
    }

    /// Waits until the program has ended; gives all that it wrote, and its exit code.
    async fn ended(mut self) -> (String, Option<i32>) {
        let code = timeout(PATIENCE, self.child.wait()).await.expect("it does not end").unwrap().code();
        let _ = timeout(Duration::from_secs(5), self.shown.wait_for(|shown| shown.closed)).await;
        (String::from_utf8_lossy(&self.shown.borrow().raw).into_owned(), code)
    }

    /// Plays a game to its end, in every way that keys allow.
    async fn play(&mut self) -> String {
        let mut before = String::new();
        for step in 0..3000_usize {
            // Not the same in every round of the same states, or taking back might never end.
            let turn = step.wrapping_mul(0x9e37_79b9) >> 16;
            let asks = |screen: &str| {
                ["Your turn", "On which cushion", "Enter confirms", "turned up", "The screen is for", "· The end"]
                    .iter()
                    .any(|asked| screen.contains(asked))
            };
            // Several keys may be drawn one by one: what is shown then may be taken back by the time it is answered.
            let changed = self.shown.wait_for(|shown| shown.screen != before && asks(&shown.screen));
            let _ = timeout(Duration::from_millis(300), changed).await;
            let screen = self.until(asks).await;
            let keys = match &screen {
                screen if screen.contains("· The end") => return screen.clone(),
                screen if screen.contains("which jewel goes on cushion 1") => ["1", "\x1b[C\r", "2"][turn % 3],
                screen if screen.contains("which jewel goes on cushion 2") => ["\x7f", "\r", "\x1b[D\r"][turn % 3],
                screen if screen.contains("which card") => ["1", "\x1b[D\r", "\x1b[C\r", "2\x7f1"][turn % 4],
                screen if screen.contains("On which cushion") => ["\r", "\x1b[C\r", "\x7f1\r"][turn % 3],
                _ => "\r",
            };
            before = screen;
            self.press(keys).await;
        }
        let shown = self.shown.borrow();
        panic!("the game does not end; closed: {}\n{}", shown.closed, shown.screen)
    }
}

#[tokio::test]
async fn whole_games_are_played_by_keys_with_two_to_five() {
    for players in 2..=5_u8 {
        let home = TempDir::new().unwrap();
        let players = players.to_string();
        let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", &players, "--name", "Ana"]);
        let end = terminal.play().await;
        assert!(end.contains("treasurer!") || end.contains("A draw:"), "{end}");
        assert!(end.contains("The points of"), "{end}");
        terminal.press("q").await;
        let (written, code) = terminal.ended().await;
        assert_eq!(code, Some(0));
        assert!(written.contains("\x1b[?1049l") && !written.contains("The game is kept"));
    }
}

#[tokio::test]
async fn the_form_opens_a_game_and_a_game_goes_on_later() {
    let home = TempDir::new().unwrap();
    let mut terminal = Terminal::start(home.path(), (100, 30), &["--name", "Ana", "--lang", "de"]);
    terminal.until(|screen| screen.contains("Startspieler") && screen.contains("Los geht’s")).await;
    // Up from the last line over four seats to who begins; then to the language, and round to the last line.
    terminal.press("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[C").await;
    terminal.until(|screen| screen.contains("1 · Ana")).await;
    terminal.press("\x1b[A\x1b[A\x1b[A\x1b[D\x1b[A").await;
    terminal.until(|screen| screen.contains("A new game")).await;
    terminal.press("\r").await;
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    terminal.press("\x03").await;
    let (written, code) = terminal.ended().await;
    assert_eq!(code, Some(0), "{written}");

    let mut terminal =
        Terminal::start(home.path(), (80, 24), &["--new", "--players", "3", "--name", "Ana", "--first", "1"]);
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    terminal.press("12\r").await;
    terminal.until(|screen| screen.contains("which card")).await;
    terminal.press("q").await;
    let (written, _) = terminal.ended().await;
    assert!(written.contains("The game is kept"), "{written}");

    let mut terminal = Terminal::start(home.path(), (80, 24), &["--name", "Ana"]);
    terminal.until(|screen| screen.contains("2 unfinished games")).await;
    terminal.press("\r").await;
    terminal.until(|screen| screen.contains("which card")).await;
    terminal.play().await;
}

#[tokio::test]
async fn friends_share_a_screen_with_a_curtain_between_them() {
    let home = TempDir::new().unwrap();
    let args = ["--people", "2", "--name", "Ana,Bo", "--first", "1"];
    let mut terminal = Terminal::start(home.path(), (80, 24), &args);
    let screen = terminal.until(|screen| screen.contains("The screen is for Ana")).await;
    assert!(!screen.contains("hand"), "{screen}");
    terminal.press("\r").await;
    terminal.until(|screen| screen.contains("Ana: hand")).await;
    let end = terminal.play().await;
    assert!(end.contains("Ana") && end.contains("Bo"), "{end}");
}

#[tokio::test]
async fn a_recorded_game_is_stepped_through_by_keys() {
    let home = TempDir::new().unwrap();
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/four.sultan.json");
    let record = record.to_str().unwrap();
    let mut terminal = Terminal::run("replay", home.path(), (80, 24), &[record]);
    terminal.until(|screen| screen.contains("Move 0 of 75") && screen.contains("All hands")).await;
    terminal.press("\x1b[C\x1b[C").await;
    terminal.until(|screen| screen.contains("Move 2 of 75")).await;
    terminal.press("\x1b[D1").await;
    terminal.until(|screen| screen.contains("Move 1 of 75") && screen.contains("Seen by: Ana")).await;
    terminal.press("\x1b[F").await;
    terminal.until(|screen| screen.contains("Move 75 of 75") && screen.contains("treasurer")).await;
    terminal.press("\x1b[H ").await;
    terminal.until(|screen| screen.contains("Move 1 of 75") && screen.contains("pause")).await;
    terminal.press("q").await;
    let (written, code) = terminal.ended().await;
    assert_eq!(code, Some(0));
    assert!(written.contains("\x1b[?1049l"));
    // In another language, and printed all the same.
    let mut terminal = Terminal::run("replay", home.path(), (120, 40), &[record, "--lang", "de"]);
    terminal.until(|screen| screen.contains("Zug 0 von 75")).await;
    terminal.press("\x03").await;
    assert_eq!(terminal.ended().await.1, Some(0));
    let terminal = Terminal::run("replay", home.path(), (80, 24), &[record, "--print"]);
    let (written, code) = terminal.ended().await;
    assert_eq!(code, Some(0));
    assert!(written.contains("4 players") && !written.contains("\x1b[?1049h"), "{written}");
}

#[tokio::test]
async fn a_kill_gives_the_terminal_back() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let home = TempDir::new().unwrap();
        let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", "4"]);
        terminal.until(|screen| screen.contains("Stage 1 of 3")).await;
        let pid = terminal.child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().await.unwrap().success());
        let (written, code) = terminal.ended().await;
        assert_eq!(code, Some(0), "{signal}");
        let last = |what: &str| written.rfind(what).unwrap_or_else(|| panic!("{signal}: no {what:?}"));
        assert!(last("\x1b[?1049h") < last("\x1b[?1049l") && last("\x1b[?1000h") < last("\x1b[?1000l"), "{signal}");
        last("\x1b[?25h");
    }
}

#[tokio::test]
async fn resizing_never_breaks_it() {
    let home = TempDir::new().unwrap();
    let mut terminal = Terminal::start(home.path(), (80, 24), &["--players", "5", "--first", "1"]);
    terminal.until(|screen| screen.contains("Your turn")).await;
    for (columns, rows) in [(30, 8), (1, 1), (200, 60), (72, 22), (80, 24)] {
        terminal.keys.resize(Size::new(rows, columns)).unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    terminal.press("1").await;
    terminal.until(|screen| screen.contains("goes on cushion 2")).await;
}

/// Plays line by line, told all this at once.
async fn plain(home: &Path, args: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(SULTAN)
        .args(["play", "--plain"])
        .args(args)
        .env("XDG_DATA_HOME", home)
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    // Whoever ends early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()).await;
    let output = timeout(PATIENCE, child.wait_with_output()).await.expect("it does not end").unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (said, output.status.code())
}

#[tokio::test]
async fn whole_games_are_played_line_by_line() {
    for players in ["2", "3", "4", "5"] {
        let home = TempDir::new().unwrap();
        let (said, code) = plain(home.path(), &["--players", players, "--name", "Ana"], &"1\n".repeat(80)).await;
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("treasurer!") || said.contains("A draw:"), "{said}");
        assert!(said.contains("\n1. ") && !said.contains('\x1b'), "{said}");
    }
}

#[tokio::test]
async fn lines_are_actions_and_the_end_of_the_input_keeps_the_game() {
    let home = TempDir::new().unwrap();
    let args = ["--new", "--players", "2", "--name", "Ana", "--first", "1"];
    let (said, code) = plain(home.path(), &args, "99@9\n?\nrules\n\nnonsense\n1\n1\n").await;
    assert_eq!(code, Some(0), "{said}");
    for part in
        ["Stage 1 of 3, round 1 of 4.", "Drawn: ", "! ", "The rules in short, for 2 players", "The game is kept"]
    {
        assert!(said.contains(part), "no “{part}” in {said}");
    }
    let (said, code) = plain(home.path(), &[], &format!("1\n{}", "1\n".repeat(60))).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("An unfinished game") && said.contains("The points") || said.contains("points, "), "{said}");
    let (said, _) = plain(home.path(), &["--lang", "hu"], "").await;
    assert!(said.contains("Te következel") || said.contains("Kihúzva") || said.contains("licitál"), "{said}");
}

#[tokio::test]
async fn friends_share_lines_and_nobody_s_hand_is_told_to_another() {
    let home = TempDir::new().unwrap();
    let args = ["--people", "2", "--name", "Ana,Bo", "--first", "1"];
    let (said, code) = plain(home.path(), &args, &"1\n".repeat(200)).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("The screen is for Ana now.") && said.contains("The screen is for Bo now."), "{said}");
    // After every hand that was told, enough lines to push it out of sight before the next player's name.
    for part in said.split("Your hand: ").skip(1) {
        let before = part.split("The screen is for").next().unwrap();
        let again = part.contains("The screen is for") && !before.contains("Your hand");
        assert!(!again || before.matches('\n').count() > 40, "{before}");
    }
}

/// Opens a table; gives its link and the host's.
async fn table(server: &Server, body: &str) -> (String, String) {
    let mut connection = Connection::open(server.address).await.unwrap();
    let opened = connection.ask("POST", "/api/v1/tables", None, body).await.unwrap();
    assert_eq!(opened.status, 201, "{}", opened.body);
    let opened = opened.json().unwrap();
    let link = format!("http://{}/t/{}", server.address, opened["table"].as_str().unwrap());
    let token = opened["token"].as_str().unwrap();
    (link.clone(), format!("{link}/in/{token}"))
}

#[tokio::test]
async fn a_game_is_played_at_a_real_server_s_table() {
    let home = TempDir::new().unwrap();
    let db = format!("sqlite:{}", home.path().join("server.db").display());
    let server = Server::start(Path::new(SULTAN), &db, &[]).await.unwrap();
    let body = r#"{"players":3,"seats":[{"human":true},{"human":true},{"bot":"merchant"}],"name":"Host"}"#;
    let (link, host) = table(&server, body).await;

    let mut terminal = Terminal::start(home.path(), (80, 24), &[&link, "--name", "王様", "--colour", "red"]);
    let start = terminal.until(|screen| screen.contains("Stage 1 of 3")).await;
    assert!(start.contains("王様 (you)") && start.contains("Host") && start.contains("Merchant"), "{start}");
    let lines = "1\n".repeat(80);
    let args = [&host[..]];
    let (end, (said, code)) = tokio::join!(terminal.play(), plain(home.path(), &args, &lines));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("王様") && said.contains("points, "), "{said}");
    assert!(end.contains("王様") && end.contains("play once more"), "{end}");
    terminal.press("q").await;

    // All seats are taken, and the game is over: there is still something to see.
    let (said, code) = plain(home.path(), &[&link], "").await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("points, "), "{said}");
}

#[tokio::test]
async fn a_server_that_comes_back_is_found_again() {
    let home = TempDir::new().unwrap();
    let db = format!("sqlite:{}", home.path().join("server.db").display());
    let mut server = Server::start(Path::new(SULTAN), &db, &[]).await.unwrap();
    let body = r#"{"players":2,"seats":[{"human":true},{"bot":"page"}],"first_seat":0,"name":"Ana"}"#;
    let (_, host) = table(&server, body).await;
    let mut terminal = Terminal::start(home.path(), (80, 24), &[&host]);
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    server.kill().await.unwrap();
    terminal.until(|screen| screen.contains("cannot be reached")).await;
    server.restart().await.unwrap();
    terminal.until(|screen| screen.contains("which jewel goes on cushion 1")).await;
    terminal.press("123\r").await;
    terminal.until(|screen| screen.contains("which card") || screen.contains("is bidding")).await;
    terminal.press("q").await;
    let (written, _) = terminal.ended().await;
    assert!(written.contains("Come back to your seat with: sultan play http://"), "{written}");
}

#[tokio::test]
async fn what_cannot_be_is_said_in_one_line() {
    let home = TempDir::new().unwrap();
    for (args, code, said) in [
        (&["--players", "2", "--bots", "page,page,page"][..], 1, "that does not fit"),
        (&["--players", "2", "--first", "3"], 1, "there is no seat 3"),
        (&["--people", "5", "--bots", "page"], 1, "2 to 5 can play"),
        (&["http://127.0.0.1:1/t/y20cwaaq261c"], 1, "127.0.0.1:1"),
        (&["https://x/t/y20cwaaq261c"], 2, "only http://"),
        (&["http://x/y"], 2, "a table's link is"),
        (&["--bots", "nobody"], 2, "possible values"),
        (&["--lang", "xx"], 2, "a language is"),
        (&["--colour", "pink"], 2, "violet, gold, green, red or blue"),
    ] {
        let (output, ended) = plain(home.path(), args, "").await;
        assert_eq!(ended, Some(code), "{args:?}: {output}");
        assert!(output.contains(said), "{args:?}: {output}");
    }
}
