//! `sultan engine`: runs a bot on standard input and output. This module reads and writes lines; `answer` answers them.

mod answer;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use sultan_bots::{Level, Nets};
use sultan_domain::Players;

use crate::args::engine::EngineArgs;
use crate::stdout::ReaderMayLeave;
use answer::Engine;

/// Maximum length of an input line, in bytes. A question with the history of a whole game has about 8,000.
const MAX_LINE_BYTES: usize = 1 << 20;

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
            Length::TooLong => answer::refusal(None, &format!("the line has more than {MAX_LINE_BYTES} bytes")),
        };
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// The time limit of the bot: a little less than `limit`, to leave time for stopping the bot and writing the answer.
fn thinking_time(limit: Duration) -> Duration {
    const RESERVE: Duration = Duration::from_millis(10);
    limit.saturating_sub(RESERVE.min(limit / 10))
}

/// Whether a line was read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Whole,
    /// Longer than the limit; only its beginning was read.
    TooLong,
}

/// Reads the next line without its line break; `None` at the end of the input. Memory is bounded: of a line that is too
/// long, the end is skipped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<Length>> {
    line.clear();
    let max_bytes_with_line_break = MAX_LINE_BYTES as u64 + 1;
    if input.by_ref().take(max_bytes_with_line_break).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    let has_line_break = line.pop_if(|byte| *byte == b'\n').is_some();
    // The last line of the input may have no line break.
    if has_line_break || line.len() <= MAX_LINE_BYTES {
        return Ok(Some(Length::Whole));
    }
    input.skip_until(b'\n')?;
    Ok(Some(Length::TooLong))
}
