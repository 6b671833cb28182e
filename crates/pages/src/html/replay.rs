//! A finished game, stepped through: from one seat's eyes, or with everything open.
//!
//! Every moment has an address, so that it can be linked to and reached without a script (`88-replay.js` only goes there faster).

pub(crate) mod branch;
pub(crate) mod file;

use maud::{Markup, html};
use sultan_domain::{Cards, MoneyCard, Observer, PlayingTable, Seat, TableId};
use sultan_table::{Doubt, OpenMoment, Replay};
use sultan_text::Text;

use super::art::{colour, draw, emblem};
use super::layout::{Page, page};
use super::table::{PageContext, Sections, turned_up_cards};
use super::tell::tell;
use crate::display::DisplaySettings;

/// Where a game comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A table of this server.
    Table(TableId),
    /// Somebody's file: nothing of it is kept, so all of it stands in the address.
    File { record: &'a str, doubts: &'a [Doubt] },
}

impl<'a> Source<'a> {
    /// The record, as it stands in addresses.
    fn record(self) -> Option<&'a str> {
        match self {
            Source::Table(_) => None,
            Source::File { record, .. } => Some(record),
        }
    }
}

/// A moment that somebody looks at.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) source: Source<'a>,
    pub(crate) at: usize,
    /// The seat with whose eyes it is seen: only what that seat knew then. Without one everything is open.
    pub(crate) seat: Option<Seat>,
}

impl Moment<'_> {
    /// The table at a moment of this game, as it is seen here.
    fn table(self, at: usize) -> PlayingTable {
        match self.seat {
            Some(seat) => self.replay.seen(at, Observer::Seat(seat)),
            None => self.replay.open(at).playing,
        }
    }

    /// The address of another moment of the same game.
    fn address(self, at: usize, seat: Option<Seat>) -> String {
        let record = self.source.record().map(|record| format!("&record={record}")).unwrap_or_default();
        format!("?at={at}&eyes={}{record}", perspective(seat))
    }
}

/// How a seat, or none, is named in addresses.
fn perspective(seat: Option<Seat>) -> String {
    seat.map_or("all".to_owned(), |seat| seat.to_string())
}

/// The whole page.
pub(crate) fn replay(display: &DisplaySettings, moment: Moment<'_>) -> Markup {
    let text = display.text;
    let title = format!("{} · Sultan", text.say("replay-title"));
    let about = text.say("replay-about");
    page(display, &Page { title, kind: "replay-page", bar: html! {}, body: body(text, moment), about })
}

/// The part of it that the script asks for.
pub(crate) fn body(text: Text, moment: Moment<'_>) -> Markup {
    let playing = moment.table(moment.at);
    let look = PageContext { text, playing: &playing, query: "" };
    let view = look.view();
    let sections = Sections::replayed(look);
    html! {
        main #replay .page {
            h1 #main tabindex="-1" { (text.say("replay-title")) }
            @if let Source::File { doubts, .. } = moment.source { (file::notes(text, moment.replay, doubts)) }
            div.ways { (perspectives(look, moment)) (steps(text, look, moment)) }
            div #table class=[look.own().is_none().then_some("watching")] data-phase=(look.phase()) data-players=(view.parameters.players) {
                (sections.get("seats"))
                (sections.get("board"))
                (sections.get("own"))
            }
            (happened(look, moment))
            @if moment.seat.is_none() { (all_cards(look, &moment.replay.open(moment.at))) }
            (settled(look, moment))
            @if let Source::Table(table) = moment.source { (branch::form(look, moment, table)) }
            (after(look, moment))
        }
    }
}

/// Where to go from here.
fn after(look: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let text = look.text;
    html! {
        nav.after aria-label=(text.say("end-after")) {
            @match moment.source {
                Source::Table(table) => {
                    a.btn href=(format!("/t/{table}")) { (text.say("verify-back")) }
                    @if look.playing.info.branch.is_none() {
                        a.btn href=(format!("/t/{table}/record.sultan.json")) download="" { (draw("icon-history", "icon")) (text.say("end-record")) }
                    }
                    a.btn.quiet href="/replay" { (text.say("record-title")) }
                }
                Source::File { .. } => a.btn href="/replay" { (text.say("record-another")) },
            }
        }
    }
}

