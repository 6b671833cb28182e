//! Server-sent events, as far as the API uses them: an id and one line of data.

use std::time::Duration;

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Incoming;

use crate::Error;
use crate::connection::timeout;

/// Maximum size of an event.
const MAX_EVENT_BYTES: usize = 4 * 1024 * 1024;

/// A stream of events. Dropping it closes the connection.
#[derive(Debug)]
pub struct Events {
    body: Incoming,
    /// The received bytes that are not parsed yet.
    unparsed: Vec<u8>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The table's version, if the event has one.
    pub id: Option<u32>,
    /// The line of data.
    pub data: String,
}

impl Events {
    pub(crate) fn new(response: Response<Incoming>) -> Self {
        Self { body: response.into_body(), unparsed: Vec::new() }
    }

    /// Waits for the next event. `None` at the end of the stream. Comments are skipped: the server sends them to show
    /// that the connection still works.
    ///
    /// # Errors
    /// [`Error`] if the connection is lost, if the server is silent for longer than `max_silence`, or if an event is
    /// too large.
    pub async fn next(&mut self, max_silence: Duration) -> Result<Option<Event>, Error> {
        loop {
            while let Some(end) = self.unparsed.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.unparsed.drain(..end + 2).collect();
                if let Some(event) = parse_event(&String::from_utf8_lossy(&block)) {
                    return Ok(Some(event));
                }
            }
            if self.unparsed.len() > MAX_EVENT_BYTES {
                return Err(Error::TooLarge);
            }
            let next_frame = async { self.body.frame().await.transpose().map_err(Error::from) };
            match timeout(max_silence, next_frame).await? {
                Some(frame) => {
                    // Lines may end with `\r\n` instead of `\n`. Dropping every `\r` loses no data, because inside JSON
                    // it is escaped.
                    let data = frame.into_data().unwrap_or_default();
                    self.unparsed.extend(data.iter().filter(|&&byte| byte != b'\r'));
                }
                None => return Ok(None),
            }
        }
    }
}

/// Parses the lines of one event. `None` if they have no data, as in a comment.
fn parse_event(block: &str) -> Option<Event> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start);
    let data = field("data:")?.to_owned();
    Some(Event { id: field("id:").and_then(|id| id.parse().ok()), data })
}
