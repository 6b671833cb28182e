//! The page of a table in play. Each part is a section, so that a live page gets only the sections that changed.
//!
//! Everything is rendered from one [`PlayingTable`], which has no information that is hidden from its observer (the
//! reader of the page: a player or a spectator).

mod board;
mod changes;
mod last_round;
mod log;
mod menu;
mod own;
mod screen_back;
mod seats;
mod status;

use std::cmp::Ordering;

use maud::{Markup, PreEscaped, html};
use sultan_domain::{Kind, Person, PlayingTable, Seat, SeatView, View, ViewPhase};
use sultan_text::{Narrator, Text, Value, split_names};

use super::art::{draw, ornament};
use super::coach;
use super::guide::guide;
use super::layout::{Page, page};
use super::section::Section;
use crate::display::DisplaySettings;

pub(crate) use board::board;
pub(crate) use changes::{changed_sections, finished_round};
pub(crate) use last_round::{result_in_words, turned_up_cards};
pub(crate) use log::log_section;
pub(crate) use menu::reaction_text;
pub(crate) use own::own_area_without_controls;
pub(crate) use seats::seats;
pub(crate) use status::own_turn;

/// The input of a table's page: the game as one observer sees it, and the language.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) text: Text,
    pub(crate) playing: &'a PlayingTable,
    /// `?seat=n`, perhaps with `&after=`, for a browser with several seats, else empty.
    pub(crate) query: &'a str,
}

impl<'a> PageContext<'a> {
    /// A message in the reader's language.
    pub(crate) fn say(self, key: &str) -> String {
        self.text.say(key)
    }

    /// A message with variables, in the reader's language.
    pub(crate) fn with(self, key: &str, values: &[(&str, Value<'_>)]) -> String {
        self.text.with(key, values)
    }

    /// The game as the observer sees it.
    pub(crate) fn view(self) -> &'a View {
        &self.playing.view
    }

    /// The observer's seat; `None` for a spectator.
    pub(crate) fn own_seat(self) -> Option<Seat> {
        self.view().observer.seat()
    }

    /// Returns whether the observer is to act. Never in a replay, during a pause, or while a stand-in bot plays the seat.
    pub(crate) fn is_turn(self) -> bool {
        let seat_to_act = self.view().to_act.filter(|&seat| self.own_seat() == Some(seat) && !self.playing.replayed);
        let seat_to_act = seat_to_act.filter(|_| !self.playing.info.paused);
        seat_to_act.is_some_and(|seat| self.person(seat).kind == Kind::Human)
    }

    /// Returns whether the observer opened the table.
    fn is_host(self) -> bool {
        self.own_seat() == Some(self.playing.info.host)
    }

    /// The person or bot in a seat.
    pub(crate) fn person(self, seat: Seat) -> &'a Person {
        self.playing.person(seat)
    }

    /// The cards and jewels of a seat, as far as the observer sees them.
    pub(crate) fn seat_view(self, seat: Seat) -> &'a SeatView {
        &self.view().seats[seat.index()]
    }

    /// The narrator, which describes events in sentences for the observer.
    pub(crate) fn narrator(self) -> Narrator {
        Narrator::of(self.text, self.playing)
    }

    /// The name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.text.player_at(self.playing, seat)
    }

    /// The name of the player in a seat, for places with little room. The style sheet may cut its start, but not the
    /// end that distinguishes it from other names.
    pub(crate) fn short_name(self, seat: Seat) -> Markup {
        let names = self.text.players(self.playing);
        let (start, end) = split_names(&names).get(seat.index()).copied().unwrap_or_default();
        html! { span.short-name title={ (start) (end) } { span { (start) } @if !end.is_empty() { span { (end) } } } }
    }

    /// The short name of the player in a seat, or "You" for the observer. (In a replay the observer need not be the
    /// viewer, whose name is "You" already.)
    fn short_name_or_you(self, seat: Seat) -> Markup {
        if self.own_seat() == Some(seat) && !self.playing.replayed {
            html! { span { (self.say("table-you")) } }
        } else {
            self.short_name(seat)
        }
    }

    /// Returns whether a stand-in bot plays the observer's seat.
    pub(crate) fn is_away(self) -> bool {
        self.own_seat().is_some_and(|seat| matches!(self.person(seat).kind, Kind::StandIn(_)))
    }

    /// Returns whether spectators watch a player's game. A spectator knows.
    fn is_watched(self) -> bool {
        self.own_seat().is_some() && self.playing.attendance.watched
    }

    /// The address that a form of this table is sent to.
    pub(crate) fn form_address(self, route: &str) -> String {
        format!("/t/{}/{route}{}", self.playing.info.table, self.query)
    }

    /// The address of the WebSocket for a page of this table.
    pub(crate) fn live_address(self, page: &str) -> String {
        let separator = if self.query.is_empty() { "?" } else { "&" };
        format!("{}{separator}page={page}", self.form_address("live"))
    }

    /// The phase, for the script and the style sheet.
    pub(crate) fn phase(self) -> &'static str {
        match self.view().phase {
            ViewPhase::Offer => "offer",
            ViewPhase::Bid => "bid",
            ViewPhase::Over => "over",
        }
    }

    /// The title of the last finished round: "previous round" during the game, "last round" after it.
    pub(crate) fn last_round_title(self) -> String {
        self.text.say(if self.view().phase == ViewPhase::Over { "end-last-round" } else { "table-last-round" })
    }

    /// An identifier of the last finished round, for the script.
    pub(crate) fn round_key(self) -> String {
        round_key(self.view())
    }

    /// The title of the browser tab.
    pub(crate) fn title(self) -> String {
        let title = if self.is_turn() {
            format!("● {}", self.say("table-title-turn"))
        } else if self.playing.is_over() {
            self.say("table-title-over")
        } else {
            self.text.round_label(self.view().stage.0, self.view().round.0)
        };
        format!("{title} · Sultan")
    }
}

