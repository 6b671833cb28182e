//! The client side of a page's WebSocket.

use std::io::Read;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::read::DeflateDecoder;
use serde_json::Value;
use sultan_testkit::socket::{self, Message};
use tokio::time::timeout;

/// A received frame.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    Text(String),
    /// A compressed message: its text, and its compressed size.
    Compressed(String, usize),
    Ping,
    Close,
    /// The connection ended.
    End,
}

pub(crate) struct Socket {
    socket: socket::Socket,
    /// The size of the longest message so far, in bytes.
    pub(crate) longest: usize,
}

fn decompressed(bytes: &[u8]) -> String {
    let mut text = String::new();
    DeflateDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

impl Socket {
    /// Connects with additional header lines. `Err` is the HTTP status if the upgrade is refused.
    pub(crate) async fn call(address: SocketAddr, path: &str, head: &str) -> Result<Self, u16> {
        let called = socket::Socket::open(address, path, head).await.unwrap();
        called.map(|socket| Self { socket, longest: 0 })
    }

    /// The next frame.
    pub(crate) async fn frame(&mut self) -> Frame {
        let frame =
            timeout(Duration::from_mins(1), self.socket.next_message()).await.expect("a message arrives in time");
        match frame.unwrap() {
            Some(Message::Text(text)) => Frame::Text(text.as_str().to_owned()),
            Some(Message::Binary(bytes)) => Frame::Compressed(decompressed(&bytes), bytes.len()),
            Some(Message::Ping(_)) => Frame::Ping,
            Some(Message::Close(_)) => Frame::Close,
            Some(other) => panic!("unexpected {other:?}"),
            None => Frame::End,
        }
    }

    /// The next message.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            match self.frame().await {
                Frame::Text(text) => {
                    self.longest = self.longest.max(text.len());
                    return serde_json::from_str(&text).unwrap();
                }
                Frame::Compressed(text, bytes) => {
                    self.longest = self.longest.max(bytes);
                    return serde_json::from_str(&text).unwrap();
                }
                Frame::Ping => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
