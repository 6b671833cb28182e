//! The dialog with the back of the observer's screen: the points of jewels, the bonuses, and the points that the
//! observer can see so far.

use maud::{Markup, html};
use sultan_domain::{BonusStep, Jewel, Seat, SeatView};

use super::{PageContext, dialog};
use crate::html::art::{draw_jewel, emblem};

/// The dialog.
pub(super) fn screen_back(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let parameters = &context.view().parameters;
    let body = html! {
        h3 { (text.say("table-points-each")) }
        ul.points {
            @for jewel in Jewel::ALL {
                li { (draw_jewel(jewel)) b { (jewel.points()) } span { (text.jewel(jewel)) } }
            }
        }
        h3 { (text.say("table-bonus")) }
        ul.bonuses {
            @for &BonusStep { count, points: bonus } in parameters.bonus.steps() {
                @let is_last_step = count == parameters.bonus.last().count;
                li {
                    span.bonus { (bonus) }
                    @if is_last_step { (text.with("table-alike-more", &[("count", count.into())])) }
                    @else { (text.with("table-alike", &[("count", count.into())])) }
                }
            }
        }
        (visible_points(context))
    };
    dialog(context, "screen-back", &text.say("table-points"), &body)
}

/// The points of each player whose jewels the observer can see.
pub(super) fn visible_points(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let seat_and_points = |seat: &SeatView| Some((seat.seat, view.parameters.points(seat.collection?)));
    let points_by_seat: Vec<(Seat, u16)> = view.seats.iter().filter_map(seat_and_points).collect();
    html! {
        div #so-far {
            @if !points_by_seat.is_empty() {
                h3 { (context.say("table-so-far")) }
                ul.so-far {
                    @for (seat, points) in points_by_seat {
                        @let colour = context.person(seat).colour;
                        li data-colour=(colour.name()) {
                            (emblem(colour))
                            (context.short_name_or_you(seat))
                            b.num { (points) }
                        }
                    }
                }
            }
        }
    }
}
