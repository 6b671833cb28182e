//! `/api/v1/tables/{id}/socket`: watching and acting on one connection, for programs that play.

use std::fmt::Write;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{Extensions, HeaderMap, Method, StatusCode};
use axum::response::Response;
use bytes::{BufMut, BytesMut};
use sultan_domain::TableId;
use sultan_table::{Caller, JsonView, Rejection, Watch};
use tokio::time::Instant;

use super::actions::ActionBody;
use crate::error::{Problem, WebError};
use crate::extract::{Call, is_own_origin, read};
use crate::measure::{self, Open};
use crate::serve::Held;
use crate::shapes::Told;
use crate::socket::{Ear, Heard, part, quiet, say};
use crate::state::AppState;

/// What is asked here is counted under this name.
const ROUTE: &str = "/api/v1/tables/{id}/socket";

/// Watch and act
///
/// A WebSocket. What comes is `{"version":17,"view":{…}}`, with the table's version and the view: on connecting the newest at once, then
/// one for every change. What is sent are actions, as to `/actions`; one that is stored is answered by the view that it led to, one
/// that is not by `{"problem":{…}}`, as `/actions` would answer. The server asks every 20 seconds whether the client is still there
/// (ping).
#[utoipa::path(
    get,
    path = "/api/v1/tables/{id}/socket",
    tag = "playing",
    params(
        ("id" = String, Path, description = "The table"),
        ("seat" = Option<u8>, Query, description = "Which seat, for browsers that have several"),
    ),
    responses(
        (status = 101, description = "The socket", body = Told),
        (status = 401, description = "What should be a token is none", body = Problem),
        (status = 403, description = "Not a token of this table", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 426, description = "The request does not ask for a WebSocket", body = Problem),
    ),
    security((), ("token" = []), ("browser" = []))
)]
pub(crate) async fn talk(
    State(state): State<AppState>,
    call: Call,
    headers: HeaderMap,
    extensions: Extensions,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, WebError> {
    let caller = call.or_spectator(&state).await?;
    // A browser sends its cookie whoever makes it call, and what comes over a socket can be read by whoever did.
    if matches!(caller, Caller::Visitor { .. }) && !is_own_origin(&headers) {
        return Err(WebError::cross_site());
    }
    let watch = state.service().watch(call.table, caller, None).await?;
    let upgrade = upgrade.map_err(|_| no_socket())?;
    let open = Open::stream(state.config().metrics);
    let ear = Ear::new(&state, &extensions, &headers);
    let held = extensions.get::<Held>().cloned();
    let talk = Talk { state, table: call.table, caller, watch, told: 0, owed: None, ear };
    Ok(quiet(upgrade).on_upgrade(async move |socket| {
        let here = talk.state.service().mark_present(talk.table, talk.watch.observer().seat().as_slice());
        talk.run(socket).await;
        drop((open, held, here));
    }))
}

fn no_socket() -> WebError {
    let detail = "this path is a WebSocket: ask with “Connection: Upgrade” and “Upgrade: websocket”";
    WebError::new(StatusCode::UPGRADE_REQUIRED, "socket/upgrade", detail)
}

/// A program at the other end of a socket.
struct Talk {
    state: AppState,
    table: TableId,
    caller: Caller,
    watch: Watch,
    /// The version that was told last.
    told: u32,
    /// What an action has led to that was not told yet.
    owed: Option<JsonView>,
    ear: Ear,
}

impl Talk {
    /// Tells and listens until the other end is gone, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket) {
        loop {
            let message = tokio::select! {
                biased;
                frame = self.watch.next() => match frame {
                    Some(frame) => self.tell(&frame),
                    None => break,
                },
                heard = self.ear.hear(&mut socket) => match heard {
                    Heard::Said(said) => match self.answer(said).await {
                        Some(answer) => answer,
                        None => continue,
                    },
                    Heard::Nothing(ping) => ping,
                    Heard::Leaves => return part(socket).await,
                    Heard::Gone => return,
                    Heard::TooMuch => break,
                },
            };
            if !say(&mut socket, message).await {
                return;
            }
        }
        if let Some(frame) = self.owed.take()
            && !say(&mut socket, view(&frame)).await
        {
            return;
        }
        say(&mut socket, Message::Close(None)).await;
    }

    fn tell(&mut self, frame: &JsonView) -> Message {
        self.told = frame.version;
        self.owed = self.owed.take().filter(|owed| owed.version > frame.version);
        view(frame)
    }

    /// The answer to what is said, unless it comes by itself.
    async fn answer(&mut self, said: Message) -> Option<Message> {
        match said {
            Message::Text(text) => self.hear(text.as_bytes()).await,
            _ => Some(problem(&self.ear.count().err().unwrap_or_else(no_text))),
        }
    }

    /// Does what is asked. The answer, unless it comes by itself: whoever watches is told of what has changed, in order.
    async fn hear(&mut self, asked: &[u8]) -> Option<Message> {
        let begun = Instant::now();
        let acted = self.act(asked).await;
        if self.state.config().metrics {
            let status = acted.as_ref().map_or_else(WebError::status, |_| StatusCode::OK);
            measure::request(&Method::POST, ROUTE, status, begun.elapsed());
        }
        match acted {
            Ok(frame) if frame.version > self.told => {
                self.owed = Some(frame);
                None
            }
            // It was done before, and told.
            Ok(frame) => Some(view(&frame)),
            Err(error) => Some(problem(&error)),
        }
    }

    async fn act(&self, asked: &[u8]) -> Result<JsonView, WebError> {
        self.ear.count()?;
        if self.watch.observer().seat().is_none() {
            return Err(Rejection::NoToken.into());
        }
        let asked: ActionBody = read(asked)?;
        let acted = self.state.service().act_as_text(self.table, &self.caller, &asked.action, asked.at()).await?;
        Ok(acted.json())
    }
}

fn no_text() -> WebError {
    WebError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "body/not-json", "a message must be JSON, sent as text")
}

/// A view as one message.
fn view(frame: &JsonView) -> Message {
    let mut text = BytesMut::with_capacity(frame.json.len() + 32);
    // Into the same piece, without a text of its own.
    let _ = write!(text, "{{\"version\":{},\"view\":", frame.version);
    text.put_slice(&frame.json);
    text.put_u8(b'}');
    Message::Text(Utf8Bytes::try_from(text.freeze()).expect("JSON is text"))
}

fn problem(error: &WebError) -> Message {
    let text = [b"{\"problem\":", &error.json()[..], b"}"].concat();
    Message::Text(Utf8Bytes::try_from(text).expect("JSON is text"))
}
