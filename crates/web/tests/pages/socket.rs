//! The other end of a page's socket: as much of the protocol as a test needs.

use std::io::Read;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::read::DeflateDecoder;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// What came.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    Text(String),
    /// A message that was packed, and how long it was then.
    Packed(String, usize),
    Ping,
    Close,
    /// The connection ended.
    End,
}

pub(crate) struct Socket {
    stream: TcpStream,
    heard: Vec<u8>,
    /// The most bytes of a message.
    pub(crate) longest: usize,
}

fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    DeflateDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

impl Socket {
    /// Calls, with lines of the head; the status if the call is not taken.
    pub(crate) async fn call(address: SocketAddr, path: &str, head: &str) -> Result<Self, u16> {
        let stream = TcpStream::connect(address).await.unwrap();
        let mut socket = Self { stream, heard: Vec::new(), longest: 0 };
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: sultan.example\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{head}\r\n"
        );
        socket.stream.write_all(request.as_bytes()).await.unwrap();
        let end = loop {
            if let Some(end) = socket.heard.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            assert!(socket.more().await, "an answer comes");
        };
        let head = String::from_utf8(socket.heard.drain(..end).collect()).unwrap();
        let status = head[9..12].parse().unwrap();
        if status == 101 { Ok(socket) } else { Err(status) }
    }

    async fn more(&mut self) -> bool {
        let read = timeout(Duration::from_mins(1), self.stream.read_buf(&mut self.heard));
        read.await.expect("something comes in time").is_ok_and(|count| count > 0)
    }

    /// The next frame. A server sends them whole and plain.
    pub(crate) async fn frame(&mut self) -> Frame {
        loop {
            if let Some((kind, body)) = self.whole() {
                return match kind {
                    1 => Frame::Text(String::from_utf8(body).unwrap()),
                    2 => Frame::Packed(unpacked(&body), body.len()),
                    9 => Frame::Ping,
                    8 => Frame::Close,
                    other => panic!("a frame of kind {other}"),
                };
            }
            if !self.more().await {
                return Frame::End;
            }
        }
    }

    fn whole(&mut self) -> Option<(u8, Vec<u8>)> {
        let (&first, &second) = (self.heard.first()?, self.heard.get(1)?);
        assert_eq!((first & 0xf0, second & 0x80), (0x80, 0), "whole and plain");
        let (length, from) = match second {
            126 => (usize::from(u16::from_be_bytes(self.heard.get(2..4)?.try_into().unwrap())), 4),
            127 => panic!("nothing is so long"),
            short => (usize::from(short), 2),
        };
        self.heard.get(..from + length)?;
        let frame: Vec<u8> = self.heard.drain(..from + length).collect();
        Some((first & 0x0f, frame[from..].to_vec()))
    }

    /// The next message.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            match self.frame().await {
                Frame::Text(text) => {
                    self.longest = self.longest.max(text.len());
                    return serde_json::from_str(&text).unwrap();
                }
                Frame::Packed(text, length) => {
                    self.longest = self.longest.max(length);
                    return serde_json::from_str(&text).unwrap();
                }
                Frame::Ping => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
