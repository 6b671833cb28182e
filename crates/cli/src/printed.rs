//! Standard output, of which nobody need read everything: `sultan replay … | head` is no error.
//!
//! That whoever reads has gone is told apart from every other broken pipe, such as that of a server that hung up.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};

/// Standard output, or what stands for it.
pub(crate) struct Printed<W>(pub(crate) W);

/// Whoever read standard output has seen enough.
#[derive(Debug)]
struct SeenEnough;

impl fmt::Display for SeenEnough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads standard output any more")
    }
}

impl Error for SeenEnough {}

fn told_apart(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), SeenEnough) } else { error }
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(told_apart)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(told_apart)
    }
}

/// Whether nothing is wrong but that whoever read standard output has seen enough.
pub(crate) fn is_seen_enough(error: &anyhow::Error) -> bool {
    let own = |cause: &io::Error| cause.get_ref().and_then(|inner| inner.downcast_ref::<SeenEnough>()).is_some();
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
    fn only_a_reader_of_standard_output_may_have_seen_enough() {
        let printed = |mut out: io::BufWriter<Printed<Closed>>| writeln!(out, "x").and_then(|()| out.flush());
        let error = printed(io::BufWriter::new(Printed(Closed))).context("a game").unwrap_err();
        assert!(is_seen_enough(&error), "{error:#}");
        let other = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).context("a server");
        assert!(!is_seen_enough(&other));
    }
}
