//! The replay of a finished game, from the view of one seat or with everything open.
//!
//! Every position has its own address, so that it can be linked to and works without a script (`88-replay.js` only
//! makes navigation faster).

pub(crate) mod branch;
pub(crate) mod file;

use maud::{Markup, html};
use sultan_domain::{MoneyCard, Observer, Seat, TableId};
use sultan_table::{FalseClaim, OpenMoment, Replay};
use sultan_text::Text;

use super::art::{draw, emblem};
use super::layout::{Page, page, wide_table};
use super::narration::narrate;
use super::table::{PageContext, board, own_in_replay, seats, turned_up_cards};
use crate::display::DisplaySettings;

/// The source of a replayed game.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A table of this server.
    Table(TableId),
    /// An uploaded record file. It is not stored, so the address contains the whole record.
    File { record: &'a str, false_claims: &'a [FalseClaim] },
}

impl<'a> Source<'a> {
    /// The record, as it is encoded in addresses.
    fn record(self) -> Option<&'a str> {
        match self {
            Source::Table(_) => None,
            Source::File { record, .. } => Some(record),
        }
    }
}

/// One position of a replay, as it is displayed.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) source: Source<'a>,
    pub(crate) at: usize,
    /// The seat whose view is shown, with only the information that it had then. `None` shows everything.
    pub(crate) seat: Option<Seat>,
}

impl Moment<'_> {
    /// The game at position `at` for the selected view. Hands and decks are empty unless everything is open.
    fn position(self, at: usize) -> OpenMoment {
        let view_of = |seat| self.replay.view_at(at, Observer::Seat(seat));
        let of_seat = self.seat.map(|seat| OpenMoment { playing: view_of(seat), hands: Vec::new(), decks: Vec::new() });
        of_seat.unwrap_or_else(|| self.replay.open(at))
    }

    /// The address of another position of the same game.
    fn address(self, at: usize, seat: Option<Seat>) -> String {
        let record = self.source.record().map(|record| format!("&record={record}")).unwrap_or_default();
        format!("?at={at}&eyes={}{record}", perspective(seat))
    }
}

/// The value of the `eyes` parameter: a seat, or `all`.
fn perspective(seat: Option<Seat>) -> String {
    seat.map_or("all".to_owned(), |seat| seat.to_string())
}

/// The whole page.
pub(crate) fn replay(display: &DisplaySettings, moment: Moment<'_>) -> Markup {
    let text = display.text;
    page(display, &Page::new("replay-page", &text.say("replay-title"), text.say("replay-about"), body(text, moment)))
}

/// The `main` element, which the script loads alone.
pub(crate) fn body(text: Text, moment: Moment<'_>) -> Markup {
    let position = moment.position(moment.at);
    let context = PageContext { text, playing: &position.playing, query: "" };
    let view = context.view();
    html! {
        main #replay .page {
            h1 #main tabindex="-1" { (text.say("replay-title")) }
            @if let Source::File { false_claims, .. } = moment.source { (file::warnings(text, moment.replay, false_claims)) }
            div.ways { (perspectives(context, moment)) (steps(text, context, moment)) }
            div #table class=[context.own_seat().is_none().then_some("watching")] data-phase=(context.phase()) data-players=(view.parameters.players) {
                (seats(context))
                (board(context))
                (own_in_replay(context))
            }
            (last_action(context, moment))
            @if moment.seat.is_none() { (all_cards(context, &position)) }
            (finished_round(context, moment))
            @if let Source::Table(table) = moment.source { (branch::form(context, moment, table)) }
            (related_links(context, moment))
        }
    }
}

/// Links to related pages.
fn related_links(context: PageContext<'_>, moment: Moment<'_>) -> Markup {
    html! {
        nav.after aria-label=(context.say("end-after")) {
            @match moment.source {
                Source::Table(table) => {
                    a.btn href=(format!("/t/{table}")) { (context.say("verify-back")) }
                    @if context.playing.info.branch.is_none() {
                        a.btn href=(format!("/t/{table}/record.sultan.json")) download="" { (draw("icon-history", "icon")) (context.say("end-record")) }
                    }
                    a.btn.quiet href="/replay" { (context.say("record-title")) }
                }
                Source::File { .. } => a.btn href="/replay" { (context.say("record-another")) },
            }
        }
    }
}

/// Links to the views of the seats, and to the open view.
fn perspectives(context: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let current = |seat: Option<Seat>| (moment.seat == seat).then_some("true");
    html! {
        nav #eyes .eyes aria-label=(context.say("replay-eyes")) {
            span.label aria-hidden="true" { (draw("icon-eye", "icon")) (context.say("replay-eyes")) }
            ul {
                @for seat in &context.view().seats {
                    li data-colour=(context.person(seat.seat).colour.name()) {
                        a.btn href=(moment.address(moment.at, Some(seat.seat))) aria-current=[current(Some(seat.seat))] { (emblem(context.person(seat.seat).colour)) (context.name(seat.seat)) }
                    }
                }
                li { a.btn href=(moment.address(moment.at, None)) aria-current=[current(None)] { (context.say("replay-all")) } }
            }
            p.soft.small {
                (context.say(if moment.seat.is_some() { "replay-seat-note" } else { "replay-all-note" }))
            }
        }
    }
}

/// Links to other positions.
fn steps(text: Text, context: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let view = context.view();
    let last = moment.replay.last();
    let when = [("stage", view.stage.0.into()), ("round", view.round.0.into())];
    let values = [("at", moment.at.into()), ("last", last.into())];
    let step = |label: &str, sign: &str, id: &str, target: Option<usize>| {
        html! {
            @match target {
                Some(at) => a.icon-btn id=(id) href=(moment.address(at, moment.seat)) aria-label=(label) title=(label) { (sign) },
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

/// The action that led to this position, in sentences, from the selected view.
fn last_action(context: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let before = moment.at.checked_sub(1).map(|before| moment.position(before).playing);
    let sentences = match &before {
        None => vec![context.say("replay-begins")],
        Some(before) => narrate(PageContext { playing: before, ..context }, context),
    };
    html! { ul #happened .told role="status" { @for sentence in &sentences { li { (sentence) } } } }
}

/// The turned-up cards of the round that ended with this position.
fn finished_round(context: PageContext<'_>, moment: Moment<'_>) -> Markup {
    let text = context.text;
    let view = context.view();
    let title = context.last_round_title();
    let has_ended_round = moment.at > 0 && view.bids.is_empty() && view.offer.is_empty();
    html! {
        @if let Some(round) = view.last_round.as_ref().filter(|_| has_ended_round) {
            section #settled aria-label=(title) {
                h2 { (text.labelled(&title, &text.round_label(round.stage.0, round.round.0))) }
                (turned_up_cards(context, round))
            }
        }
    }
}

/// The hands and decks of all seats.
fn all_cards(context: PageContext<'_>, open: &OpenMoment) -> Markup {
    let values =
        |cards: &mut dyn Iterator<Item = MoneyCard>| cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    let title = context.say("replay-cards");
    let headings = ["verify-player", "replay-hand", "replay-deck"].map(|key| context.say(key));
    let rows = html! {
        @for ((seat, hand), deck) in context.view().seats.iter().zip(&open.hands).zip(&open.decks) {
            @let colour = context.person(seat.seat).colour;
            tr {
                th scope="row" data-colour=(colour.name()) { (emblem(colour)) (context.name(seat.seat)) }
                td { (values(&mut hand.iter())) }
                td { (values(&mut deck.iter().copied())) }
            }
        }
    };
    html! { section #all-cards .panel aria-label=(title) { (wide_table(&title, &headings, &rows)) } }
}
