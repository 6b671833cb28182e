//! Which page a table is, for whoever looks.

use sultan_domain::Seat;
use sultan_table::Sight;

use crate::html::end::is_end;
use crate::routes::pages::shared::{Eyes, Showing};

/// One of the pages that a table may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// Not everybody is there.
    Lobby,
    /// The game is on.
    Table,
    /// The device goes to this seat's player.
    Curtain(Seat),
    /// The game is over.
    End,
}

impl Leaf {
    /// The page that calls itself so; not known where that depends on more than its name.
    pub(super) fn named(name: Option<&str>) -> Option<Self> {
        match name {
            None => Some(Self::Lobby),
            Some("table") => Some(Self::Table),
            Some("end") => Some(Self::End),
            Some(_) => None,
        }
    }

    /// The page for a sight, as `/t/{id}` would answer.
    pub(super) fn of(sight: &Sight, eyes: &Eyes, asked: Option<Seat>) -> Self {
        let Sight::Playing(playing) = sight else { return Self::Lobby };
        match eyes.showing(&playing.view, asked) {
            Showing::Curtain(seat) => Self::Curtain(seat),
            Showing::Seat(_) | Showing::Public if is_end(playing) => Self::End,
            Showing::Seat(_) | Showing::Public => Self::Table,
        }
    }
}
