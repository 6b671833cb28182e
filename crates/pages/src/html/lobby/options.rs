//! The options of the table in words, and the server's commitment to its seed.

use maud::{Markup, html};
use sultan_domain::{Screens, WaitingSeat, WaitingTable};
use sultan_text::Text;

use crate::html::home::lists::seat_name;
use crate::html::time_limit::time_limit;

/// The panel with the options of the table.
pub(super) fn options(waiting: &WaitingTable, text: Text) -> Markup {
    html! {
        section.panel.told #told {
            h2 { (text.say("lobby-told-title")) }
            ul { @for line in option_lines(waiting, text) { li { (line) } } }
            details.more {
                summary { (text.say("lobby-promise")) }
                div {
                    p.soft { (text.say("lobby-promise-hint")) " " a href="/rules#fair" { (text.say("lobby-promise-more")) } }
                    code.seal { (waiting.commitment) }
                }
            }
        }
    }
}

/// A sentence for each option.
fn option_lines(waiting: &WaitingTable, text: Text) -> Vec<String> {
    let options = &waiting.options;
    let screens = match options.screens {
        Screens::Closed => text.say("lobby-told-closed"),
        Screens::Open => text.say("lobby-told-open"),
    };
    let time = match options.seconds_per_action {
        None => text.say("lobby-told-no-time"),
        Some(length) => text.with("lobby-told-time", &[("time", time_limit(text, length).into())]),
    };
    let first_player = match options.first_seat.and_then(|seat| waiting.seats.get(seat.index())) {
        Some(WaitingSeat { seat, person, .. }) if !person.name.is_empty() => {
            text.with("lobby-told-first", &[("name", seat_name(text, *seat, person).into())])
        }
        Some(WaitingSeat { seat, .. }) => text.with("lobby-told-first-seat", &[("number", (seat.number() + 1).into())]),
        None => text.say("lobby-told-first-chance"),
    };
    let visibility = text.say(if options.public { "lobby-told-public" } else { "lobby-told-private" });
    let stand_in = text.with("lobby-told-stand-in", &[("bot", text.bot(&options.stand_in).into())]);
    let mut lines: Vec<String> = text.about_variant(&waiting.variant).into_iter().collect();
    lines.extend([screens, time, first_player, visibility, stand_in]);
    if options.even_pace {
        lines.push(text.say("lobby-told-even-pace"));
    }
    if options.coach {
        lines.push(text.say("coach-on"));
    }
    lines
}
