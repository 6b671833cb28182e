//! The terminal comes back, also when something goes wrong.

use std::io::Read;

use pty_process::Size;
use pty_process::blocking::{Command, open};

use super::*;

/// Set where a test runs on a terminal of its own.
const ON_TERMINAL: &str = "SULTAN_TEST_ON_TERMINAL";

/// Runs a test once more, as another process on a pseudo-terminal, and gives all that it wrote there; nothing in that other process.
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
    // At its end a pseudo-terminal gives an error.
    let _ = pty.read_to_end(&mut written);
    child.wait().unwrap();
    Some(String::from_utf8_lossy(&written).into_owned())
}

/// Where these were written, after which the terminal is as it was.
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
    // Lines begin at the left again.
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
