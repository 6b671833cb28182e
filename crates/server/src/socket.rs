//! WebSocket connections with small buffers, time limits for slow and silent clients, and rate limits for messages.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use tokio::time::{Instant, Interval, interval_at, timeout};

use crate::error::WebError;
use crate::measure::{OpenGauge, STREAMS};
use crate::middleware::client_address;
use crate::serve::ConnectionGuard;
use crate::state::AppState;

/// How often the server sends a ping.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// A WebSocket client that is silent for this long (not even a pong) is disconnected, at the next ping.
///
/// Other time limits for silent clients: `head_timeout` and `write_timeout` in `ConnectionLimits`, `body_timeout` in
/// `Config`, and the TCP keep-alive of `set_socket_options` in `serve`. A player without a connection is shown as
/// absent after the times in `sultan-table`'s `cluster::presence`.
const SILENCE_TIMEOUT: Duration = Duration::from_mins(1);
/// Time limit for sending one message to a client.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Largest message of a client, in bytes.
const MAX_INCOMING_BYTES: usize = 1024;
/// The maximum number of bytes waiting to be sent, more than the size of any message. Without a limit, a client that
/// sends pings and never reads could use up the memory with the answers (pongs).
const MAX_OUTGOING_BYTES: usize = 256 * 1024;

/// Accepts a WebSocket, and runs `serve` on it. Until `serve` returns, the metrics and the connection limits count the
/// WebSocket as open.
///
/// The read buffer is only as large as a message may be. With the default of 128 KB, thousands of sockets would need
/// much memory, and every read would first fill the buffer with zeros.
pub fn accept<F>(
    upgrade: WebSocketUpgrade,
    state: &AppState,
    extensions: &Extensions,
    headers: &HeaderMap,
    serve: impl FnOnce(WebSocket, WsReader) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = ()> + Send,
{
    let reader = WsReader::new(state, extensions, headers);
    let guards = (OpenGauge::new(STREAMS), extensions.get::<ConnectionGuard>().cloned());
    upgrade
        .max_message_size(MAX_INCOMING_BYTES)
        .max_frame_size(MAX_INCOMING_BYTES)
        .read_buffer_size(MAX_INCOMING_BYTES)
        .max_write_buffer_size(MAX_OUTGOING_BYTES)
        .on_upgrade(async move |socket| {
            serve(socket, reader).await;
            drop(guards);
        })
}

/// The next input from a client.
pub enum Incoming {
    /// The client sent text or bytes.
    Message(Message),
    /// It is time to send this ping.
    PingDue(Message),
    /// The client closes the socket and waits for the close frame of [`finish_close`].
    Close,
    /// The client has disconnected, or was silent for too long.
    Disconnected,
    /// The client sent too much, or bytes that are not a WebSocket frame, or the connection broke.
    Invalid,
}

/// Reads the messages of a client, and detects that the client has disconnected.
pub struct WsReader {
    state: AppState,
    address: IpAddr,
    token: Option<HeaderValue>,
    last_received: Instant,
    pings: Interval,
    /// Whether a ping was sent and no pong was received since.
    awaits_pong: bool,
}

impl WsReader {
    fn new(state: &AppState, extensions: &Extensions, headers: &HeaderMap) -> Self {
        let now = Instant::now();
        Self {
            state: state.clone(),
            address: client_address(state, extensions, headers),
            token: headers.get(header::AUTHORIZATION).cloned(),
            last_received: now,
            pings: interval_at(now + PING_INTERVAL, PING_INTERVAL),
            awaits_pong: false,
        }
    }

    /// The next input. Counts pings and pongs of the client, and does not return them.
    pub async fn next(&mut self, socket: &mut WebSocket) -> Incoming {
        loop {
            let received = tokio::select! {
                biased;
                now = self.pings.tick() => {
                    if now - self.last_received > SILENCE_TIMEOUT {
                        return Incoming::Disconnected;
                    }
                    self.awaits_pong = true;
                    return Incoming::PingDue(Message::Ping(Bytes::new()));
                }
                received = socket.recv() => received,
            };
            self.last_received = Instant::now();
            match received {
                Some(Ok(Message::Close(_))) => return Incoming::Close,
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => return Incoming::Message(message),
                Some(Ok(control)) if self.is_within_limit(&control) => {}
                Some(_) => return Incoming::Invalid,
                None => return Incoming::Disconnected,
            }
        }
    }

    /// Returns whether a ping or pong is within the rate limit. A pong that answers a ping of this server always is.
    fn is_within_limit(&mut self, control: &Message) -> bool {
        matches!(control, Message::Pong(_)) && std::mem::take(&mut self.awaits_pong) || self.count_message().is_ok()
    }

    /// Counts a message as a request.
    ///
    /// # Errors
    /// 429 if the client has sent too many messages.
    pub fn count_message(&self) -> Result<(), WebError> {
        self.state.limit_request(self.address, self.token.as_ref())
    }
}

/// The result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The message was sent at once.
    AtOnce,
    /// The message was sent after the client had read earlier messages.
    Delayed,
    /// The connection broke, or the client did not read for `SEND_TIMEOUT`.
    Failed,
}

/// Sends a message. Usually that succeeds at once, and no timer is set.
pub async fn send(socket: &mut WebSocket, message: Message) -> Sent {
    let mut sending = pin!(socket.send(message));
    match poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await {
        Poll::Ready(Ok(())) => Sent::AtOnce,
        Poll::Ready(Err(_)) => Sent::Failed,
        Poll::Pending => match timeout(SEND_TIMEOUT, sending).await {
            Ok(Ok(())) => Sent::Delayed,
            Ok(Err(_)) | Err(_) => Sent::Failed,
        },
    }
}

/// Answers a close frame. The WebSocket library sends the answer with the next read of the socket.
pub async fn finish_close(mut socket: WebSocket) {
    let _ = timeout(SEND_TIMEOUT, socket.recv()).await;
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use sultan_table::{Service, Settings};
    use sultan_testkit::Backend;

    use super::*;
    use crate::config::{Config, Rate, RateLimits};

    #[tokio::test]
    async fn pong_that_answers_a_ping_is_exempt_from_the_rate_limit() {
        let backend = Backend::sqlite();
        let service = Service::new(backend.open().await, Settings::default());
        let one_request = Rate { burst: NonZeroU32::MIN, interval: Duration::from_hours(1) };
        let limits = RateLimits { per_address: one_request, per_token: one_request, opening_tables: one_request };
        let config = Config { rate_limits: Some(limits), ..Config::default() };
        let state = AppState::new(service, config).await.unwrap();
        let mut reader = WsReader::new(&state, &Extensions::new(), &HeaderMap::new());
        let (ping, pong) = (Message::Ping(Bytes::new()), Message::Pong(Bytes::new()));
        reader.count_message().unwrap();
        assert!(reader.count_message().is_err(), "the limit is one message");
        assert!(!reader.is_within_limit(&pong), "a pong without a ping counts");
        // As after a ping of the server.
        reader.awaits_pong = true;
        assert!(!reader.is_within_limit(&ping), "a ping counts");
        assert!(reader.is_within_limit(&pong), "a pong that answers a ping does not count");
        assert!(!reader.is_within_limit(&pong), "only one pong per ping is exempt");
    }
}
