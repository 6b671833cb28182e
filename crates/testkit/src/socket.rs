//! A WebSocket client for tests and measurements. It cannot send malformed frames: tests that need them write raw
//! bytes.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Error};
use tokio_tungstenite::{WebSocketStream, client_async};

pub use tungstenite::Message;

/// An open WebSocket. It answers pings when it is read.
#[derive(Debug)]
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Opens a WebSocket; `head` has additional header lines. Returns the HTTP status if the server rejects the
    /// request.
    ///
    /// # Errors
    /// If no server listens at the address, or it closes the connection.
    pub async fn open(address: SocketAddr, path: &str, head: &str) -> Result<Result<Self, u16>> {
        let mut request = format!("ws://sultan.example{path}").into_client_request()?;
        for line in head.lines() {
            let (name, value) = line.split_once(':').with_context(|| format!("{line:?} is not a header"))?;
            let (name, value) = (HeaderName::try_from(name)?, HeaderValue::try_from(value.trim())?);
            request.headers_mut().append(name, value);
        }
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Ok(Self(socket))),
            Err(Error::Http(response)) => Ok(Err(response.status().as_u16())),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends text.
    ///
    /// # Errors
    /// If the connection is closed.
    pub async fn send_text(&mut self, text: &str) -> Result<()> {
        self.send(Message::text(text)).await
    }

    /// Sends any message.
    ///
    /// # Errors
    /// If the connection is closed.
    pub async fn send(&mut self, message: Message) -> Result<()> {
        Ok(self.0.send(message).await?)
    }

    /// The next message, including pings and the close frame; `None` if the connection has ended.
    ///
    /// # Errors
    /// If the server violates the WebSocket protocol.
    pub async fn next_message(&mut self) -> Result<Option<Message>> {
        match self.0.next().await {
            None
            | Some(Err(
                Error::ConnectionClosed
                | Error::AlreadyClosed
                | Error::Io(_)
                | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake),
            )) => Ok(None),
            Some(message) => Ok(Some(message?)),
        }
    }

    /// The next text message.
    ///
    /// # Errors
    /// If the connection ends or another kind of message arrives.
    pub async fn next_text(&mut self) -> Result<String> {
        loop {
            match self.next_message().await? {
                Some(Message::Text(text)) => return Ok(text.as_str().to_owned()),
                Some(Message::Ping(_)) => {}
                other => bail!("expected a text message, got {other:?}"),
            }
        }
    }
}

/// A close frame with this code.
#[must_use]
pub fn close_frame(code: u16) -> Message {
    Message::Close(Some(CloseFrame { code: code.into(), reason: "".into() }))
}
