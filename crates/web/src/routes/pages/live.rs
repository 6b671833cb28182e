//! `/t/{id}/live`: what changes at a table, pushed to its page.
//!
//! One message for each change, with only those parts of the page that look different from what this connection was sent last.

mod leaf;
mod message;
mod told;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State};
use axum::http::Extensions;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_domain::TableId;
use sultan_table::{AbsentSeats, Sign, Watch};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use self::told::Told;
use super::lobby::extras;
use super::shared::Eyes;
use super::visit::Visit;
use crate::error::WebError;
use crate::extract::is_own_origin;
use crate::measure::Open;
use crate::serve::Held;
use crate::socket::{Ear, Heard, part, quiet, say};
use crate::state::AppState;

#[derive(Default, Deserialize)]
pub(crate) struct Known {
    /// The version that the page shows.
    #[serde(default)]
    version: Option<u32>,
    /// Which page it is; a table that waits for players says nothing.
    #[serde(default)]
    page: Option<String>,
    /// Whom it shows as gone.
    #[serde(default)]
    gone: String,
    /// Whether the page reads long messages compressed (“deflate-raw”), as binary ones.
    #[serde(default)]
    deflate: Option<u8>,
}

/// Tells a page what changes.
pub(crate) async fn live(
    State(state): State<AppState>,
    visit: Visit,
    known: Result<Query<Known>, axum::extract::rejection::QueryRejection>,
    extensions: Extensions,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Query(known) = known.unwrap_or_default();
    let page = match Page::new(&state, &visit, &known).await {
        Ok(page) => page,
        Err(error) => return error.into_response(),
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let open = Open::stream(state.config().metrics);
    let held = extensions.get::<Held>().cloned();
    let ear = Ear::new(&state, &extensions, &visit.headers);
    quiet(upgrade).on_upgrade(async move |socket| {
        page.run(socket, ear).await;
        drop((open, held));
    })
}

/// A page at the other end of a socket.
struct Page {
    state: AppState,
    table: TableId,
    told: Told,
    watch: Watch,
    signs: Receiver<Sign>,
    /// Whether long messages are compressed.
    deflate: bool,
}

impl Page {
    async fn new(state: &AppState, visit: &Visit, known: &Known) -> Result<Self, WebError> {
        let table = visit.call()?.table;
        // Browsers say so on every such connection.
        if !is_own_origin(&visit.headers) {
            return Err(WebError::cross_site());
        }
        let eyes = Eyes::of(state, visit).await?;
        let snapshot = state.service().look(table, &eyes.caller).await?;
        let (now, sight) = (snapshot.version(), snapshot.view());
        let signs = state.service().signs(table);
        let watch = state.service().watch(table, eyes.caller, known.version).await?;
        let extras = extras(state, &visit.guest, &visit.headers, table).await?;
        let mut told = Told::new(visit, eyes, extras, known.page.as_deref());
        if known.version == Some(now) {
            told.shows(now, sight.with_gone(AbsentSeats::of_digits(&known.gone)));
        }
        Ok(Self { state: state.clone(), table, told, watch, signs, deflate: known.deflate == Some(1) })
    }

    /// Tells until the page is gone, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket, mut ear: Ear) {
        let _here = self.state.service().mark_present(self.table, self.told.own());
        // Since the page was made somebody may have come or gone.
        if let Some(passing) = self.presence()
            && !say(&mut socket, passing).await
        {
            return;
        }
        loop {
            let message = tokio::select! {
                biased;
                news = self.watch.next_snapshot() => match news {
                    Some(news) => match self.told.change(news.version(), news.view()) {
                        Some(change) => change.packed(self.deflate),
                        None => continue,
                    },
                    None => break,
                },
                sign = self.signs.recv() => {
                    let message = match sign {
                        Ok(Sign::Reaction(reacted)) => {
                            self.told.reaction(reacted).map(|sign| sign.packed(self.deflate))
                        }
                        Ok(Sign::Presence) | Err(RecvError::Lagged(_)) => self.presence(),
                        Err(RecvError::Closed) => break,
                    };
                    match message {
                        Some(message) => message,
                        None => continue,
                    }
                }
                heard = ear.hear(&mut socket) => match heard {
                    // A page has nothing to say; that it says it too often would be no page's doing.
                    Heard::Said(_) if ear.count().is_ok() => continue,
                    Heard::Nothing(ping) => ping,
                    Heard::Leaves => return part(socket).await,
                    Heard::Gone => return,
                    Heard::Said(_) | Heard::TooMuch => break,
                },
            };
            if !say(&mut socket, message).await {
                return;
            }
        }
        say(&mut socket, Message::Close(None)).await;
    }

    /// Who came and who went, if the page does not show it yet.
    fn presence(&mut self) -> Option<Message> {
        let gone = self.state.service().absent_seats(self.table)?;
        Some(self.told.presence(gone)?.packed(self.deflate))
    }
}
