//! The forms for the visitor's own seats: sitting down, changing name or colour, leaving the seat.

use maud::{Markup, html};
use sultan_domain::{Kind, PlayerColour, Seat, WaitingSeat, WaitingTable};
use sultan_text::Text;

use super::LobbyExtras;
use crate::html::art::draw;
use crate::html::fields::{FormValues, colour_field, lucky_word_field, name_field, parse_colour};

/// The panels with the forms.
pub(super) fn own_seats(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Markup {
    let has_free_seat = waiting.seats.iter().any(|seat| seat.person.kind == Kind::Open);
    html! {
        div.stack #me {
            // The reason is above all forms, because the rejected form may be no longer on the page.
            @if let Some(rejected) = &extras.rejected { p.refusal role="alert" { (rejected.sentence) } }
            @if waiting.ended {
                section.panel { p { (text.say("lobby-table-left-hint")) } p { a.btn href="/" { (text.say("problem-home")) } } }
            } @else if extras.own_seats.is_empty() {
                @if has_free_seat { (sit_form(waiting, extras, text)) }
                @else { section.panel { p { (text.say("lobby-watching-full")) " " (text.say("lobby-starts-when-yes")) } } }
                p.soft.small.aside { (draw("icon-eye", "icon")) span { (text.say("lobby-watching-hint")) } }
            } @else {
                @for seat in waiting.seats.iter().filter(|seat| extras.own_seats.contains(&seat.seat)) {
                    (own_seat(waiting, seat, extras, text))
                }
                p.soft.small.aside { (draw("icon-clock", "icon")) span {
                    // In a rematch all seats are kept for the players of the last game; the game waits for them to
                    // confirm.
                    @if has_free_seat { (text.say("lobby-starts-when-full")) } @else { (text.say("lobby-starts-when-yes")) }
                } }
                @if has_free_seat { (another_person_form(waiting, extras, text)) }
            }
        }
    }
}

/// The colours that other people have taken. Colours of bots are free, because a bot changes its colour if a person
/// wants it.
fn taken_colours(waiting: &WaitingTable, own_seat: Option<Seat>) -> Vec<PlayerColour> {
    let others = waiting.seats.iter().filter(|seat| seat.person.kind == Kind::Human && Some(seat.seat) != own_seat);
    others.map(|seat| seat.person.colour).collect()
}

/// The form to sit down.
fn sit_form(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Markup {
    let values = FormValues::of("sit", extras.rejected.as_ref());
    html! {
        form.panel.form method="post" action=(format!("/t/{}/sit", waiting.table)) data-seed {
            h2 { (text.say("lobby-sit-title")) }
            (sit_fields(waiting, values, &extras.remembered_name, text))
            button.btn.key.wide type="submit" { (text.say("lobby-sit-go")) }
        }
    }
}

/// The fields of a form to sit down: name, colour and client seed.
fn sit_fields(waiting: &WaitingTable, values: FormValues, default_name: &str, text: Text) -> Markup {
    let taken = taken_colours(waiting, None);
    let first_free = PlayerColour::ALL.into_iter().find(|colour| !taken.contains(colour));
    let submitted = parse_colour(values.get("colour", "")).filter(|colour| !taken.contains(colour));
    html! {
        (name_field(text, values.submitted_or("name", default_name)))
        (colour_field(text, &taken, submitted.or(first_free)))
        details.more {
            summary { (text.say("home-more-choices")) }
            div { (lucky_word_field(text, values.get("client_seed", ""))) }
        }
    }
}

/// The form to take a seat for another player at this browser.
fn another_person_form(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Markup {
    let values = FormValues::of("another", extras.rejected.as_ref());
    html! {
        details.panel.way open[values.is_rejected()] {
            summary { (draw("icon-person", "icon")) span { h2 { (text.say("lobby-another-here")) } } }
            form.form method="post" action=(format!("/t/{}/sit", waiting.table)) data-seed {
                input type="hidden" name="another" value="yes";
                (sit_fields(waiting, values, "", text))
                button.btn.wide type="submit" { (text.say("lobby-sit-go")) }
            }
        }
    }
}

/// The forms for one of the visitor's seats: change name or colour, confirm a rematch, leave the seat.
fn own_seat(waiting: &WaitingTable, seat: &WaitingSeat, extras: &LobbyExtras, text: Text) -> Markup {
    let number = seat.seat.number().to_string();
    let rejected = extras.rejected.as_ref().filter(|rejected| rejected.fields.get("seat") == number);
    let values = FormValues::of("seat", rejected);
    let chosen = parse_colour(values.get("colour", seat.person.colour.name()));
    let table = waiting.table;
    html! {
        section.panel.form {
            form.form #(format!("seat-form-{number}")) method="post" action=(format!("/t/{table}/seat"))
                // The script adds a client seed only to a confirmation. A seat that is ready has its seed already.
                data-seed[!seat.ready] {
                h2 { @if seat.ready { (text.say("lobby-you-sit")) } @else { (text.say("lobby-once-more")) } }
                input type="hidden" name="seat" value=(number);
                (name_field(text, values.submitted_or("name", &seat.person.name)))
                (colour_field(text, &taken_colours(waiting, Some(seat.seat)), chosen))
                @if seat.ready { button.btn.wide type="submit" { (text.say("lobby-change-seat")) } }
                @else { button.btn.key.wide type="submit" { (text.say("lobby-say-yes")) } }
            }
            form method="post" action=(format!("/t/{table}/leave")) {
                button.btn.quiet.wide type="submit" name="seat" value=(number) { (draw("icon-leave", "icon")) (text.say("lobby-leave-table")) }
            }
        }
    }
}
