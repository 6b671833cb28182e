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
pub(crate) use local::{Local, Unfinished};
pub(crate) use remote::{AGAIN, Remote};

/// An error of a request to a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The table rejected the request.
    #[error("{detail}")]
    Refused {
        /// The stable error code.
        code: String,
        /// The reason in English.
        detail: String,
    },
    /// The table cannot be reached.
    #[error("{0}")]
    Lost(String),
}

impl PlayError {
    /// The error message in the player's language.
    pub(crate) fn told(&self, text: Text) -> String {
        match self {
            Self::Refused { code, detail } => text.error_message(code).unwrap_or_else(|| detail.clone()),
            Self::Lost(why) => text.with("tui-lost", &[("why", why.into())]),
        }
    }
}

/// An unreadable response of a server.
impl From<serde_json::Error> for PlayError {
    fn from(error: serde_json::Error) -> Self {
        Self::Lost(format!("what the table tells cannot be read: {error}"))
    }
}

/// For errors that end the program.
impl From<PlayError> for io::Error {
    fn from(trouble: PlayError) -> Self {
        Self::other(trouble.to_string())
    }
}

/// An event from the table's event stream.
#[derive(Debug)]
pub(crate) enum TableEvent {
    /// The current view.
    Told(TableView),
    /// The connection is lost; a retry follows.
    Lost(String),
    /// The connection is established. A new view need not follow.
    Found,
    /// The stream ended for good.
    Gone(PlayError),
}

/// A table that this terminal plays at or watches.
#[derive(Clone)]
pub(crate) enum Place {
    /// A table in this process.
    Here(Local),
    /// A table on a running server.
    There(Remote),
}

impl Place {
    /// The seats played from this terminal.
    pub(crate) fn own(&self) -> &[Seat] {
        match self {
            Self::Here(local) => &local.own,
            Self::There(remote) => &remote.own,
        }
    }

    /// The current view of a seat, or of a spectator. (A remote table always gives the view of the token's holder.)
    pub(crate) async fn look(&self, eyes: Option<Seat>) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => Ok(local.service.observe(local.table, &local.caller(eyes)).await?.view()),
            Self::There(remote) => remote.look().await,
        }
    }

    /// Submits an action for a seat, and returns the view of that seat after it.
    pub(crate) async fn act(&self, seat: Seat, action: &str, at: u16) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => {
                let caller = local.caller(Some(seat));
                Ok(local.service.act_as_text(local.table, &caller, action, at).await?.view())
            }
            Self::There(remote) => remote.ask("POST", "/actions", Some(json!({"action": action, "at": at}))).await,
        }
    }

    /// Takes the seat back from its stand-in bot.
    pub(crate) async fn come_back(&self, seat: Seat) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => {
                Ok(local.service.end_stand_in(local.table, &local.caller(Some(seat)), seat).await?.view())
            }
            Self::There(remote) => remote.ask("POST", &format!("/seats/{seat}/return"), None).await,
        }
    }

    /// Opens a rematch, or joins it if it is already open.
    pub(crate) async fn once_more(&self) -> Result<Self, PlayError> {
        match self {
            Self::Here(local) => local.once_more().await.map(Self::Here),
            Self::There(remote) => remote.once_more().await.map(Self::There),
        }
    }

    /// Whether the table is on a remote server.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self, Self::There(_))
    }

    /// Sends table events until the receiver is dropped or the stream ends for good. The views are those of the only
    /// seat played here. With several seats they are public, because this function does not know which player looks at
    /// the screen.
    pub(crate) async fn watch(self, news: mpsc::Sender<TableEvent>) {
        match self {
            Self::Here(local) => local.watch(news).await,
            Self::There(remote) => remote.watch(news).await,
        }
    }
}

/// The observer at the start: the only seat played here, if there is just one.
pub(crate) fn only(own: &[Seat]) -> Option<Seat> {
    if let [only] = own { Some(*only) } else { None }
}
