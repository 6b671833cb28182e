//! Input lines, read during the player's turn or before it.

use std::future::pending;
use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, Lines};

/// The input, line by line.
pub(super) struct Reader<'a> {
    lines: Lines<&'a mut (dyn AsyncBufRead + Unpin)>,
    /// A line that arrived before the player's turn.
    kept: Option<String>,
    ended: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a mut (dyn AsyncBufRead + Unpin)) -> Self {
        Self { lines: input.lines(), kept: None, ended: false }
    }

    /// Keeps an early line for the player's next turn.
    pub(super) fn keep(&mut self, line: String) {
        self.kept = Some(line);
    }

    /// The next line. `None` at the end of the input.
    pub(super) async fn line(&mut self) -> io::Result<Option<String>> {
        if let Some(kept) = self.kept.take() {
            return Ok(Some(kept));
        }
        let line = self.lines.next_line().await?;
        self.ended = line.is_none();
        Ok(line.map(|line| line.trim().to_owned()))
    }

    /// The next line outside the player's turn. If a line is kept already, later ones stay in the input. Returns the
    /// end of the input once, then waits forever.
    pub(super) async fn early_line(&mut self) -> io::Result<Option<String>> {
        if self.ended || self.kept.is_some() {
            return pending().await;
        }
        self.line().await
    }
}
