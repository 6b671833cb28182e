//! A table on a running server, accessed only through its public API.

use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use sultan_client::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION};
use sultan_client::{Bytes, Client, Error, Origin, Request, Response};
use sultan_domain::{Kind, PlayerColour, Seat, TableId, TableView};
use sultan_text::sanitized;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{PlayError, TableEvent, TableLink};

/// Wait before reconnecting to a lost server.
pub(crate) const AGAIN: Duration = Duration::from_secs(1);
/// Time limit for a response, connecting included.
const RESPONSE_TIME_LIMIT: Duration = Duration::from_secs(20);
/// An event stream that is silent for longer is considered dead. The server sends something every 15 seconds.
const MAX_SILENCE: Duration = Duration::from_secs(40);

/// A player's or spectator's access to a table on a server.
#[derive(Clone)]
pub(crate) struct Remote {
    client: Client,
    table: TableId,
    token: Option<String>,
    /// The player's seat; empty for a spectator.
    pub(super) own: Vec<Seat>,
}

/// The body of an error response.
#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    detail: String,
}

fn refused(response: &Response<Bytes>) -> PlayError {
    if let Ok(problem) = serde_json::from_slice::<Problem>(response.body()) {
        return PlayError::Refused { code: sanitized(&problem.code), detail: sanitized(&problem.detail) };
    }
    let status = response.status().as_u16();
    match location(response) {
        Some(location) if (300..400).contains(&status) => {
            let location = sanitized(location);
            PlayError::Lost(format!(
                "the server answers with {status} and points to {location}: play with a link from there"
            ))
        }
        _ => PlayError::Lost(format!("the server answers with {status}")),
    }
}

fn location(response: &Response<Bytes>) -> Option<&str> {
    response.headers().get(LOCATION)?.to_str().ok()
}

/// The target if a response redirects from plain HTTP to TLS on the same host. Redirects to other hosts are not
/// followed, because the other host would get the token.
fn redirect_to_tls(from: &Origin, response: &Response<Bytes>) -> Option<Origin> {
    let (scheme, rest) = location(response).filter(|_| response.status().is_redirection())?.split_once("://")?;
    let origin: Origin = format!("{scheme}://{}", rest.split('/').next().unwrap_or_default()).parse().ok()?;
    let same_host = origin.host().eq_ignore_ascii_case(from.host());
    (!from.is_secure() && origin.is_secure() && same_host).then_some(origin)
}

/// The error for a failed GET. Server errors and rate limits are temporary, so they become [`PlayError::Lost`], which
/// is retried.
fn unseen(response: &Response<Bytes>) -> PlayError {
    let status = response.status();
    match refused(response) {
        PlayError::Refused { detail, .. } if status.as_u16() == 429 || status.is_server_error() => {
            PlayError::Lost(detail)
        }
        trouble => trouble,
    }
}

fn client(origin: &Origin) -> Result<Client, PlayError> {
    Client::new(origin.clone()).map_err(|error| lost(origin, &error))
}

fn lost(origin: &Origin, error: &Error) -> PlayError {
    PlayError::Lost(format!("{}: {error}", origin.authority()))
}

impl Remote {
    /// Joins a table: in the seat of the link's token, otherwise in a free seat, otherwise as a spectator.
    pub(crate) async fn come(link: TableLink, name: &str, colour: Option<PlayerColour>) -> Result<Self, PlayError> {
        let TableLink { origin, table, token } = link;
        let mut remote = Self { client: client(&origin)?, table, token, own: Vec::new() };
        let told = remote.first_look().await?;
        let free = |told: &TableView| match told {
            TableView::Waiting(waiting) => {
                !waiting.ended && waiting.seats.iter().any(|seat| seat.person.kind == Kind::Open)
            }
            TableView::Playing(_) => false,
        };
        if remote.token.is_none() && free(&told) {
            match remote.sit(name, colour).await {
                Ok(()) => return Ok(remote),
                // Other players took the free seats first, so watch.
                Err(PlayError::Refused { code, .. }) if matches!(&code[..], "seat/none-free" | "table/started") => {}
                Err(trouble) => return Err(trouble),
            }
        }
        remote.own.extend(told.seat());
        Ok(remote)
    }

