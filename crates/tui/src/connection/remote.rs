//! A table on a running server, accessed only through its public API.

use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use sultan_client::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION};
use sultan_client::{Bytes, Client, Error, Origin, Request, RequestBuilder, Response};
use sultan_domain::{Kind, PlayerColour, Seat, TableId, TableView};
use sultan_text::sanitized;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{PlayError, TableEvent, TableLink};

/// Wait before reconnecting to a lost server.
pub(crate) const RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// Time limit for a response, connecting included.
const RESPONSE_TIME_LIMIT: Duration = Duration::from_secs(20);
/// An event stream that is silent for longer counts as lost. The server sends a comment at least every 15 seconds.
const MAX_SILENCE: Duration = Duration::from_secs(40);

/// A player's or spectator's access to a table on a server.
#[derive(Clone)]
pub(crate) struct RemoteTable {
    client: Client,
    table: TableId,
    token: Option<String>,
    /// The player's seat; empty for a spectator.
    pub(super) own_seats: Vec<Seat>,
}

/// The body of an error response.
#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    detail: String,
}

/// The error for a response whose status is not a success.
fn response_error(response: &Response<Bytes>) -> PlayError {
    if let Ok(problem) = serde_json::from_slice::<Problem>(response.body()) {
        return PlayError::Rejected { code: sanitized(&problem.code), detail: sanitized(&problem.detail) };
    }
    let status = response.status();
    let hint = match location(response).filter(|_| status.is_redirection()) {
        Some(location) => format!(" and points to {}: play with a link from there", sanitized(location)),
        None => String::new(),
    };
    PlayError::Unreachable(format!("the server answers with status {}{hint}", status.as_u16()))
}

/// The address to which a response redirects.
fn location(response: &Response<Bytes>) -> Option<&str> {
    response.headers().get(LOCATION)?.to_str().ok()
}

/// The target if a response redirects from plain HTTP to TLS on the same host. Redirects to other hosts are not
/// followed, because the other host would get the token.
fn redirect_to_tls(from: &Origin, response: &Response<Bytes>) -> Option<Origin> {
    let location = location(response).filter(|_| response.status().is_redirection())?;
    let (scheme, host_and_path) = location.split_once("://")?;
    let host = host_and_path.split('/').next().unwrap_or_default();
    let target: Origin = format!("{scheme}://{host}").parse().ok()?;
    let is_same_host = target.host().eq_ignore_ascii_case(from.host());
    (!from.is_secure() && target.is_secure() && is_same_host).then_some(target)
}

/// The error for a failed GET. Server errors and rate limits are temporary, so they become
/// [`PlayError::Unreachable`], which is retried. (Other methods are not retried: the request may have had an effect.)
fn get_error(response: &Response<Bytes>) -> PlayError {
    let status = response.status();
    match response_error(response) {
        PlayError::Rejected { detail, .. } if status.as_u16() == 429 || status.is_server_error() => {
            PlayError::Unreachable(detail)
        }
        error => error,
    }
}

/// Parses the response to a request with this method.
fn parse_response<T: DeserializeOwned>(method: &str, response: &Response<Bytes>) -> Result<T, PlayError> {
    match response.status() {
        status if status.is_success() => Ok(serde_json::from_slice(response.body())?),
        _ if method == "GET" => Err(get_error(response)),
        _ => Err(response_error(response)),
    }
}

fn client(origin: &Origin) -> Result<Client, PlayError> {
    Client::new(origin.clone()).map_err(|error| unreachable_error(origin, &error))
}

/// The error for a request without a response. The message names the server.
fn unreachable_error(origin: &Origin, error: &Error) -> PlayError {
    PlayError::Unreachable(format!("{}: {error}", origin.authority()))
}

impl RemoteTable {
    /// Joins a table: in the seat of the link's token, if the link has a token; otherwise in a free seat, if the table
    /// has a free seat; otherwise as a spectator.
    pub(crate) async fn join(link: TableLink, name: &str, colour: Option<PlayerColour>) -> Result<Self, PlayError> {
        let TableLink { origin, table, token } = link;
        let mut remote = Self { client: client(&origin)?, table, token, own_seats: Vec::new() };
        let view = remote.first_view().await?;
        let has_free_seat = match &view {
            TableView::Waiting(waiting) => {
                !waiting.ended && waiting.seats.iter().any(|seat| seat.person.kind == Kind::Open)
            }
            TableView::Playing(_) => false,
        };
        if remote.token.is_none() && has_free_seat {
            match remote.sit(name, colour).await {
                Ok(()) => return Ok(remote),
                // Other players took the free seats in the meantime, so join as a spectator.
                Err(PlayError::Rejected { code, .. }) if matches!(&code[..], "seat/none-free" | "table/started") => {}
                Err(error) => return Err(error),
            }
        }
        // The seat of the token; empty for a spectator.
        remote.own_seats.extend(view.seat());
        Ok(remote)
    }

