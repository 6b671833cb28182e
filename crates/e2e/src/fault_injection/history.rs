//! All requests, responses and views of one table, recorded for the checker.

use sultan_domain::{Person, Screens};

use sultan_testkit::http::Event;

/// All requests and views of one table.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The table as it was opened.
    pub table: OpenedTable,
    /// All requested actions of all players.
    pub requests: Vec<Request>,
    /// All event streams. A watcher (a player or spectator) opens one after the other; they are in order of opening.
    pub streams: Vec<Stream>,
    /// All views that were requested with a single request.
    pub requested_views: Vec<RequestedView>,
}

/// A table as it was opened.
#[derive(Clone, Debug, Default)]
pub struct OpenedTable {
    /// The table's ID.
    pub id: String,
    /// The occupants of the seats.
    pub people: Vec<Person>,
    /// The commitment to the server seed.
    pub commitment: String,
    /// The host's seat.
    pub host: u8,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The time limit for each action.
    pub seconds: Option<u32>,
    /// Whether the pace is even: the server shows actions at regular times, which do
    /// not reveal the time a player needed.
    pub has_even_pace: bool,
    /// Whether players leave their seats from time to time, and bots stand in for them.
    pub has_absences: bool,
    /// Whether all players leave before the end.
    pub is_left_early: bool,
}

impl OpenedTable {
    /// The table's ID and its options.
    #[must_use]
    pub fn description(&self) -> String {
        let time_limit = self.seconds.map(|seconds| format!("{seconds} s"));
        let options = [
            (self.has_even_pace, "even pace"),
            (self.has_absences, "absences"),
            (self.is_left_early, "left before the end"),
        ];
        let options = options.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.to_owned());
        let all: Vec<String> = time_limit.into_iter().chain(options).collect();
        if all.is_empty() { self.id.clone() } else { format!("{} ({})", self.id, all.join(", ")) }
    }

    /// Whether a clock or a stand-in bot may have acted for a player's seat.
    #[must_use]
    pub const fn others_may_act(&self) -> bool {
        self.seconds.is_some() || self.has_absences || self.is_left_early
    }
}

/// A requested action.
#[derive(Clone, Debug)]
pub struct Request {
    /// The seat whose token was sent.
    pub seat: u8,
    /// The number of actions before this action, as the player's last view had it.
    pub at: u64,
    /// The notation of the action.
    pub action: String,
    /// Whether the action was legal for this seat in the player's last view, so that it must not be rejected.
    pub is_legal: bool,
    /// The node that got the request.
    pub node: usize,
    /// The outcome.
    pub outcome: RequestOutcome,
}

/// The outcome of a request, as the client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOutcome {
    /// The action was applied; with the view in the response.
    Acknowledged(String),
    /// The action was rejected and must never be applied; with the error code.
    Rejected(String),
    /// No response, or a server error: the action may have been applied or not.
    Unknown,
}

/// A stream of events.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The number of the watcher.
    pub watcher: usize,
    /// The watcher's seat; `None` for a spectator.
    pub seat: Option<u8>,
    /// The node that got the request.
    pub node: usize,
    /// The version in the `Last-Event-ID` header, the last that the watcher had received; `None` if it was not sent.
    pub last_event_id: Option<u32>,
    /// The received events.
    pub events: Vec<Event>,
}

/// A view that was requested with a single request.
#[derive(Clone, Debug)]
pub struct RequestedView {
    /// The seat whose token was sent; `None` for a spectator.
    pub seat: Option<u8>,
    /// The node that got the request.
    pub node: usize,
    /// The JSON of the view.
    pub view: String,
}
