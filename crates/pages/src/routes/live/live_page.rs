//! Builds the WebSocket messages for a live page, from the content that the page shows and the new view of its table.

use axum::extract::ws::Message;
use sultan_domain::{Attendance, PlayingTable, Seat, TableView, WaitingTable};
use sultan_table::SeatReaction;
use sultan_text::Text;

use super::ShownState;
use super::message::{FORMAT, LobbyMessage, PresenceMessage, ReactionMessage, ReloadMessage, TableMessage, message};
use crate::html::end::EndReader;
use crate::html::lobby::LobbyExtras;
use crate::html::narration::narrate;
use crate::html::section::Section;
use crate::html::table::{PageContext, changed_sections, finished_round, log_section, reaction_text};
use crate::html::{end, lobby, table};
use crate::routes::page_request::PageRequest;
use crate::routes::viewer::Viewer;

/// The kinds of pages at the address `/t/{id}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageKind {
    /// The lobby of a table that waits for players.
    Lobby,
    /// The table in play.
    Table,
    /// The table as spectators see it, in place of the view of a shared browser's seat, because a round was finished.
    PublicTable,
    /// The curtain, with the request to hand the device to the player of this seat.
    Curtain(Seat),
    /// The result of a finished game.
    End,
}

impl PageKind {
    /// The kind of page with this name. `None` for a curtain, because its name does not tell the seat.
    fn named(name: Option<&str>) -> Option<Self> {
        match name {
            None => Some(Self::Lobby),
            Some("table") => Some(Self::Table),
            Some("end") => Some(Self::End),
            Some(_) => None,
        }
    }

    /// The kind of page that `/t/{id}` would return for a view.
    fn of(view: &TableView, viewer: &Viewer) -> Self {
        match view {
            TableView::Waiting(_) => Self::Lobby,
            TableView::Playing(playing) => match viewer.curtain(playing) {
                Some(seat) => Self::Curtain(seat),
                None if playing.is_over() => Self::End,
                None if viewer.has_seat_view() && viewer.is_look_over(playing) => Self::PublicTable,
                None => Self::Table,
            },
        }
    }
}

/// A page, and the content that it shows.
pub(super) struct LivePage {
    text: Text,
    /// The query of the page's address.
    query: String,
    viewer: Viewer,
    extras: LobbyExtras,
    /// The rematch of the finished game, while it waits for players.
    rematch: Option<WaitingTable>,
    /// Whether the page's script is of a program version with another message format.
    is_outdated: bool,
    /// The kind of page, if known.
    kind: Option<PageKind>,
    /// The view that the page shows, if known.
    before: Option<TableView>,
    /// The version of the table that the page shows; 0 if unknown.
    version: u32,
}

impl LivePage {
    /// A page that has just connected. The view that it shows is unknown, unless `set_shown` is called.
    pub(super) fn new(page: &PageRequest, viewer: Viewer, extras: LobbyExtras, shown: &ShownState) -> Self {
        Self {
            text: page.browser.display().text,
            query: page.query(),
            viewer,
            extras,
            rematch: None,
            is_outdated: shown.format != Some(FORMAT),
            kind: PageKind::named(shown.page.as_deref()),
            before: None,
            version: 0,
        }
    }

    /// Builds the message that an outdated page must reload. Pages ignore messages without a newer version.
    pub(super) fn reload_if_outdated(&self) -> Option<Message> {
        self.is_outdated.then(|| reload_message(self.version + 1))
    }

    /// The seats of the page's browser.
    pub(super) fn own_seats(&self) -> &[Seat] {
        &self.viewer.own_seats
    }

    /// Sets the rematch, which is another table than that of the page.
    pub(super) fn set_rematch(&mut self, rematch: Option<WaitingTable>) {
        self.rematch = rematch;
    }

    /// Records that the page shows this view.
    pub(super) fn set_shown(&mut self, version: u32, view: TableView) {
        self.kind = Some(PageKind::of(&view, &self.viewer));
        self.version = version;
        self.before = Some(view);
    }

    /// The input to render the page for this view.
    fn context<'a>(&'a self, playing: &'a PlayingTable) -> PageContext<'a> {
        PageContext { text: self.text, playing, query: &self.query }
    }

    /// The sections of the new view that differ from the sections that the page shows.
    fn sections_to_send(&self, kind: PageKind, before: Option<&TableView>, now: &TableView) -> Vec<Section> {
        if let (PageKind::Table, Some(TableView::Playing(before)), TableView::Playing(now)) = (kind, before, now) {
            return changed_sections(self.context(before), self.context(now));
        }
        let mut sections = self.sections(kind, now);
        if let Some(before) = before {
            let shown_sections = self.sections(kind, before);
            sections.retain(|section| !shown_sections.contains(section));
        } else if let (PageKind::Table, TableView::Playing(now)) = (kind, now) {
            // The page has missed sentences, and without `before` the message has none.
            sections.push(log_section(self.context(now)));
        }
        sections
    }

