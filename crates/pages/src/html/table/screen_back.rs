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
            @for kind in Jewel::ALL {
                li { (jewel(kind)) b { (kind.points()) } span { (text.jewel(kind)) } }
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

/// The points of all seats with visible jewels.
pub(super) fn visible_points(context: PageContext<'_>) -> Markup {
    let visible: Vec<(&SeatView, u16)> = context
        .view()
        .seats
        .iter()
        .filter_map(|seat| Some((seat, context.view().parameters.points(seat.collection?))))
        .collect();
    html! {
        div #so-far {
            @if !visible.is_empty() {
                h3 { (context.say("table-so-far")) }
                ul.so-far {
                    @for (seat, sum) in visible {
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