/// With whose eyes to look.
fn perspectives(look: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let text = look.text;
    let current = |seat: Option<Seat>| (moment.seat == seat).then_some("true");
    html! {
        nav #eyes .eyes aria-label=(text.say("replay-eyes")) {
            span.label aria-hidden="true" { (draw("icon-eye", "icon")) (text.say("replay-eyes")) }
            ul {
                @for seat in &look.view().seats {
                    li data-colour=(colour(look.person(seat.seat).colour)) {
                        a.btn href=(moment.address(moment.at, Some(seat.seat))) aria-current=[current(Some(seat.seat))] { (emblem(look.person(seat.seat).colour)) (look.name(seat.seat)) }
                    }
                }
                li { a.btn href=(moment.address(moment.at, None)) aria-current=[current(None)] { (text.say("replay-all")) } }
            }
            p.soft.small {
                (text.say(if moment.seat.is_some() { "replay-seat-note" } else { "replay-all-note" }))
            }
        }
    }
}

/// The way to other moments.
fn steps(text: Text, look: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let view = look.view();
    let last = moment.replay.last();
    let when = [("stage", view.stage.0.into()), ("round", view.round.0.into())];
    let values = [("at", moment.at.into()), ("last", last.into())];
    let step = |label: &str, sign: &str, id: &str, to: Option<usize>| {
        html! {
            @match to {
                Some(to) => a.icon-btn id=(id) href=(moment.address(to, moment.seat)) aria-label=(label) title=(label) { (sign) },
                None => span.icon-btn id=(id) aria-hidden="true" { (sign) },
            }
        }
    };
    html! {
        section #steps .panel aria-label=(text.say("replay-steps")) data-play=(text.say("replay-play")) data-pause=(text.say("replay-pause")) {
            p #when { b { (text.with("table-round", &when)) } span.soft { (text.with("replay-at", &values)) } }
            div.buttons {
                (step(&text.say("replay-first"), "«", "to-first", (moment.at > 0).then_some(0)))
                (step(&text.say("replay-back"), "‹", "to-back", moment.at.checked_sub(1)))
                button #play .btn.needs-script type="button" { (text.say("replay-play")) }
                (step(&text.say("replay-next"), "›", "to-next", (moment.at < last).then_some(moment.at + 1)))
                (step(&text.say("replay-last"), "»", "to-last", (moment.at < last).then_some(last)))
            }
            form #seek method="get" {
                input type="hidden" name="eyes" value=(perspective(moment.seat));
                @if let Some(record) = moment.source.record() { input type="hidden" name="record" value=(record); }
                input #slider type="range" name="at" min="0" max=(last) value=(moment.at) aria-label=(text.say("replay-slider"));
                button.btn #go { (text.say("replay-go")) }
            }
            p.soft.small.needs-script { (text.say("replay-keys")) }
        }
    }
}

/// What led to this moment, told from what these eyes saw.
fn happened(look: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let before = moment.at.checked_sub(1).map(|before| moment.table(before));
    let said = match &before {
        None => vec![look.text.say("replay-begins")],
        Some(before) => tell(PageContext { playing: before, ..look }, look),
    };
    html! { ul #happened .told role="status" { @for sentence in &said { li { (sentence) } } } }
}

/// The round that this moment has ended, with its cards.
fn settled(look: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let text = look.text;
    let view = look.view();
    let title = look.last_round_title();
    let ended = moment.at > 0 && view.bids.is_empty() && view.cushions.is_empty();
    html! {
        @if let Some(round) = view.last_round.as_ref().filter(|_| ended) {
            section #settled aria-label=(title) {
                h2 { (text.said_of(&title, &text.when(round.stage.0, round.round.0))) }
                (turned_up_cards(look, round))
            }
        }
    }
}

/// Everybody's hand and deck.
fn all_cards(look: PageContext<'_>, open: &OpenMoment) -> Markup {
    let text = look.text;
    let values =
        |cards: &mut dyn Iterator<Item = MoneyCard>| cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    let hand = |hand: &Cards| values(&mut hand.iter());
    html! {
        section #all-cards .panel aria-label=(text.say("replay-cards")) {
            div.wide role="region" aria-label=(text.say("replay-cards")) tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { (text.say("verify-player")) }
                        th scope="col" { (text.say("replay-hand")) }
                        th scope="col" { (text.say("replay-deck")) }
                    } }
                    tbody {
                        @for ((seat, cards), deck) in look.view().seats.iter().zip(&open.hands).zip(&open.decks) {
                            tr {
                                th scope="row" data-colour=(colour(look.person(seat.seat).colour)) { (emblem(look.person(seat.seat).colour)) (look.name(seat.seat)) }
                                td { (hand(cards)) }
                                td { (values(&mut deck.iter().copied())) }
                            }
                        }
                    }
                }
            }
        }
    }
}