/// An identifier of the last finished round, such as `1.4`: its stage and round. Empty before the first round is
/// finished.
pub(crate) fn round_key(view: &View) -> String {
    view.last_round.map_or(String::new(), |round| format!("{}.{}", round.stage, round.round))
}

/// The query of the address at which a browser with several seats shows the table to the player of one seat, until the
/// round after `last_round` is finished.
pub(crate) fn seat_query(seat: Seat, last_round: &str) -> String {
    if last_round.is_empty() { format!("?seat={seat}") } else { format!("?seat={seat}&after={last_round}") }
}

/// All sections of the page.
pub(crate) fn sections(context: PageContext<'_>) -> Vec<Section> {
    let mut sections = vec![
        Section::new("clock", stage_and_round(context)),
        Section::new("seats", seats(context)),
        Section::new("board", board(context)),
        Section::new("status", status::status(context)),
        Section::new("own", own::own_area(context)),
        Section::new("last-round", last_round::last_round(context)),
        Section::new("screen-back", screen_back::screen_back(context)),
        Section::new("menu", menu::menu(context)),
    ];
    sections.extend(guide(context));
    sections
}

/// The whole page. `alert` is the reason why a form was rejected. `notice` is shown above the table.
pub(crate) fn table(
    display: &DisplaySettings,
    context: PageContext<'_>,
    version: u32,
    alert: Option<&str>,
    notice: Option<&Markup>,
) -> Markup {
    let view = context.view();
    let bar = html! {
        (stage_and_round(context))
        @if context.playing.info.branch.is_some() {
            span.pill.branch-pill title=(context.say("branch-note")) { (context.say("branch-pill")) }
        }
        (coach::buttons(context))
        (dialog_button("last-round", "icon-history", &context.last_round_title()))
        (dialog_button("screen-back", "icon-rules", &context.say("table-points")))
        (dialog_button("menu", "icon-menu", &context.say("table-menu")))
    };
    let body = html! {
        (ornament("girih"))
        // The script reads the `data-` attributes: the state that the page shows, and texts and addresses that it
        // needs.
        main #table class=[main_class(context)] data-look=[is_shared(context).then(|| context.say("curtain-everyone"))]
            data-phase=(context.phase()) data-players=(view.parameters.players) data-version=(version) data-at=(view.action_count)
            data-table=(context.playing.info.table) data-seat=[context.own_seat()] data-turn=(context.is_turn())
            data-round=(context.round_key()) data-gone=(context.playing.attendance.code()) data-live=(context.live_address("table")) data-offline=(context.say("table-offline")) {
            h1 #main .visually-hidden tabindex="-1" { (context.say("table-here")) }
            @if let Some(alert) = alert { p #alert .alert role="alert" { (alert) } }
            @if let Some(notice) = notice { (notice) }
            (seats(context))
            (board(context))
            @if let Some(guide) = guide(context) { (PreEscaped(guide.html)) }
            (status::status(context))
            (own::own_area(context))
            (log::log(context))
            (key_hints(context))
        }
        (last_round::last_round(context))
        (screen_back::screen_back(context))
        (menu::menu(context))
    };
    let page_without_bar = Page::new("table-page", "", context.say("table-about"), body);
    page(display, &Page { title: context.title(), bar, ..page_without_bar })
}

/// Returns whether a browser shared by several players shows the table to one of them.
fn is_shared(context: PageContext<'_>) -> bool {
    context.own_seat().is_some() && !context.query.is_empty()
}

/// The class for spectators, or for one of several players who share a browser: the style sheet hides the player's own
/// area from the others while they look at the cards of a finished round.
fn main_class(context: PageContext<'_>) -> Option<&'static str> {
    if context.own_seat().is_none() { Some("watching") } else { is_shared(context).then_some("shared") }
}

/// A button in the bar that opens the dialog with this id, also without a script.
fn dialog_button(dialog: &str, icon: &str, label: &str) -> Markup {
    html! { button.icon-btn type="button" aria-label=(label) title=(label) popovertarget=(dialog) { (draw(icon, "icon")) } }
}

/// A dialog with a title and a button to close it. It opens and closes without a script, too.
fn dialog(context: PageContext<'_>, id: &str, title: &str, body: &Markup) -> Markup {
    let heading = format!("{id}-title");
    html! {
        dialog id=(id) popover="auto" aria-labelledby=(heading) {
            (dialog_head(context, id, title))
            (body)
        }
    }
}

/// The title of the dialog with this id, and the button to close it.
fn dialog_head(context: PageContext<'_>, id: &str, title: &str) -> Markup {
    html! {
        div.dialog-head {
            h2 id=(format!("{id}-title")) { (title) }
            button.icon-btn type="button" popovertarget=(id) popovertargetaction="hide" aria-label=(context.say("table-close")) {
                (draw("icon-close", "icon"))
            }
        }
    }
}

/// The keys that play, for players; the style sheet shows them while a keyboard is used.
fn key_hints(context: PageContext<'_>) -> Markup {
    let cushions = format!("1–{}", context.view().parameters.cushions);
    let hints = [("← →", "keys-choose"), (&cushions, "keys-cushion"), ("Enter", "keys-confirm"), ("Esc", "keys-clear")];
    html! {
        @if context.own_seat().is_some() {
            p #keys .needs-script { @for (key, text) in hints { span { kbd { (key) } " " (context.say(text)) } } }
        }
    }
}

/// The stage and the round in words, a sign if somebody watches, and a mark for each round of the stage.
fn stage_and_round(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let text = context.text;
    let stage = text.variant_title(&view.parameters.variant()).unwrap_or_else(|| {
        text.with("table-clock-stage", &[("stage", view.stage.0.into()), ("stages", view.parameters.stages.into())])
    });
    html! {
        p #clock {
            span.when {
                span { (stage) }
                span.between aria-hidden="true" { " · " }
                span { (text.with("table-clock-round", &[("round", view.round.0.into())])) }
                @if context.is_watched() { span.visually-hidden { " " (text.say("table-watched")) } }
            }
            span.pips aria-hidden="true" {
                @for round in 1..=view.parameters.rounds_per_stage {
                    i.pip.(round_mark(view, round)) {}
                }
                @if context.is_watched() { span.watched title=(text.say("table-watched")) { (draw("icon-eye", "icon")) } }
            }
        }
    }
}

/// The class of a round's mark: finished, current or later.
fn round_mark(view: &View, round: u8) -> &'static str {
    match round.cmp(&view.round.0) {
        Ordering::Less => "done",
        Ordering::Equal => "now",
        Ordering::Greater => "later",
    }
}

/// The time of day of a time in the format of RFC 3339, which has it in the bytes 11 to 18.
fn utc_time(rfc3339: &str) -> String {
    rfc3339.get(11..19).unwrap_or_default().to_owned() + " UTC"
}

/// The deadline of a seat, if it is to act within a time limit. The script turns the time into a countdown.
fn deadline(context: PageContext<'_>, seat: Seat) -> Markup {
    html! {
        @if let Some(deadline) = context.playing.deadline_of(seat) {
            time.clock role="timer" datetime=(deadline) title=(context.say("table-deadline")) { (utc_time(deadline)) }
        }
    }
}
