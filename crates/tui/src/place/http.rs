//! Just enough HTTP/1.1 for the API: one question and its answer, or a stream of events. No more is needed to play, and a whole
//! client would more than double what this crate depends on.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long a server may take to accept, and to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// A stream that says nothing for so long is dead: the server speaks every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);
/// The longest head of an answer.
const LONGEST_HEAD: usize = 64 * 1024;
/// The longest body, and the longest event.
const LONGEST_BODY: usize = 4 * 1024 * 1024;

/// A question.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) token: Option<&'a str>,
    pub(super) body: Option<&'a str>,
}

/// An answer, whole.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// How long a body is.
enum Length {
    Known(usize),
    Chunked,
    ToTheEnd,
}

/// An answer that is still being read.
struct Reading {
    stream: TcpStream,
    buffer: Vec<u8>,
    status: u16,
    length: Length,
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

async fn in_time<T>(what: impl Future<Output = io::Result<T>>, limit: Duration) -> io::Result<T> {
    timeout(limit, what).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Asks, and waits for the whole answer.
pub(super) async fn ask(host: &str, question: Question<'_>) -> io::Result<Answer> {
    let asked = async {
        let mut reading = Reading::of(host, question, "").await?;
        reading.answer().await
    };
    in_time(asked, PATIENCE).await
}

impl Reading {
    async fn of(host: &str, question: Question<'_>, more: &str) -> io::Result<Self> {
        let Question { method, path, token, body } = question;
        let token = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
        let body = body.map_or(String::new(), |body| {
            format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        });
        let end = if body.is_empty() { "\r\n" } else { "" };
        let asked =
            format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{token}{more}{body}{end}");
        let address = if has_port(host) { host.to_owned() } else { format!("{host}:80") };
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        stream.write_all(asked.as_bytes()).await?;
        let mut reading = Self { stream, buffer: Vec::new(), status: 0, length: Length::ToTheEnd };
        let head = loop {
            if let Some(end) = find(&reading.buffer, b"\r\n\r\n") {
                break reading.buffer.drain(..end + 4).collect::<Vec<u8>>();
            }
            if reading.buffer.len() > LONGEST_HEAD || !reading.more().await? {
                return Err(broken("this is no answer of a web server"));
            }
        };
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
        reading.status = status.ok_or_else(|| broken("this is no answer of a web server"))?;
        reading.length = length(&head);
        Ok(reading)
    }

    /// Reads the answer to its end.
    async fn answer(&mut self) -> io::Result<Answer> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await? {
            body.extend_from_slice(&piece);
            if body.len() > LONGEST_BODY {
                return Err(broken("the answer is too long"));
            }
        }
        Ok(Answer { status: self.status, body })
    }

    /// Reads more; says whether there was anything.
    async fn more(&mut self) -> io::Result<bool> {
        Ok(self.stream.read_buf(&mut self.buffer).await? > 0)
    }

    /// The next piece of the body, however long; nothing at its end.
    async fn piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.length {
            Length::Known(0) => Ok(None),
            Length::Known(left) => {
                if self.buffer.is_empty() && !self.more().await? {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                let piece: Vec<u8> = self.buffer.drain(..left.min(self.buffer.len())).collect();
                self.length = Length::Known(left - piece.len());
                Ok(Some(piece))
            }
            Length::ToTheEnd => {
                let some = !self.buffer.is_empty() || self.more().await?;
                Ok(some.then(|| std::mem::take(&mut self.buffer)))
            }
            Length::Chunked => self.chunk().await,
        }
    }

    async fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let line = loop {
            match find(&self.buffer, b"\r\n") {
                Some(end) => break end,
                None if self.buffer.len() > LONGEST_HEAD => return Err(broken("a chunk without a length")),
                None => self.must_read().await?,
            }
        };
        let digits = std::str::from_utf8(&self.buffer[..line]).ok().and_then(|line| line.split(';').next());
        let length = digits.and_then(|digits| usize::from_str_radix(digits.trim(), 16).ok());
        let length =
            length.filter(|&length| length <= LONGEST_BODY).ok_or_else(|| broken("a chunk without a length"))?;
        while self.buffer.len() < line + 2 + length + 2 {
            self.must_read().await?;
        }
        let chunk = self.buffer[line + 2..line + 2 + length].to_vec();
        self.buffer.drain(..line + 2 + length + 2);
        Ok((length > 0).then_some(chunk))
    }

    async fn must_read(&mut self) -> io::Result<()> {
        if self.more().await? { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

fn length(head: &str) -> Length {
    let value = |name: &str| {
        let named = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.trim().eq_ignore_ascii_case(name));
        head.lines().find(named).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    if value("transfer-encoding").is_some_and(|kind| kind.eq_ignore_ascii_case("chunked")) {
        return Length::Chunked;
    }
    value("content-length").and_then(|length| length.parse().ok()).map_or(Length::ToTheEnd, Length::Known)
}

/// Whether a host such as `sultan.example:8080` or `[::1]:8080` names its port.
fn has_port(host: &str) -> bool {
    host.rsplit(']').next().unwrap_or(host).contains(':')
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// A stream of server-sent events.
pub(super) struct Events {
    reading: Reading,
    text: Vec<u8>,
}

/// One event.
pub(super) struct Event {
    pub(super) id: Option<u32>,
    pub(super) data: String,
}

impl Events {
    /// Opens a stream, or gives the answer that was given instead.
    pub(super) async fn open(
        host: &str,
        question: Question<'_>,
        last: Option<u32>,
    ) -> io::Result<Result<Self, Answer>> {
        let last = last.map_or(String::new(), |last| format!("last-event-id: {last}\r\n"));
        let mut reading = in_time(Reading::of(host, question, &last), PATIENCE).await?;
        if reading.status == 200 {
            return Ok(Ok(Self { reading, text: Vec::new() }));
        }
        in_time(reading.answer(), PATIENCE).await.map(Err)
    }

    /// The next event; nothing when the stream ends.
    pub(super) async fn next(&mut self) -> io::Result<Option<Event>> {
        loop {
            while let Some(end) = find(&self.text, b"\n\n") {
                let block: Vec<u8> = self.text.drain(..end + 2).collect();
                let block = String::from_utf8_lossy(&block);
                let value = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start);
                if let Some(data) = value("data:") {
                    return Ok(Some(Event { id: value("id:").and_then(|id| id.parse().ok()), data: data.to_owned() }));
                }
            }
            if self.text.len() > LONGEST_BODY {
                return Err(broken("an event is too long"));
            }
            match in_time(self.reading.piece(), SILENCE).await? {
                Some(piece) => self.text.extend(piece.into_iter().filter(|&byte| byte != b'\r')),
                None => return Ok(None),
            }
        }
    }
}
