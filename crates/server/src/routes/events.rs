//! `/api/v1/tables/{id}/events`: a table as it changes.

use std::convert::Infallible;
use std::fmt::Write;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream;
use sultan_domain::ViewJson;
use sultan_table::{JsonView, PresenceGuard, Watch};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::error::{Problem, WebError};
use crate::extract::TableRequest;
use crate::measure::{Open, STREAMS};
use crate::state::AppState;

/// Watch a table
///
/// Server-sent events: `id` is the table's version, `data` the view. On connecting the newest view at once (unless
/// `Last-Event-ID` is it already), then one event for every change. What was missed is not told again: the newest view is all
/// there is to know. A comment every 15 seconds says that the stream is still there.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/events",
    tag = "playing",
    params(
        ("id" = String, Path, description = "The table"),
        ("seat" = Option<u8>, Query, description = "Which seat, for browsers that have several"),
        ("Last-Event-ID" = Option<String>, Header, description = "The version known already"),
    ),
    responses(
        (status = 200, description = "The stream", body = ViewJson, content_type = "text/event-stream"),
        (status = 401, description = "What should be a token is none", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    ),
    security((), ("token" = []), ("browser" = []))
)]
pub(crate) async fn watch(
    State(state): State<AppState>,
    request: TableRequest,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let caller = request.or_spectator(&state).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let watch = state.service().watch(request.table, caller, last).await?;
    let here = state.service().mark_present(request.table, watch.observer().seat().as_slice());
    let events = Events::new(watch, state.config().keep_alive, Open::new(state.config().metrics, STREAMS), here);
    let events = stream::unfold(events, async |mut events| {
        let next = events.next().await?;
        Some((Ok::<_, Infallible>(next), events))
    });
    let mut response = Response::new(Body::from_stream(events));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// How soon clients should come back.
const RETRY: &[u8] = b"retry: 1000\n";

/// What is sent, one piece at a time.
struct Events {
    watch: Watch,
    /// Whether nothing was sent yet.
    first: bool,
    keep_alive: Duration,
    /// When something was sent last.
    sent: Instant,
    /// Runs out no later than something must be sent. It is not set anew for every event: moves are many, silence is rare.
    quiet: Pin<Box<Sleep>>,
    _open: Open,
    _here: PresenceGuard,
}

impl Events {
    fn new(watch: Watch, keep_alive: Duration, open: Open, here: PresenceGuard) -> Self {
        let sent = Instant::now();
        Self {
            watch,
            first: true,
            keep_alive,
            sent,
            quiet: Box::pin(sleep_until(sent + keep_alive)),
            _open: open,
            _here: here,
        }
    }

    /// The next piece; nothing when the watcher has lost the seat, or the server stops.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let next = tokio::select! {
                biased;
                frame = self.watch.next() => Some(event(&frame?, std::mem::take(&mut self.first))),
                () = self.quiet.as_mut() => None,
            };
            let now = Instant::now();
            let (next, due) = match next {
                Some(event) => (Some(event), None),
                None if self.sent + self.keep_alive > now => (None, Some(self.sent + self.keep_alive)),
                None => (Some(Bytes::from_static(b":\n\n")), Some(now + self.keep_alive)),
            };
            if let Some(due) = due {
                self.quiet.as_mut().reset(due);
            }
            if next.is_some() {
                self.sent = now;
                return next;
            }
        }
    }
}

/// A view as one event.
fn event(frame: &JsonView, first: bool) -> Bytes {
    let mut event = BytesMut::with_capacity(frame.json.len() + 48);
    if first {
        event.put_slice(RETRY);
    }
    event.put_slice(b"id: ");
    // Into the same piece, without a text of its own.
    let _ = write!(event, "{}", frame.version);
    event.put_slice(b"\ndata: ");
    event.put_slice(frame.json.as_bytes());
    event.put_slice(b"\n\n");
    event.freeze()
}
