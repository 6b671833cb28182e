//! The page of a table in play. Each part is a section, so that only changed sections are sent again.
//!
//! Everything is rendered from one [`PlayingTable`], which has no information that is hidden from its observer.

mod board;
mod changes;
mod last_round;
mod menu;
mod own;
mod screen_back;
mod seats;
mod status;

use std::cmp::Ordering;

use maud::{Markup, PreEscaped, html};
use sultan_domain::{Kind, Person, PlayingTable, Seat, SeatView, View, ViewPhase};
use sultan_text::{Narrator, Text, Value};

use super::art::{draw, ornament};
use super::coach;
use super::guide::guide;
use super::layout::{Page, page};
use super::section::Section;
use crate::display::DisplaySettings;

pub(crate) use board::board;
pub(crate) use changes::{changed_sections, finished_round};
pub(crate) use last_round::{result_in_words, turned_up_cards};
pub(crate) use menu::reaction_text;
pub(crate) use own::replayed as own_in_replay;
pub(crate) use seats::seats;
pub(crate) use status::how_to_bid;

/// The input of a table's page: the game as one observer sees it, and the language.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) text: Text,
    pub(crate) playing: &'a PlayingTable,
    /// `?seat=n` for a browser with several seats, else empty.
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

    pub(crate) fn view(self) -> &'a View {
        &self.playing.view
    }

    /// The observer's seat; `None` for a spectator.
    pub(crate) fn own_seat(self) -> Option<Seat> {
        self.view().observer.seat()
    }

    /// Returns whether the observer is to act.
    pub(crate) fn is_turn(self) -> bool {
        !self.playing.replayed
            && self
                .own_seat()
                .is_some_and(|own| self.view().to_act == Some(own) && self.person(own).kind == Kind::Human)
    }

    /// Returns whether the observer opened the table.
    fn is_host(self) -> bool {
        self.own_seat() == Some(self.playing.info.host)
    }

    /// The person or bot in a seat.
    pub(crate) fn person(self, seat: Seat) -> &'a Person {
        self.playing.person(seat)
    }

    pub(crate) fn seat_view(self, seat: Seat) -> &'a SeatView {
        &self.view().seats[seat.index()]
    }

    /// The narrator for the observer.
    pub(crate) fn narrator(self) -> Narrator {
        Narrator::of(self.text, self.playing)
    }

    /// The name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.text.player_at(self.playing, seat)
    }

    /// The name of the player in a seat, or "You" for the observer.
    fn name_or_you(self, seat: Seat) -> String {
        if self.own_seat() == Some(seat) { self.say("table-you") } else { self.name(seat) }
    }

    /// Returns whether a stand-in bot plays the observer's seat.
    pub(super) fn is_away(self) -> bool {
        self.own_seat().is_some_and(|own| matches!(self.person(own).kind, Kind::StandIn(_)))
    }

    /// The address of this table.
    fn path(self) -> String {
        format!("/t/{}{}", self.playing.info.table, self.query)
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

    /// Returns whether the game is over or was abandoned.
    fn is_done(self) -> bool {
        self.playing.is_over()
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
        self.view().last_round.map_or(String::new(), |round| format!("{}.{}", round.stage, round.round))
    }

    /// The title of the browser tab.
    pub(crate) fn title(self) -> String {
        let text = self.text;
        let view = self.view();
        if self.is_turn() {
            return format!("● {} · Sultan", text.say("table-title-turn"));
        }
        if self.is_done() {
            return format!("{} · Sultan", text.say("table-title-over"));
        }
        let values = [("stage", view.stage.0.into()), ("round", view.round.0.into())];
        format!("{} · Sultan", text.with("table-round", &values))
    }
}

/// The sections of a table.
pub(crate) fn sections(context: PageContext<'_>) -> Vec<Section> {
    let sections = [
        ("clock", stage_and_round(context)),
        ("seats", seats(context)),
        ("board", board(context)),
        ("status", status::status(context)),
        ("own", own::own_area(context)),
        ("last-round", last_round::last_round(context)),
        ("screen-back", screen_back::screen_back(context)),
        ("menu", menu::menu(context)),
    ];
    sections.into_iter().map(|(id, markup)| Section::new(id, markup)).chain(guide(context)).collect()
}

/// The whole page. `alert` is the reason why the last request was rejected, `notice` is shown above the table.
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
        main #table class=[context.own_seat().is_none().then_some("watching")] data-phase=(context.phase()) data-players=(view.parameters.players) data-version=(version) data-at=(view.at)
            data-table=(context.playing.info.table) data-seat=[context.own_seat()] data-turn=(context.is_turn())
            data-round=(context.round_key()) data-gone=(context.playing.absent.digits()) data-live=(context.live_address("table")) data-offline=(context.say("table-offline")) {
            h1 #main .visually-hidden tabindex="-1" { (context.say("table-here")) }
            @if let Some(alert) = alert { p #alert .alert role="alert" { (alert) } }
            @if let Some(notice) = notice { (notice) }
            (seats(context))
            (board(context))
            @if let Some(guide) = guide(context) { (PreEscaped(guide.html)) }
            (status::status(context))
            (own::own_area(context))
        }
        (last_round::last_round(context))
        (screen_back::screen_back(context))
        (menu::menu(context))
        (dialog(context, "story", &context.say("table-story"), &html! { ol #log .told {} }))
    };
    let plain = Page::new("table-page", "", context.say("table-about"), body);
    page(display, &Page { title: context.title(), bar, ..plain })
}

/// A button in the bar that opens a dialog. It works without a script.
fn dialog_button(dialog: &str, icon: &str, label: &str) -> Markup {
    html! { button.icon-btn type="button" aria-label=(label) title=(label) popovertarget=(dialog) { (draw(icon, "icon")) } }
}

/// A dialog that opens and closes without a script.
fn dialog(context: PageContext<'_>, id: &str, title: &str, body: &Markup) -> Markup {
    let heading = format!("{id}-title");
    html! {
        dialog id=(id) popover="auto" aria-labelledby=(heading) {
            div.dialog-head {
                h2 id=(heading) { (title) }
                button.icon-btn type="button" popovertarget=(id) popovertargetaction="hide" aria-label=(context.say("table-close")) {
                    (draw("icon-close", "icon"))
                }
            }
            (body)
        }
    }
}

/// The stage and the round.
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
            }
            span.pips aria-hidden="true" {
                @for round in 1..=view.parameters.rounds_per_stage {
                    i class=[round_mark(view, round)] {}
                }
            }
        }
    }
}

/// The mark of a round in this stage: finished, current, or none for a later one.
fn round_mark(view: &View, round: u8) -> Option<&'static str> {
    match round.cmp(&view.round.0) {
        Ordering::Less => Some("done"),
        Ordering::Equal => Some("now"),
        Ordering::Greater => None,
    }
}

/// The deadline of a seat; the script turns it into a countdown.
fn deadline(context: PageContext<'_>, seat: Seat) -> Markup {
    let utc_time = |rfc3339: &str| rfc3339.get(11..19).unwrap_or_default().to_owned() + " UTC";
    html! {
        @if let Some(until) = context.playing.deadline_of(seat) {
            time.clock role="timer" datetime=(until) title=(context.say("table-deadline")) { (utc_time(until)) }
        }
    }
}
