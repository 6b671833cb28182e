//! `sultan engine`: runs a bot on standard input and output. This module reads and writes lines; `answer` answers them.

mod answer;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use sultan_bots::{Level, Nets};
use sultan_domain::Players;

use crate::args::EngineArgs;
use crate::stdout::ReaderMayLeave;
use answer::Engine;

/// Maximum length of an input line, in bytes. A question with the history of a whole game has about 8,000.
const LONGEST_LINE: usize = 1 << 20;

pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let level = Level::find(&args.bot).context("unknown bot")?;
    if level.with_nets.is_some() {
        // Load the nets now, so that the first answer is not delayed.
        for players in Players::ALL {
            let _ = Nets::shipped(players);
        }
    }
    let engine = Engine { bot: (level.new)(), seed: args.seed };
    // Write to standard output directly: `anstream` would change some characters of an `id`.
    let mut output = ReaderMayLeave(io::stdout().lock());
    serve(&engine, Duration::from_millis(args.millis), &mut io::stdin().lock(), &mut output)
}

/// Answers every input line with one line, in order, until the end of the input.
fn serve(engine: &Engine, limit: Duration, input: &mut impl BufRead, output: &mut impl Write) -> anyhow::Result<()> {
    let thinking_time = thinking_time(limit);
    let mut line = Vec::new();
    while let Some(length) = read_line(input, &mut line).context("standard input")? {
        let start = Instant::now();
        let mut answer = match length {
            Length::Whole => engine.answer(&line, &|| start.elapsed() >= thinking_time),
            Length::TooLong => answer::refusal(None, &format!("the line has more than {LONGEST_LINE} bytes")),
        };
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// The time limit of the bot: a little less than `limit`, to leave time for stopping it and writing the answer.
fn thinking_time(limit: Duration) -> Duration {
    const RESERVE: Duration = Duration::from_millis(10);
    limit.saturating_sub(RESERVE.min(limit / 10))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Whole,
    /// Longer than the limit; the part that was read is useless.
    TooLong,
}

/// Reads the next line without its line break; `None` at the end of the input. Memory is bounded: the rest of a line
/// that is too long is skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<Length>> {
    line.clear();
    let mut length = Length::Whole;
    let mut begun = false;
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(begun.then_some(length));
        }
        begun = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let piece = &bytes[..end.unwrap_or(bytes.len())];
        if line.len() + piece.len() > LONGEST_LINE {
            length = Length::TooLong;
        } else if length == Length::Whole {
            line.extend_from_slice(piece);
        }
        let read = piece.len() + usize::from(end.is_some());
        input.consume(read);
        if end.is_some() {
            return Ok(Some(length));
        }
    }
}
