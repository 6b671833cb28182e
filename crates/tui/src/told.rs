//! What a table tells one observer, read from the JSON that every client gets.

use serde::Deserialize;
use sultan_domain::{Kind, PlayerColour, Players, Seat, TableId, View, ViewPhase};
use sultan_text::harmless;

/// A table as it is told.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// Not everybody is there yet.
    Waiting(Waiting),
    /// The game is on, or over.
    Playing(Box<Playing>),
}

/// A table that waits for players.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) players: Players,
    pub(crate) seat: Option<Seat>,
    pub(crate) seats: Vec<WaitingSeat>,
    /// Whether everybody has left.
    pub(crate) ended: bool,
}

/// A seat of a table that waits for players.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WaitingSeat {
    pub(crate) seat: Seat,
    pub(crate) name: String,
    pub(crate) colour: PlayerColour,
    pub(crate) kind: Kind,
    /// Whether nobody waits for this seat.
    pub(crate) ready: bool,
}

/// A game that is on, or over.
#[derive(Clone, Debug)]
pub(crate) struct Playing {
    pub(crate) view: View,
    /// Whether everybody left before the end.
    pub(crate) ended: bool,
    /// Where the same people play once more.
    pub(crate) rematch: Option<TableId>,
}

impl Playing {
    /// Whether nothing more will happen.
    pub(crate) fn is_over(&self) -> bool {
        self.ended || self.view.phase == ViewPhase::Over
    }
}

impl Told {
    /// Reads what a table tells.
    pub(crate) fn read(json: &[u8]) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Around {
            phase: String,
            #[serde(default)]
            ended: bool,
            #[serde(default)]
            rematch: Option<TableId>,
        }
        let Around { phase, ended, rematch } = serde_json::from_slice(json)?;
        if phase == "waiting" {
            let mut waiting: Waiting = serde_json::from_slice(json)?;
            waiting.seats.iter_mut().for_each(|seat| seat.name = harmless(&seat.name));
            return Ok(Self::Waiting(waiting));
        }
        let mut view: View = serde_json::from_slice(json)?;
        // Names come from others: nothing in them may steer the terminal.
        view.seats.iter_mut().for_each(|seat| seat.person.name = harmless(&seat.person.name));
        Ok(Self::Playing(Box::new(Playing { view, ended, rematch })))
    }

    /// Whether nothing more will happen.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Waiting(waiting) => waiting.ended,
            Self::Playing(playing) => playing.is_over(),
        }
    }

    /// The game, once it is on.
    pub(crate) fn playing(&self) -> Option<&Playing> {
        match self {
            Self::Playing(playing) => Some(playing),
            Self::Waiting(_) => None,
        }
    }
}
