//! `/api/v1/tables/{id}/socket`: watching and acting on one connection, for programs that play.

use std::fmt::Write;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{Extensions, HeaderMap, Method, StatusCode};
use axum::response::Response;
use sultan_domain::{TableId, ViewJson};
use sultan_table::{Caller, JsonView, Rejection, Watch};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::actions::ActionBody;
use crate::error::{Problem, WebError};
use crate::extract::{TableRequest, is_own_origin, parse_json};
use crate::measure;
use crate::socket::{Incoming, Sent, WsReader, accept, finish_close, send};
use crate::state::AppState;

/// A message to the client: a view with the table's version, or a problem.
#[derive(ToSchema)]
#[schema(as = Told)]
#[expect(dead_code, reason = "describes messages that are put together from ready-made JSON")]
pub(crate) struct SocketMessage<'a> {
    /// The table's version.
    #[schema(example = 17)]
    version: Option<u32>,
    /// The caller's view.
    view: Option<ViewJson>,
    /// The reason why an action was rejected.
    problem: Option<Problem<'a>>,
}

/// The name of this route in the request metrics.
const ROUTE: &str = "/api/v1/tables/{id}/socket";

/// Watch and act
///
/// A WebSocket. The server sends `{"version":17,"view":{…}}`, with the table's version and the view: the newest view on
/// connecting, then one message for every change. The client sends actions, in the format of `/actions`. The answer to
/// a stored action is the resulting view, the answer to a rejected action is `{"problem":{…}}` with the error of
/// `/actions`. The server sends a ping every 20 seconds.
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/socket",
    operation_id = "talk",
    tag = "playing",
    params(
        ("id" = String, Path, description = "The table"),
        ("seat" = Option<u8>, Query, description = "The seat to use, for browsers that have several"),
    ),
    responses(
        (status = 101, description = "The socket", body = SocketMessage),
        (status = 401, description = "The token is malformed", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 426, description = "The request does not ask for a WebSocket", body = Problem),
    ),
    security((), ("token" = []), ("browser" = []))
)]
pub(crate) async fn connect(
    State(state): State<AppState>,
    request: TableRequest,
    headers: HeaderMap,
    extensions: Extensions,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, WebError> {
    let caller = request.caller_or_spectator(&state).await?;
    // Browsers send cookies also with a WebSocket that a page of another site opens, and that page could read the
    // messages.
    if matches!(caller, Caller::Visitor { .. }) && !is_own_origin(&headers) {
        return Err(WebError::cross_site());
    }
    let watch = state.service().watch(request.table, caller, None).await?;
    let upgrade = upgrade.map_err(|_| upgrade_required())?;
    let table = request.table;
    let connection =
        SocketConnection { state: state.clone(), table, caller, watch, sent_version: 0, unsent_answer: None };
    Ok(accept(upgrade, &state, &extensions, &headers, async move |socket, reader| {
        let _presence = connection.state.service().mark_present(table, connection.watch.observer().seat().as_slice());
        connection.run(socket, reader).await;
    }))
}

fn upgrade_required() -> WebError {
    let detail = "this path is a WebSocket: ask with “Connection: Upgrade” and “Upgrade: websocket”";
    WebError::new(StatusCode::UPGRADE_REQUIRED, "socket/upgrade", detail)
}

/// The WebSocket of one client.
struct SocketConnection {
    state: AppState,
    table: TableId,
    caller: Caller,
    watch: Watch,
    /// The version of the table that was sent last.
    sent_version: u32,
    /// The view after this client's last stored action, until it or a newer view is sent.
    unsent_answer: Option<JsonView>,
}

impl SocketConnection {
    /// Sends and receives until the client disconnects, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket, mut reader: WsReader) {
        loop {
            let message = tokio::select! {
                biased;
                view = self.watch.next() => match view {
                    Some(view) => self.next_view(&view),
                    None => break,
                },
                incoming = reader.next(&mut socket) => match incoming {
                    Incoming::Message(message) => match self.answer(message, reader.count_message()).await {
                        Some(answer) => answer,
                        None => continue,
                    },
                    Incoming::PingDue(ping) => ping,
                    Incoming::Close => return finish_close(socket).await,
                    Incoming::Disconnected => return,
                    Incoming::Invalid => break,
                },
            };
            if send(&mut socket, message).await == Sent::Failed {
                return;
            }
        }
        // When the server stops, the watch may end before it has delivered the view after a stored action.
        if let Some(view) = self.unsent_answer.take()
            && send(&mut socket, view_message(&view)).await == Sent::Failed
        {
            return;
        }
        send(&mut socket, Message::Close(None)).await;
    }

    /// The message with the next view of the watch.
    fn next_view(&mut self, view: &JsonView) -> Message {
        self.sent_version = view.version;
        self.unsent_answer.take_if(|answer| answer.version <= view.version);
        view_message(view)
    }

    /// Acts on a message that is within the rate limit. Returns the answer; `None` if the answer is a new view, which
    /// the watch delivers after the views before it.
    async fn answer(&mut self, message: Message, within_limit: Result<(), WebError>) -> Option<Message> {
        let Message::Text(text) = message else {
            return Some(problem_message(&within_limit.err().unwrap_or_else(not_text)));
        };
        let started = Instant::now();
        let result = match within_limit {
            Ok(()) => self.act(text.as_bytes()).await,
            Err(error) => Err(error),
        };
        if self.state.config().metrics_enabled {
            let status = result.as_ref().map_or_else(WebError::status, |_| StatusCode::OK);
            measure::count_request(&Method::POST, ROUTE, status, started.elapsed());
        }
        match result {
            Ok(view) if view.version > self.sent_version => {
                self.unsent_answer = Some(view);
                None
            }
            // The action was repeated: its view was already sent, so the watch does not deliver it again.
            Ok(view) => Some(view_message(&view)),
            Err(error) => Some(problem_message(&error)),
        }
    }

    async fn act(&self, body: &[u8]) -> Result<JsonView, WebError> {
        if self.watch.observer().seat().is_none() {
            return Err(Rejection::NoToken.into());
        }
        let body: ActionBody = parse_json(body)?;
        let acted =
            self.state.service().act_as_text(self.table, &self.caller, &body.action, body.earlier_actions()).await?;
        Ok(acted.json())
    }
}

fn not_text() -> WebError {
    WebError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "body/not-json", "a message must be JSON, sent as text")
}

/// A message with a view.
fn view_message(view: &JsonView) -> Message {
    let mut text = String::with_capacity(view.json.len() + 32);
    // Writing to a string cannot fail. `format!` would have to guess the capacity.
    let _ = write!(text, "{{\"version\":{},\"view\":{}}}", view.version, view.json);
    Message::Text(text.into())
}

fn problem_message(error: &WebError) -> Message {
    let text = [b"{\"problem\":", &error.json()[..], b"}"].concat();
    Message::Text(Utf8Bytes::try_from(text).expect("JSON is text"))
}
