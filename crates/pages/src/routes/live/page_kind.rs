//! Which page a table is, for whoever looks.

use sultan_domain::{Seat, TableView};

use crate::html::end::is_end;
use crate::routes::viewer::{Perspective, Viewer};

/// One of the pages that a table may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// Not everybody is there.
    Lobby,
    /// The game is on.
    Table,
    /// The device goes to this seat's player.
    Curtain(Seat),
    /// The game is over.
    End,
}

impl PageKind {
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
    pub(super) fn of(sight: &TableView, viewer: &Viewer, asked: Option<Seat>) -> Self {
        let TableView::Playing(playing) = sight else { return Self::Lobby };
        match viewer.perspective(playing, asked) {
            Perspective::Curtain(seat) => Self::Curtain(seat),
            Perspective::Seat(_) | Perspective::Public if is_end(playing) => Self::End,
            Perspective::Seat(_) | Perspective::Public => Self::Table,
        }
    }
}
