//! A connection that records every received byte, for tests that compare them.
#![expect(clippy::unwrap_used, missing_docs, reason = "tests may panic, and names suffice")]

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// An empty ping frame of the server. Text without NUL characters never contains these bytes.
const PING: [u8; 2] = [0x89, 0];
/// The pong frame that answers it, masked like all frames of clients.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

/// A connection and the bytes received since the last [`RecordedConnection::take`].
pub struct RecordedConnection {
    socket: TcpStream,
    received: Vec<u8>,
    /// The version of the last event or message.
    version: u32,
}

/// The text of an HTTP request; `head` has additional header lines.
#[must_use]
pub fn request(method: &str, path: &str, head: &str, body: &str) -> String {
    let content_type = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
    // The headers of a request that a page of the same site sends.
    let same_site = "host: sultan.example\r\nsec-fetch-site: same-origin\r\n";
    format!("{method} {path} HTTP/1.1\r\n{same_site}{head}{content_type}content-length: {}\r\n\r\n{body}", body.len())
}

/// The position of the first match of a pattern. A separate function, because tests compile this crate with
/// optimisations, which apply to this function, but not to async functions.
fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(offset) = bytes[from..].iter().position(|byte| *byte == pattern[0]) {
        if bytes[from + offset..].starts_with(pattern) {
            return Some(from + offset);
        }
        from += offset + 1;
    }
    None
}

/// The version in the last message of a live page; `None` if the message is incomplete.
fn last_message_version(received: &[u8]) -> Option<u32> {
    const START: &[u8] = b"{\"version\":";
    let start = received.windows(START.len()).rposition(|bytes| bytes == START)?;
    let length = match &received[..start] {
        // The header of a text frame: 0x81, and the length or else 126 and two bytes with the length.
        [.., 0x81, 126, high, low] => usize::from(u16::from_be_bytes([*high, *low])),
        [.., 0x81, length] => usize::from(*length),
        _ => return None,
    };
    let number = received[start + START.len()..].split(|byte| !byte.is_ascii_digit()).next()?;
    if received.len() - start == length { str::from_utf8(number).ok()?.parse().ok() } else { None }
}

impl RecordedConnection {
    pub async fn open(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address).await.unwrap();
        socket.set_nodelay(true).unwrap();
        Self { socket, received: Vec::new(), version: 0 }
    }

    pub async fn send(&mut self, request: &str) {
        self.socket.write_all(request.as_bytes()).await.unwrap();
    }

    /// Sends a text frame on a WebSocket.
    pub async fn send_frame(&mut self, text: &str) {
        let length = u8::try_from(text.len()).ok().filter(|length| *length < 126).unwrap();
        // Frames of clients must be masked; a mask of zeros leaves the text unchanged.
        let frame = [&[0x81, 0x80 | length, 0, 0, 0, 0], text.as_bytes()].concat();
        self.socket.write_all(&frame).await.unwrap();
    }

    /// Sends a text frame and waits for the response frame.
    pub async fn exchange(&mut self, text: &str) {
        let from = self.received.len();
        self.send_frame(text).await;
        let is_complete_frame = |received: &[u8]| match received {
            // 0x81 begins a text frame. A length of 126 means that two bytes with the length follow.
            [0x81, 126, high, low, body @ ..] => body.len() == usize::from(u16::from_be_bytes([*high, *low])),
            [0x81, length, body @ ..] => body.len() == usize::from(*length),
            _ => false,
        };
        while !is_complete_frame(&self.received[from..]) {
            assert!(self.read_more().await, "the server responds");
        }
    }

    /// Sends a request and returns the body of the response, or `null` if it is not JSON.
    pub async fn ask(&mut self, request: &str) -> Value {
        self.send(request).await;
        let from = self.received.len();
        let body_start = loop {
            if let Some(head_len) = find(&self.received[from..], b"\r\n\r\n") {
                break from + head_len + 4;
            }
            assert!(self.read_more().await, "the server closed the connection before the end of the headers");
        };
        let head = String::from_utf8(self.received[from..body_start].to_vec()).unwrap();
        let body_len = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let body_len: usize = body_len.map_or(0, |length| length.parse().unwrap());
        while self.received.len() < body_start + body_len {
            assert!(self.read_more().await, "the body is shorter than its content-length");
        }
        assert_eq!(self.received.len(), body_start + body_len, "the server sent bytes after the response");
        serde_json::from_slice(&self.received[body_start..]).unwrap_or_default()
    }

    /// Waits until the event with this version is complete.
    pub async fn wait_for_event(&mut self, version: u32) {
        while self.version < version {
            assert!(self.read_more().await, "the stream continues");
            // An event ends with an empty line, and the HTTP chunk around it with CRLF.
            if let Some(complete_events) = self.received.strip_suffix(b"\n\n\r\n") {
                let text = String::from_utf8_lossy(complete_events);
                let id = text.lines().rev().find_map(|line| line.strip_prefix("id: ")).unwrap();
                self.version = id.parse().unwrap();
            }
        }
        assert_eq!(self.version, version);
    }

    /// Waits until the message with this version is complete on the WebSocket of a live page.
    pub async fn wait_for_live_message(&mut self, version: u32) {
        while self.version < version {
            assert!(self.read_more().await, "the socket continues");
            self.version = last_message_version(&self.received).unwrap_or(self.version);
        }
        assert_eq!(self.version, version);
    }

    /// Waits until the server closes the connection.
    pub async fn read_to_end(&mut self) {
        while self.read_more().await {}
    }

    /// Waits for more bytes. Returns `false` if the server has closed the connection.
    async fn read_more(&mut self) -> bool {
        let old_len = self.received.len();
        let read = timeout(Duration::from_mins(1), self.socket.read_buf(&mut self.received));
        let has_more = read.await.expect("the server sends within a minute").is_ok_and(|count| count > 0);
        // The first byte of a ping may be the last byte of the previous read.
        self.answer_pings(old_len.saturating_sub(1)).await;
        has_more
    }

    /// Answers pings, and removes them from the received bytes, because their number depends on the speed of the
    /// machine.
    async fn answer_pings(&mut self, from: usize) {
        while let Some(offset) = find(&self.received[from..], &PING) {
            self.received.drain(from + offset..from + offset + PING.len());
            // The server may have closed the connection.
            let _ = self.socket.write_all(&PONG).await;
        }
    }

    /// Takes the received bytes, with the commitment and all dates replaced by asterisks.
    pub fn take(&mut self, commitment: &str) -> String {
        // Each byte becomes one character, so that no byte is lost: the frames of a WebSocket are not only text.
        let mut text: String = std::mem::take(&mut self.received).into_iter().map(char::from).collect();
        for before_date in ["\r\ndate: ", "; Expires="] {
            let mut from = 0;
            while let Some(offset) = text[from..].find(before_date) {
                let start = from + offset + before_date.len();
                let end = start + text[start..].find("\r\n").unwrap();
                assert_eq!(end - start, "Mon, 01 Jan 2001 00:00:00 GMT".len(), "dates have a fixed length");
                text.replace_range(start..end, &"*".repeat(end - start));
                from = end;
            }
        }
        text.replace(commitment, &"*".repeat(commitment.len()))
    }
}

/// The status codes of the responses in received text.
#[must_use]
pub fn statuses(received: &str) -> Vec<&str> {
    received.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect()
}
