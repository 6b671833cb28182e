//! A TCP stream with a write timeout and a lingering close.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The maximum number of bytes that are read and dropped after our side is closed.
const MAX_DRAIN_BYTES: usize = 256 << 20;
/// After our side is closed, a client silent for this long is considered done.
const DRAIN_IDLE_TIMEOUT: Duration = Duration::from_millis(300);

/// A TCP stream with a write timeout and a lingering close: a client that accepts no byte for too long is disconnected,
/// and a client that is still sending when the response is complete gets a short time to finish.
pub(crate) struct DeadlineStream {
    socket: TcpStream,
    write_time: Duration,
    linger: Duration,
    /// Set while the client does not read.
    write_deadline: Option<Pin<Box<Sleep>>>,
    /// Set once our side is closed.
    drain: Option<Drain>,
}

/// Reads and drops the rest of the client's bytes before the socket is closed.
struct Drain {
    /// Expires when the client is silent.
    idle: Pin<Box<Sleep>>,
    until: Instant,
    bytes_left: usize,
}

impl Drain {
    fn new(linger: Duration) -> Self {
        Self { idle: Box::pin(sleep(DRAIN_IDLE_TIMEOUT)), until: Instant::now() + linger, bytes_left: MAX_DRAIN_BYTES }
    }

    /// Counts bytes that were read. Returns whether to continue reading.
    fn count(&mut self, bytes: usize) -> bool {
        let now = Instant::now();
        self.idle.as_mut().reset((now + DRAIN_IDLE_TIMEOUT).min(self.until));
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        bytes > 0 && self.bytes_left > 0 && now < self.until
    }
}

impl DeadlineStream {
    pub(crate) fn new(socket: TcpStream, write_time: Duration, linger: Duration) -> Self {
        Self { socket, write_time, linger, write_deadline: None, drain: None }
    }

    /// Turns a write that stays pending for too long into an error.
    fn poll_with_timeout<T>(&mut self, wrote: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.write_deadline = None;
            return wrote;
        }
        let write_time = self.write_time;
        let deadline = self.write_deadline.get_or_insert_with(|| Box::pin(sleep(write_time)));
        ready!(deadline.as_mut().poll(cx));
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
        let wrote = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.poll_with_timeout(wrote, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    /// Closes our side, and then waits a little for the client to close its own.
    ///
    /// Closing a socket with unread bytes resets the connection, and the client may lose the response that it has not
    /// read yet: a client that sends too much would never receive the error.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { socket, drain, linger, .. } = &mut *self;
        if drain.is_none() {
            ready!(Pin::new(&mut *socket).poll_shutdown(cx))?;
        }
        let drain = drain.get_or_insert_with(|| Drain::new(*linger));
        let mut space = [0; 16 * 1024];
        // After this many reads, yield to other tasks.
        for _ in 0..64 {
            let mut read = ReadBuf::new(&mut space);
            match Pin::new(&mut *socket).poll_read(cx, &mut read) {
                Poll::Ready(Ok(())) if drain.count(read.filled().len()) => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return drain.idle.as_mut().poll(cx).map(Ok),
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
        assert!(drain.count(1));
        let idle = drain.idle.deadline() - before;
        assert!(
            (DRAIN_IDLE_TIMEOUT..Duration::from_secs(5)).contains(&idle),
            "the idle time starts anew with every byte: {idle:?}"
        );
        assert!(!drain.count(0), "the client has closed too");
        assert!(drain.count(MAX_DRAIN_BYTES - 2));
        assert!(!drain.count(1), "the limit of bytes is reached");
        let mut late = Drain::new(Duration::ZERO);
        assert!(!late.count(1));
        assert!(late.idle.deadline() <= late.until);
    }
}
