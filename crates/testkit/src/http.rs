//! Just enough HTTP to talk to a real server from tests and measurements: plain, cheap, and exact about every byte.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Everything before the body, as it was sent.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(named)?.split_once(':').map(|(_, value)| value.trim())
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// When it is none.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_str(&self.body).with_context(|| format!("{}: {}", self.status, self.body))
    }
}

/// A connection that is kept.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// When nobody listens.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4096) })
    }

    /// Asks, for a seat if there is a token, and waits for the answer.
    ///
    /// # Errors
    /// When the server hangs up.
    pub async fn ask(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> Result<Answer> {
        let token = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: sultan\r\n{token}{kind}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        let head = self.read_until(b"\r\n\r\n", 0).await? + 4;
        let mut answer = head_of(&self.buffer[..head]);
        let body = if answer.header("transfer-encoding") == Some("chunked") {
            let mut body = Vec::new();
            let mut from = head;
            while let Some((start, end)) = self.chunk(from).await? {
                body.extend_from_slice(&self.buffer[start..end]);
                from = end + 2;
            }
            body
        } else {
            let length: usize = answer.header("content-length").map_or(Ok(0), str::parse)?;
            while self.buffer.len() < head + length {
                self.more().await?;
            }
            self.buffer[head..head + length].to_vec()
        };
        answer.body = String::from_utf8(body)?;
        Ok(answer)
    }

    async fn more(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server hung up");
        }
        Ok(())
    }

    async fn read_until(&mut self, part: &[u8], from: usize) -> Result<usize> {
        loop {
            if let Some(at) = find(&self.buffer[from.min(self.buffer.len())..], part) {
                return Ok(from + at);
            }
            self.more().await?;
        }
    }

    /// Where the chunk lies that begins here; nothing at the end of the body.
    async fn chunk(&mut self, from: usize) -> Result<Option<(usize, usize)>> {
        let line = self.read_until(b"\r\n", from).await?;
        let length = usize::from_str_radix(std::str::from_utf8(&self.buffer[from..line])?, 16)?;
        let (start, end) = (line + 2, line + 2 + length);
        while self.buffer.len() < end + 2 {
            self.more().await?;
        }
        Ok((length > 0).then_some((start, end)))
    }
}

fn head_of(head: &[u8]) -> Answer {
    let head = String::from_utf8_lossy(head).into_owned();
    let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head, body: String::new() }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The table's version.
    pub id: u32,
    /// The view.
    pub data: String,
}

/// A stream of events.
#[derive(Debug)]
pub struct Events {
    connection: Connection,
    /// What the server said first.
    pub opened: Answer,
    /// All of the body that was read and is no whole event yet.
    text: String,
}

impl Events {
    /// Watches a table.
    ///
    /// # Errors
    /// When the server does not let one.
    pub async fn open(address: SocketAddr, table: &str, token: Option<&str>, last: Option<u32>) -> Result<Self> {
        let mut connection = Connection::open(address).await?;
        let token = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
        let last = last.map_or(String::new(), |last| format!("last-event-id: {last}\r\n"));
        let request = format!("GET /api/v1/tables/{table}/events HTTP/1.1\r\nhost: sultan\r\n{token}{last}\r\n");
        connection.stream.write_all(request.as_bytes()).await?;
        let head = connection.read_until(b"\r\n\r\n", 0).await? + 4;
        let opened = head_of(&connection.buffer[..head]);
        if opened.status != 200 {
            bail!("no stream: {}", opened.head);
        }
        connection.buffer.drain(..head);
        Ok(Self { connection, opened, text: String::new() })
    }

    /// The next event.
    ///
    /// # Errors
    /// When the stream ends.
    pub async fn next(&mut self) -> Result<Event> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let block: String = self.text.drain(..end + 2).collect();
                let value = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start);
                if let Some(data) = value("data:") {
                    let id = value("id:").context("an event has an id")?.parse()?;
                    return Ok(Event { id, data: data.to_owned() });
                }
            }
            let Some((start, end)) = self.connection.chunk(0).await? else { bail!("the stream ended") };
            self.text.push_str(std::str::from_utf8(&self.connection.buffer[start..end])?);
            self.connection.buffer.drain(..end + 2);
        }
    }
}

/// What the seat may do that a view is for, as text.
#[must_use]
pub fn legal(view: &str) -> Vec<&str> {
    let list = view.split_once("\"legal\":[").map_or("", |(_, rest)| rest.split(']').next().unwrap_or(""));
    list.split(',').map(|action| action.trim_matches('"')).filter(|action| !action.is_empty()).collect()
}

/// Something that the seat may do that a view is for.
///
/// # Errors
/// When that is nothing.
pub fn any_legal(view: &str, chance: &mut Quick) -> Result<String> {
    let legal = legal(view);
    ensure!(!legal.is_empty(), "nothing is legal in {view}");
    Ok(legal[chance.below(u32::try_from(legal.len())?) as usize].to_owned())
}

/// The text or number behind a name in JSON that the server wrote: quicker than reading all of it.
#[must_use]
pub fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let start = json.find(&format!("\"{name}\":"))? + name.len() + 3;
    let rest = &json[start..];
    match rest.strip_prefix('"') {
        Some(text) => Some(&text[..text.find('"')?]),
        None => Some(&rest[..rest.find([',', '}'])?]),
    }
}
