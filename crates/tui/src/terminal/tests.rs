//! The terminal is restored, also after a panic or a signal.

use std::io::Read;

use pty_process::Size;
use pty_process::blocking::{Command, open};

use super::*;

/// This environment variable is set in the child process, which runs on the pseudo-terminal.
const IS_CHILD_PROCESS: &str = "SULTAN_TEST_ON_TERMINAL";

/// Runs a test again in a child process on a pseudo-terminal, and returns the output of the child process. Returns
/// `None` in the child process itself, which then uses the terminal.
fn output_of_child_process(test_name: &str) -> Option<String> {
    if std::env::var_os(IS_CHILD_PROCESS).is_some() {
        return None;
    }
    let (mut terminal, child_end) = open().unwrap();
    terminal.resize(Size::new(24, 80)).unwrap();
    let test_path = format!("terminal::tests::{test_name}");
    let command = Command::new(std::env::current_exe().unwrap()).env(IS_CHILD_PROCESS, "1");
    let mut child = command.args(["--exact", &test_path, "--nocapture"]).spawn(child_end).unwrap();
    let mut output = Vec::new();
    // Reading a pseudo-terminal ends with an error once the child process has closed it.
    let _ = terminal.read_to_end(&mut output);
    child.wait().unwrap();
    Some(String::from_utf8_lossy(&output).into_owned())
}

/// Asserts that the output has the escape sequences that restore the terminal, and returns the position of the sequence
/// that leaves the alternate screen.
fn position_of_restoring(output: &str) -> usize {
    let last_position = |code: &str| output.rfind(code).unwrap_or_else(|| panic!("no {code:?} in {output:?}"));
    let (enter_alternate_screen, leave_alternate_screen) = ("\x1b[?1049h", "\x1b[?1049l");
    let (disable_mouse, show_cursor) = ("\x1b[?1000l", "\x1b[?25h");
    last_position(disable_mouse);
    last_position(show_cursor);
    assert!(last_position(enter_alternate_screen) < last_position(leave_alternate_screen));
    last_position(leave_alternate_screen)
}

#[test]
fn panic_restores_the_terminal_before_its_message() {
    let Some(output) = output_of_child_process("panic_restores_the_terminal_before_its_message") else {
        // This is the child process.
        let _raw_terminal = enter().unwrap();
        panic!("something went wrong");
    };
    let message = output.find("something went wrong").unwrap();
    assert!(position_of_restoring(&output) < message, "{output:?}");
    // Raw mode is off: a new line starts in the first column.
    assert!(output[message..].contains("\r\n"), "{output:?}");
}

#[test]
fn dropping_the_raw_terminal_restores_the_terminal() {
    let Some(output) = output_of_child_process("dropping_the_raw_terminal_restores_the_terminal") else {
        // This is the child process.
        drop(enter().unwrap());
        println!("the end");
        return;
    };
    assert!(position_of_restoring(&output) < output.find("the end").unwrap());
}
