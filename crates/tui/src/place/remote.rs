//! A table of a running server, by its public API and nothing else.

use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use sultan_domain::{Kind, PlayerColour, Seat, TableId};
use sultan_text::harmless;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::http::{self, Answer, Events, Question};
use super::{News, Trouble, unreadable};
use crate::told::Told;

/// How soon a lost server is tried again.
pub(crate) const AGAIN: Duration = Duration::from_secs(1);

/// The link of a table: `http://HOST[:PORT]/t/TABLE`, with `/in/TOKEN` behind it for a seat.
#[derive(Clone)]
pub struct Address {
    host: String,
    table: TableId,
    token: Option<String>,
}

/// A token is nobody else's business.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "http://{}/t/{}", self.host, self.table)
    }
}

/// Not the link of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAddress {
    /// It is not read.
    #[error("a table's link is http://HOST:PORT/t/TABLE, or …/t/TABLE/in/TOKEN for a seat")]
    Shape,
    /// Encrypted links are not supported.
    #[error("only http:// is spoken here; for https:// play in the browser, or through a tunnel such as ssh -L")]
    Encrypted,
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim();
        if text.starts_with("https://") {
            return Err(NoAddress::Encrypted);
        }
        let rest = text.strip_prefix("http://").ok_or(NoAddress::Shape)?;
        let rest = rest.split(['?', '#']).next().unwrap_or(rest);
        let (host, path) = rest.split_once("/t/").ok_or(NoAddress::Shape)?;
        let odd = |sign: char| sign.is_control() || sign.is_whitespace() || matches!(sign, '/' | '@');
        if host.is_empty() || host.contains(odd) {
            return Err(NoAddress::Shape);
        }
        let mut parts = path.trim_end_matches('/').split('/');
        let table = parts.next().and_then(|table| table.parse().ok()).ok_or(NoAddress::Shape)?;
        let is_token = |token: &&str| token.len() == 64 && token.bytes().all(|sign| sign.is_ascii_hexdigit());
        let token = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => None,
            (Some("in"), Some(token), None) => Some(Some(token).filter(is_token).ok_or(NoAddress::Shape)?),
            _ => return Err(NoAddress::Shape),
        };
        Ok(Self { host: host.to_owned(), table, token: token.map(str::to_owned) })
    }
}

/// A seat at a server's table, or a place to watch from.
#[derive(Clone)]
pub(crate) struct Remote {
    address: Address,
    seat: Vec<Seat>,
}

/// The server's words for why something was not done.
#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    detail: String,
}

fn refused(answer: &Answer) -> Trouble {
    match serde_json::from_slice::<Problem>(&answer.body) {
        Ok(problem) => Trouble::Refused { code: harmless(&problem.code), detail: harmless(&problem.detail) },
        Err(_) => Trouble::Lost(format!("the server answers with {}", answer.status)),
    }
}

/// Why a look came to nothing. That a server is too busy, or was asked too often, passes.
fn unseen(answer: &Answer) -> Trouble {
    match refused(answer) {
        Trouble::Refused { detail, .. } if answer.status == 429 || answer.status >= 500 => Trouble::Lost(detail),
        trouble => trouble,
    }
}

