//! The real binary, from outside: what it prints, what it refuses, how it exits.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A program by its path, such as `env!("CARGO_BIN_EXE_sultan")`.
#[derive(Clone, Copy, Debug)]
pub struct Binary(pub &'static str);

impl Binary {
    /// The program, told this; with nothing to read, and everything it says kept.
    #[must_use]
    pub fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn run(self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Runs it to its end, with something to read.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn run_with(self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
        // Refused input need not be read to its end.
        let _ = child.stdin.take().expect("its input is open").write_all(input);
        child.wait_with_output().expect("it ends")
    }

    /// What it prints.
    ///
    /// # Panics
    /// When it does not succeed, or complains.
    #[must_use]
    pub fn printed(self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {}", stderr(&output));
        stdout(&output).to_owned()
    }
}

/// What it printed.
///
/// # Panics
/// When that is no text.
#[must_use]
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("it prints text")
}

/// What it complained about.
///
/// # Panics
/// When that is no text.
#[must_use]
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("it complains in words")
}

/// Checks that an input was refused as promised: exit code 1, one clear line with these words.
///
/// # Panics
/// When it was not.
pub fn refused(output: &Output, with: &str) {
    let line = stderr(output);
    assert_eq!((output.status.code(), line.lines().count()), (Some(1), 1), "{line}");
    assert!(line.starts_with("error: ") && line.contains(with) && line.len() < 1000, "{with}: {line}");
}

/// Checks that a command line was refused as promised: exit code 2, these words, and nothing printed.
///
/// # Panics
/// When it was not.
pub fn wrong_usage(output: &Output, with: &str) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: ") && said.contains(with) && output.stdout.is_empty(), "{with}: {said}");
}
