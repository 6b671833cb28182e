//! `/t/{id}/live`: the WebSocket that keeps a page of a table up to date.
//!
//! The server sends one message for each change of the table. The message has only the sections of the page (its parts
//! that can change) that differ from the sections last sent on this connection.

mod fragments;
mod live_page;
mod message;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Query, State};
use axum::http::Extensions;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_domain::{Attendance, TableId, TableView};
use sultan_server::extract::is_own_origin;
use sultan_server::socket::{Incoming, Sent, WsReader, accept, finish_close, send};
use sultan_server::{AppState, WebError};
use sultan_table::{ObserverSnapshot, Signal, Watch};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use self::live_page::LivePage;
use super::end::waiting_rematch;
use super::lobby;
use super::page_request::PageRequest;
use super::viewer::Viewer;
use crate::html::lobby::LobbyExtras;

/// The state of the page when it connects, from the query of the WebSocket's address.
#[derive(Default, Deserialize)]
pub(crate) struct ShownState {
    /// The version of the table that the page shows.
    version: Option<u32>,
    /// The name of the page; the lobby has no name.
    page: Option<String>,
    /// The attendance that the page shows, as [`Attendance::code`].
    #[serde(default)]
    gone: String,
    /// The format of messages that the page's script reads; see [`message::FORMAT`].
    format: Option<u8>,
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
}

impl LiveConnection {
    /// Prepares the connection. The server answers an error with an HTTP response instead of a WebSocket.
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
        let view = snapshot.view();
        let extras = match &view {
            TableView::Waiting(_) => lobby::extras(state, &page.browser, table).await?,
            TableView::Playing(_) => LobbyExtras::default(),
        };
        let mut live_page = LivePage::new(page, viewer, extras, shown);
        // If the page shows this version, only the attendance can differ.
        if shown.version == Some(snapshot.version()) {
            live_page.set_shown(snapshot.version(), view.with_attendance(Attendance::of_code(&shown.gone)));
        }
        Ok(Self { state: state.clone(), table, page: live_page, watch, signals })
    }

    /// Sends messages until the page disconnects, the seat is lost, or the server stops.
    async fn run(mut self, mut socket: WebSocket, mut reader: WsReader) {
        // The players of this browser count as present until this guard is dropped.
        let _presence = self.state.service().mark_present(self.table, self.page.own_seats());
        // Players may have connected or disconnected since the page was rendered.
        let mut message = self.page.reload_if_outdated().or_else(|| self.presence_message());
        let mut is_slow = false;
        loop {
            if let Some(message) = message {
                match send(&mut socket, message).await {
                    Sent::AtOnce => is_slow = false,
                    Sent::Delayed => is_slow = true,
                    Sent::Failed => return,
                }
            }
            message = tokio::select! {
                biased;
                snapshot = next_snapshot(&mut self.watch, is_slow) => match snapshot {
                    Some(snapshot) => self.change_message(snapshot.version(), snapshot.view()).await,
                    None => break,
                },
                signal = self.signals.recv() => match signal {
                    Ok(Signal::Reaction(reaction)) => self.page.reaction_message(reaction),
                    // The signals lost by a lag may have been about presence. Lost reactions are not made good.
                    Ok(Signal::Presence) | Err(RecvError::Lagged(_)) => self.presence_message(),
                    Err(RecvError::Closed) => break,
                },
                incoming = reader.next(&mut socket) => match incoming {
                    // Our script sends no messages. Another program that floods the socket is disconnected.
                    Incoming::Message(_) if reader.count_message().is_ok() => None,
                    Incoming::PingDue(ping) => Some(ping),
                    Incoming::Close => return finish_close(socket).await,
                    Incoming::Disconnected => return,
                    Incoming::Message(_) | Incoming::Invalid => break,
                },
            };
        }
        send(&mut socket, Message::Close(None)).await;
    }

    /// Builds the message about a change of the table.
    async fn change_message(&mut self, version: u32, view: TableView) -> Option<Message> {
        if let Some(playing) = view.playing().filter(|playing| playing.info.rematch.is_some()) {
            self.page.set_rematch(waiting_rematch(&self.state, playing).await);
        }
        self.page.change_message(version, view)
    }

    /// Builds the message about connected and disconnected players and spectators, if the page does not show them yet.
    fn presence_message(&mut self) -> Option<Message> {
        let attendance = self.state.service().attendance(self.table)?;
        self.page.presence_message(attendance)
    }
}

/// Waits for the next state of the table. A page that reads slowly gets only the newest.
async fn next_snapshot(watch: &mut Watch, is_slow: bool) -> Option<ObserverSnapshot> {
    if is_slow { watch.newest_snapshot().await } else { watch.next_snapshot().await }
}