    /// All sections of the page.
    fn sections(&self, kind: PageKind, view: &TableView) -> Vec<Section> {
        match (kind, view) {
            (_, TableView::Waiting(waiting)) => lobby::sections(waiting, &self.extras, self.text),
            (PageKind::End, TableView::Playing(playing)) => {
                let reader = EndReader { own_seats: &self.viewer.own_seats, rematch: self.rematch.as_ref() };
                end::sections(self.context(playing), reader)
            }
            (PageKind::Curtain(_), _) => Vec::new(),
            (_, TableView::Playing(playing)) => table::sections(self.context(playing)),
        }
    }

    /// Builds the message about a change of the table. `None` if the change does not affect the page.
    pub(super) fn change_message(&mut self, version: u32, view: TableView) -> Option<Message> {
        let kind = PageKind::of(&view, &self.viewer);
        let is_same_kind = self.kind == Some(kind);
        self.version = version;
        let message = match (&view, self.kind) {
            _ if self.is_outdated => Some(reload_message(version)),
            // A curtain shows no changes until the page behind it is due.
            (_, Some(PageKind::Curtain(_))) if is_same_kind => None,
            (TableView::Waiting(waiting), Some(PageKind::Lobby)) => Some(self.lobby_message(&view, waiting)),
            // The table also gets the change that leads to another page.
            (TableView::Playing(playing), Some(shown @ (PageKind::Table | PageKind::End)))
                if is_same_kind || shown == PageKind::Table =>
            {
                Some(self.table_message(&view, playing, kind))
            }
            _ => Some(reload_message(version)),
        };
        self.kind = Some(kind);
        self.before = Some(view);
        message
    }

    /// Builds the message about a change in the lobby.
    fn lobby_message(&self, view: &TableView, waiting: &WaitingTable) -> Message {
        let content = LobbyMessage {
            version: self.version,
            phase: "waiting",
            gone: waiting.attendance.code(),
            say: vec![lobby::announcement(waiting, self.text)],
        };
        message(&content, &self.sections_to_send(PageKind::Lobby, self.before.as_ref(), view))
    }

    /// Builds the message about a change during the game or after it. If the change leads to another kind of page, the
    /// message has the cards of the finished round, which the page shows before it reloads.
    fn table_message(&self, view: &TableView, playing: &PlayingTable, kind: PageKind) -> Message {
        let context = self.context(playing);
        let before = self.before.as_ref().and_then(TableView::playing).map(|before| self.context(before));
        let reload = self.kind != Some(kind);
        let sections = if reload {
            finished_round(before, context).into_iter().collect()
        } else {
            self.sections_to_send(kind, self.before.as_ref(), view)
        };
        let content = TableMessage {
            version: self.version,
            at: context.view().action_count,
            phase: if kind == PageKind::End { "over" } else { context.phase() },
            turn: context.is_turn(),
            to_act: context.view().to_act.map(Seat::number),
            round: context.round_key(),
            gone: playing.attendance.code(),
            say: before.map_or_else(Vec::new, |before| narrate(before, context)),
            title: context.title(),
            reload,
        };
        message(&content, &sections)
    }

    /// Builds the message about connected or disconnected players and spectators, if the page does not show them yet.
    pub(super) fn presence_message(&mut self, attendance: Attendance) -> Option<Message> {
        let kind = self.kind?;
        // If the page shows this attendance already, `self.before` stays as it is.
        let before = self.before.take_if(|before| before.attendance() != attendance)?;
        let view = before.clone().with_attendance(attendance);
        let sections = self.sections_to_send(kind, Some(&before), &view);
        let say = match (&before, &view) {
            (TableView::Playing(before), TableView::Playing(now)) => narrate(self.context(before), self.context(now)),
            _ => Vec::new(),
        };
        self.before = Some(view);
        // A curtain shows no seats, so it has no sections that could change. An outdated page cannot read them.
        let is_affected = !sections.is_empty() && !self.is_outdated;
        let content = PresenceMessage { version: self.version, passing: true, gone: attendance.code(), say };
        is_affected.then(|| message(&content, &sections))
    }

    /// Builds the message about a reaction; `None` if the page shows no game in play.
    pub(super) fn reaction_message(&self, SeatReaction { seat, reaction }: SeatReaction) -> Option<Message> {
        let playing = self.before.as_ref()?.playing()?;
        let (name, word) = (self.context(playing).name(seat), reaction_text(self.text, reaction));
        let say = self.text.with("event-reaction", &[("name", name.into()), ("word", (&word).into())]);
        let content = ReactionMessage { reaction: reaction.code(), seat: seat.number(), word, say };
        Some(message(&content, &[]))
    }
}

fn reload_message(version: u32) -> Message {
    message(&ReloadMessage { version, reload: true }, &[])
}
