//! The terminal is restored, also after a panic or a signal.

use std::io::Read;

use pty_process::Size;
use pty_process::blocking::{Command, open};

use super::*;

/// Set in the process that runs on the pseudo-terminal.
const ON_TERMINAL: &str = "SULTAN_TEST_ON_TERMINAL";

/// Runs a test again in another process on a pseudo-terminal, and returns that process's output. `None` in the other
/// process itself.
fn on_a_terminal(name: &str) -> Option<String> {
    if std::env::var_os(ON_TERMINAL).is_some() {
        return None;
    }
    let (mut pty, pts) = open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let test = format!("terminal::tests::{name}");
    let command = Command::new(std::env::current_exe().unwrap()).env(ON_TERMINAL, "1");
    let mut child = command.args(["--exact", &test, "--nocapture"]).spawn(pts).unwrap();
    let mut written = Vec::new();
    // Reading a pseudo-terminal fails at its end.
    let _ = pty.read_to_end(&mut written);
    child.wait().unwrap();
    Some(String::from_utf8_lossy(&written).into_owned())
}

/// Asserts that the output has the sequences that restore the terminal, and returns the position of the last one.
fn given_back(written: &str) -> usize {
    let place = |what: &str| written.rfind(what).unwrap_or_else(|| panic!("no {what:?} in {written:?}"));
    assert!(place("\x1b[?1049h") < place("\x1b[?1049l"));
    place("\x1b[?1000l");
    place("\x1b[?25h");
    place("\x1b[?1049l")
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let Some(written) = on_a_terminal("a_panic_gives_the_terminal_back_before_it_speaks") else {
        let _taken = take().unwrap();
        panic!("something went wrong");
    };
    let spoken = written.find("something went wrong").unwrap();
    assert!(given_back(&written) < spoken, "{written:?}");
    // Raw mode is off: a new line starts in the first column.
    assert!(written[spoken..].contains("\r\n"), "{written:?}");
}

#[test]
fn the_end_gives_the_terminal_back() {
    let Some(written) = on_a_terminal("the_end_gives_the_terminal_back") else {
        drop(take().unwrap());
        println!("the end");
        return;
    };
    assert!(given_back(&written) < written.find("the end").unwrap());
}
