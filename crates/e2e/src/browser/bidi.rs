//! A client of `WebDriver BiDi`, the protocol that drives Firefox: commands and events as JSON over a WebSocket.
//!
//! The protocol: <https://w3c.github.io/webdriver-bidi/>.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Time limit for the answer to a command. Loading a page takes longest.
const COMMAND_TIMEOUT: Duration = Duration::from_mins(1);

/// A connection to a browser.
pub(super) struct Connection {
    commands: mpsc::UnboundedSender<Command>,
}

struct Command {
    method: &'static str,
    params: Value,
    answer: oneshot::Sender<Result<Value>>,
}

impl Connection {
    /// Connects to a browser. `on_event` is called with the name and parameters of each event.
    ///
    /// # Errors
    /// If the browser does not accept the connection.
    pub(super) async fn open(url: &str, on_event: impl Fn(&str, &Value) + Send + 'static) -> Result<Self> {
        let (socket, _) = connect_async(url).await.with_context(|| format!("cannot connect to {url}"))?;
        let (commands, queue) = mpsc::unbounded_channel();
        tokio::spawn(exchange(socket, queue, on_event));
        Ok(Self { commands })
    }

    /// Sends a command and returns its result.
    ///
    /// # Errors
    /// If the browser reports an error, does not answer in time, or has ended.
    pub(super) async fn send(&self, method: &'static str, params: Value) -> Result<Value> {
        let (answer, result) = oneshot::channel();
        // If the connection is closed, this drops `answer`, so that `result` is an error.
        let _ = self.commands.send(Command { method, params, answer });
        let result = tokio::time::timeout(COMMAND_TIMEOUT, result);
        result
            .await
            .with_context(|| format!("the browser does not answer {method}"))?
            .context("the browser has ended")?
    }
}

/// Sends commands and receives answers and events, until one of both sides closes the connection.
async fn exchange(
    mut socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    mut commands: mpsc::UnboundedReceiver<Command>,
    on_event: impl Fn(&str, &Value),
) {
    let mut waiting = HashMap::new();
    let mut last_id = 0_u64;
    loop {
        tokio::select! {
            command = commands.recv() => {
                let Some(Command { method, params, answer }) = command else { return };
                last_id += 1;
                waiting.insert(last_id, answer);
                let text = json!({ "id": last_id, "method": method, "params": params }).to_string();
                if socket.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
            message = socket.next() => {
                let Some(Ok(message)) = message else { return };
                // A ping or a close frame is no JSON.
                let Ok(message) = serde_json::from_slice::<Value>(&message.into_data()) else { continue };
                if let Some(method) = message["method"].as_str() {
                    on_event(method, &message["params"]);
                } else if let Some(answer) = message["id"].as_u64().and_then(|id| waiting.remove(&id)) {
                    // Nobody waits any more for a command that has exceeded its time limit.
                    let _ = answer.send(result_of(message));
                }
            }
        }
    }
}

/// The result in an answer, or its error.
fn result_of(mut answer: Value) -> Result<Value> {
    match answer["error"].as_str() {
        None => Ok(answer["result"].take()),
        Some(error) => Err(anyhow!("{error}: {}", answer["message"].as_str().unwrap_or_default())),
    }
}

/// The plain JSON of a JavaScript value, which the protocol sends with its type. Other values than those of JSON become
/// null.
pub(super) fn plain_json(value: &Value) -> Value {
    let inner = &value["value"];
    let list = || inner.as_array().into_iter().flatten();
    match value["type"].as_str() {
        Some("string" | "boolean") => inner.clone(),
        // Infinity and similar numbers are sent as strings.
        Some("number") if inner.is_number() => inner.clone(),
        Some("array") => list().map(plain_json).collect(),
        Some("object") => {
            let entries = list().filter_map(|entry| Some((entry[0].as_str()?.to_owned(), plain_json(&entry[1]))));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_json_has_the_values_without_types() {
        let typed = json!({ "type": "array", "value": [
            { "type": "string", "value": "a" },
            { "type": "number", "value": 1.5 },
            { "type": "number", "value": "Infinity" },
            { "type": "undefined" },
            { "type": "object", "value": [["key", { "type": "boolean", "value": true }]] },
        ] });
        assert_eq!(plain_json(&typed), json!(["a", 1.5, null, null, { "key": true }]));
    }

    #[test]
    fn answer_with_an_error_is_an_error() {
        assert_eq!(result_of(json!({ "id": 1, "result": { "url": "x" } })).unwrap(), json!({ "url": "x" }));
        let error = result_of(json!({ "id": 1, "error": "no such frame", "message": "gone" })).unwrap_err();
        assert_eq!(error.to_string(), "no such frame: gone");
    }
}
