//! The seats around the table, and the buttons with which the host changes them.

use maud::{Markup, html};
use sultan_domain::{Kind, WaitingSeat, WaitingTable};
use sultan_table::Level;
use sultan_text::Text;

use super::{LobbyExtras, announcement};
use crate::html::art::{draw, emblem, ornament};
use crate::html::bots::portrait;
use crate::html::home::lists::seat_name;

/// The seats around the table.
pub(super) fn seats(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Markup {
    html! {
        section.ring #places aria-label=(text.say("lobby-seats")) {
            (ornament("weave"))
            @for seat in &waiting.seats { (seat_card(waiting, seat, extras, text)) }
            div.centre {
                (draw("cushion", "cushion-art"))
                p {
                    @if waiting.ended { (text.say("lobby-table-left")) }
                    @else { (announcement(waiting, text)) }
                }
            }
        }
    }
}

/// A seat with its player, or a free seat.
fn seat_card(waiting: &WaitingTable, seat: &WaitingSeat, extras: &LobbyExtras, text: Text) -> Markup {
    let is_free = seat.person.kind == Kind::Open;
    let is_own = extras.own_seats.contains(&seat.seat);
    let number = seat.seat.number();
    html! {
        article.place.free[is_free].me[is_own] #(format!("place-{number}")) data-colour=[(!is_free).then(|| seat.person.colour.name())] {
            @if !is_free { span.screen { (draw("screen", "")) (emblem(seat.person.colour)) } }
            b { (seat_name(text, seat.seat, &seat.person)) }
            @if !is_free { small { (description(waiting, seat, is_own, text)) } }
            @if extras.is_host(waiting) && !waiting.ended { (host_buttons(waiting, seat, text)) }
        }
    }
}

/// The description of a seat: its colour, and facts about its player, as in "violet · you · host".
fn description(waiting: &WaitingTable, seat: &WaitingSeat, is_own: bool, text: Text) -> String {
    let is_absent = !is_own && seat.person.kind == Kind::Human && waiting.attendance.is_absent(seat.seat);
    let facts = [
        (is_own, "lobby-seat-you"),
        (matches!(seat.person.kind, Kind::Bot(_)), "lobby-seat-bot"),
        (seat.seat == waiting.host, "lobby-seat-host"),
        (!seat.ready, "lobby-seat-asked"),
        (is_absent, "table-gone"),
    ];
    let facts = facts.into_iter().filter(|(is_true, _)| *is_true).map(|(_, key)| text.say(key));
    std::iter::once(text.colour(seat.person.colour)).chain(facts).collect::<Vec<_>>().join(" · ")
}

/// The host's buttons for a seat. One opens the choice of a bot, unless a player is ready in this seat. The other
/// removes a player or bot.
fn host_buttons(waiting: &WaitingTable, seat: &WaitingSeat, text: Text) -> Markup {
    let number = seat.seat.number();
    let is_human = seat.person.kind == Kind::Human;
    html! {
        @if !is_human || !seat.ready {
            button.btn type="button" popovertarget=(format!("fill-{number}")) {
                (draw("icon-bot", "icon"))
                @if matches!(seat.person.kind, Kind::Bot(_)) { (text.say("lobby-other-bot")) } @else { (text.say("lobby-seat-a-bot")) }
            }
        }
        @if seat.person.kind != Kind::Open && seat.seat != waiting.host {
            form method="post" action=(format!("/t/{}/free", waiting.table)) {
                button.btn.quiet type="submit" name="seat" value=(number) { (text.say("lobby-free-seat")) }
            }
        }
    }
}

/// A choice of bot level for each seat that the host may give to a bot. A button of the seat opens it. Without choices
/// if the visitor is not the host.
pub(super) fn bot_choices(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Markup {
    let is_host = extras.is_host(waiting) && !waiting.ended;
    let fillable = waiting.seats.iter().filter(|seat| is_host && !(seat.person.kind == Kind::Human && seat.ready));
    html! {
        div #fills {
            @for seat in fillable {
                @let number = seat.seat.number();
                @let title = text.with("lobby-bot-for-seat", &[("number", (number + 1).into())]);
                @let id = format!("fill-{number}");
                form.fill popover="auto" #(id) method="post" action=(format!("/t/{}/fill", waiting.table)) aria-label=(title) {
                    div.dialog-head {
                        h2 { (title) }
                        button.icon-btn type="button" popovertarget=(id) popovertargetaction="hide" aria-label=(text.say("table-close")) { (draw("icon-close", "icon")) }
                    }
                    input type="hidden" name="seat" value=(number);
                    @for bot in Level::on_pages() {
                        button.level type="submit" name="bot" value=(bot) {
                            (portrait(bot)) span { b { (text.bot(bot)) } small.soft { (text.bot_character(bot)) } }
                        }
                    }
                }
            }
        }
    }
}
