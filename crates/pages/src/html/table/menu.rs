//! The menu of a table: reactions, the forms about the whole game, and the host's controls.

use maud::{Markup, html};
use sultan_domain::{Kind, Seat};
use sultan_table::Reaction;
use sultan_text::Text;

use super::{PageContext, dialog};
use crate::html::art::draw;
use crate::html::coach::possible_cards_button;
use crate::html::end::branch_origin_address;
use crate::html::game_forms::{Origin, game_forms};
use crate::html::layout::pace_choice;

/// The dialog with the menu.
pub(super) fn menu(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let body = html! {
        @if let Some(branch) = context.playing.info.branch {
            p.soft { (text.say("branch-note")) " " a href=(branch_origin_address(branch)) { (text.say("branch-origin")) } }
        }
        @if let Some(about) = text.about_variant(&context.view().parameters.variant()) { p.soft { (about) } }
        @if context.own_seat().is_some() { (reactions(context)) }
        @else if context.playing.info.coach { p.soft { (text.say("coach-on")) } }
        (host_controls(context))
        div.menu-list {
            (possible_cards_button(context, None, &html! { button.btn { (draw("icon-eye", "icon")) (text.say("coach-holds")) } }))
            button.btn.needs-script type="button" popovertarget="story" { (draw("icon-history", "icon")) (text.say("table-story")) }
            (pace_choice(text))
            a.btn href="/rules" { (draw("icon-rules", "icon")) (text.say("table-rules")) }
            a.btn href="/" { (draw("star", "icon")) (text.say("problem-home")) }
            (game_forms(context, Origin::Table))
        }
    };
    dialog(context, "menu", &text.say("table-menu"), &body)
}

/// The text of a reaction, for example "Bravo!".
pub(crate) fn reaction_text(text: Text, reaction: Reaction) -> String {
    match reaction {
        Reaction::Applause => text.say("reaction-applause"),
        Reaction::Laugh => text.say("reaction-laugh"),
        Reaction::Wonder => text.say("reaction-wonder"),
        Reaction::Sigh => text.say("reaction-sigh"),
        Reaction::Hurry => text.say("reaction-hurry"),
        Reaction::Thanks => text.say("reaction-thanks"),
    }
}

/// A button for each reaction.
fn reactions(context: PageContext<'_>) -> Markup {
    let text = context.text;
    html! {
        h3 { (text.say("table-react")) }
        form.reactions #reactions method="post" action=(context.form_address("react")) {
            @for reaction in Reaction::ALL {
                button.btn name="reaction" value=(reaction.code()) { (reaction_text(text, reaction)) }
            }
        }
    }
}

/// The seat of another player that the host may give to a stand-in bot, because it is that player's turn.
pub(super) fn replaceable_seat(context: PageContext<'_>) -> Option<Seat> {
    let can_replace = |&seat: &Seat| context.own_seat() != Some(seat) && context.person(seat).kind == Kind::Human;
    context.view().to_act.filter(|_| context.is_host()).filter(can_replace)
}

/// The content of the form that puts the table's stand-in bot into a seat.
pub(super) fn stand_in_button(context: PageContext<'_>, seat: Seat) -> Markup {
    html! {
        input type="hidden" name="seat" value=(seat);
        button.btn { (draw("icon-bot", "icon")) (context.with("table-fill", &[("name", context.name(seat).into())])) }
    }
}

/// The host's controls: a button that puts a stand-in bot into the seat to act, and buttons that give seats with a
/// stand-in bot back to their players. Empty for other observers.
pub(super) fn host_controls(context: PageContext<'_>) -> Markup {
    let replaceable_seat = replaceable_seat(context);
    let has_stand_in = |seat| context.own_seat() != Some(seat) && matches!(context.person(seat).kind, Kind::StandIn(_));
    let seats = context.view().parameters.players.seats();
    let stand_in_seats: Vec<Seat> = seats.filter(|&seat| context.is_host() && has_stand_in(seat)).collect();
    html! {
        div #host-controls {
            @if replaceable_seat.is_some() || !stand_in_seats.is_empty() {
                h3 { (context.say("table-host")) }
                div.menu-list {
                    @if let Some(seat) = replaceable_seat {
                        form method="post" action=(context.form_address("fill")) data-live { (stand_in_button(context, seat)) }
                    }
                    @for seat in stand_in_seats {
                        form method="post" action=(context.form_address("return")) data-live {
                            input type="hidden" name="seat" value=(seat);
                            button.btn { (draw("icon-person", "icon")) (context.with("table-give-back", &[("name", context.name(seat).into())])) }
                        }
                    }
                }
            }
        }
    }
}
