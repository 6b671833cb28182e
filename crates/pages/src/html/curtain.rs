//! The curtain: the page that a browser shared by several players shows between the turns of two of them, with the
//! request to hand the device to the next player.
//!
//! This module gets only the view of a spectator, so the page cannot contain hidden information.

use maud::{Markup, html};
use sultan_domain::{Seat, ViewPhase};

use super::art::{draw, emblem};
use super::layout::{Page, page};
use super::table::{PageContext, result_in_words, seat_query, turned_up_cards};
use crate::display::DisplaySettings;

/// The page with the request to hand the device to the player of `seat`.
pub(crate) fn curtain(display: &DisplaySettings, context: PageContext<'_>, seat: Seat, version: u32) -> Markup {
    let (info, view) = (&context.playing.info, context.view());
    let name = context.name(seat);
    let colour = context.person(seat).colour;
    let body = html! {
        main #curtain data-phase="curtain" data-table=(info.table) data-version=(version)
            data-live=(context.live_address("curtain")) {
            div.drape.left aria-hidden="true" {}
            div.drape.right aria-hidden="true" {}
            section #main .panel.hand-over data-colour=(colour.name()) {
                span.badge { (emblem(colour)) }
                h1 { span.to { (context.say("curtain-to")) } " " b { (name) } }
                p.soft { (context.say("curtain-why")) }
                a.btn.key #lift href=(seat_address(context, seat)) {
                    (draw("icon-eye", "icon")) (context.with("curtain-lift", &[("name", (&name).into())]))
                }
                // The result of a round stays until the next offer, so that all players at the device can read it.
                @if let Some(round) = view.last_round.as_ref().filter(|_| view.phase == ViewPhase::Offer) {
                    div.last-words {
                        h2 { (context.say("table-last-round")) }
                        (turned_up_cards(context, round))
                        ul.told { @for sentence in result_in_words(context, round) { li { (sentence) } } }
                    }
                }
            }
        }
    };
    page(display, &Page::new("curtain-page", &context.say("curtain-title"), context.say("table-about"), body))
}

/// The address that shows the table to the player of `seat` until the end of the round.
fn seat_address(context: PageContext<'_>, seat: Seat) -> String {
    format!("/t/{}{}", context.playing.info.table, seat_query(seat, &context.round_key()))
}

/// Links to the views of a shared browser's seats. They are above the table while none of these seats is to act.
pub(crate) fn seat_links(context: PageContext<'_>, own_seats: &[Seat]) -> Markup {
    html! {
        details #wait .shared-wait {
            summary { (context.say("curtain-wait")) }
            ul {
                @for &seat in own_seats {
                    li data-colour=(context.person(seat).colour.name()) {
                        a.btn href=(seat_address(context, seat)) {
                            (emblem(context.person(seat).colour)) (context.with("curtain-look", &[("name", context.name(seat).into())]))
                        }
                    }
                }
            }
        }
    }
}
