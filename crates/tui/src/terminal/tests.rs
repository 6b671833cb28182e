//! The terminal comes back, also when something goes wrong.

use std::io::Read;

use pty_process::Size;
use pty_process::blocking::{Command, open};

use super::*;

/// Runs one of the ignored tests below on a pseudo-terminal, and gives all that it wrote there.
fn on_a_terminal(name: &str) -> String {
    let (mut pty, pts) = open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let test = format!("terminal::tests::{name}");
    let command = Command::new(std::env::current_exe().unwrap());
    let mut child = command.args(["--ignored", "--exact", &test, "--nocapture"]).spawn(pts).unwrap();
    let mut written = Vec::new();
    // At its end a pseudo-terminal gives an error.
    let _ = pty.read_to_end(&mut written);
    child.wait().unwrap();
    String::from_utf8_lossy(&written).into_owned()
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
#[ignore = "run by another test, on a terminal"]
fn panics_while_the_screens_have_the_terminal() {
    let _taken = take().unwrap();
    panic!("something went wrong");
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let written = on_a_terminal("panics_while_the_screens_have_the_terminal");
    let spoken = written.find("something went wrong").unwrap();
    assert!(given_back(&written) < spoken, "{written:?}");
    // Lines begin at the left again.
    assert!(written[spoken..].contains("\r\n"), "{written:?}");
}

#[test]
#[ignore = "run by another test, on a terminal"]
fn ends_well() {
    drop(take().unwrap());
    println!("the end");
}

#[test]
fn the_end_gives_the_terminal_back() {
    let written = on_a_terminal("ends_well");
    assert!(given_back(&written) < written.find("the end").unwrap());
}
