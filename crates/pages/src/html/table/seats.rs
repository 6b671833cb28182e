//! The seats of the other players, starting with the observer's left neighbour.

use maud::{Markup, html};
use sultan_domain::{Jewel, Kind, Seat, SeatView};

use super::{PageContext, deadline};
use crate::html::art::{draw, draw_jewel, emblem};

/// The seats of the other players. In a spectator's page, all seats.
pub(crate) fn seats(context: PageContext<'_>) -> Markup {
    html! {
        section #seats aria-label=(context.say("table-players")) {
            @for seat in other_seats(context) { (seat_card(context, seat)) }
        }
    }
}

/// The seats of the other players in clockwise order; for a spectator, all seats.
pub(super) fn other_seats(context: PageContext<'_>) -> impl Iterator<Item = Seat> {
    let players = context.view().parameters.players;
    let first = context.own_seat().map_or(Seat::default(), |own| own.left_neighbour(players));
    let count = usize::from(players.count()) - usize::from(context.own_seat().is_some());
    std::iter::successors(Some(first), move |seat| Some(seat.left_neighbour(players))).take(count)
}

/// A player's seat: name, counts of cards, visible jewels, and the deadline.
pub(super) fn seat_card(context: PageContext<'_>, seat: Seat) -> Markup {
    let (text, view) = (context.text, context.view());
    let is_to_act = view.to_act == Some(seat);
    let colour = context.person(seat).colour;
    html! {
        article.seat.to-act[is_to_act].gone[is_absent(context, seat)] id=(format!("seat-{seat}")) data-colour=(colour.name()) {
            @if view.first_seat == seat { (draw("crown", "crown")) }
            span.screen { (draw("screen", "")) (emblem(colour)) }
            h2.who { (name_and_kind(context, seat)) }
            (card_counts(context, seat))
            @if let Some(collection) = context.seat_view(seat).collection {
                ul.jewels aria-label=(text.say("table-jewels")) {
                    @for jewel in Jewel::ALL.into_iter().filter(|&jewel| collection.count(jewel) > 0) {
                        li { (draw_jewel(jewel)) (collection.count(jewel)) span.visually-hidden { " " (text.jewel(jewel)) } }
                    }
                }
            }
            span.thinking aria-hidden="true" { i {} i {} i {} }
            // The style sheet hides this mark, also from screen readers, unless the seat is to act.
            span.turn-mark.visually-hidden { (text.say("table-to-act")) }
            (deadline(context, seat))
        }
    }
}

/// The numbers of cards in a player's hand and deck.
pub(super) fn card_counts(context: PageContext<'_>, seat: Seat) -> Markup {
    let &SeatView { hand, deck, .. } = context.seat_view(seat);
    let counts = context.with("table-cards", &[("hand", hand.into()), ("deck", deck.into())]);
    html! {
        p.cards id=(format!("cards-{seat}")) title=(counts) {
            span.backs aria-hidden="true" { @for _ in 0..hand { i {} } }
            span.num aria-hidden="true" { (hand) }
            span.deck.num aria-hidden="true" { (deck) }
            span.visually-hidden { (counts) }
        }
    }
}

/// Returns whether the player of a seat is absent and no stand-in bot plays for them.
pub(super) fn is_absent(context: PageContext<'_>, seat: Seat) -> bool {
    context.person(seat).kind == Kind::Human && context.playing.attendance.is_absent(seat)
}

/// The name of a player, an icon for a person or a bot, and notes about a stand-in bot, absence, and the first player.
fn name_and_kind(context: PageContext<'_>, seat: Seat) -> Markup {
    let text = context.text;
    let is_absent = is_absent(context, seat);
    let icon = match &context.person(seat).kind {
        Kind::Bot(_) | Kind::StandIn(_) => "icon-bot",
        Kind::Human | Kind::Open if is_absent => "icon-gone",
        Kind::Human | Kind::Open => "icon-person",
    };
    html! {
        (draw(icon, "icon"))
        b { (context.short_name(seat)) }
        @if let Kind::StandIn(bot) = &context.person(seat).kind {
            span.level { (text.with("table-stand-in", &[("bot", text.bot(bot).into())])) }
        }
        @if is_absent { span.level { (text.say("table-gone")) } }
        @if context.view().first_seat == seat { span.visually-hidden { (text.say("table-first-player")) } }
    }
}
