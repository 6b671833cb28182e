//! The client's end of a WebSocket, for tests and measurements. Malformed frames are not for this: tests that need them write bytes.

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

/// An open socket. It answers pings by itself whenever it is read.
#[derive(Debug)]
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Opens a socket, with more lines for the head of the request; the status if the server refuses.
    ///
    /// # Errors
    /// If nobody listens, or the server hangs up.
    pub async fn call(address: SocketAddr, path: &str, head: &str) -> Result<Result<Self, u16>> {
        let mut request = format!("ws://sultan.example{path}").into_client_request()?;
        for line in head.lines() {
            let (name, value) = line.split_once(':').with_context(|| format!("{line:?} is no header"))?;
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
    /// If the server has hung up.
    pub async fn say(&mut self, text: &str) -> Result<()> {
        self.send(Message::text(text)).await
    }

    /// Sends any message.
    ///
    /// # Errors
    /// If the server has hung up.
    pub async fn send(&mut self, message: Message) -> Result<()> {
        Ok(self.0.send(message).await?)
    }

    /// The next message, also a ping or the last one; nothing when the connection has ended.
    ///
    /// # Errors
    /// If the server breaks the protocol.
    pub async fn message(&mut self) -> Result<Option<Message>> {
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

    /// The next text.
    ///
    /// # Errors
    /// If no more comes.
    pub async fn text(&mut self) -> Result<String> {
        loop {
            match self.message().await? {
                Some(Message::Text(text)) => return Ok(text.as_str().to_owned()),
                Some(Message::Ping(_)) => {}
                other => bail!("no text but {other:?}"),
            }
        }
    }
}

/// The message that ends a socket for this reason.
#[must_use]
pub fn close(code: u16) -> Message {
    Message::Close(Some(CloseFrame { code: code.into(), reason: "".into() }))
}
