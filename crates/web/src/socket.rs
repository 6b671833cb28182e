//! What all sockets have in common: little memory for each, and nobody who keeps one waiting.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use tokio::time::timeout;

/// So often the other end is asked whether it is still there.
pub(crate) const PING: Duration = Duration::from_secs(20);
/// After so long without a word it is not.
pub(crate) const SILENCE: Duration = Duration::from_mins(1);
/// So long a message may take to be sent.
const SENDING: Duration = Duration::from_secs(30);
/// The most bytes that anybody may say at once: there is little to say.
pub(crate) const HEARD: usize = 1024;

/// The most bytes that wait to be sent: more than any message has. Whoever asks for ever more answers to pings, and takes none, would
/// have them all kept otherwise.
const WAITING: usize = 256 * 1024;

/// A socket on which little is heard. What is read into has as much room as may be said: the usual 128 KB would be held by
/// each of thousands, and wiped before everything that is read.
pub(crate) fn quiet(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(HEARD).max_frame_size(HEARD).read_buffer_size(HEARD).max_write_buffer_size(WAITING)
}

/// Says something; whether it was taken in time. Nearly always it is at once, and then no clock is set for it.
pub(crate) async fn say(socket: &mut WebSocket, message: Message) -> bool {
    let mut saying = pin!(socket.send(message));
    match poll_fn(|context| Poll::Ready(saying.as_mut().poll(context))).await {
        Poll::Ready(said) => said.is_ok(),
        Poll::Pending => matches!(timeout(SENDING, saying).await, Ok(Ok(()))),
    }
}
