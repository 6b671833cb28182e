//! A connection that nobody can keep waiting: whoever takes no byte for long is cut off, and whoever is still sending when all
//! is said is heard out for a moment.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The most bytes that are read after all is said.
const HEARD_OUT: usize = 256 << 20;
/// Whoever sends nothing for so long then has nothing to send.
const PAUSE: Duration = Duration::from_millis(300);

pub(crate) struct Line {
    socket: TcpStream,
    write_time: Duration,
    linger: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Runs once our side is closed.
    closing: Option<Closing>,
}

struct Closing {
    /// Runs while the client sends nothing.
    pause: Pin<Box<Sleep>>,
    until: Instant,
    left: usize,
}

impl Closing {
    fn new(linger: Duration) -> Self {
        Self { pause: Box::pin(sleep(PAUSE)), until: Instant::now() + linger, left: HEARD_OUT }
    }

    /// Whether there is still time, after something was heard.
    fn heard(&mut self, bytes: usize) -> bool {
        let now = Instant::now();
        self.pause.as_mut().reset((now + PAUSE).min(self.until));
        self.left = self.left.saturating_sub(bytes);
        bytes > 0 && self.left > 0 && now < self.until
    }
}

impl Line {
    pub(crate) fn new(socket: TcpStream, write_time: Duration, linger: Duration) -> Self {
        Self { socket, write_time, linger, stalled: None, closing: None }
    }

    /// Watches how long writing takes.
    fn patiently<T>(&mut self, wrote: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.stalled = None;
            return wrote;
        }
        let time = self.write_time;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(time)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buf)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.patiently(wrote, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.socket).poll_write_vectored(cx, bufs);
        self.patiently(wrote, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    /// Says that nothing more comes, and then waits a little for the client to close too.
    ///
    /// A socket that is closed while the client is still sending loses what was said last: a client that sends too much
    /// would never read that it did.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { socket, closing, linger, .. } = &mut *self;
        if closing.is_none() {
            ready!(Pin::new(&mut *socket).poll_shutdown(cx))?;
        }
        let closing = closing.get_or_insert_with(|| Closing::new(*linger));
        let mut space = [0; 16 * 1024];
        // Now and then it is another task's turn.
        for _ in 0..64 {
            let mut heard = ReadBuf::new(&mut space);
            match Pin::new(&mut *socket).poll_read(cx, &mut heard) {
                Poll::Ready(Ok(())) if closing.heard(heard.filled().len()) => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return closing.pause.as_mut().poll(cx).map(Ok),
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
    async fn whoever_is_still_sending_is_heard_out_but_not_for_ever() {
        let mut closing = Closing::new(Duration::from_secs(10));
        let before = Instant::now();
        assert!(closing.heard(1));
        let pause = closing.pause.deadline() - before;
        assert!((PAUSE..Duration::from_secs(5)).contains(&pause), "another pause from now on, and not {pause:?}");
        assert!(!closing.heard(0), "the client has closed too");
        assert!(closing.heard(HEARD_OUT - 2));
        assert!(!closing.heard(1), "that was enough");
        let mut late = Closing::new(Duration::ZERO);
        assert!(!late.heard(1));
        assert!(late.pause.deadline() <= late.until);
    }
}
