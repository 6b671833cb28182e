//! A TCP stream with a write timeout and a lingering close.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The maximum number of bytes (256 MB) that are read and dropped after this side of the connection is closed.
const MAX_DRAIN_BYTES: usize = 256 << 20;
/// After this side of the connection is closed, a client that does not send for this long is considered finished.
const DRAIN_IDLE_TIMEOUT: Duration = Duration::from_millis(300);

/// A TCP stream with a write timeout and a lingering close.
///
/// A client that reads no byte for too long is disconnected. A client that is still sending when the response is
/// complete gets a short time to finish.
pub(crate) struct DeadlineStream {
    socket: TcpStream,
    write_timeout: Duration,
    drain_timeout: Duration,
    /// The timer of a write that waits for the client to read.
    write_timer: Option<Pin<Box<Sleep>>>,
    /// `Some` once this side of the connection is closed.
    drain: Option<Drain>,
}

/// The limits for reading and dropping the client's remaining bytes before the socket is closed.
struct Drain {
    /// Expires when the client has not sent for [`DRAIN_IDLE_TIMEOUT`], or at the deadline.
    idle_timer: Pin<Box<Sleep>>,
    deadline: Instant,
    remaining_bytes: usize,
}

impl Drain {
    fn new(timeout: Duration) -> Self {
        let idle_timer = Box::pin(sleep(DRAIN_IDLE_TIMEOUT));
        Self { idle_timer, deadline: Instant::now() + timeout, remaining_bytes: MAX_DRAIN_BYTES }
    }

    /// Counts bytes that were read; 0 bytes mean that the client has closed its side. Returns whether to continue
    /// reading.
    fn count_read(&mut self, bytes: usize) -> bool {
        let now = Instant::now();
        self.idle_timer.as_mut().reset((now + DRAIN_IDLE_TIMEOUT).min(self.deadline));
        self.remaining_bytes = self.remaining_bytes.saturating_sub(bytes);
        bytes > 0 && self.remaining_bytes > 0 && now < self.deadline
    }
}

impl DeadlineStream {
    pub(crate) fn new(socket: TcpStream, write_timeout: Duration, drain_timeout: Duration) -> Self {
        Self { socket, write_timeout, drain_timeout, write_timer: None, drain: None }
    }

    /// Returns the result of a write (`written`), or an error if the write has been pending for too long.
    fn poll_with_timeout<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_timer = None;
            return written;
        }
        let timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep(self.write_timeout)));
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for DeadlineStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buf)
    }
}

impl AsyncWrite for DeadlineStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.poll_with_timeout(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    /// Closes this side of the connection, and then waits a little for the client to close the other side.
    ///
    /// Closing a socket with unread bytes resets the connection, and a response that the client has not read yet is
    /// lost: a client that sends a too long body would never receive the error.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { socket, drain, drain_timeout, .. } = &mut *self;
        if drain.is_none() {
            ready!(Pin::new(&mut *socket).poll_shutdown(cx))?;
        }
        let drain = drain.get_or_insert_with(|| Drain::new(*drain_timeout));
        let mut dropped_bytes = [0; 16 * 1024];
        // After this many reads, other tasks run.
        for _ in 0..64 {
            let mut buffer = ReadBuf::new(&mut dropped_bytes);
            match Pin::new(&mut *socket).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if drain.count_read(buffer.filled().len()) => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return drain.idle_timer.as_mut().poll(cx).map(Ok),
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn drain_ends_when_the_client_closes_or_a_limit_is_reached() {
        let mut drain = Drain::new(Duration::from_secs(10));
        let before = Instant::now();
        assert!(drain.count_read(1));
        let idle = drain.idle_timer.deadline() - before;
        assert!(
            (DRAIN_IDLE_TIMEOUT..Duration::from_secs(5)).contains(&idle),
            "every read restarts the idle timer: {idle:?}"
        );
        assert!(!drain.count_read(0), "the client has closed its side");
        assert!(drain.count_read(MAX_DRAIN_BYTES - 2));
        assert!(!drain.count_read(1), "the limit of bytes is reached");
        let mut expired = Drain::new(Duration::ZERO);
        assert!(!expired.count_read(1), "the deadline has passed");
        assert!(expired.idle_timer.deadline() <= expired.deadline);
    }
}
