//! Forms to start a game: against bots, with friends, by a code, on one device.

use std::ops::RangeInclusive;

use maud::{Markup, html};
use sultan_domain::Variant;
use sultan_table::Level;
use sultan_text::Text;

use super::Home;
use crate::html::art::draw;
use crate::html::bots::{levels, options, portrait};
use crate::html::fields::{
    FormValues, coach_field, game_field, lucky_word_field, name_field, number_row, radio_row, screens_field,
};
use crate::html::time_limit::time_limit_field;

/// The seats of a table other than the host's seat, which is seat 0. Pages display the number of a seat plus 1.
const OTHER_SEATS: RangeInclusive<u8> = 1..=4;

/// A hidden field for the server's commitment to its seed. The script requests it before it adds the client seed.
fn commitment() -> Markup {
    html! { input type="hidden" name="commitment" value=""; }
}

/// The form that starts a game against bots with one click.
pub(super) fn against_bots(text: Text, home: &Home) -> Markup {
    let values = FormValues::of("play", home.rejected.as_ref());
    let bots = home.remembered.bots.to_string();
    html! {
        form.panel.form #play method="post" action="/play" data-seed {
            h2 { (text.say("home-play-now")) }
            (values.rejection())
            (number_row(&text.say("home-play-bots"), "bots", &["1", "2", "3", "4"], values.get("bots", &bots)))
            (levels(text, &text.say("home-play-level"), "play", values.get("level", home.remembered.level)))
            button.btn.key.wide type="submit" { (text.say("home-play-go")) }
            @if home.games.is_empty() { p.small { a href="/learn" { (text.say("home-new-here")) } } }
            // Open after a rejection, and if the button above would start a variant, so that the player sees which one.
            details.more open[values.is_rejected() || home.remembered.game != Variant::PUBLISHED_NAME] {
                summary { (text.say("home-more-choices")) }
                div {
                    (game_field(text, values.get("game", home.remembered.game)))
                    (name_field(text, values.submitted_or("name", &home.remembered.name)))
                    (screens_field(text, values.get("screens", "closed")))
                    (coach_field(text, values.get("coach", "")))
                    (lucky_word_field(text, values.get("client_seed", "")))
                }
            }
            (commitment())
        }
    }
}

/// The form that opens a table for friends, by link or public.
pub(super) fn friends(text: Text, home: &Home) -> Markup {
    let values = FormValues::of("friends", home.rejected.as_ref());
    html! {
        details.panel.way #friends open[values.is_rejected()] {
            summary {
                (draw("icon-link", "icon"))
                span { h2 { (text.say("home-friends")) } span.soft { (text.say("home-friends-hint")) } }
            }
            form.form.choose-seats method="post" action="/open" data-seed {
                (values.rejection())
                (name_field(text, values.submitted_or("name", &home.remembered.name)))
                (number_row(&text.say("table-players"), "players", &["2", "3", "4", "5"], values.get("players", "4")))
                (seats(text, values))
                (radio_row(&text.say("home-friends-who"), "public", &[
                    ("no", text.say("home-friends-link")), ("yes", text.say("home-friends-public")),
                ], values.get("public", "no")))
                (game_field(text, values.get("game", home.remembered.game)))
                button.btn.key.wide type="submit" { (text.say("home-friends-go")) }
                details.more open[values.is_rejected()] {
                    summary { (text.say("home-more-choices")) }
                    div { (more_options(text, values)) }
                }
                (commitment())
            }
        }
    }
}

/// The choice of a person or a bot level for each seat but the host's, and descriptions of the bot levels. The style
/// sheet hides seats that the chosen number of players does not need.
fn seats(text: Text, values: FormValues) -> Markup {
    html! {
        fieldset.seat-rows {
            legend.legend { (text.say("home-friends-seats")) }
            @for seat in OTHER_SEATS {
                @let field = format!("seat{seat}");
                label data-seat=(seat + 1) {
                    span { (text.with("home-seat-number", &[("number", (seat + 1).into())])) }
                    select.input name=(field) {
                        @let chosen = values.get(&field, "human");
                        option value="human" selected[chosen == "human"] { (text.say("home-a-person")) }
                        optgroup label=(text.say("home-a-bot")) { (options(text, chosen)) }
                    }
                }
            }
            details.more.who {
                summary { (text.say("home-who-are-they")) }
                dl {
                    @for bot in Level::on_pages() {
                        div { dt { (portrait(bot)) (text.bot(bot)) } dd.soft { (text.bot_character(bot)) } }
                    }
                }
            }
        }
    }
}

