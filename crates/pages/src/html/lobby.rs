//! The lobby of a table that waits for players: the seats, the invitation, and the forms for the visitor's own seats.

mod options;
mod own_seats;
mod qr;
mod seats;

use maud::{Markup, html};
use sultan_domain::{Seat, WaitingTable};
use sultan_text::Text;

use super::art::{draw, ornament};
use super::fields::table_code;
use super::layout::{Page, page};
use super::section::Section;
use crate::display::DisplaySettings;
use crate::post::RejectedForm;

/// The data of the lobby that is not in the table's view.
#[derive(Default)]
pub(crate) struct LobbyExtras {
    /// The seats of this browser.
    pub(crate) own_seats: Vec<Seat>,
    /// The name that a player used last in this browser.
    pub(crate) remembered_name: String,
    /// The form that was rejected, if any.
    pub(crate) rejected: Option<RejectedForm>,
}

impl LobbyExtras {
    /// Returns whether this browser has the host's seat.
    fn is_host(&self, waiting: &WaitingTable) -> bool {
        self.own_seats.contains(&waiting.host)
    }
}

/// The sections of the lobby, which change as players join and leave.
pub(crate) fn sections(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Vec<Section> {
    vec![
        Section::new("places", seats::seats(waiting, extras, text)),
        Section::new("me", own_seats::own_seats(waiting, extras, text)),
        Section::new("told", options::options(waiting, text)),
        Section::new("fills", seats::bot_choices(waiting, extras, text)),
    ]
}

/// The number of taken seats, also announced to screen readers when players join or leave. In a rematch only the seats of
/// players who have agreed count.
pub(crate) fn announcement(waiting: &WaitingTable, text: Text) -> String {
    let taken = waiting.seats.iter().filter(|seat| seat.ready).count();
    text.with("lobby-seats-taken", &[("taken", taken.into()), ("all", waiting.players.count().into())])
}

/// The invitation to a table.
pub(crate) struct Invitation {
    /// The link to the table.
    pub(crate) link: String,
    /// Whether the link has a loopback address, which works only on this machine.
    pub(crate) is_local: bool,
}

/// The whole page, for this version of the table.
pub(crate) fn lobby(
    display: &DisplaySettings,
    version: u32,
    waiting: &WaitingTable,
    extras: &LobbyExtras,
    invitation: &Invitation,
) -> Markup {
    let text = display.text;
    let title = text.with("lobby-title", &[("code", table_code(waiting.table).into())]);
    let body = html! {
        (ornament("girih"))
        main #main .page data-table=(waiting.table) data-live=(format!("/t/{}/live", waiting.table))
            data-version=(version) data-phase="waiting" data-gone=(waiting.attendance.code()) data-offline=(text.say("lobby-offline")) {
            h1 { (title) }
            div.lobby {
                (seats::seats(waiting, extras, text))
                div.stack {
                    // A visitor without a seat sees the form to sit down first; a player sees the invitation first.
                    @let invitation = html! { @if !waiting.ended { (invitation_panel(text, invitation)) } };
                    @if !extras.own_seats.is_empty() { (invitation) }
                    (own_seats::own_seats(waiting, extras, text))
                    @if extras.own_seats.is_empty() { (invitation) }
                }
                (options::options(waiting, text))
            }
            (seats::bot_choices(waiting, extras, text))
        }
    };
    let about = text.with("lobby-about", &[("players", waiting.players.count().into())]);
    page(display, &Page::new("lobby-page", &title, about, body))
}

/// The invitation with its link, also as a QR code.
fn invitation_panel(text: Text, Invitation { link, is_local }: &Invitation) -> Markup {
    html! {
        section.panel #share {
            div.share {
                // A phone that scans a loopback address would look for the table on the phone itself.
                @if !is_local { div.qr { (qr::svg(link, &text.say("lobby-qr-code"))) } }
                div.whole[*is_local] {
                    h2 { (text.say("lobby-invite")) }
                    p.soft.small { (text.say(if *is_local { "lobby-only-here" } else { "lobby-invite-hint" })) }
                    button.btn.wide.needs-script type="button" data-share=(link) data-title="Sultan" { (draw("icon-link", "icon")) (text.say("lobby-share-link")) }
                }
                div.linkbox {
                        input.input type="text" readonly value=(link) aria-label=(text.say("lobby-table-link"));
                        button.icon-btn.needs-script type="button" data-copy=(link) data-done=(text.say("lobby-link-copied"))
                            aria-label=(text.say("lobby-copy-link")) { (draw("icon-copy", "icon")) }
                }
            }
        }
    }
}