impl Remote {
    /// Comes to a table: to the seat that the link is for, else to a seat that is free, else to watch.
    pub(crate) async fn come(address: Address, name: &str, colour: Option<PlayerColour>) -> Result<Self, Trouble> {
        let mut remote = Self { address, seat: Vec::new() };
        let told = remote.look().await?;
        let free = |told: &Told| match told {
            Told::Waiting(waiting) => !waiting.ended && waiting.seats.iter().any(|seat| seat.kind == Kind::Open),
            Told::Playing(_) => false,
        };
        if remote.address.token.is_none() && free(&told) {
            match remote.sit(name, colour).await {
                // Somebody was faster: there is still something to see.
                Ok(()) => return Ok(remote),
                Err(Trouble::Refused { code, .. }) if matches!(&code[..], "seat/none-free" | "table/started") => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let seat = match &told {
            Told::Waiting(waiting) => waiting.seat,
            Told::Playing(playing) => playing.view.observer.seat(),
        };
        remote.seat.extend(seat);
        Ok(remote)
    }

    async fn sit(&mut self, name: &str, colour: Option<PlayerColour>) -> Result<(), Trouble> {
        #[derive(Deserialize)]
        struct Seated {
            seat: Seat,
            token: String,
        }
        let body = serde_json::json!({"name": name, "colour": colour});
        let answer = self.ask("POST", "/seats", Some(body)).await?;
        let seated: Seated = serde_json::from_slice(&answer.body).map_err(|error| unreadable(&error))?;
        self.seat = vec![seated.seat];
        self.address.token = Some(seated.token);
        Ok(())
    }

    pub(super) fn own(&self) -> &[Seat] {
        &self.seat
    }

    /// The link of the own seat, by which its player comes back.
    pub(crate) fn own_link(&self) -> Option<String> {
        let token = self.address.token.as_ref()?;
        Some(format!("http://{}/t/{}/in/{token}", self.address.host, self.address.table))
    }

    async fn ask(&self, method: &str, what: &str, body: Option<serde_json::Value>) -> Result<Answer, Trouble> {
        let path = format!("/api/v1/tables/{}{what}", self.address.table);
        let body = body.map(|body| body.to_string());
        let token = self.address.token.as_deref();
        let question = Question { method, path: &path, token, body: body.as_deref() };
        let answer = http::ask(&self.address.host, question).await;
        let answer = answer.map_err(|error| Trouble::Lost(format!("{}: {error}", self.address.host)))?;
        match answer.status {
            200..300 => Ok(answer),
            _ if method == "GET" => Err(unseen(&answer)),
            _ => Err(refused(&answer)),
        }
    }

    async fn told(&self, method: &str, what: &str, body: Option<serde_json::Value>) -> Result<Told, Trouble> {
        let answer = self.ask(method, what, body).await?;
        Told::read(&answer.body).map_err(|error| unreadable(&error))
    }

    pub(super) async fn look(&self) -> Result<Told, Trouble> {
        self.told("GET", "", None).await
    }

    pub(super) async fn act(&self, action: &str, at: u16) -> Result<Told, Trouble> {
        self.told("POST", "/actions", Some(serde_json::json!({"action": action, "at": at}))).await
    }

    pub(super) async fn come_back(&self, seat: Seat) -> Result<Told, Trouble> {
        self.told("POST", &format!("/seats/{seat}/return"), None).await
    }

    pub(super) async fn once_more(&self) -> Result<Self, Trouble> {
        #[derive(Deserialize)]
        struct Rematch {
            table: TableId,
        }
        let answer = self.ask("POST", "/rematch", Some(serde_json::json!({}))).await?;
        let rematch: Rematch = serde_json::from_slice(&answer.body).map_err(|error| unreadable(&error))?;
        let next = Self { address: Address { table: rematch.table, ..self.address.clone() }, seat: self.seat.clone() };
        // Who asks second has not agreed yet.
        if let (Some(seat), Told::Waiting(_)) = (self.seat.first(), next.look().await?) {
            next.ask("PUT", &format!("/seats/{seat}"), Some(serde_json::json!({"client_seed": ""}))).await?;
        }
        Ok(next)
    }

    pub(super) async fn watch(self, news: mpsc::Sender<News>) {
        let mut last = None;
        loop {
            match self.follow(&news, &mut last).await {
                Ok(()) => {}
                Err(Trouble::Lost(why)) => {
                    if news.send(News::Lost(why)).await.is_err() {
                        return;
                    }
                }
                Err(trouble @ Trouble::Refused { .. }) => {
                    let _ = news.send(News::Gone(trouble)).await;
                    return;
                }
            }
            if news.is_closed() {
                return;
            }
            sleep(AGAIN).await;
        }
    }

    /// Sends on what one stream tells, until it ends.
    async fn follow(&self, news: &mpsc::Sender<News>, last: &mut Option<u32>) -> Result<(), Trouble> {
        let lost = |error: std::io::Error| Trouble::Lost(format!("{}: {error}", self.address.host));
        let path = format!("/api/v1/tables/{}/events", self.address.table);
        let question = Question { method: "GET", path: &path, token: self.address.token.as_deref(), body: None };
        let opened = Events::open(&self.address.host, question, *last).await.map_err(lost)?;
        let mut events = opened.map_err(|answer| unseen(&answer))?;
        let _ = news.send(News::Found).await;
        while let Some(event) = events.next().await.map_err(lost)? {
            let told = Told::read(event.data.as_bytes()).map_err(|error| unreadable(&error))?;
            *last = event.id;
            if news.send(News::Told(told)).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn links_are_read() {
        let token = "ab".repeat(32);
        let seat: Address = format!("http://[::1]:8080/t/y20cwaaq261c/in/{token}").parse().unwrap();
        assert_eq!((&seat.host[..], seat.token.as_deref()), ("[::1]:8080", Some(&token[..])));
        let table: Address = "http://sultan.example/t/y20cwaaq261c?seat=1".parse().unwrap();
        assert_eq!((table.table.to_string(), table.token), ("y20cwaaq261c".to_owned(), None));
        assert!(!format!("{seat:?}").contains("abab"));
        for wrong in
            ["", "http://x/", "http:///t/y20cwaaq261c", "http://x/t/y", "http://x/t/y20cwaaq261c/in/12", "ftp://x"]
        {
            assert_eq!(wrong.parse::<Address>().unwrap_err(), NoAddress::Shape, "{wrong}");
        }
        assert_eq!("https://x/t/y20cwaaq261c".parse::<Address>().unwrap_err(), NoAddress::Encrypted);
    }

    /// A server that answers every question with one of these, in order.
    async fn answering(answers: Vec<&'static str>) -> Address {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/t/y20cwaaq261c", listener.local_addr().unwrap());
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 4096]).await;
                let head = format!("HTTP/1.1 {answer}");
                let (status, body) = head.split_once('|').unwrap();
                let answer = format!("{status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        address.parse().unwrap()
    }

    #[tokio::test]
    async fn a_server_that_is_busy_is_asked_again_and_one_without_the_table_is_not() {
        let address = answering(vec![
            r#"503 Service Unavailable|{"code":"server/failed","detail":"busy"}"#,
            r#"429 Too Many Requests|{"code":"request/too-many","detail":"too many"}"#,
            "502 Bad Gateway|<html>",
            r#"404 Not Found|{"code":"table/not-found","detail":"no such table"}"#,
        ]);
        let (sender, mut news) = mpsc::channel(16);
        tokio::spawn(Remote { address: address.await, seat: Vec::new() }.watch(sender));
        let mut told = Vec::new();
        for _ in 0..4 {
            told.push(match news.recv().await.unwrap() {
                News::Lost(why) => why,
                News::Gone(Trouble::Refused { code, .. }) => format!("gone: {code}"),
                other => panic!("{other:?}"),
            });
        }
        assert_eq!(told, ["busy", "too many", "the server answers with 502", "gone: table/not-found"]);
    }
}
