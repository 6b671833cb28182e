//! `/api/v1/tables/{id}/events`: a stream of the states of a table.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use sultan_domain::ViewJson;

use crate::error::{Problem, WebError};
use crate::extract::TableRequest;
use crate::measure::{OpenGauge, STREAMS};
use crate::state::AppState;

/// The delay before clients reconnect.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Watch a table
///
/// Server-sent events: `id` is the table's version, `data` the view. The first event is the newest view (omitted if
/// `Last-Event-ID` is its version), then one event follows for every change. Missed events are not repeated: the newest
/// view is complete. A comment is sent every 15 seconds to keep the stream alive.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/events",
    tag = "playing",
    params(
        ("id" = String, Path, description = "The table"),
        ("seat" = Option<u8>, Query, description = "The seat to use, for browsers that have several"),
        ("Last-Event-ID" = Option<String>, Header, description = "The version that the client already has"),
    ),
    responses(
        (status = 200, description = "The stream", body = ViewJson, content_type = "text/event-stream"),
        (status = 401, description = "The token is malformed", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    ),
    security((), ("token" = []), ("browser" = []))
)]
pub(crate) async fn watch(
    State(state): State<AppState>,
    request: TableRequest,
    headers: HeaderMap,
) -> Result<impl IntoResponse, WebError> {
    let caller = request.caller_or_spectator(&state).await?;
    let client_version = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let watch = state.service().watch(request.table, caller, client_version).await?;
    let presence = state.service().mark_present(request.table, watch.observer().seat().as_slice());
    // While these two exist, the player counts as present and the stream as open. So they are part of the stream.
    let guards = (presence, OpenGauge::new(STREAMS));
    let first_event = Event::default().retry(RETRY_DELAY);
    let events = stream::unfold((watch, first_event, guards), async |(mut watch, event, guards)| {
        // `None` ends the stream: the watcher has lost the seat, or the server stops.
        let view = watch.next().await?;
        let event = event.id(view.version.to_string()).data(&view.json);
        Some((Ok::<_, Infallible>(event), (watch, Event::default(), guards)))
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(state.config().keep_alive_interval));
    Ok(([(header::CACHE_CONTROL, "no-store")], events))
}
