//! The page to verify a deal in the reader's own browser.
//!
//! The page has all sentences of the verification. The script (`84-deal.js`, `86-verify.js`) computes the deal, marks
//! the steps that are correct and fills in the values.

use maud::{Markup, html};
use sultan_domain::{Jewel, Seat};
use sultan_text::Text;

use super::art::{draw, emblem};
use super::layout::{Page, items, page};
use super::table::PageContext;
use crate::display::DisplaySettings;

/// A step of the verification: its name, the key of its message, and notes for cases in which the step does not apply
/// (the name of the case, and the key of the note).
type Step = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// All steps, in the order in which the script verifies them.
const STEPS: [Step; 8] = [
    ("record", "verify-step-record", &[]),
    ("commitment", "verify-step-commitment", &[]),
    ("noted", "verify-step-noted", &[("unknown", "verify-step-noted-unknown")]),
    ("seed", "verify-step-seed", &[("unknown", "verify-step-seed-unknown")]),
    (
        "first",
        "verify-step-first",
        &[
            ("host", "verify-step-first-host"),
            ("rematch", "verify-step-first-rematch"),
            ("unknown", "verify-step-first-unknown"),
        ],
    ),
    ("offers", "verify-step-offers", &[]),
    ("bids", "verify-step-bids", &[]),
    ("result", "verify-step-result", &[("unknown", "verify-step-result-unknown")]),
];

/// The whole page. If the browser `has_seat` at this table, the script also checks that the deal uses the client seeds
/// that this browser sent.
pub(crate) fn verify(display: &DisplaySettings, context: PageContext<'_>, has_seat: bool) -> Markup {
    let text = context.text;
    let info = &context.playing.info;
    let body = html! {
        main #verify .page data-record=(format!("/api/v1/tables/{}/record", info.table)) data-of=(info.table)
            data-commitment=(info.commitment) data-seated[has_seat] {
            div #main {
                h1 { (text.say("verify-title")) }
                p { (text.say("verify-lead")) }
            }
            (checklist(text))
            (values(context))
            (proof_explanation(text))
            (manual_steps(context))
            p { a.btn href=(format!("/t/{}{}", info.table, context.query)) { (text.say("verify-back")) } }
        }
    };
    page(display, &Page::new("verify-page", &text.say("verify-title"), text.say("verify-lead"), body))
}

/// The result of the verification, with a line for each step. The message about the first illegal action is a template:
/// the script replaces `{number}` and `{said}` by the action's number and text.
fn checklist(text: Text) -> Markup {
    let fault = text.with("verify-fault", &[("number", "{number}".into()), ("said", "{said}".into())]);
    html! {
        section.panel.checked aria-labelledby="checked-title" {
            h2 #checked-title { (text.say("verify-steps")) }
            noscript { p.verdict { (text.say("verify-no-script")) } }
            p #verdict .verdict.needs-script role="status" data-state="open" {
                span data-if="open" { (text.say("verify-running")) }
                span data-if="good" { (text.say("verify-all-good")) }
                span data-if="bad" { (text.say("verify-some-bad")) }
                span data-if="failed" { (text.say("verify-failed")) }
            }
            ol.checklist {
                @for (name, message, notes) in STEPS {
                    li data-step=(name) data-state="open" {
                        span.mark {
                            span data-if="good" { (draw("icon-check", "icon")) span.visually-hidden { (text.labelled(&text.say("verify-good"), "")) } }
                            span data-if="bad" { (draw("icon-close", "icon")) span.visually-hidden { (text.labelled(&text.say("verify-bad"), "")) } }
                            span data-if="open" { span aria-hidden="true" { "–" } span.visually-hidden { (text.labelled(&text.say("verify-open"), "")) } }
                        }
                        span.says { (text.say(message)) @for (case, note) in notes { span.note hidden data-if=(case) { (text.say(note)) } } }
                    }
                }
            }
            p #fault .bad hidden data-template=(fault) {}
        }
    }
}

/// The values of the deal, which are empty until the script has computed them. The players' names are already in the
/// page, because they are text from a record, which the script must not insert.
fn values(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let view = context.view();
    let columns = ["verify-round", "home-first-player", "verify-drawn", "verify-offer", "verify-bids", "verify-won"];
    let colours = Jewel::ALL.map(|jewel| text.jewel(jewel));
    html! {
        details #values .panel.needs-script data-colours=(colours.join("|")) data-nobody=(text.say("verify-nobody")) {
            summary { (text.say("verify-values")) }
            h3 { (text.say("verify-seeds")) }
            dl.seeds {
                dt { (text.say("verify-server-seed")) } dd { code data-value="server" {} }
                dt { (text.say("verify-promise")) } dd { code data-value="promise" {} }
                dt { (text.say("verify-game-seed")) } dd { code data-value="game" {} }
            }
            h3 { (text.say("verify-decks")) }
            div.wide tabindex="0" role="group" aria-label=(text.say("verify-decks")) { table #decks {
                thead { tr {
                    th scope="col" { (text.say("verify-player")) }
                    th scope="col" { (text.say("verify-client-seed")) }
                    @for stage in 1..=view.parameters.stages { th scope="col" { (text.with("analysis-stage", &[("stage", stage.into())])) } }
                } }
                tbody { @for seat in &view.seats { (seat_row(context, seat.seat)) } }
            } }
            h3 { (text.say("verify-rounds")) }
            div.wide tabindex="0" role="group" aria-label=(text.say("verify-rounds")) { table #rounds {
                thead { tr { @for key in columns { th scope="col" { (text.say(key)) } } } }
                tbody {}
            } }
        }
    }
}

/// The row of a player. It has the player's rank and points, which the script compares with its own result.
fn seat_row(context: PageContext<'_>, seat: Seat) -> Markup {
    let outcome = context.view().outcome.as_ref();
    let place = outcome.and_then(|outcome| outcome.places.iter().find(|place| place.seat == seat));
    let colour = context.person(seat).colour;
    html! {
        tr data-seat=(seat) data-points=[place.map(|place| place.points)] data-rank=[place.map(|place| place.rank)] {
            th scope="row" data-colour=(colour.name()) { (emblem(colour)) span.name { (context.name(seat)) } }
        }
    }
}

/// The facts that the verification proves, and the facts that it does not prove.
fn proof_explanation(text: Text) -> Markup {
    html! {
        section.panel.proved {
            h2 { (text.say("verify-proves-title")) }
            p { (text.say("rules-fair-proved-text")) }
            h2 { (text.say("verify-not-title")) }
            ul.told { (items(text, &["verify-not-look", "verify-not-last", "verify-not-page"])) }
        }
    }
}

/// Instructions to verify the deal with a program or by hand.
fn manual_steps(context: PageContext<'_>) -> Markup {
    let table = context.playing.info.table;
    let steps =
        ["verify-hand-commitment", "verify-hand-seed", "verify-hand-words", "verify-hand-deck", "verify-hand-draw"];
    html! {
        section.panel.by-hand {
            h2 { (context.say("verify-hand-title")) }
            p { a.btn href=(format!("/t/{table}/record.sultan.json")) download="" { (draw("icon-history", "icon")) (context.say("end-record")) } }
            p { (context.say("verify-hand-program")) }
            p { code { "sultan verify " (table) ".sultan.json" } }
            p { (context.say("verify-hand-steps")) }
            ol.told { (items(context.text, &steps)) }
        }
    }
}
