//! The replay of a finished game, from the view of one seat or with everything open.
//!
//! Every position has its own address, so that it can be linked to and works without a script (`88-replay.js` only
//! makes navigation faster).

pub(crate) mod branch;
pub(crate) mod file;

use std::sync::Arc;

use maud::{Markup, html};
use sultan_domain::{MoneyCard, Observer, Seat, TableId};
use sultan_table::{FalseClaim, OpenMoment, Replay};
use sultan_text::{Narrator, Text};

use super::art::{draw, emblem};
use super::layout::{Page, page, wide_table};
use super::table::{PageContext, board, own_area_without_controls, seats, turned_up_cards};
use crate::display::DisplaySettings;

/// The source of a replayed game.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A table of this server.
    Table(TableId),
    /// An uploaded record file. It is not stored, so the address contains the whole record. The seeds of the record
    /// contradict its `false_claims`.
    File { record: &'a str, false_claims: &'a [FalseClaim] },
}

impl<'a> Source<'a> {
    /// The record of an uploaded file, as it is encoded in addresses.
    fn record(self) -> Option<&'a str> {
        match self {
            Source::Table(_) => None,
            Source::File { record, .. } => Some(record),
        }
    }
}

/// The shown position of a replay, and the view from which it is shown.
#[derive(Clone, Copy)]
pub(crate) struct ReplayPosition<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) source: Source<'a>,
    /// The number of actions before the position.
    pub(crate) index: usize,
    /// The seat of the shown view, which has only the information that the seat had then. `None` shows everything.
    pub(crate) seat: Option<Seat>,
    /// The seat in which the viewer played, which is called "You". `None` for other viewers, and for several players
    /// with one browser.
    pub(crate) you: Option<Seat>,
}

impl ReplayPosition<'_> {
    /// The game after `index` actions, from the shown view. Hands and decks are empty unless everything is shown. The
    /// viewer's name is "You".
    fn game_after(self, index: usize, text: Text) -> OpenMoment {
        let mut game = match self.seat {
            None => self.replay.open(index),
            Some(seat) => {
                let playing = self.replay.view_at(index, Observer::Seat(seat));
                OpenMoment { playing, hands: Vec::new(), decks: Vec::new() }
            }
        };
        if let Some(you) = self.you {
            Arc::make_mut(&mut game.playing.people)[you.index()].name = text.say("table-you");
        }
        game
    }

    /// The address of a position of the same game, from the view of this seat.
    fn address(self, index: usize, seat: Option<Seat>) -> String {
        let record = self.source.record().map(|record| format!("&record={record}")).unwrap_or_default();
        format!("?at={index}&eyes={}{record}", perspective(seat))
    }
}

/// The value of the `eyes` parameter in addresses: a seat's number, or `all` to show everything.
fn perspective(seat: Option<Seat>) -> String {
    seat.map_or("all".to_owned(), |seat| seat.to_string())
}

/// The whole page.
pub(crate) fn replay(display: &DisplaySettings, position: ReplayPosition<'_>) -> Markup {
    let text = display.text;
    page(display, &Page::new("replay-page", &text.say("replay-title"), text.say("replay-about"), body(text, position)))
}

/// The `main` element, which the page's script loads alone.
pub(crate) fn body(text: Text, position: ReplayPosition<'_>) -> Markup {
    let game = position.game_after(position.index, text);
    let context = PageContext { text, playing: &game.playing, query: "" };
    let view = context.view();
    html! {
        main #replay .page {
            h1 #main tabindex="-1" { (text.say("replay-title")) }
            @if let Source::File { false_claims, .. } = position.source { (file::warnings(text, position.replay, false_claims)) }
            (perspectives(context, position))
            (steps(text, context, position))
            (last_action(context, position))
            div #table class=[context.own_seat().is_none().then_some("watching")] data-phase=(context.phase()) data-players=(view.parameters.players) {
                (seats(context))
                (board(context))
                (own_area_without_controls(context))
            }
            @if position.seat.is_none() { (all_cards(context, &game)) }
            (finished_round(context, position))
            @if let Source::Table(table) = position.source { (branch::form(context, position, table)) }
            (related_links(context, position))
        }
    }
}