    /// Takes the first free seat.
    async fn sit(&mut self, name: &str, colour: Option<PlayerColour>) -> Result<(), PlayError> {
        #[derive(Deserialize)]
        struct TakenSeat {
            seat: Seat,
            token: String,
        }
        let body = json!({"name": name, "colour": colour});
        let taken: TakenSeat = self.send("POST", "/seats", Some(body)).await?;
        self.own_seats = vec![taken.seat];
        self.token = Some(taken.token);
        Ok(())
    }

    /// The link with which the player can return to the seat.
    pub(crate) fn seat_link(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        Some(format!("{}/t/{}/in/{token}", self.client.origin(), self.table))
    }

    /// Gets the first view, and switches to TLS if the server redirects plain HTTP to it. All later requests use TLS
    /// directly, so that the token is not sent in the clear again.
    async fn first_view(&mut self) -> Result<TableView, PlayError> {
        let response = self.fetch("GET", "", None).await?;
        let Some(secure_origin) = redirect_to_tls(self.client.origin(), &response) else {
            return parse_response("GET", &response);
        };
        self.client = client(&secure_origin)?;
        self.view().await
    }

    /// Starts a request to the table. `path` is the part after the table's own path.
    fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let request = Request::builder().method(method).uri(format!("/api/v1/tables/{}{path}", self.table));
        match &self.token {
            Some(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    /// Sends a request, and returns the response with any status.
    async fn fetch(&self, method: &str, path: &str, body: Option<Value>) -> Result<Response<Bytes>, PlayError> {
        let request = match body {
            Some(body) => self.request(method, path).header(CONTENT_TYPE, "application/json").body(body.to_string()),
            None => self.request(method, path).body(String::new()),
        };
        let fetched = async { self.client.fetch(request?, RESPONSE_TIME_LIMIT).await };
        fetched.await.map_err(|error| unreachable_error(self.client.origin(), &error))
    }

    /// Sends a request, and parses the response.
    pub(super) async fn send<T>(&self, method: &str, path: &str, body: Option<Value>) -> Result<T, PlayError>
    where
        T: DeserializeOwned,
    {
        parse_response(method, &self.fetch(method, path, body).await?)
    }

    pub(super) async fn view(&self) -> Result<TableView, PlayError> {
        self.send("GET", "", None).await
    }

    /// Opens a rematch or joins it, and agrees to it for this player.
    pub(super) async fn rematch(&self) -> Result<Self, PlayError> {
        #[derive(Deserialize)]
        struct Rematch {
            table: TableId,
        }
        let Rematch { table } = self.send("POST", "/rematch", Some(json!({}))).await?;
        let rematch = Self { table, ..self.clone() };
        // Opening the rematch is an agreement to it. Every other player has to agree with a seed.
        if let (Some(seat), TableView::Waiting(_)) = (self.own_seats.first(), rematch.view().await?) {
            let agreement = json!({"client_seed": ""});
            rematch.send::<IgnoredAny>("PUT", &format!("/seats/{seat}"), Some(agreement)).await?;
        }
        Ok(rematch)
    }

    /// Sends table events. Connects again whenever the connection is lost or the stream ends; fails if the server
    /// rejects the request.
    pub(super) async fn watch(self, events: &mpsc::Sender<TableEvent>) -> Result<(), PlayError> {
        let mut last_version = None;
        while !events.is_closed() {
            match self.forward_events(events, &mut last_version).await {
                Err(PlayError::Unreachable(reason)) => drop(events.send(TableEvent::Disconnected(reason)).await),
                result => result?,
            }
            sleep(RECONNECT_DELAY).await;
        }
        Ok(())
    }

    /// Forwards the events of one stream until it ends. `last_version` is the version of the last view received, so
    /// that the server does not send that view again.
    async fn forward_events(
        &self,
        events: &mpsc::Sender<TableEvent>,
        last_version: &mut Option<u32>,
    ) -> Result<(), PlayError> {
        let connection_lost = |error: Error| unreachable_error(self.client.origin(), &error);
        let mut request = self.request("GET", "/events");
        if let Some(version) = *last_version {
            request = request.header("last-event-id", version);
        }
        let opened = async { self.client.events(request.body(String::new())?, RESPONSE_TIME_LIMIT).await };
        let mut stream = opened.await.map_err(connection_lost)?.map_err(|response| get_error(&response))?;
        let _ = events.send(TableEvent::Connected).await;
        while let Some(event) = stream.next(MAX_SILENCE).await.map_err(connection_lost)? {
            let view = serde_json::from_str(&event.data)?;
            *last_version = event.id;
            if events.send(TableEvent::View(view)).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
