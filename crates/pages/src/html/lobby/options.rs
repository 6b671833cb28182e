//! The options of the table in words, and the server's commitment.

use maud::{Markup, html};
use sultan_domain::{Screens, WaitingTable};
use sultan_text::Text;

use crate::html::fields::seconds;
use crate::html::home::lists::seat_name;

/// The options that the table was opened with.
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

fn option_lines(waiting: &WaitingTable, text: Text) -> Vec<String> {
    let options = &waiting.options;
    let screens = match options.screens {
        Screens::Closed => text.say("lobby-told-closed"),
        Screens::Open => text.say("lobby-told-open"),
    };
    let time = match options.seconds_per_action {
        None => text.say("lobby-told-no-time"),
        Some(length) => text.with("lobby-told-time", &[("time", seconds(text, length).into())]),
    };
    let seat = options.first_seat.and_then(|first| waiting.seats.get(first.index()));
    let first = match (options.first_seat, seat) {
        (Some(first), Some(seat)) if !seat.person.name.is_empty() => {
            text.with("lobby-told-first", &[("name", seat_name(text, first, &seat.person).into())])
        }
        (Some(first), _) => text.with("lobby-told-first-seat", &[("number", (first.number() + 1).into())]),
        (None, _) => text.say("lobby-told-first-chance"),
    };
    let visibility = if options.public { text.say("lobby-told-public") } else { text.say("lobby-told-private") };
    let stand_in = text.with("lobby-told-stand-in", &[("bot", text.bot(&options.stand_in).into())]);
    let mut lines = vec![screens, time, first, visibility, stand_in];
    if let Some(about) = text.about_variant(&waiting.variant) {
        lines.insert(0, about);
    }
    if options.even_pace {
        lines.push(text.say("lobby-told-even-pace"));
    }
    if options.coach {
        lines.push(text.say("coach-on"));
    }
    lines
}
