//! Runs the real binary and checks its output and exit code.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A program, given by its path, such as `env!("CARGO_BIN_EXE_sultan")`.
#[derive(Clone, Copy, Debug)]
pub struct Binary(pub &'static str);

impl Binary {
    /// The command that starts the program with these arguments. Stdin is empty, stdout and stderr are captured.
    #[must_use]
    pub fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program until it exits.
    ///
    /// # Panics
    /// If the program does not start.
    #[must_use]
    pub fn run(self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Runs the program until it exits, with `input` on stdin.
    ///
    /// # Panics
    /// If the program does not start.
    #[must_use]
    pub fn run_with_input(self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
        // The program may exit without reading all of its input; the write fails then.
        let _ = child.stdin.take().expect("stdin is a pipe").write_all(input);
        child.wait_with_output().expect("the program exits")
    }

    /// Runs the program and returns its stdout.
    ///
    /// # Panics
    /// If the program fails or writes to stderr.
    #[must_use]
    pub fn successful_stdout(self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {}", stderr(&output));
        stdout(&output).to_owned()
    }
}

/// The program's stdout as text.
///
/// # Panics
/// If it is not UTF-8.
#[must_use]
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("stdout is UTF-8")
}

/// The program's stderr as text.
///
/// # Panics
/// If it is not UTF-8.
#[must_use]
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("stderr is UTF-8")
}

/// Asserts that the program failed with exit code 1 and one short line on stderr that contains `message`.
///
/// # Panics
/// If the program exited otherwise.
pub fn assert_fails(output: &Output, message: &str) {
    let line = stderr(output);
    assert_eq!((output.status.code(), line.lines().count()), (Some(1), 1), "{line}");
    assert!(line.starts_with("error: ") && line.contains(message), "no error with {message:?}: {line}");
    assert!(line.len() < 1000, "the error is too long: {line}");
}

/// Asserts that the program rejected its command line: exit code 2, an error on stderr that contains `message`, and an
/// empty stdout.
///
/// # Panics
/// If the program exited otherwise.
pub fn assert_usage_error(output: &Output, message: &str) {
    let error = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.starts_with("error: ") && error.contains(message), "no error with {message:?}: {error}");
    assert!(output.stdout.is_empty(), "the program wrote to stdout: {}", stdout(output));
}
