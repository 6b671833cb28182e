//! `sultan play` and `sultan replay` on a pseudo-terminal and with pipes.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use pty_process::{OwnedWritePty, Size};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::SULTAN;

/// Time limit, long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(2);

/// The output of a program, and the screen that results from it.
#[derive(Clone)]
pub(crate) struct ScreenState {
    pub(crate) screen: String,
    raw: Vec<u8>,
    /// Whether the program has closed the terminal.
    is_closed: bool,
}

/// The last position of a sequence in the last 100 000 bytes.
fn last_position(raw: &[u8], sequence: &[u8]) -> Option<usize> {
    let from = raw.len().saturating_sub(100_000);
    raw[from..].windows(sequence.len()).rposition(|window| window == sequence)
}

/// The program on a pseudo-terminal.
pub(crate) struct Terminal {
    pub(crate) child: Child,
    pub(crate) keys: OwnedWritePty,
    pub(crate) shown: watch::Receiver<ScreenState>,
}

impl Terminal {
    /// Starts `sultan play` in a window of this size (columns, rows), with its data in this folder.
    pub(crate) fn start(home: &Path, size: (u16, u16), args: &[&str]) -> Self {
        Self::run("play", home, size, args)
    }

    /// Starts a command of `sultan`, as [`start`](Self::start) does.
    pub(crate) fn run(command: &str, home: &Path, (columns, rows): (u16, u16), args: &[&str]) -> Self {
        let (pty, pts) = pty_process::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
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
        let (sender, shown) = watch::channel(ScreenState { screen: String::new(), raw: Vec::new(), is_closed: false });
        tokio::spawn(async move {
            let mut parser = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut buffer).await {
                parser.process(&buffer[..length]);
                let screen = parser.screen().contents();
                sender.send_modify(|shown| {
                    shown.raw.extend_from_slice(&buffer[..length]);
                    // Ignore incomplete frames: the program writes these sequences (synchronized output) around each
                    // frame.
                    if last_position(&shown.raw, b"\x1b[?2026h") <= last_position(&shown.raw, b"\x1b[?2026l") {
                        shown.screen = screen;
                    }
                });
            }
            sender.send_modify(|shown| shown.is_closed = true);
        });
        Self { child, keys, shown }
    }

    /// Waits until the screen satisfies a condition. Returns the screen.
    pub(crate) async fn wait_for_screen(&mut self, condition: impl Fn(&str) -> bool) -> String {
        let found = timeout(TIMEOUT, self.shown.wait_for(|shown| condition(&shown.screen))).await;
        let found = found.ok().and_then(Result::ok).map(|shown| shown.screen.clone());
        found.unwrap_or_else(|| {
            panic!("the expected screen does not appear; the last was:\n{}", self.shown.borrow().screen)
        })
    }

    /// Sends these characters to the program, as if typed.
    pub(crate) async fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).await.unwrap();
    }

    /// Waits until the program exits. Returns its whole output and its exit code.
    pub(crate) async fn wait_for_exit(mut self) -> (String, Option<i32>) {
        let code = timeout(TIMEOUT, self.child.wait()).await.expect("the program does not exit").unwrap().code();
        let _ = timeout(Duration::from_secs(5), self.shown.wait_for(|shown| shown.is_closed)).await;
        (String::from_utf8_lossy(&self.shown.borrow().raw).into_owned(), code)
    }

    /// Plays a game to its end with varying keys. Returns the last screen.
    pub(crate) async fn play(&mut self) -> String {
        let mut last_screen = String::new();
        for step in 0..3000_usize {
            // Vary the keys for equal screens: otherwise undoing choices might repeat forever.
            let variation = step.wrapping_mul(0x9e37_79b9) >> 16;
            let asks_for_input = |screen: &str| {
                [
                    "Your turn",
                    "the second digit",
                    "On which cushion",
                    "Enter confirms",
                    "turned up",
                    "’s turn to look",
                    "· The end",
                ]
                .iter()
                .any(|text| screen.contains(text))
            };
            // Several keys may be drawn one by one, so wait briefly for the screen to change before reacting.
            let changed = self.shown.wait_for(|shown| shown.screen != last_screen && asks_for_input(&shown.screen));
            let _ = timeout(Duration::from_millis(300), changed).await;
            let screen = self.wait_for_screen(asks_for_input).await;
            // `\x7f` is Backspace, which undoes a choice; `\x1b[C` and `\x1b[D` are the arrows right and left.
            let keys = match &screen {
                screen if screen.contains("· The end") => return screen.clone(),
                screen if screen.contains("which jewel goes on cushion 1") => ["1", "\x1b[C\r", "2"][variation % 3],
                screen if screen.contains("which jewel goes on cushion 2") => ["\x7f", "\r", "\x1b[D\r"][variation % 3],
                screen if screen.contains("which card") => ["1", "\x1b[D\r", "\x1b[C\r", "2\x7f1"][variation % 4],
                screen if screen.contains("the second digit") => ["\r", "2", "0"][variation % 3],
                screen if screen.contains("On which cushion") => ["\r", "\x1b[C\r", "\x7f1\r"][variation % 3],
                _ => "\r",
            };
            last_screen = screen;
            self.press(keys).await;
        }
        let shown = self.shown.borrow();
        panic!("the game does not end; has the program closed the terminal: {}\n{}", shown.is_closed, shown.screen)
    }
}

/// Starts `sultan play` with pipes instead of a terminal, in its line mode.
pub(crate) fn spawn_piped(home: &Path, args: &[&str]) -> Child {
    piped_command(home, args).spawn().unwrap()
}

/// The command of [`spawn_piped`].
pub(crate) fn piped_command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(SULTAN);
    command
        .args(["play", "--plain"])
        .args(args)
        .env("XDG_DATA_HOME", home)
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Waits until the program exits. Returns its stdout and stderr, and its exit code.
pub(crate) async fn wait_with_output(child: Child) -> (String, Option<i32>) {
    let output = timeout(TIMEOUT, child.wait_with_output()).await.expect("the program does not exit").unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text, output.status.code())
}

/// Plays in line mode with the whole input at once.
pub(crate) async fn play_plain(home: &Path, args: &[&str], input: &str) -> (String, Option<i32>) {
    run_with_input(spawn_piped(home, args), input).await
}

/// Sends the whole input to a program and waits until it exits.
pub(crate) async fn run_with_input(mut child: Child, input: &str) -> (String, Option<i32>) {
    // A program that exits early does not read all of its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes()).await;
    wait_with_output(child).await
}
