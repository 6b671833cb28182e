//! WebSocket connections with small buffers, timeouts for slow clients, and rate limits for messages.

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
use crate::serve::ConnectionPermit;
use crate::state::AppState;

/// How often the server sends a ping.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// A WebSocket client that is silent for this long (not even a pong) is disconnected, at the next ping.
///
/// Other time limits for silent clients: `Connections::head_time` for an idle HTTP connection, `Connections::write_time`
/// for a client that does not read, `Config::body_time` for a request body, and the TCP keep-alive of
/// `set_socket_options` in `serve`. A player without a connection is shown as absent after the times in
/// `sultan-table`'s `cluster::presence`.
const SILENCE_TIMEOUT: Duration = Duration::from_mins(1);
/// Time limit for sending one message to a client.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Largest message of a client, in bytes.
const MAX_INCOMING_BYTES: usize = 1024;
/// The maximum number of bytes waiting to be sent, more than the size of any message. Without a limit, the pongs for a
/// client that sends pings and never reads would accumulate.
const MAX_OUTGOING_BYTES: usize = 256 * 1024;

/// Accepts a WebSocket and runs `serve` on it. While that runs, the socket counts as an open stream, and its connection as open.
///
/// The read buffer is only as large as a message may be: with the default of 128 KB, thousands of sockets would need
/// much memory, and clear it before every read.
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
    let gauge = OpenGauge::new(state.config().metrics, STREAMS);
    let permit = extensions.get::<ConnectionPermit>().cloned();
    upgrade
        .max_message_size(MAX_INCOMING_BYTES)
        .max_frame_size(MAX_INCOMING_BYTES)
        .read_buffer_size(MAX_INCOMING_BYTES)
        .max_write_buffer_size(MAX_OUTGOING_BYTES)
        .on_upgrade(async move |socket| {
            serve(socket, reader).await;
            drop((gauge, permit));
        })
}

/// The next input from a client.
pub enum Incoming {
    /// The client sent text or bytes.
    Message(Message),
    /// The client was silent: this ping is to be sent.
    Silence(Message),
    /// The client closes the socket and waits for an answer ([`finish_close`]).
    Close,
    /// The client has disconnected.
    Gone,
    /// The client sent too much, or bytes that are not a WebSocket frame, or the connection broke.
    Invalid,
}

/// Reads the client's messages and detects disconnection.
pub struct WsReader {
    state: AppState,
    address: IpAddr,
    token: Option<HeaderValue>,
    last_received: Instant,
    pings: Interval,
    /// Whether a ping was not answered yet.
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

    /// The next input. Pings and pongs are handled here.
    pub async fn next(&mut self, socket: &mut WebSocket) -> Incoming {
        loop {
            let received = tokio::select! {
                biased;
                now = self.pings.tick() => {
                    if now - self.last_received > SILENCE_TIMEOUT {
                        return Incoming::Gone;
                    }
                    self.awaits_pong = true;
                    return Incoming::Silence(Message::Ping(Bytes::new()));
                }
                received = socket.recv() => received,
            };
            self.last_received = Instant::now();
            match received {
                Some(Ok(Message::Close(_))) => return Incoming::Close,
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => return Incoming::Message(message),
                Some(Ok(control)) if self.is_within_limit(&control) => {}
                Some(_) => return Incoming::Invalid,
                None => return Incoming::Gone,
            }
        }
    }

    /// Returns whether a ping or pong is within the rate limit. The answer to our own ping always is.
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

/// Sends a message. Returns whether the client accepted it in time. Usually that is immediate, and no timer is set.
pub async fn send(socket: &mut WebSocket, message: Message) -> bool {
    let mut sending = pin!(socket.send(message));
    match poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await {
        Poll::Ready(sent) => sent.is_ok(),
        Poll::Pending => matches!(timeout(SEND_TIMEOUT, sending).await, Ok(Ok(()))),
    }
}

/// Answers a close frame: the answer is sent by the next read of the socket.
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
    async fn pong_to_our_own_ping_is_exempt_from_the_rate_limit() {
        let backend = Backend::sqlite();
        let service = Service::new(backend.open().await, Settings::default());
        let once = Rate { burst: NonZeroU32::MIN, one_per: Duration::from_hours(1) };
        let rates = Some(RateLimits { per_address: once, per_token: once, opening: once });
        let state = AppState::new(service, Config { rates, ..Config::default() }).await.unwrap();
        let mut reader = WsReader::new(&state, &Extensions::new(), &HeaderMap::new());
        let (ping, pong) = (Message::Ping(Bytes::new()), Message::Pong(Bytes::new()));
        assert!(reader.count_message().is_ok() && reader.count_message().is_err(), "the limit is one message");
        assert!(!reader.is_within_limit(&pong), "a pong without a ping counts");
        reader.awaits_pong = true;
        assert!(
            !reader.is_within_limit(&ping) && reader.is_within_limit(&pong),
            "a ping counts, the pong to our ping does not"
        );
        assert!(!reader.is_within_limit(&pong), "only one pong per ping is exempt");
    }
}
