//! Standard output whose reader may close the pipe early: `sultan replay … | head` is not an error.
//!
//! Its broken pipe is distinguished from all others, such as that of a server that closed the connection.

use std::io::{self, Write};

use thiserror::Error;

/// Standard output, or a substitute in tests. Marks the error of a closed pipe with `ReaderLeft`.
pub(crate) struct ReaderMayLeave<W>(pub(crate) W);

/// The reader of standard output has closed the pipe.
#[derive(Debug, Error)]
#[error("the reader of standard output has closed the pipe")]
struct ReaderLeft;

fn mark_broken_pipe(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), ReaderLeft) } else { error }
}

impl<W: Write> Write for ReaderMayLeave<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(mark_broken_pipe)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(mark_broken_pipe)
    }
}

/// Returns whether the error is only that the reader of standard output has closed the pipe.
pub(crate) fn has_reader_left(error: &anyhow::Error) -> bool {
    let own = |cause: &io::Error| cause.get_ref().and_then(|inner| inner.downcast_ref::<ReaderLeft>()).is_some();
    error.chain().any(|cause| cause.downcast_ref().is_some_and(own))
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_a_broken_pipe_of_standard_output_means_that_the_reader_left() {
        let printed = |mut out: io::BufWriter<ReaderMayLeave<Closed>>| writeln!(out, "x").and_then(|()| out.flush());
        let error = printed(io::BufWriter::new(ReaderMayLeave(Closed))).context("a game").unwrap_err();
        assert!(has_reader_left(&error), "{error:#}");
        let other = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).context("a server");
        assert!(!has_reader_left(&other));
    }
}
