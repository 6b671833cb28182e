//! Just enough of a WebSocket's other end to talk to a real server from tests and measurements: plain, and cheap.

use std::net::SocketAddr;

use anyhow::{Result, bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What kind of frame it is, as RFC 6455 numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Bytes.
    Binary,
    /// The last one.
    Close,
    /// The server wants to know whether somebody is there.
    Ping,
    /// It is there itself.
    Pong,
}

/// A socket that is open.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    heard: Vec<u8>,
}

impl Socket {
    /// Calls, with lines of the head; the status if the call is not taken.
    ///
    /// # Errors
    /// When nobody listens, or the server hangs up.
    pub async fn call(address: SocketAddr, path: &str, head: &str) -> Result<Result<Self, u16>> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let mut socket = Self { stream, heard: Vec::with_capacity(4096) };
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: sultan.example\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{head}\r\n"
        );
        socket.stream.write_all(request.as_bytes()).await?;
        let end = loop {
            if let Some(end) = socket.heard.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            ensure!(socket.more().await, "no answer came");
        };
        let head = String::from_utf8(socket.heard.drain(..end).collect())?;
        let status = head.get(9..12).unwrap_or_default().parse()?;
        Ok(if status == 101 { Ok(socket) } else { Err(status) })
    }

    /// Says something.
    ///
    /// # Errors
    /// When the server has hung up.
    pub async fn say(&mut self, text: &str) -> Result<()> {
        self.send(0x81, text.as_bytes()).await
    }

    /// Sends a frame with this first byte. What clients send is masked; a mask of zeros leaves it as it is.
    ///
    /// # Errors
    /// When the server has hung up.
    pub async fn send(&mut self, first: u8, body: &[u8]) -> Result<()> {
        let mut frame = vec![first];
        if let Ok(short @ 0..126) = u8::try_from(body.len()) {
            frame.push(0x80 | short);
        } else {
            frame.push(0xfe);
            frame.extend(u16::try_from(body.len())?.to_be_bytes());
        }
        frame.extend([0; 4]);
        frame.extend(body);
        Ok(self.stream.write_all(&frame).await?)
    }

    /// The next frame; nothing when the connection has ended. A server sends them whole and plain.
    ///
    /// # Errors
    /// When it does not.
    pub async fn frame(&mut self) -> Result<Option<(Kind, Vec<u8>)>> {
        loop {
            if let Some(frame) = self.whole()? {
                return Ok(Some(frame));
            }
            if !self.more().await {
                return Ok(None);
            }
        }
    }

    /// The next message.
    ///
    /// # Errors
    /// When no more comes.
    pub async fn text(&mut self) -> Result<String> {
        loop {
            match self.frame().await? {
                Some((Kind::Text, text)) => return Ok(String::from_utf8(text)?),
                Some((Kind::Ping, _)) => self.send(0x8a, &[]).await?,
                other => bail!("no message but {other:?}"),
            }
        }
    }

    async fn more(&mut self) -> bool {
        self.stream.read_buf(&mut self.heard).await.is_ok_and(|count| count > 0)
    }

    fn whole(&mut self) -> Result<Option<(Kind, Vec<u8>)>> {
        let [first, second, rest @ ..] = &self.heard[..] else { return Ok(None) };
        ensure!((first & 0xf0, second & 0x80) == (0x80, 0), "a frame is whole and plain");
        let (length, from) = match (second, rest) {
            (126, [high, low, ..]) => (usize::from(u16::from_be_bytes([*high, *low])), 4),
            (126, _) => return Ok(None),
            (127, _) => bail!("nothing is so long"),
            (short, _) => (usize::from(*short), 2),
        };
        let kind = match first & 0x0f {
            1 => Kind::Text,
            2 => Kind::Binary,
            8 => Kind::Close,
            9 => Kind::Ping,
            10 => Kind::Pong,
            other => bail!("a frame of kind {other}"),
        };
        if self.heard.len() < from + length {
            return Ok(None);
        }
        let body = self.heard[from..from + length].to_vec();
        self.heard.drain(..from + length);
        Ok(Some((kind, body)))
    }
}