/// More options: screens, coach, time limit, first player, pace, client seed.
fn more_options(text: Text, values: FormValues) -> Markup {
    let first = values.get("first", "chance");
    html! {
        (screens_field(text, values.get("screens", "closed")))
        (coach_field(text, values.get("coach", "")))
        (time_limit_field(text, values))
        label.field { span { (text.say("home-first-player")) }
            select.input name="first" {
                option value="chance" selected[first == "chance"] { (text.say("home-first-chance")) }
                option value="0" selected[first == "0"] { (text.say("home-first-me")) }
                @for seat in OTHER_SEATS {
                    option value=(seat) selected[first == seat.to_string()] { (text.with("home-seat-number", &[("number", (seat + 1).into())])) }
                }
            }
        }
        label.tick {
            input type="checkbox" name="even_pace" value="yes" checked[values.get("even_pace", "") == "yes"];
            span { (text.say("home-even-pace")) small.soft { (text.say("home-even-pace-hint")) } }
        }
        (lucky_word_field(text, values.get("client_seed", "")))
    }
}

/// The form to join a table by its code or link.
pub(super) fn join(text: Text, home: &Home) -> Markup {
    let values = FormValues::of("join", home.rejected.as_ref());
    html! {
        section.panel.form #join {
            h2 { (text.say("home-join")) }
            (values.rejection())
            form.join method="post" action="/join" {
                input.input type="text" name="table" value=(values.get("table", "")) required aria-label=(text.say("home-join-code"))
                    placeholder=(text.say("home-join-code")) autocomplete="off" autocapitalize="none" spellcheck="false";
                button.btn type="submit" { (text.say("home-join-go")) }
            }
        }
    }
}

/// The form for several people at one device.
pub(super) fn one_device(text: Text, home: &Home) -> Markup {
    let values = FormValues::of("pass", home.rejected.as_ref());
    html! {
        details.panel.way #pass open[values.is_rejected()] {
            summary {
                (draw("icon-person", "icon"))
                span { h2 { (text.say("home-pass")) } span.soft { (text.say("home-pass-hint")) } }
            }
            form.form.choose-names method="post" action="/pass" data-seed {
                (values.rejection())
                (number_row(&text.say("home-pass-people"), "people", &["2", "3", "4", "5"], values.get("people", "2")))
                fieldset.seat-rows {
                    legend.legend { (text.say("home-pass-names")) }
                    @for number in 1..=5 {
                        @let field = format!("name{number}");
                        @let default_name = if number == 1 { home.remembered.name.as_str() } else { "" };
                        label data-seat=(number) {
                            span { (text.nameless(number)) }
                            input.input type="text" name=(field) value=(values.submitted_or(&field, default_name)) maxlength="40" autocomplete="off";
                        }
                    }
                }
                (number_row(&text.say("home-pass-bots"), "bots", &["0", "1", "2", "3"], values.get("bots", "0")))
                div.if-bots { (levels(text, &text.say("home-play-level"), "pass", values.get("level", home.remembered.level))) }
                (game_field(text, values.get("game", home.remembered.game)))
                button.btn.key.wide type="submit" { (text.say("home-pass-go")) }
                details.more open[values.is_rejected()] {
                    summary { (text.say("home-more-choices")) }
                    div {
                        (screens_field(text, values.get("screens", "closed")))
                        (coach_field(text, values.get("coach", "")))
                        (lucky_word_field(text, values.get("client_seed", "")))
                    }
                }
                (commitment())
            }
        }
    }
}
