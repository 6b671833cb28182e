//! The client side of a page's WebSocket.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use sultan_testkit::socket::{self, Message};
use tokio::time::timeout;

/// A frame received on a WebSocket.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    Text(String),
    Ping,
    Close,
    /// The connection ended.
    End,
}

/// The WebSocket of a live page.
pub(crate) struct Socket {
    socket: socket::Socket,
    /// The sizes of the received messages, in bytes.
    pub(crate) message_sizes: Vec<usize>,
}

/// The script that reads messages.
const SCRIPT: &str = include_str!("../../../assets/js/30-live.js");

/// HTML with the fragments that the script puts in place of control characters.
fn expanded(html: &str) -> String {
    let (_, list) = SCRIPT.split_once("const FRAGMENTS = [").expect("the script has a list of fragments");
    let fragments = list.split("];").next().unwrap().lines().filter_map(|line| line.trim().strip_prefix('\''));
    let fragments = fragments.map(|line| line.strip_suffix("',").expect("a fragment ends with its line"));
    (1_u8..).zip(fragments).fold(html.to_owned(), |html, (code, fragment)| html.replace(char::from(code), fragment))
}

/// A message as JSON, with its sections as `{"id":…,"html":…}` in the field `sections`.
fn parse_message(text: &str) -> Value {
    let (json, html) = text.split_once('\n').unwrap_or((text, ""));
    let mut message: Value = serde_json::from_str(json).unwrap();
    message["sections"] =
        elements(&expanded(html)).iter().map(|html| json!({ "id": id_of(html), "html": html })).collect();
    message
}

/// The id in the first tag of an element.
fn id_of(element: &str) -> &str {
    let tag = element.split('>').next().unwrap();
    tag.split_once(" id=\"").unwrap_or_else(|| panic!("no id in {element}")).1.split('"').next().unwrap()
}

/// The outermost elements of HTML that has no text between them.
fn elements(html: &str) -> Vec<&str> {
    let (mut elements, mut rest) = (Vec::new(), html);
    while !rest.is_empty() {
        let name: &str = rest[1..].split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap();
        assert!(rest.starts_with('<') && !name.is_empty(), "not an element: {rest}");
        // The element ends with the tag that closes as many elements of this name as have been opened.
        let (mut depth, mut end) = (0, 0);
        loop {
            let tag = end + rest[end..].find('<').unwrap_or_else(|| panic!("{name} is not closed: {rest}"));
            let has_name = |tag: &str| tag.strip_prefix(name).is_some_and(|after| after.starts_with([' ', '>']));
            depth += i32::from(has_name(&rest[tag + 1..]));
            depth -= i32::from(rest[tag + 1..].strip_prefix('/').is_some_and(has_name));
            end = tag + rest[tag..].find('>').unwrap() + 1;
            if depth == 0 {
                break;
            }
        }
        elements.push(&rest[..end]);
        rest = &rest[end..];
    }
    elements
}

impl Socket {
    /// Connects with these additional header lines. Returns the HTTP status if the server rejects the upgrade.
    pub(crate) async fn connect(address: SocketAddr, path: &str, header_lines: &str) -> Result<Self, u16> {
        let connected = socket::Socket::open(address, path, header_lines).await.unwrap();
        connected.map(|socket| Self { socket, message_sizes: Vec::new() })
    }

    /// Receives the next frame.
    pub(crate) async fn next_frame(&mut self) -> Frame {
        let frame =
            timeout(Duration::from_mins(1), self.socket.next_message()).await.expect("a message arrives in time");
        match frame.unwrap() {
            Some(Message::Text(text)) => Frame::Text(text.as_str().to_owned()),
            Some(Message::Ping(_)) => Frame::Ping,
            Some(Message::Close(_)) => Frame::Close,
            Some(other) => panic!("unexpected frame: {other:?}"),
            None => Frame::End,
        }
    }

    /// Receives the next message, skipping pings.
    pub(crate) async fn next_message(&mut self) -> Value {
        loop {
            let text = match self.next_frame().await {
                Frame::Text(text) => text,
                Frame::Ping => continue,
                other => panic!("a message is expected: {other:?}"),
            };
            self.message_sizes.push(text.len());
            return parse_message(&text);
        }
    }
}
