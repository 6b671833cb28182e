//! The terminal is restored, also after a panic or a signal.

use std::io::Read;

use pty_process::Size;
use pty_process::blocking::{Command, open};

use super::*;

/// Set in the process that runs on the pseudo-terminal.
const ON_TERMINAL: &str = "SULTAN_TEST_ON_TERMINAL";

/// Runs a test again in another process on a pseudo-terminal, and returns that process's output. `None` in the other
/// process itself.
fn on_pseudo_terminal(name: &str) -> Option<String> {
    if std::env::var_os(ON_TERMINAL).is_some() {
        return None;
    }
    let (mut pty, pts) = open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let test = format!("terminal::tests::{name}");
    let command = Command::new(std::env::current_exe().unwrap()).env(ON_TERMINAL, "1");
    let mut child = command.args(["--exact", &test, "--nocapture"]).spawn(pts).unwrap();
    let mut output = Vec::new();
    // Reading a pseudo-terminal fails at its end.
    let _ = pty.read_to_end(&mut output);
    child.wait().unwrap();
    Some(String::from_utf8_lossy(&output).into_owned())
}

/// Asserts that the output has the sequences that restore the terminal, and returns the position of the last one.
fn restored_at(output: &str) -> usize {
    let position = |code: &str| output.rfind(code).unwrap_or_else(|| panic!("no {code:?} in {output:?}"));
    assert!(position("\x1b[?1049h") < position("\x1b[?1049l"));
    position("\x1b[?1000l");
    position("\x1b[?25h");
    position("\x1b[?1049l")
}

#[test]
fn panic_restores_the_terminal_before_its_message() {
    let Some(output) = on_pseudo_terminal("panic_restores_the_terminal_before_its_message") else {
        let _raw = enter().unwrap();
        panic!("something went wrong");
    };
    let message = output.find("something went wrong").unwrap();
    assert!(restored_at(&output) < message, "{output:?}");
    // Raw mode is off: a new line starts in the first column.
    assert!(output[message..].contains("\r\n"), "{output:?}");
}

#[test]
fn end_restores_the_terminal() {
    let Some(output) = on_pseudo_terminal("end_restores_the_terminal") else {
        drop(enter().unwrap());
        println!("the end");
        return;
    };
    assert!(restored_at(&output) < output.find("the end").unwrap());
}
