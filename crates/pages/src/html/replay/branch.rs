//! The form to open a branch: a new table that plays on from a position of a finished game, against bots.

use maud::{Markup, html};
use sultan_domain::{Observer, Seat, TableId};
use sultan_table::DEFAULT_STAND_IN;

use super::ReplayPosition;
use crate::html::bots::levels;
use crate::html::fields::{coach_field, radio_row};
use crate::html::table::PageContext;

/// The form value for a branch in which the cards that the seat could not see are shuffled anew.
pub(crate) const IMAGINED: &str = "imagined";

/// The form; empty at the end of the game, because no seat is to act.
pub(super) fn form(context: PageContext<'_>, position: ReplayPosition<'_>, table: TableId) -> Markup {
    let text = context.text;
    // With the names of all players, because "You" would be a choice among the seats.
    let original = position.replay.view_at(position.index, Observer::Public);
    let context = PageContext { playing: &original, ..context };
    let hidden = [(IMAGINED, text.say("branch-imagined")), ("as-it-was", text.say("branch-as-it-was"))];
    html! {
        @if context.view().to_act.is_some() {
            details #branch .panel {
                summary { h2 { (text.say("branch-title")) } }
                form.form method="post" action=(format!("/t/{table}/branch")) {
                    p { (text.say("branch-lead")) }
                    input type="hidden" name="at" value=(position.index);
                    (seat_field(context, position.seat))
                    (radio_row(&text.say("branch-hidden"), "hidden", &hidden, IMAGINED))
                    p.soft.small { (text.say("branch-hidden-note")) }
                    (levels(text, &text.say("home-play-level"), "branch", DEFAULT_STAND_IN))
                    (coach_field(text, ""))
                    button.btn.key type="submit" { (text.say("branch-go")) }
                }
            }
        }
    }
}

/// The field for the seat to play: the seat of the shown view, or a choice of all seats if everything is shown.
fn seat_field(context: PageContext<'_>, shown_seat: Option<Seat>) -> Markup {
    html! {
        @match shown_seat {
            Some(seat) => {
                input type="hidden" name="seat" value=(seat);
                p { b { (context.with("branch-seat-of", &[("name", context.name(seat).into())])) } }
            }
            None => label.field { span { (context.say("branch-seat")) }
                select.input name="seat" {
                    @for seat in &context.view().seats { option value=(seat.seat) { (context.name(seat.seat)) } }
                }
            },
        }
    }
}
