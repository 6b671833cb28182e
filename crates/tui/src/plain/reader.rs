//! Input lines, read during the player's turn or before it.

use std::future::pending;
use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, Lines};

/// The input, line by line.
pub(super) struct Reader<'a> {
    lines: Lines<&'a mut (dyn AsyncBufRead + Unpin)>,
    /// A line that arrived before the player's turn.
    kept_line: Option<String>,
    /// Whether the end of the input was reached.
    is_at_end: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a mut (dyn AsyncBufRead + Unpin)) -> Self {
        Self { lines: input.lines(), kept_line: None, is_at_end: false }
    }

    /// Keeps an early line for the player's next turn.
    pub(super) fn keep(&mut self, line: String) {
        self.kept_line = Some(line);
    }

    /// The next line. `None` at the end of the input.
    pub(super) async fn line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.kept_line.take() {
            return Ok(Some(line));
        }
        let line = self.lines.next_line().await?;
        self.is_at_end = line.is_none();
        Ok(line.map(|line| line.trim().to_owned()))
    }

    /// The next line outside the player's turn. Waits forever if a line is already kept, so that later lines stay in
    /// the input. Returns the end of the input once, and then waits forever.
    pub(super) async fn early_line(&mut self) -> io::Result<Option<String>> {
        if self.is_at_end || self.kept_line.is_some() {
            return pending().await;
        }
        self.line().await
    }
}
