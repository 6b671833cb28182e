//! Errors of the service.

use sultan_domain::{BadParameters, Illegal, NotationError, Seat};
use sultan_store::StoreError;
use thiserror::Error;

/// The reason why a request is rejected. The caller sees it, so it must not reveal hidden information.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// The table does not exist.
    #[error("table not found")]
    NoSuchTable,
    /// The request needs a seat, but has no token.
    #[error("a seat's token is needed")]
    NoToken,
    /// The token belongs to no seat of this table.
    #[error("this token belongs to no seat of this table")]
    WrongToken,
    /// Only the host may do this.
    #[error("only the host may do that")]
    NotHost,
    /// The request names another number of actions (`at`) than were played.
    #[error("{now} actions were played, not {given}")]
    NotNow {
        /// The number of actions that the caller can see.
        now: u16,
        /// The number in the request.
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
    /// It is another seat's turn.
    #[error("it is the turn of seat {0}")]
    NotYourTurn(Seat),
    /// A bot (stand-in) acts for this seat until its player returns.
    #[error("a bot acts for this seat until you return to it")]
    Away,
    /// The action breaks a rule.
    #[error("{0} (rule {rule})", rule = .0.rule())]
    Illegal(Illegal),
    /// The text is not an action.
    #[error("{0}")]
    NoAction(NotationError),
    /// All seats are taken.
    #[error("no seat is free")]
    NoSeatFree,
    /// Another player has this colour.
    #[error("this colour is taken")]
    ColourTaken,
    /// The seat does not exist.
    #[error("seat not found")]
    NoSuchSeat,
    /// The seat is free, or belongs to a bot.
    #[error("this seat has no player")]
    SeatEmpty,
    /// The player still has time to think. Contains the seconds that the table must wait before a bot may take over.
    #[error("the player of this seat is not absent; a bot can take over once the table has waited {0} seconds for it")]
    NotAbsent(u32),
    /// The bot does not exist.
    #[error("unknown bot “{0}”")]
    NoSuchBot(String),
    /// The request is impossible at this table or with these options. Contains the reason.
    #[error("{0}")]
    BadTable(&'static str),
    /// No game can be played with these parameters.
    #[error("parameters: {0}")]
    BadParameters(#[from] BadParameters),
    /// The name is too long, or cannot be displayed safely. Contains the maximum length.
    #[error("a name has at most {0} characters, and no control characters")]
    BadName(usize),
    /// The commitment is unknown, used, or too old.
    #[error("this commitment is unknown, was already used, or is older than ten minutes")]
    NoSuchCommitment,
    /// Too many browsers are linked to this seat.
    #[error("too many browsers have opened this seat's link; use one of these browsers")]
    TooManyLinks,
    /// The table has no coach.
    #[error("this table has no coach")]
    NoCoach,
    /// The coach ran out of time.
    #[error("the coach ran out of time; try again")]
    CoachBusy,
    /// The game is a branch of another game.
    #[error("this game continues another game from the middle: it has no record and cannot be verified")]
    Branch,
    /// Too many tables are open.
    #[error("this server has reached its limit of tables; try again later")]
    Full,
}

impl Rejection {
    /// Checks that it is the turn of `seat`. `to_act` is `None` if the game is over.
    pub(crate) fn check_to_act(seat: Seat, to_act: Option<Seat>) -> Result<(), Self> {
        match to_act.ok_or(Self::Over)? {
            to_act if to_act == seat => Ok(()),
            to_act => Err(Self::NotYourTurn(to_act)),
        }
    }

    /// A short code that never changes.
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
            Self::SeatEmpty => "seat/nobody-there",
            Self::NotAbsent(_) => "seat/not-absent",
            Self::NoSuchBot(_) => "bot/not-found",
            Self::BadTable(_) => "table/bad",
            Self::BadParameters(_) => "table/bad-parameters",
            Self::BadName(_) => "seat/bad-name",
            Self::NoSuchCommitment => "commitment/not-found",
            Self::TooManyLinks => "seat/too-many-links",
            Self::NoCoach => "coach/none",
            Self::CoachBusy => "coach/busy",
            Self::Branch => "table/branch",
            Self::Full => "table/too-many",
        }
    }

    /// The number of the rule in `docs/rules.md` that an action breaks; `None` if no rule of the game is broken.
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

/// An error of a request.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The request is rejected.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The store failed, for example because the database is down. The details are for the log, not for the caller.
    #[error(transparent)]
    Store(#[from] StoreError),
}
