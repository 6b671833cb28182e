//! The parts of the end page about a rematch: the button to ask for one, and the request of another player.

use maud::{Markup, html};
use sultan_domain::{Kind, Seat, WaitingTable};

use super::{EndReader, name_or_you};
use crate::html::art::draw;
use crate::html::table::PageContext;

/// The address that asks for a rematch, or agrees to it.
fn form_address(context: PageContext<'_>, own_seat: Seat) -> String {
    format!("/t/{}/rematch?seat={own_seat}", context.playing.info.table)
}

/// The button to ask for a rematch. Empty for spectators, and once a player has asked.
pub(super) fn button(context: PageContext<'_>, own_seats: &[Seat]) -> Markup {
    let has_rematch = context.playing.info.rematch.is_some();
    let Some(&own_seat) = own_seats.first().filter(|_| !has_rematch) else { return html! {} };
    // Without other people the rematch starts at once.
    let is_other_person = |seat: Seat| !own_seats.contains(&seat) && !matches!(context.person(seat).kind, Kind::Bot(_));
    let has_other_people = context.view().parameters.players.seats().any(is_other_person);
    html! {
        // The script fills in both fields: it requests the server's commitment before it adds a client seed.
        form method="post" action=(form_address(context, own_seat)) data-seed="" {
            input type="hidden" name="commitment" value="";
            input type="hidden" name="client_seed" value="";
            button.btn.key #play-again { (context.say(if has_other_people { "end-rematch" } else { "end-rematch-alone" })) }
        }
    }
}

/// Returns whether a seat of the reader waits for the reader's consent.
fn needs_consent(rematch: &WaitingTable, own_seats: &[Seat]) -> bool {
    let is_asked = |seat: &sultan_domain::WaitingSeat| !seat.ready && seat.person.kind == Kind::Human;
    rematch.seats.iter().any(|seat| own_seats.contains(&seat.seat) && is_asked(seat))
}

/// The request of another player for a rematch, with a button to agree. Readers who have agreed and spectators get a
/// link to the rematch. Empty if nobody has asked. Screen readers announce the request when it appears.
pub(super) fn request(context: PageContext<'_>, EndReader { own_seats, rematch }: EndReader<'_>) -> Markup {
    let Some(table) = context.playing.info.rematch else { return html! { div #again role="status" {} } };
    // The player who has asked is the host of the rematch.
    let asker = rematch.map(|rematch| rematch.host).filter(|host| !own_seats.contains(host));
    html! {
        div #again role="status" {
            div.request {
                @if let Some(asker) = asker {
                    p { (draw("crown", "icon")) (context.with("end-asked", &[("name", name_or_you(context, own_seats, asker).into())])) }
                }
                @match (rematch.filter(|rematch| needs_consent(rematch, own_seats)), own_seats) {
                    (Some(rematch), [own_seat, ..]) => {
                        // The script notes the commitment of the rematch before it adds a client seed.
                        form method="post" action=(form_address(context, *own_seat)) data-seed="" data-commitment=(rematch.commitment) {
                            input type="hidden" name="client_seed" value="";
                            button.btn.key { (context.say("lobby-say-yes")) }
                        }
                    }
                    _ => a.btn.key href=(format!("/t/{table}")) { (context.say("end-rematch-join")) },
                }
            }
        }
    }
}
