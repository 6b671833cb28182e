//! Access to a table in this process or on a remote server. Both give the same views.

mod link;
mod local;
mod remote;

use std::io;

use serde_json::json;
use sultan_domain::{Seat, TableView};
use sultan_text::Text;
use tokio::sync::mpsc;

pub use link::{InvalidLink, TableLink};
pub(crate) use local::{LocalPlayers, LocalTable, Unfinished};
pub(crate) use remote::{RECONNECT_DELAY, RemoteTable};

/// An error of a request to a table.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayError {
    /// The table rejected the request, with a stable code and the reason in English.
    #[error("{detail}")]
    Rejected { code: String, detail: String },
    /// The table cannot be reached.
    #[error("{0}")]
    Unreachable(String),
}

impl PlayError {
    /// The error message in the player's language.
    pub(crate) fn message(&self, text: Text) -> String {
        match self {
            Self::Rejected { code, detail } => text.error_message(code).unwrap_or_else(|| detail.clone()),
            Self::Unreachable(reason) => text.with("tui-lost", &[("why", reason.into())]),
        }
    }
}

/// An unreadable response of a server.
impl From<serde_json::Error> for PlayError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreachable(format!("the response cannot be read: {error}"))
    }
}

/// For errors that end the program.
impl From<PlayError> for io::Error {
    fn from(error: PlayError) -> Self {
        Self::other(error.to_string())
    }
}

/// An event from the table's event stream.
#[derive(Debug)]
pub(crate) enum TableEvent {
    /// The current view.
    View(TableView),
    /// The connection is lost; a retry follows.
    Disconnected(String),
    /// The connection is established. A new view need not follow.
    Connected,
    /// The stream ended permanently.
    Closed(PlayError),
}

/// A table that this terminal plays at or watches.
#[derive(Clone)]
pub(crate) enum TableConnection {
    /// A table in this process.
    Local(LocalTable),
    /// A table on a running server.
    Remote(RemoteTable),
}

impl TableConnection {
    /// The seats played from this terminal.
    pub(crate) fn own_seats(&self) -> &[Seat] {
        match self {
            Self::Local(local) => &local.own_seats,
            Self::Remote(remote) => &remote.own_seats,
        }
    }

    /// The current view of a seat, or of a spectator. (A remote table always gives the view of the token's holder.)
    pub(crate) async fn view(&self, seat: Option<Seat>) -> Result<TableView, PlayError> {
        match self {
            Self::Local(local) => Ok(local.service().observe(local.table, &local.caller(seat)).await?.view()),
            Self::Remote(remote) => remote.view().await,
        }
    }

    /// Submits an action for a seat, and returns the view of that seat after it.
    pub(crate) async fn act(&self, seat: Seat, action: &str, at: u16) -> Result<TableView, PlayError> {
        match self {
            Self::Local(local) => {
                let caller = local.caller(Some(seat));
                Ok(local.service().act_as_text(local.table, &caller, action, at).await?.view())
            }
            Self::Remote(remote) => remote.send("POST", "/actions", Some(json!({"action": action, "at": at}))).await,
        }
    }

    /// Takes the seat back from its stand-in bot.
    pub(crate) async fn return_to_seat(&self, seat: Seat) -> Result<TableView, PlayError> {
        match self {
            Self::Local(local) => {
                Ok(local.service().end_stand_in(local.table, &local.caller(Some(seat)), seat).await?.view())
            }
            Self::Remote(remote) => remote.send("POST", &format!("/seats/{seat}/return"), None).await,
        }
    }

    /// Opens a rematch, or joins it if it is already open.
    pub(crate) async fn rematch(&self) -> Result<Self, PlayError> {
        match self {
            Self::Local(local) => local.rematch().await.map(Self::Local),
            Self::Remote(remote) => remote.rematch().await.map(Self::Remote),
        }
    }

    /// Whether the table is on a remote server.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    /// Sends table events until the receiver is dropped or the stream ends permanently. The views are those of the only
    /// seat played here. With several seats they are public, because this function does not know which player looks at
    /// the screen.
    pub(crate) async fn watch(self, events: mpsc::Sender<TableEvent>) {
        let watched = match self {
            Self::Local(local) => local.watch(&events).await,
            Self::Remote(remote) => remote.watch(&events).await,
        };
        if let Err(error) = watched {
            let _ = events.send(TableEvent::Closed(error)).await;
        }
    }
}

/// The seat played here if there is just one. Its player may always see the hand.
pub(crate) fn only_seat(own_seats: &[Seat]) -> Option<Seat> {
    if let [only] = own_seats { Some(*only) } else { None }
}

/// The number of actions in a view; `None` before the start.
pub(crate) fn actions_in(view: &TableView) -> Option<u16> {
    view.playing().map(|playing| playing.view.at)
}
