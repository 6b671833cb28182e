//! The client side of a page's WebSocket.

use std::io::Read;
use std::net::SocketAddr;
use std::time::Duration;

use flate2::read::DeflateDecoder;
use serde_json::Value;
use sultan_testkit::socket::{self, Message};
use tokio::time::timeout;

/// A frame received on a WebSocket.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    Text(String),
    /// A compressed message: its text after decompression, and its compressed size in bytes.
    Compressed(String, usize),
    Ping,
    Close,
    /// The connection ended.
    End,
}

/// The WebSocket of a live page.
pub(crate) struct Socket {
    socket: socket::Socket,
    /// The size of the longest message received so far, in bytes.
    pub(crate) longest_message: usize,
}

/// The text of a message compressed in the format `deflate-raw`.
fn decompressed(bytes: &[u8]) -> String {
    let mut text = String::new();
    DeflateDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

impl Socket {
    /// Connects with these additional header lines. Returns the HTTP status if the server rejects the upgrade.
    pub(crate) async fn connect(address: SocketAddr, path: &str, header_lines: &str) -> Result<Self, u16> {
        let connected = socket::Socket::open(address, path, header_lines).await.unwrap();
        connected.map(|socket| Self { socket, longest_message: 0 })
    }

    /// Receives the next frame.
    pub(crate) async fn next_frame(&mut self) -> Frame {
        let frame =
            timeout(Duration::from_mins(1), self.socket.next_message()).await.expect("a message arrives in time");
        match frame.unwrap() {
            Some(Message::Text(text)) => Frame::Text(text.as_str().to_owned()),
            Some(Message::Binary(bytes)) => Frame::Compressed(decompressed(&bytes), bytes.len()),
            Some(Message::Ping(_)) => Frame::Ping,
            Some(Message::Close(_)) => Frame::Close,
            Some(other) => panic!("unexpected frame: {other:?}"),
            None => Frame::End,
        }
    }

    /// Receives the next message, skipping pings.
    pub(crate) async fn next_message(&mut self) -> Value {
        loop {
            let (text, size) = match self.next_frame().await {
                Frame::Text(text) => {
                    let size = text.len();
                    (text, size)
                }
                Frame::Compressed(text, size) => (text, size),
                Frame::Ping => continue,
                other => panic!("a message is expected: {other:?}"),
            };
            self.longest_message = self.longest_message.max(size);
            return serde_json::from_str(&text).unwrap();
        }
    }
}
