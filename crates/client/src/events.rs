//! Server-sent events, as far as the API uses them: an id and one line of data.

use std::time::Duration;

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Incoming;

use crate::Error;
use crate::connection::with_limit;

/// Maximum size of an event.
const MAX_EVENT_BYTES: usize = 4 * 1024 * 1024;

/// A stream of events. Dropping it closes the connection.
#[derive(Debug)]
pub struct Events {
    body: Incoming,
    /// The beginning of an event whose rest has not arrived yet.
    unread: Vec<u8>,
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
        Self { body: response.into_body(), unread: Vec::new() }
    }

    /// The next event. `None` at the end of the stream. The server may be silent for no longer than `max_silence`.
    /// Comments are skipped, but they count as signs of life.
    ///
    /// # Errors
    /// [`Error`] if the connection is lost or silent.
    pub async fn next(&mut self, max_silence: Duration) -> Result<Option<Event>, Error> {
        loop {
            while let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.unread.drain(..end + 2).collect();
                if let Some(event) = parse(&String::from_utf8_lossy(&block)) {
                    return Ok(Some(event));
                }
            }
            if self.unread.len() > MAX_EVENT_BYTES {
                return Err(Error::TooLarge);
            }
            let next_frame = async { self.body.frame().await.transpose().map_err(Error::from) };
            match with_limit(max_silence, next_frame).await? {
                Some(frame) => {
                    // Lines may end with `\r\n`, and a `\r` inside JSON is escaped.
                    let data = frame.into_data().unwrap_or_default();
                    self.unread.extend(data.iter().filter(|&&byte| byte != b'\r'));
                }
                None => return Ok(None),
            }
        }
    }
}

/// Reads the lines of one event; `None` for a comment.
fn parse(block: &str) -> Option<Event> {
    let value = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim_start);
    let data = value("data:")?.to_owned();
    Some(Event { id: value("id:").and_then(|id| id.parse().ok()), data })
}
