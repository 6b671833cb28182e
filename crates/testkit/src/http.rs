//! Requests to a server on this machine, for tests and measurements.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use sultan_client::header::{AUTHORIZATION, CONTENT_TYPE};
use sultan_client::{Bytes, Client, HeaderMap, Origin, Request, Response};
use sultan_domain::Chance;
use sultan_rules::FastRng;

/// Time limit of a request. Never reached, because tests have their own, shorter time limits.
const TIME_LIMIT: Duration = Duration::from_mins(10);

/// A server's response.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "names suffice")]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    fn new(response: Response<Bytes>) -> Result<Self> {
        let (head, body) = response.into_parts();
        let body = String::from_utf8(body.into())?;
        Ok(Self { status: head.status.as_u16(), headers: head.headers, body })
    }

    /// The value of a header; `None` if it is missing or not text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// If it is not JSON.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_str(&self.body).with_context(|| format!("{}: {}", self.status, self.body))
    }
}

fn client(address: SocketAddr) -> Result<Client> {
    Ok(Client::new(Origin::from(address))?)
}

/// An open connection.
#[derive(Debug)]
pub struct Connection(sultan_client::Connection);

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// If no server listens at the address.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        Ok(Self(client(address)?.connect(TIME_LIMIT).await?))
    }

    /// Sends a request, with the token of a seat if one is given, and waits for the response.
    ///
    /// # Errors
    /// If the server closes the connection.
    pub async fn ask(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> Result<Answer> {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        Answer::new(self.0.fetch(request.body(body.to_owned())?, TIME_LIMIT).await?)
    }
}

/// One server-sent event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The version of the table.
    pub id: u32,
    /// The view as JSON.
    pub data: String,
}

/// The event stream of a table.
#[derive(Debug)]
pub struct Events(sultan_client::Events);

impl Events {
    /// Watches a table, as the seat of this token, or else as a spectator. `last` is the version of the last event that
    /// the client has already received.
    ///
    /// # Errors
    /// If the server rejects the request.
    pub async fn open(address: SocketAddr, table: &str, token: Option<&str>, last: Option<u32>) -> Result<Self> {
        let mut request = Request::get(format!("/api/v1/tables/{table}/events"));
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        match client(address)?.events(request.body(String::new())?, TIME_LIMIT).await? {
            Ok(events) => Ok(Self(events)),
            Err(response) => bail!("the server rejected the event stream: {:?}", Answer::new(response)?),
        }
    }

    /// The next event.
    ///
    /// # Errors
    /// If the stream ends.
    pub async fn next(&mut self) -> Result<Event> {
        let event = self.0.next(TIME_LIMIT).await?.context("the stream ended")?;
        Ok(Event { id: event.id.context("an event has an id")?, data: event.data })
    }
}

/// The legal actions in the JSON of a view.
#[must_use]
pub fn legal(view: &str) -> Vec<&str> {
    let list = view.split_once("\"legal\":[").map_or("", |(_, after)| after.split(']').next().unwrap_or(""));
    list.split(',').map(|action| action.trim_matches('"')).filter(|action| !action.is_empty()).collect()
}

/// A random legal action from the JSON of a view.
///
/// # Errors
/// If no action is legal.
pub fn random_legal(view: &str, rng: &mut FastRng) -> Result<String> {
    let legal = legal(view);
    ensure!(!legal.is_empty(), "the view lists no legal action: {view}");
    Ok(legal[rng.below(u32::try_from(legal.len())?) as usize].to_owned())
}

/// The value (text or number) of the first field with this name in the server's JSON. Found by a text search, which is
/// faster than parsing the document.
#[must_use]
pub fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    // Two quotation marks and a colon are around the name.
    let value_start = json.find(&format!("\"{name}\":"))? + name.len() + 3;
    let value = &json[value_start..];
    match value.strip_prefix('"') {
        Some(text) => Some(&text[..text.find('"')?]),
        None => Some(&value[..value.find([',', '}'])?]),
    }
}