    async fn sit(&mut self, name: &str, colour: Option<PlayerColour>) -> Result<(), PlayError> {
        #[derive(Deserialize)]
        struct Seated {
            seat: Seat,
            token: String,
        }
        let body = serde_json::json!({"name": name, "colour": colour});
        let seated: Seated = self.ask("POST", "/seats", Some(body)).await?;
        self.own = vec![seated.seat];
        self.token = Some(seated.token);
        Ok(())
    }

    /// The link with which the player can return to the seat.
    pub(crate) fn own_link(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        Some(format!("{}/t/{}/in/{token}", self.client.origin(), self.table))
    }

    /// Gets the first view, and switches to TLS if the server redirects plain HTTP to it. All later requests use TLS
    /// directly, so that the token is not sent in the clear again.
    async fn first_look(&mut self) -> Result<TableView, PlayError> {
        let response = self.send("GET", "", None).await?;
        match redirect_to_tls(self.client.origin(), &response) {
            Some(secure) => {
                self.client = client(&secure)?;
                self.look().await
            }
            None if response.status().is_success() => Ok(serde_json::from_slice(response.body())?),
            None => Err(unseen(&response)),
        }
    }

    fn request(&self, method: &str, what: &str) -> sultan_client::RequestBuilder {
        let request = Request::builder().method(method).uri(format!("/api/v1/tables/{}{what}", self.table));
        match &self.token {
            Some(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    async fn send(
        &self,
        method: &str,
        what: &str,
        body: Option<serde_json::Value>,
    ) -> Result<Response<Bytes>, PlayError> {
        let request = match body {
            Some(body) => self.request(method, what).header(CONTENT_TYPE, "application/json").body(body.to_string()),
            None => self.request(method, what).body(String::new()),
        };
        let sent = async { self.client.fetch(request?, RESPONSE_TIME_LIMIT).await };
        sent.await.map_err(|error| lost(self.client.origin(), &error))
    }

    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        what: &str,
        body: Option<serde_json::Value>,
    ) -> Result<T, PlayError> {
        let response = self.send(method, what, body).await?;
        match response.status() {
            status if status.is_success() => Ok(serde_json::from_slice(response.body())?),
            _ if method == "GET" => Err(unseen(&response)),
            _ => Err(refused(&response)),
        }
    }

    pub(super) async fn look(&self) -> Result<TableView, PlayError> {
        self.ask("GET", "", None).await
    }

    pub(super) async fn once_more(&self) -> Result<Self, PlayError> {
        #[derive(Deserialize)]
        struct Rematch {
            table: TableId,
        }
        let Rematch { table } = self.ask("POST", "/rematch", Some(serde_json::json!({}))).await?;
        let next = Self { table, ..self.clone() };
        // The second player to request the rematch still has to agree to it.
        if let (Some(seat), TableView::Waiting(_)) = (self.own.first(), next.look().await?) {
            let agree = serde_json::json!({"client_seed": ""});
            next.ask::<IgnoredAny>("PUT", &format!("/seats/{seat}"), Some(agree)).await?;
        }
        Ok(next)
    }

    pub(super) async fn watch(self, news: mpsc::Sender<TableEvent>) {
        let mut last = None;
        loop {
            match self.follow(&news, &mut last).await {
                Ok(()) => {}
                Err(PlayError::Lost(why)) => {
                    if news.send(TableEvent::Lost(why)).await.is_err() {
                        return;
                    }
                }
                Err(trouble @ PlayError::Refused { .. }) => {
                    let _ = news.send(TableEvent::Gone(trouble)).await;
                    return;
                }
            }
            if news.is_closed() {
                return;
            }
            sleep(AGAIN).await;
        }
    }

    /// Forwards the events of one stream until it ends.
    async fn follow(&self, news: &mpsc::Sender<TableEvent>, last: &mut Option<u32>) -> Result<(), PlayError> {
        let lost = |error: Error| lost(self.client.origin(), &error);
        let mut request = self.request("GET", "/events");
        if let Some(last) = *last {
            request = request.header("last-event-id", last);
        }
        let opened = async { self.client.events(request.body(String::new())?, RESPONSE_TIME_LIMIT).await };
        let mut events = opened.await.map_err(lost)?.map_err(|response| unseen(&response))?;
        let _ = news.send(TableEvent::Found).await;
        while let Some(event) = events.next(MAX_SILENCE).await.map_err(lost)? {
            let told = serde_json::from_str(&event.data)?;
            *last = event.id;
            if news.send(TableEvent::Told(told)).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
