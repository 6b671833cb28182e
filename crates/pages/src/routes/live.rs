//! `/t/{id}/live`: the WebSocket that keeps a page of a table up to date.
//!
//! It sends one message for each change, with only the sections that differ from those last sent on this connection.

mod live_page;
mod message;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State};
use axum::http::Extensions;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_domain::{AbsentSeats, TableId};
use sultan_server::extract::is_own_origin;
use sultan_server::socket::{Incoming, WsReader, accept, finish_close, send};
use sultan_server::{AppState, WebError};
use sultan_table::{Signal, Watch};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use self::live_page::LivePage;
use self::message::packed;
use super::lobby;
use super::page_request::PageRequest;
use super::viewer::Viewer;

#[derive(Default, Deserialize)]
pub(crate) struct ShownState {
    /// The version that the page shows.
    #[serde(default)]
    version: Option<u32>,
    /// The name of the page; the lobby has none.
    #[serde(default)]
    page: Option<String>,
    /// The seats that the page shows as absent.
    #[serde(default)]
    gone: String,
    /// Whether the page can decompress messages (`deflate-raw`), sent as binary messages.
    #[serde(default)]
    deflate: Option<u8>,
}

/// Opens the WebSocket of a page.
pub(crate) async fn live(
    State(state): State<AppState>,
    page: PageRequest,
    shown: Result<Query<ShownState>, axum::extract::rejection::QueryRejection>,
    extensions: Extensions,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, WebError> {
    let Query(shown) = shown.unwrap_or_default();
    let connection = LiveConnection::new(&state, &page, &shown).await?;
    Ok(match upgrade {
        Ok(upgrade) => accept(upgrade, &state, &extensions, &page.browser.headers, async move |socket, reader| {
            connection.run(socket, reader).await;
        }),
        Err(rejection) => rejection.into_response(),
    })
}

/// The WebSocket of one page.
struct LiveConnection {
    state: AppState,
    table: TableId,
    page: LivePage,
    watch: Watch,
    signals: Receiver<Signal>,
    /// Whether long messages are compressed.
    deflate: bool,
}

impl LiveConnection {
    async fn new(state: &AppState, page: &PageRequest, shown: &ShownState) -> Result<Self, WebError> {
        let table = page.request.table;
        // Browsers send the `Origin` header with every WebSocket.
        if !is_own_origin(&page.browser.headers) {
            return Err(WebError::cross_site());
        }
        let viewer = Viewer::of(state, page).await?;
        let snapshot = state.service().observe(table, &viewer.caller).await?;
        let signals = state.service().signals(table);
        let watch = state.service().watch(table, viewer.caller, shown.version).await?;
        let extras = lobby::extras(state, &page.browser, table).await?;
        let mut live = LivePage::new(page, viewer, extras, shown.page.as_deref());
        if shown.version == Some(snapshot.version()) {
            live.set_shown(snapshot.version(), snapshot.view().with_absent(AbsentSeats::of_digits(&shown.gone)));
        }
        Ok(Self { state: state.clone(), table, page: live, watch, signals, deflate: shown.deflate == Some(1) })
    }

    /// Sends messages until the page disconnects, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket, mut reader: WsReader) {
        let _presence = self.state.service().mark_present(self.table, self.page.own_seats());
        // Players may have connected or disconnected since the page was rendered.
        if let Some(message) = self.presence()
            && !send(&mut socket, message).await
        {
            return;
        }
        loop {
            let message = tokio::select! {
                biased;
                snapshot = self.watch.next_snapshot() => match snapshot {
                    Some(snapshot) => match self.page.change(snapshot.version(), snapshot.view()) {
                        Some(change) => packed(change, self.deflate),
                        None => continue,
                    },
                    None => break,
                },
                signal = self.signals.recv() => {
                    let message = match signal {
                        Ok(Signal::Reaction(reacted)) => self.page.reaction(reacted).map(|json| packed(json, self.deflate)),
                        Ok(Signal::Presence) | Err(RecvError::Lagged(_)) => self.presence(),
                        Err(RecvError::Closed) => break,
                    };
                    match message {
                        Some(message) => message,
                        None => continue,
                    }
                }
                incoming = reader.next(&mut socket) => match incoming {
                    // Our script sends no messages. Another program that floods the socket is disconnected.
                    Incoming::Message(_) if reader.count_message().is_ok() => continue,
                    Incoming::PingDue(ping) => ping,
                    Incoming::Close => return finish_close(socket).await,
                    Incoming::Disconnected => return,
                    Incoming::Message(_) | Incoming::Invalid => break,
                },
            };
            if !send(&mut socket, message).await {
                return;
            }
        }
        send(&mut socket, Message::Close(None)).await;
    }

    /// The message about connected and disconnected players, if the page does not show them yet.
    fn presence(&mut self) -> Option<Message> {
        let gone = self.state.service().absent_seats(self.table)?;
        Some(packed(self.page.presence(gone)?, self.deflate))
    }
}