/// Links to related pages. A branch has no record to download.
fn related_links(context: PageContext<'_>, position: ReplayPosition<'_>) -> Markup {
    html! {
        nav.after aria-label=(context.say("end-after")) {
            @match position.source {
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

/// Links to the same position from the view of each seat, and to the open view, which shows everything.
fn perspectives(context: PageContext<'_>, position: ReplayPosition<'_>) -> Markup {
    let is_current = |seat: Option<Seat>| (position.seat == seat).then_some("true");
    html! {
        nav #eyes .eyes aria-label=(context.say("replay-eyes")) {
            span.label aria-hidden="true" { (draw("icon-eye", "icon")) (context.say("replay-eyes")) }
            ul {
                @for seat in context.view().parameters.players.seats() {
                    @let colour = context.person(seat).colour;
                    li data-colour=(colour.name()) {
                        a.btn href=(position.address(position.index, Some(seat))) aria-current=[is_current(Some(seat))] { (emblem(colour)) (context.short_name(seat)) }
                    }
                }
                li { a.btn href=(position.address(position.index, None)) aria-current=[is_current(None)] { (context.say("replay-all")) } }
            }
            p.soft.small {
                (context.say(if position.seat.is_some() { "replay-seat-note" } else { "replay-all-note" }))
            }
        }
    }
}

/// Links to other positions, and a slider to select one.
fn steps(text: Text, context: PageContext<'_>, position: ReplayPosition<'_>) -> Markup {
    let view = context.view();
    let last = position.replay.last();
    let values = [("at", position.index.into()), ("last", last.into())];
    // A link to the position `target`, or only its arrow if there is no such position.
    let step = |label: &str, arrow: &str, id: &str, target: Option<usize>| {
        html! {
            @match target {
                Some(index) => a.icon-btn id=(id) href=(position.address(index, position.seat)) aria-label=(label) title=(label) { (arrow) },
                None => span.icon-btn id=(id) aria-hidden="true" { (arrow) },
            }
        }
    };
    html! {
        section #steps .panel aria-label=(text.say("replay-steps")) data-play=(text.say("replay-play")) data-pause=(text.say("replay-pause")) {
            p #when { b { (text.round_label(view.stage.0, view.round.0)) } span.soft { (text.with("replay-at", &values)) } }
            div.buttons {
                (step(&text.say("replay-first"), "«", "to-first", (position.index > 0).then_some(0)))
                (step(&text.say("replay-back"), "‹", "to-back", position.index.checked_sub(1)))
                button #play .btn.needs-script type="button" { (text.say("replay-play")) }
                (step(&text.say("replay-next"), "›", "to-next", (position.index < last).then_some(position.index + 1)))
                (step(&text.say("replay-last"), "»", "to-last", (position.index < last).then_some(last)))
            }
            form #seek method="get" {
                input type="hidden" name="eyes" value=(perspective(position.seat));
                @if let Some(record) = position.source.record() { input type="hidden" name="record" value=(record); }
                input #slider type="range" name="at" min="0" max=(last) value=(position.index) aria-label=(text.say("replay-slider"));
                button.btn #go { (text.say("replay-go")) }
            }
            p.soft.small.needs-script { (text.say("replay-keys")) }
        }
    }
}

/// The action that led to this position, in sentences from the shown view.
fn last_action(context: PageContext<'_>, position: ReplayPosition<'_>) -> Markup {
    let sentences = match position.index.checked_sub(1) {
        None => vec![context.say("replay-begins")],
        Some(index) => {
            let names = context.text.players(context.playing);
            let narrator = Narrator::new(context.text, names, position.you.or(position.seat));
            narrator.changes(&position.game_after(index, context.text).playing, context.playing)
        }
    };
    // On a phone this list scrolls, so it can be focused.
    html! {
        div #happened role="status" tabindex="0" { ul.told { @for sentence in &sentences { li { (sentence) } } } }
    }
}

/// The turned-up cards of the round that ended with this position.
fn finished_round(context: PageContext<'_>, position: ReplayPosition<'_>) -> Markup {
    let text = context.text;
    let view = context.view();
    let title = context.last_round_title();
    // After the last bid of a round, the next round has no offer yet.
    let is_end_of_round = position.index > 0 && view.bids.is_empty() && view.offer.is_empty();
    html! {
        @if let Some(round) = view.last_round.as_ref().filter(|_| is_end_of_round) {
            section #settled aria-label=(title) {
                h2 { (text.labelled(&title, &text.round_label(round.stage.0, round.round.0))) }
                (turned_up_cards(context, round))
            }
        }
    }
}

/// The hands and decks of all seats.
fn all_cards(context: PageContext<'_>, game: &OpenMoment) -> Markup {
    let title = context.say("replay-cards");
    let headings = ["verify-player", "replay-hand", "replay-deck"].map(|key| context.say(key));
    let rows = html! {
        @for ((seat, hand), deck) in context.view().seats.iter().zip(&game.hands).zip(&game.decks) {
            @let colour = context.person(seat.seat).colour;
            tr {
                th scope="row" data-colour=(colour.name()) { (emblem(colour)) (context.name(seat.seat)) }
                td { (joined(hand.iter())) }
                td { (joined(deck.iter().copied())) }
            }
        }
    };
    html! { section #all-cards .panel aria-label=(title) { (wide_table(&title, &headings, &rows)) } }
}

/// The values of cards, separated by spaces.
fn joined(cards: impl Iterator<Item = MoneyCard>) -> String {
    cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}
