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
    /// The table cannot be reached, for this reason. Another attempt may succeed.
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

/// Converts the error for a response that is not the expected JSON.
impl From<serde_json::Error> for PlayError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreachable(format!("the response cannot be read: {error}"))
    }
}

/// Converts errors that end the program: its public functions return I/O errors.
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
    /// The connection is lost, for this reason; a retry follows.
    Disconnected(String),
    /// The connection is established. A view follows only if it is newer than the last one.
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

    /// The current view of a seat, or the public view if `seat` is `None`. (From a server it is always the view of the
    /// player whose seat token was sent.)
    pub(crate) async fn view(&self, seat: Option<Seat>) -> Result<TableView, PlayError> {
        match self {
            Self::Local(local) => Ok(local.service().observe(local.table, &local.caller(seat)).await?.view()),
            Self::Remote(remote) => remote.view().await,
        }
    }

    /// Submits an action for a seat, and returns the view to show after it. If several players share the terminal, this
    /// is the public view, so that the hand is hidden at once, unless the same player acts again.
    ///
    /// The table rejects the action unless the game has exactly `action_count` actions: the player decided on a view
    /// with that many actions, and a repeated request must not act twice.
    pub(crate) async fn act(&self, seat: Seat, action: &str, action_count: u16) -> Result<TableView, PlayError> {
        let view = match self {
            Self::Local(local) => {
                let caller = local.caller(Some(seat));
                local.service().act_as_text(local.table, &caller, action, action_count).await?.view()
            }
            Self::Remote(remote) => {
                let body = json!({"action": action, "at": action_count});
                remote.send("POST", "/actions", Some(body)).await?
            }
        };
        let acts_again = view.playing().is_some_and(|playing| playing.view.to_act == Some(seat));
        if acts_again || only_seat(self.own_seats()).is_some() { Ok(view) } else { self.view(None).await }
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

    /// Sends table events until the receiver is dropped or the stream ends permanently. If one player is at this
    /// terminal, the views show this player's hand. If several players share the terminal, the views are public,
    /// because this function cannot tell which player looks at the screen.
    pub(crate) async fn watch(self, events: mpsc::Sender<TableEvent>) {
        let result = match self {
            Self::Local(local) => local.watch(&events).await,
            Self::Remote(remote) => remote.watch(&events).await,
        };
        if let Err(error) = result {
            let _ = events.send(TableEvent::Closed(error)).await;
        }
    }
}

/// The seat played from this terminal, if it is exactly one seat. Its player may always see the hand.
pub(crate) fn only_seat(own_seats: &[Seat]) -> Option<Seat> {
    if let [only_seat] = own_seats { Some(*only_seat) } else { None }
}

/// The number of actions before a view. `None` before the start of the game.
pub(crate) fn action_count(view: &TableView) -> Option<u16> {
    view.playing().map(|playing| playing.view.action_count)
}
