//! The content of a live page, and the changes to send to it.

use sultan_domain::{AbsentSeats, PlayingTable, Seat, TableView, WaitingTable};
use sultan_table::SeatReaction;
use sultan_text::Text;

use super::message::{Change, Presence, ReactionMessage, Reload, Waiting, json};
use crate::html::end::is_end;
use crate::html::lobby::LobbyExtras;
use crate::html::narration::narrate;
use crate::html::section::Section;
use crate::html::table::{PageContext, changed_sections, finished_round, reaction_text};
use crate::html::{end, lobby, table};
use crate::routes::page_request::PageRequest;
use crate::routes::viewer::Viewer;

/// The pages that `/t/{id}` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageKind {
    /// The table waits for players.
    Lobby,
    /// The table is in play.
    Table,
    /// The device is to be handed to this seat's player.
    Curtain(Seat),
    /// The game is over.
    End,
}

impl PageKind {
    /// The kind of page with this name; `None` if the name is not enough to determine it.
    fn named(name: Option<&str>) -> Option<Self> {
        match name {
            None => Some(Self::Lobby),
            Some("table") => Some(Self::Table),
            Some("end") => Some(Self::End),
            Some(_) => None,
        }
    }

    /// The kind of page that `/t/{id}` would return for a view.
    fn of(view: &TableView, viewer: &Viewer, requested_seat: Option<Seat>) -> Self {
        match view {
            TableView::Waiting(_) => Self::Lobby,
            TableView::Playing(playing) => match viewer.curtain(playing, requested_seat) {
                Some(seat) => Self::Curtain(seat),
                None if is_end(playing) => Self::End,
                None => Self::Table,
            },
        }
    }
}

/// A page, and the content last sent to it.
pub(super) struct LivePage {
    text: Text,
    query: String,
    viewer: Viewer,
    requested_seat: Option<Seat>,
    extras: LobbyExtras,
    /// The kind of page, if known.
    kind: Option<PageKind>,
    /// The view that the page shows, if known.
    before: Option<TableView>,
    /// The version that the page shows.
    version: u32,
}

impl LivePage {
    /// A page with unknown content.
    pub(super) fn new(page: &PageRequest, viewer: Viewer, extras: LobbyExtras, name: Option<&str>) -> Self {
        let (text, query, requested_seat) = (page.browser.display().text, page.query(), page.request.seat);
        let kind = PageKind::named(name);
        Self { text, query, viewer, requested_seat, extras, kind, before: None, version: 0 }
    }

    /// The seats of the page's browser.
    pub(super) fn own_seats(&self) -> &[Seat] {
        &self.viewer.own
    }

    /// Sets the content that the page shows.
    pub(super) fn set_shown(&mut self, version: u32, view: TableView) {
        self.kind = Some(PageKind::of(&view, &self.viewer, self.requested_seat));
        self.version = version;
        self.before = Some(view);
    }

    fn context<'a>(&'a self, playing: &'a PlayingTable) -> PageContext<'a> {
        PageContext { text: self.text, playing, query: &self.query }
    }

    /// The sections that differ from those that the page shows.
    fn sections_to_send(&self, kind: PageKind, before: Option<&TableView>, now: &TableView) -> Vec<Section> {
        if let (PageKind::Table, Some(TableView::Playing(before)), TableView::Playing(now)) = (kind, before, now) {
            return changed_sections(self.context(before), self.context(now));
        }
        let mut sections = self.sections(kind, now);
        if let Some(before) = before {
            let shown = self.sections(kind, before);
            sections.retain(|section| !shown.contains(section));
        }
        sections
    }

    /// All sections of the page.
    fn sections(&self, kind: PageKind, view: &TableView) -> Vec<Section> {
        match (kind, view) {
            (_, TableView::Waiting(waiting)) => lobby::sections(waiting, &self.extras, self.text),
            (PageKind::End, TableView::Playing(playing)) => end::sections(self.context(playing), &self.viewer.own),
            (PageKind::Curtain(_), _) => Vec::new(),
            (_, TableView::Playing(playing)) => table::sections(self.context(playing)),
        }
    }

