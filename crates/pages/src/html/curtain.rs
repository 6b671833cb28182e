//! The curtain, where several people share a browser: between two of them the page shows what everybody may see.
//!
//! Nothing here is made of anything but the public view: what is behind the curtain is not on the page.

use maud::{Markup, html};
use sultan_domain::{Seat, ViewPhase};

use super::art::{colour, draw, emblem};
use super::layout::{Page, page};
use super::table::{PageContext, settled_in_words};
use crate::display::DisplaySettings;

/// The page that asks to hand the device to somebody.
pub(crate) fn curtain(display: &DisplaySettings, look: PageContext<'_>, seat: Seat, version: u32) -> Markup {
    let text = look.text;
    let info = &look.playing.info;
    let name = look.name(seat);
    let of = look.person(seat).colour;
    let body = html! {
        main #curtain data-phase="curtain" data-table=(info.table) data-version=(version)
            data-live=(look.live("curtain")) {
            div.drape.left aria-hidden="true" {}
            div.drape.right aria-hidden="true" {}
            section #main .panel.hand-over data-colour=(colour(of)) {
                span.badge { (emblem(of)) }
                h1 { span.to { (text.say("curtain-to")) } " " b { (name) } }
                p.soft { (text.say("curtain-why")) }
                a.btn.key #lift href=(format!("/t/{}?seat={seat}", info.table)) {
                    (draw("icon-eye", "icon")) (text.with("curtain-lift", &[("name", (&name).into())]))
                }
                (last_round(look))
            }
        }
    };
    let title = format!("{} · Sultan", text.say("curtain-title"));
    page(display, &Page { title, kind: "curtain-page", bar: html! {}, body, about: text.say("table-about") })
}

/// What the last round brought, while nobody has done anything since: all may want to see it together.
fn last_round(look: PageContext<'_>) -> Markup {
    let view = look.view();
    let Some(round) = view.last_round.as_ref().filter(|_| view.phase == ViewPhase::Offer) else { return html! {} };
    html! {
        div.last-words {
            h2 { (look.text.say("table-last-round")) }
            ul.told { @for sentence in settled_in_words(look, round) { li { (sentence) } } }
        }
    }
}

/// Where nobody of a shared browser is to act: what all of them may look at, and the way behind each screen.
pub(crate) fn wait(look: PageContext<'_>, own: &[Seat]) -> Markup {
    let text = look.text;
    html! {
        details #wait .shared-wait {
            summary { (text.say("curtain-wait")) }
            ul {
                @for &seat in own {
                    @let name = look.name(seat);
                    li data-colour=(colour(look.person(seat).colour)) {
                        a.btn href=(format!("/t/{}?seat={seat}", look.playing.info.table)) {
                            (emblem(look.person(seat).colour)) (text.with("curtain-look", &[("name", (&name).into())]))
                        }
                    }
                }
            }
        }
    }
}
