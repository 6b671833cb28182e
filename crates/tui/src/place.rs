//! Where a game is: at a table of this program, or at one of a running server. Both tell the same.

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

/// Why something did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The table says no.
    #[error("{detail}")]
    Refused {
        /// A short name of the reason that never changes.
        code: String,
        /// The reason in English.
        detail: String,
    },
    /// The table cannot be reached.
    #[error("{0}")]
    Lost(String),
}

impl PlayError {
    /// Why, for people.
    pub(crate) fn told(&self, text: Text) -> String {
        match self {
            Self::Refused { code, detail } => text.refused(code).unwrap_or_else(|| detail.clone()),
            Self::Lost(why) => text.with("tui-lost", &[("why", why.into())]),
        }
    }
}

/// A table's answer cannot be read.
impl From<serde_json::Error> for PlayError {
    fn from(error: serde_json::Error) -> Self {
        Self::Lost(format!("what the table tells cannot be read: {error}"))
    }
}

/// Where there is nobody to tell, trouble ends the program.
impl From<PlayError> for io::Error {
    fn from(trouble: PlayError) -> Self {
        Self::other(trouble.to_string())
    }
}

/// What comes from a table by itself.
#[derive(Debug)]
pub(crate) enum TableEvent {
    /// How it is now.
    Told(TableView),
    /// It cannot be reached at the moment; it is tried again.
    Lost(String),
    /// It is reached again; it may have nothing new to tell.
    Found,
    /// Nothing more will come.
    Gone(PlayError),
}

/// Where a game is.
#[derive(Clone)]
pub(crate) enum Place {
    /// At a table of this program.
    Here(Local),
    /// At a table of a running server.
    There(Remote),
}

impl Place {
    /// The seats that are played from this terminal.
    pub(crate) fn own(&self) -> &[Seat] {
        match self {
            Self::Here(local) => &local.own,
            Self::There(remote) => &remote.own,
        }
    }

    /// What the player of a seat sees now, or a spectator.
    pub(crate) async fn look(&self, eyes: Option<Seat>) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => Ok(local.service.look(local.table, &local.caller(eyes)).await?.view()),
            Self::There(remote) => remote.look().await,
        }
    }

    /// Acts for a seat; answers with what its player sees then.
    pub(crate) async fn act(&self, seat: Seat, action: &str, at: u16) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => {
                let caller = local.caller(Some(seat));
                Ok(local.service.act_as_text(local.table, &caller, action, at).await?.view())
            }
            Self::There(remote) => remote.ask("POST", "/actions", Some(json!({"action": action, "at": at}))).await,
        }
    }

    /// Takes a seat back from the bot that stands in.
    pub(crate) async fn come_back(&self, seat: Seat) -> Result<TableView, PlayError> {
        match self {
            Self::Here(local) => {
                Ok(local.service.come_back(local.table, &local.caller(Some(seat)), seat).await?.view())
            }
            Self::There(remote) => remote.ask("POST", &format!("/seats/{seat}/return"), None).await,
        }
    }

    /// Opens a table where the same people play once more, or goes to the one that is open.
    pub(crate) async fn once_more(&self) -> Result<Self, PlayError> {
        match self {
            Self::Here(local) => local.once_more().await.map(Self::Here),
            Self::There(remote) => remote.once_more().await.map(Self::There),
        }
    }

    /// Whether the table is at a running server.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self, Self::There(_))
    }

    /// Sends all that happens at the table to whoever listens, until nobody does. Told is what the only own seat sees, or a
    /// spectator where there are several: whoever sits at the screen then is not for this to decide.
    pub(crate) async fn watch(self, news: mpsc::Sender<TableEvent>) {
        match self {
            Self::Here(local) => local.watch(news).await,
            Self::There(remote) => remote.watch(news).await,
        }
    }
}

/// Whose eyes a game is seen with at first: those of the only player here.
pub(crate) fn only(own: &[Seat]) -> Option<Seat> {
    if let [only] = own { Some(*only) } else { None }
}
