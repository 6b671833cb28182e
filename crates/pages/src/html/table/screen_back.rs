//! The back of the observer's screen: the values of jewels and bonuses, and the visible points.

use maud::{Markup, html};
use sultan_domain::{BonusStep, Jewel, SeatView};

use super::{PageContext, dialog};
use crate::html::art::{emblem, jewel};

pub(super) fn screen_back(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let parameters = &context.view().parameters;
    let body = html! {
        h3 { (text.say("table-points-each")) }
        ul.points {
            @for one in Jewel::ALL {
                li { (jewel(one)) b { (one.points()) } span { (text.jewel(one)) } }
            }
        }
        h3 { (text.say("table-bonus")) }
        ul.bonuses {
            @for &BonusStep { count, points: bonus } in parameters.bonus.steps() {
                @let last = count == parameters.bonus.last().count;
                li {
                    span.bonus { (bonus) }
                    @if last { (text.with("table-alike-more", &[("count", count.into())])) }
                    @else { (text.with("table-alike", &[("count", count.into())])) }
                }
            }
        }
        (so_far(context))
    };
    dialog(context, "screen-back", &text.say("table-points"), &body)
}

/// The points of all seats with visible jewels.
pub(super) fn so_far(context: PageContext<'_>) -> Markup {
    let seen: Vec<(&SeatView, u16)> = context
        .view()
        .seats
        .iter()
        .filter_map(|seat| Some((seat, context.view().parameters.points(seat.collection?))))
        .collect();
    html! {
        div #so-far {
            @if !seen.is_empty() {
                h3 { (context.say("table-so-far")) }
                ul.so-far {
                    @for (seat, sum) in seen {
                        li data-colour=(context.person(seat.seat).colour.name()) {
                            (emblem(context.person(seat.seat).colour))
                            span { (context.name_or_you(seat.seat)) }
                            b.num { (sum) }
                        }
                    }
                }
            }
        }
    }
}
