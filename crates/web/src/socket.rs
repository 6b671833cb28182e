//! What all sockets have in common: little memory for each, nobody who keeps one waiting, and no more words than requests.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{Extensions, HeaderMap, header};
use bytes::Bytes;
use tokio::time::{Instant, Interval, interval_at, timeout};

use crate::error::WebError;
use crate::front::address;
use crate::state::AppState;

/// So often the other end is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// After so long without a word it is not.
const SILENCE: Duration = Duration::from_mins(1);
/// So long a message may take to be sent.
const SENDING: Duration = Duration::from_secs(30);
/// The most bytes that anybody may say at once: there is little to say.
const HEARD: usize = 1024;

/// The most bytes that wait to be sent: more than any message has. Whoever asks for ever more answers to pings, and takes none, would
/// have them all kept otherwise.
const WAITING: usize = 256 * 1024;

/// A socket on which little is heard. What is read into has as much room as may be said: the usual 128 KB would be held by
/// each of thousands, and wiped before everything that is read.
pub(crate) fn quiet(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(HEARD).max_frame_size(HEARD).read_buffer_size(HEARD).max_write_buffer_size(WAITING)
}

/// What comes from the other end.
pub(crate) enum Heard {
    /// Something is said: text or bytes.
    Said(Message),
    /// Nothing: this is to be sent, to see whether somebody is there.
    Nothing(Message),
    /// It takes its leave, and waits for an answer ([`part`]).
    Leaves,
    /// Nobody is there.
    Gone,
    /// More than is taken, or what cannot be understood, or the line broke.
    TooMuch,
}

/// Who speaks, as far as limits go.
struct Speaker {
    address: IpAddr,
    token: HeaderMap,
}

/// The ear for the other end of a socket.
pub(crate) struct Ear {
    state: AppState,
    /// Nobody in particular where there are no limits.
    speaker: Option<Speaker>,
    heard: Instant,
    pings: Interval,
    /// Whether the other end owes the answer to a ping.
    asked: bool,
}

impl Ear {
    pub(crate) fn new(state: &AppState, extensions: &Extensions, headers: &HeaderMap) -> Self {
        let token = headers.get(header::AUTHORIZATION).map(|token| (header::AUTHORIZATION, token.clone()));
        let speaker = || Speaker { address: address(state, extensions, headers), token: token.into_iter().collect() };
        let heard = Instant::now();
        Self {
            state: state.clone(),
            speaker: state.0.limits.is_some().then(speaker),
            heard,
            pings: interval_at(heard + PING, PING),
            asked: false,
        }
    }

    /// What comes next. Whoever says too often that somebody is there is not heard any more.
    pub(crate) async fn hear(&mut self, socket: &mut WebSocket) -> Heard {
        loop {
            let word = tokio::select! {
                biased;
                now = self.pings.tick() => {
                    if now - self.heard > SILENCE {
                        return Heard::Gone;
                    }
                    self.asked = true;
                    return Heard::Nothing(Message::Ping(Bytes::new()));
                }
                word = socket.recv() => word,
            };
            self.heard = Instant::now();
            match word {
                Some(Ok(Message::Close(_))) => return Heard::Leaves,
                Some(Ok(said @ (Message::Text(_) | Message::Binary(_)))) => return Heard::Said(said),
                Some(Ok(sign)) if self.may_be(&sign) => {}
                Some(_) => return Heard::TooMuch,
                None => return Heard::Gone,
            }
        }
    }

    /// Whether a ping or a pong is no more than may be. The answer to the server's own question always may.
    fn may_be(&mut self, sign: &Message) -> bool {
        matches!(sign, Message::Pong(_)) && std::mem::take(&mut self.asked) || self.count().is_ok()
    }

    /// Counts what is said as a request.
    pub(crate) fn count(&self) -> Result<(), WebError> {
        match (&self.state.0.limits, &self.speaker) {
            (Some(limits), Some(speaker)) => limits.request(speaker.address, &speaker.token),
            _ => Ok(()),
        }
    }
}

/// Says something; whether it was taken in time. Nearly always it is at once, and then no clock is set for it.
pub(crate) async fn say(socket: &mut WebSocket, message: Message) -> bool {
    let mut saying = pin!(socket.send(message));
    match poll_fn(|context| Poll::Ready(saying.as_mut().poll(context))).await {
        Poll::Ready(said) => said.is_ok(),
        Poll::Pending => matches!(timeout(SENDING, saying).await, Ok(Ok(()))),
    }
}

/// Answers whoever takes leave: the answer goes out when the socket is read once more.
pub(crate) async fn part(mut socket: WebSocket) {
    let _ = timeout(SENDING, socket.recv()).await;
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use sultan_table::{Service, Settings};
    use sultan_testkit::Backend;

    use super::*;
    use crate::config::{Config, Rate, RateLimits};

    #[tokio::test]
    async fn whoever_answers_is_heard_however_little_may_be_said() {
        let backend = Backend::sqlite();
        let service = Service::new(backend.open().await, Settings::default());
        let once = Rate { burst: NonZeroU32::MIN, one_per: Duration::from_hours(1) };
        let rates = Some(RateLimits { per_address: once, per_token: once, opening: once });
        let state = AppState::new(service, Config { rates, ..Config::default() }).await.unwrap();
        let mut ear = Ear::new(&state, &Extensions::new(), &HeaderMap::new());
        let (ping, pong) = (Message::Ping(Bytes::new()), Message::Pong(Bytes::new()));
        assert!(ear.count().is_ok() && ear.count().is_err(), "nothing more may be said");
        assert!(!ear.may_be(&pong), "nobody asked");
        ear.asked = true;
        assert!(!ear.may_be(&ping) && ear.may_be(&pong), "an answer, and no question");
        assert!(!ear.may_be(&pong), "one answer for a question");
    }
}
