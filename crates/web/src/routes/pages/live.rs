//! `/t/{id}/live`: what changes at a table, pushed to its page.
//!
//! One message for each change, with only those parts of the page that look different from what this connection was sent last.

use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sultan_domain::TableId;
use sultan_table::{PlayingView, Reacted, Sight, Watch};
use sultan_text::Text;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval_at, timeout};

use super::visit::Visit;
use crate::error::WebError;
use crate::html::table::{Look, Sections, word};
use crate::html::tell::tell;
use crate::measure::Open;
use crate::serve::Held;
use crate::state::AppState;

/// So often the other end is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// After so long without a word it is not.
const SILENCE: Duration = Duration::from_mins(1);
/// So long a message may take to be sent.
const SENDING: Duration = Duration::from_secs(30);
/// The most bytes that a page may say here: it has nothing to say.
const HEARD: usize = 1024;

#[derive(Deserialize)]
pub(crate) struct Known {
    /// The version that the page shows.
    #[serde(default)]
    version: Option<u32>,
}

/// Tells a page what changes.
pub(crate) async fn live(
    State(state): State<AppState>,
    visit: Visit,
    known: Result<Query<Known>, axum::extract::rejection::QueryRejection>,
    held: Option<Extension<Held>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let version = known.ok().and_then(|Query(known)| known.version);
    let page = match Told::new(&state, &visit, version).await {
        Ok(page) => page,
        Err(error) => return error.into_response(),
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let open = Open::stream(state.config().metrics);
    let upgrade = upgrade.max_message_size(HEARD).max_frame_size(HEARD);
    upgrade.on_upgrade(async move |socket| {
        page.run(socket).await;
        drop((open, held));
    })
}

/// Whether one of our own pages asks: browsers say so on every such connection.
fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else { return false };
    origin.split_once("://").is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host))
}

/// A page, and what it was told.
struct Told {
    text: Text,
    query: String,
    watch: Watch,
    reactions: Receiver<Reacted>,
    /// What the page shows; nothing where that is not known.
    before: Option<Sight>,
    sections: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct Section<'a> {
    id: &'static str,
    html: &'a str,
}

/// A table has changed.
#[derive(Serialize)]
struct Change<'a> {
    version: u32,
    at: u16,
    phase: &'static str,
    turn: bool,
    round: String,
    sections: Vec<Section<'a>>,
    say: Vec<String>,
    title: String,
}

/// The page is another one now.
#[derive(Serialize)]
struct Reload {
    version: u32,
    reload: bool,
}

/// Somebody gave a sign.
#[derive(Serialize)]
struct Sign {
    reaction: &'static str,
    seat: u8,
    word: String,
    say: String,
}

fn written(message: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(message).expect("a message can be written as JSON").into()
}

impl Told {
    async fn new(state: &AppState, visit: &Visit, version: Option<u32>) -> Result<Self, WebError> {
        let call = visit.call.as_ref().map_err(Clone::clone)?;
        if !is_own_page(&visit.headers) {
            return Err(WebError::cross_site());
        }
        let caller = call.or_spectator(state).await?;
        let table: TableId = call.table;
        let (now, sight) = state.service().sight(table, &caller).await?;
        let reactions = state.service().reactions(table);
        let watch = state.service().watch(table, caller, version).await?;
        let (text, query) = (visit.guest.text, visit.query());
        let mut told = Self { text, query, watch, reactions, before: None, sections: Vec::new() };
        if version == Some(now) {
            told.sections = told.sections_of(&sight);
            told.before = Some(sight);
        }
        Ok(told)
    }

    fn look<'a>(&'a self, playing: &'a PlayingView) -> Look<'a> {
        Look { text: self.text, playing, query: &self.query }
    }

    fn sections_of(&self, sight: &Sight) -> Vec<(&'static str, String)> {
        match sight {
            Sight::Waiting(_) => Vec::new(),
            Sight::Playing(playing) => Sections::of(self.look(playing)).0,
        }
    }

    /// Tells until the page is gone, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket) {
        let mut heard = Instant::now();
        let mut pings = interval_at(heard + PING, PING);
        loop {
            let message = tokio::select! {
                biased;
                news = self.watch.next_sight() => match news {
                    Some((version, sight)) => Message::Text(self.change(version, sight)),
                    None => break,
                },
                reacted = self.reactions.recv() => match reacted {
                    Ok(reacted) => match self.sign(reacted) {
                        Some(sign) => Message::Text(sign),
                        None => continue,
                    },
                    Err(RecvError::Lagged(_)) => continue,
                    Err(RecvError::Closed) => break,
                },
                word = socket.recv() => match word {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {
                        heard = Instant::now();
                        continue;
                    }
                },
                now = pings.tick() => {
                    if now - heard > SILENCE {
                        return;
                    }
                    Message::Ping(bytes::Bytes::new())
                }
            };
            if !matches!(timeout(SENDING, socket.send(message)).await, Ok(Ok(()))) {
                return;
            }
        }
        let _ = timeout(SENDING, socket.send(Message::Close(None))).await;
    }

    /// What is sent of a change.
    fn change(&mut self, version: u32, sight: Sight) -> Utf8Bytes {
        let Sight::Playing(playing) = &sight else {
            self.before = Some(sight);
            return written(&Reload { version, reload: true });
        };
        if matches!(self.before, Some(Sight::Waiting(_))) {
            self.before = Some(sight);
            return written(&Reload { version, reload: true });
        }
        let sections = self.sections_of(&sight);
        let look = self.look(playing);
        let same = |id: &str, html: &str| self.sections.iter().any(|(known, old)| *known == id && old == html);
        let changed = sections.iter().filter(|(id, html)| !same(id, html));
        let say = match &self.before {
            Some(Sight::Playing(before)) => tell(self.look(before), look),
            _ => Vec::new(),
        };
        let message = written(&Change {
            version,
            at: look.view().at,
            phase: look.phase(),
            turn: look.is_turn(),
            round: look.round_key(),
            sections: changed.map(|(id, html)| Section { id, html }).collect(),
            say,
            title: look.title(),
        });
        self.sections = sections;
        self.before = Some(sight);
        message
    }

    /// What is sent of a sign.
    fn sign(&self, Reacted { seat, reaction }: Reacted) -> Option<Utf8Bytes> {
        let Some(Sight::Playing(playing)) = &self.before else { return None };
        let (name, word) = (self.look(playing).name(seat), word(self.text, reaction));
        let say = self.text.with("tell-reaction", &[("name", (&name).into()), ("word", (&word).into())]);
        Some(written(&Sign { reaction: reaction.code(), seat: seat.number(), word, say }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_pages_are_told() {
        let own = |headers: &[(&'static str, &str)]| {
            is_own_page(&headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect())
        };
        assert!(own(&[("origin", "http://sultan.example:8080"), ("host", "Sultan.example:8080")]));
        for wrong in [
            &[][..],
            &[("host", "a.b")],
            &[("origin", "null"), ("host", "a.b")],
            &[("origin", "http://e.v"), ("host", "a.b")],
        ] {
            assert!(!own(wrong), "{wrong:?}");
        }
    }
}
