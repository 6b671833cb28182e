//! Why something that was asked is not done.

use sultan_domain::{Illegal, NotationError, Seat};
use sultan_store::StoreError;
use thiserror::Error;

/// Why something that was asked is not done. Whoever asked is told, so that nothing hidden may be in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// There is no such table.
    #[error("there is no such table")]
    NoSuchTable,
    /// No token was given.
    #[error("a seat's token is needed")]
    NoToken,
    /// The token is no seat's of this table.
    #[error("this token is no seat's of this table")]
    WrongToken,
    /// Only the host may do that.
    #[error("only the host may do that")]
    NotHost,
    /// Somebody has acted since, or not as much has happened.
    #[error("the table is at action {now}, not {given}")]
    NotNow {
        /// How many actions there have been.
        now: u16,
        /// What was given.
        given: u16,
    },
    /// The game has not started.
    #[error("the game has not started")]
    NotStarted,
    /// The game has started.
    #[error("the game has started")]
    Started,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is not over.
    #[error("the game is not over")]
    NotOver,
    /// Another seat's turn.
    #[error("it is the turn of seat {0}")]
    NotYourTurn(Seat),
    /// A bot acts for this seat until its player returns.
    #[error("a bot acts for this seat until you return to it")]
    Away,
    /// Against the rules.
    #[error("{0} (rule {rule})", rule = .0.rule())]
    Illegal(Illegal),
    /// What was asked for is no action.
    #[error("{0}")]
    NoAction(NotationError),
    /// All seats are taken.
    #[error("no seat is free")]
    NoSeatFree,
    /// Somebody has this colour.
    #[error("this colour is taken")]
    ColourTaken,
    /// There is no such seat.
    #[error("there is no such seat")]
    NoSuchSeat,
    /// The seat is a bot's, or free.
    #[error("nobody sits there")]
    NobodyThere,
    /// The player is there, and may think.
    #[error("the player of this seat is not absent; a bot can take over once the table has waited {0} seconds for it")]
    NotAbsent(u32),
    /// There is no such bot.
    #[error("there is no bot “{0}”")]
    NoSuchBot(String),
    /// What was asked for makes no table.
    #[error("{0}")]
    BadTable(&'static str),
    /// A name that cannot be shown.
    #[error("a name has at most {0} characters, and no control characters")]
    BadName(usize),
    /// The promise is unknown, used, or too old.
    #[error("this commitment was not given out here, was used already, or is older than ten minutes")]
    NoSuchCommitment,
    /// Too many browsers have this seat.
    #[error("too many browsers have opened this seat's link; use one of them")]
    TooManyLinks,
    /// The table has no coach.
    #[error("this table has no coach")]
    NoCoach,
    /// The coach had too little time to find something to say.
    #[error("the coach had too little time to think; ask again")]
    CoachBusy,
    /// The game goes on from another one's moment.
    #[error("this game was played on from a moment of another one: there is no record of it, and nothing to verify")]
    Branch,
    /// Too many tables.
    #[error("there are as many tables here as this server allows; try again later")]
    Full,
}

impl Rejection {
    /// A short name of the reason that never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchTable => "table/not-found",
            Self::NoToken => "token/missing",
            Self::WrongToken => "token/wrong",
            Self::NotHost => "table/not-host",
            Self::NotNow { .. } => "action/not-now",
            Self::NotStarted => "table/not-started",
            Self::Started => "table/started",
            Self::Over => "table/over",
            Self::NotOver => "table/not-over",
            Self::NotYourTurn(_) => "action/not-your-turn",
            Self::Away => "seat/away",
            Self::Illegal(illegal) => illegal.code(),
            Self::NoAction(_) => "action/unreadable",
            Self::NoSeatFree => "seat/none-free",
            Self::ColourTaken => "seat/colour-taken",
            Self::NoSuchSeat => "seat/not-found",
            Self::NobodyThere => "seat/nobody-there",
            Self::NotAbsent(_) => "seat/not-absent",
            Self::NoSuchBot(_) => "bot/not-found",
            Self::BadTable(_) => "table/bad",
            Self::BadName(_) => "seat/bad-name",
            Self::NoSuchCommitment => "commitment/not-found",
            Self::TooManyLinks => "seat/too-many-links",
            Self::NoCoach => "coach/none",
            Self::CoachBusy => "coach/busy",
            Self::Branch => "table/branch",
            Self::Full => "table/too-many",
        }
    }
}

impl Rejection {
    /// The number of the rule that an action breaks, as in `docs/rules.md`; none where it is not the action that is wrong.
    #[must_use]
    pub fn rule(&self) -> Option<&'static str> {
        match self {
            Self::Illegal(illegal) => Some(illegal.rule()),
            Self::NoAction(NotationError::TooManyJewels(_)) => Some("4.1"),
            Self::NoAction(NotationError::NoSuchCard(_)) => Some("1.2"),
            Self::NoAction(NotationError::NoSuchCushion(_)) => Some("1.3"),
            Self::NoAction(NotationError::NotAnAction(_) | NotationError::NotACollection(_)) => Some("4.1-4.3"),
            _ => None,
        }
    }
}

/// Why something that was asked did not happen.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// It may not be.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// It may be, but could not be stored or read. What it is, is for the log.
    #[error(transparent)]
    Store(#[from] StoreError),
}
