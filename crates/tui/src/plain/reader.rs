//! The lines that are read, when they are asked for and before.

use std::future::pending;
use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, Lines};

/// What is read.
pub(super) struct Reader<R> {
    lines: Lines<R>,
    /// A line that came too early, for the next turn.
    kept: Option<String>,
    ended: bool,
}

impl<R> Reader<R> {
    /// Keeps a line that came too early.
    pub(super) fn keep(&mut self, line: String) {
        self.kept = Some(line);
    }
}

impl<R: AsyncBufRead + Unpin> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self { lines: input.lines(), kept: None, ended: false }
    }

    /// The next line; nothing at the end of the input.
    pub(super) async fn line(&mut self) -> io::Result<Option<String>> {
        if let Some(kept) = self.kept.take() {
            return Ok(Some(kept));
        }
        let line = self.lines.next_line().await?;
        self.ended = line.is_none();
        Ok(line.map(|line| line.trim().to_owned()))
    }

    /// The next line while nobody asks for one. Where one is kept, those behind it wait for their turn; the end is
    /// told once.
    pub(super) async fn early(&mut self) -> io::Result<Option<String>> {
        if self.ended || self.kept.is_some() {
            return pending().await;
        }
        self.line().await
    }
}