    /// The message about a change; `None` if it does not affect the page.
    pub(super) fn change(&mut self, version: u32, view: TableView) -> Option<String> {
        let kind = PageKind::of(&view, &self.viewer, self.requested_seat);
        let is_same_kind = self.kind == Some(kind);
        self.version = version;
        let outgoing = match (&view, self.kind) {
            // A curtain shows no changes until the page behind it is due.
            (_, Some(PageKind::Curtain(_))) if is_same_kind => None,
            (TableView::Waiting(waiting), Some(PageKind::Lobby)) => Some(self.lobby_change(&view, waiting)),
            (TableView::Playing(playing), Some(PageKind::Table)) => Some(self.table_change(&view, playing, kind)),
            (TableView::Playing(playing), Some(PageKind::End)) if is_same_kind => {
                Some(self.table_change(&view, playing, kind))
            }
            _ => Some(json(&Reload { version, reload: true })),
        };
        self.kind = Some(kind);
        self.before = Some(view);
        outgoing
    }

    /// The message about a change in the lobby.
    fn lobby_change(&self, view: &TableView, waiting: &WaitingTable) -> String {
        let sections = self.sections_to_send(PageKind::Lobby, self.before.as_ref(), view);
        json(&Waiting {
            version: self.version,
            phase: "waiting",
            gone: waiting.absent.digits(),
            sections,
            say: vec![lobby::announcement(waiting, self.text)],
        })
    }

    /// The message about a change during the game. If another page is next, it contains the cards of the finished
    /// round, to be shown before the page reloads.
    fn table_change(&self, view: &TableView, playing: &PlayingTable, kind: PageKind) -> String {
        let context = self.context(playing);
        let before = self.before.as_ref().and_then(TableView::playing).map(|before| self.context(before));
        let reload = self.kind != Some(kind);
        let sections = if reload {
            finished_round(before, context).into_iter().collect()
        } else {
            self.sections_to_send(kind, self.before.as_ref(), view)
        };
        let say = before.map_or_else(Vec::new, |before| narrate(before, context));
        json(&Change {
            version: self.version,
            at: context.view().at,
            phase: if kind == PageKind::End { "over" } else { context.phase() },
            turn: context.is_turn(),
            to_act: context.view().to_act.map(Seat::number),
            round: context.round_key(),
            gone: playing.absent.digits(),
            sections,
            say,
            title: context.title(),
            reload,
        })
    }

    /// The message about connected or disconnected players, if it affects the page.
    pub(super) fn presence(&mut self, gone: AbsentSeats) -> Option<String> {
        let kind = self.kind?;
        let before = self.before.take_if(|before| before.absent() != gone)?;
        let view = before.clone().with_absent(gone);
        let sections = self.sections_to_send(kind, Some(&before), &view);
        let say = match (&before, &view) {
            (TableView::Playing(before), TableView::Playing(now)) => narrate(self.context(before), self.context(now)),
            _ => Vec::new(),
        };
        let presence = Presence { version: self.version, passing: true, gone: gone.digits(), sections, say };
        let outgoing = (!presence.sections.is_empty()).then(|| json(&presence));
        self.before = Some(view);
        outgoing
    }

    /// The message about a reaction.
    pub(super) fn reaction(&self, SeatReaction { seat, reaction }: SeatReaction) -> Option<String> {
        let Some(TableView::Playing(playing)) = &self.before else { return None };
        let (name, word) = (self.context(playing).name(seat), reaction_text(self.text, reaction));
        let say = self.text.with("event-reaction", &[("name", name.into()), ("word", (&word).into())]);
        Some(json(&ReactionMessage { reaction: reaction.code(), seat: seat.number(), word, say }))
    }
}
