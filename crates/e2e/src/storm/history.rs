//! What everybody at a table asked, was answered, and saw.

use sultan_domain::{Person, Screens};

use sultan_testkit::http::Event;

/// All that was asked and seen at one table.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The table as it was opened.
    pub table: Opened,
    /// Every action that was asked for, by whomever.
    pub requests: Vec<Request>,
    /// Every stream that was watched, those of one watcher in order.
    pub streams: Vec<Stream>,
    /// Every single look at the table.
    pub looks: Vec<Look>,
}

/// A table as it was opened.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// Its name.
    pub id: String,
    /// Who sits where.
    pub people: Vec<Person>,
    /// The promise of the server's seed.
    pub commitment: String,
    /// The host's seat.
    pub host: u8,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The time limit.
    pub seconds: Option<u32>,
    /// Whether the pace is even.
    pub even_pace: bool,
    /// Whether people get up in between, and bots stand in for them.
    pub absences: bool,
    /// Whether everybody leaves before the end.
    pub ended: bool,
}

impl Opened {
    /// Its name, and what is special about it.
    #[must_use]
    pub fn told(&self) -> String {
        let time = self.seconds.map(|seconds| format!("{seconds} s"));
        let traits = [(self.even_pace, "even pace"), (self.absences, "absences"), (self.ended, "left before the end")];
        let traits = traits.into_iter().filter(|(has, _)| *has).map(|(_, name)| name.to_owned());
        let all: Vec<String> = time.into_iter().chain(traits).collect();
        if all.is_empty() { self.id.clone() } else { format!("{} ({})", self.id, all.join(", ")) }
    }

    /// Whether something else than the person may have acted for a person's seat.
    #[must_use]
    pub const fn others_act(&self) -> bool {
        self.seconds.is_some() || self.absences || self.ended
    }
}

/// An action that somebody asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose token was sent.
    pub seat: u8,
    /// When it was to happen.
    pub at: u64,
    /// The action as it was sent.
    pub action: String,
    /// Whether it was this seat's turn and the action was listed as legal, as far as this person saw.
    pub honest: bool,
    /// Which node was asked.
    pub node: usize,
    /// What came of it.
    pub ending: Ending,
}

/// What came of a request, as far as whoever asked knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is done; the view that came with the answer.
    Acknowledged(String),
    /// It is not done and never will be; the code of the reason.
    Refused(String),
    /// Nobody knows: no answer came, or one that says so.
    Unknown,
}

/// A stream of events.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Who watches: each watcher has a number.
    pub watcher: usize,
    /// The watcher's seat; nothing for a spectator.
    pub seat: Option<u8>,
    /// Which node was asked.
    pub node: usize,
    /// The `Last-Event-ID` that was sent.
    pub last: Option<u32>,
    /// What came.
    pub events: Vec<Event>,
}

/// A single look.
#[derive(Clone, Debug)]
pub struct Look {
    /// Whose token was sent.
    pub seat: Option<u8>,
    /// Which node was asked.
    pub node: usize,
    /// What it said.
    pub view: String,
}
