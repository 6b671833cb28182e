//! The other seats around the board, starting with the observer's left neighbour.

use maud::{Markup, html};
use sultan_domain::{Collection, Jewel, Kind, Seat, SeatView};

use super::{PageContext, deadline};
use crate::html::art::{draw, emblem, jewel};

pub(crate) fn seats(context: PageContext<'_>) -> Markup {
    html! {
        section #seats aria-label=(context.say("table-players")) {
            @for seat in other_seats(context) { (seat_card(context, context.seat_view(seat))) }
        }
    }
}

/// The other seats in clockwise order.
pub(super) fn other_seats(context: PageContext<'_>) -> impl Iterator<Item = Seat> {
    let players = context.view().parameters.players;
    let first = context.own_seat().map_or(Seat::default(), |own| own.left(players));
    let count = usize::from(players.count()) - usize::from(context.own_seat().is_some());
    std::iter::successors(Some(first), move |seat| Some(seat.left(players))).take(count)
}

pub(super) fn seat_card(context: PageContext<'_>, seat: &SeatView) -> Markup {
    let view = context.view();
    let to_act = view.to_act == Some(seat.seat);
    let is_gone = is_gone(context, seat);
    html! {
        article.seat.to-act[to_act].gone[is_gone] id=(format!("seat-{}", seat.seat)) data-colour=(context.person(seat.seat).colour.name()) {
            @if view.first_seat == seat.seat { (draw("crown", "crown")) }
            span.screen { (draw("screen", "")) (emblem(context.person(seat.seat).colour)) }
            h2.who { (name_and_kind(context, seat)) }
            (cards(context, seat))
            @if let Some(collection) = seat.collection { (jewels(context, collection)) }
            span.thinking aria-hidden="true" { i {} i {} i {} }
            // The style sheet hides it from everyone unless the seat is to act.
            span.turn-mark.visually-hidden { (context.say("table-to-act")) }
            (deadline(context, seat.seat))
        }
    }
}

pub(super) fn cards(context: PageContext<'_>, seat: &SeatView) -> Markup {
    let counts = context.with("table-cards", &[("hand", seat.hand.into()), ("deck", seat.deck.into())]);
    html! {
        p.cards id=(format!("cards-{}", seat.seat)) title=(counts) {
            span.backs aria-hidden="true" { @for _ in 0..seat.hand { i {} } }
            span.num aria-hidden="true" { (seat.hand) }
            span.deck.num aria-hidden="true" { (seat.deck) }
            span.visually-hidden { (counts) }
        }
    }
}

/// Returns whether the player of a seat is absent and no stand-in bot plays for them.
fn is_gone(context: PageContext<'_>, seat: &SeatView) -> bool {
    context.person(seat.seat).kind == Kind::Human && context.playing.absent.has(seat.seat)
}

/// Name and kind of a player. Icons have a text for screen readers.
fn name_and_kind(context: PageContext<'_>, seat: &SeatView) -> Markup {
    let text = context.text;
    let icon = match &context.person(seat.seat).kind {
        Kind::Bot(_) | Kind::StandIn(_) => "icon-bot",
        Kind::Human | Kind::Open if is_gone(context, seat) => "icon-gone",
        Kind::Human | Kind::Open => "icon-person",
    };
    html! {
        (draw(icon, "icon"))
        b { (context.name(seat.seat)) }
        @if let Kind::StandIn(bot) = &context.person(seat.seat).kind {
            span.level { (text.with("table-stand-in", &[("bot", text.bot(bot).into())])) }
        }
        @if is_gone(context, seat) { span.level { (text.say("table-gone")) } }
        @if context.view().first_seat == seat.seat { span.visually-hidden { (text.say("table-first-player")) } }
    }
}

/// The jewels a player has won, if they are visible.
fn jewels(context: PageContext<'_>, collection: Collection) -> Markup {
    let text = context.text;
    html! {
        ul.jewels aria-label=(text.say("table-jewels")) {
            @for kind in Jewel::ALL.into_iter().filter(|&kind| collection.count(kind) > 0) {
                li { (jewel(kind)) (collection.count(kind)) span.visually-hidden { " " (text.jewel(kind)) } }
            }
        }
    }
}
