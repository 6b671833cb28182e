//! A table before its game: who sits where, how others find it, who one would like to be.

mod me;
mod places;
mod qr;
mod told;

use maud::{Markup, html};
use sultan_domain::{Kind, Seat, WaitingTable};
use sultan_text::Text;

use super::art::{draw, ornament};
use super::fields::code;
use super::layout::{Page, page};
use crate::display::DisplaySettings;
use crate::post::RejectedForm;

/// What the lobby shows besides what the table says.
pub(crate) struct LobbyExtras {
    /// The seats that this browser has.
    pub(crate) own: Vec<Seat>,
    /// The name used last.
    pub(crate) name: String,
    /// A form that was refused.
    pub(crate) typed: Option<RejectedForm>,
}

impl LobbyExtras {
    /// Whether this browser has the host's seat.
    fn is_host(&self, waiting: &WaitingTable) -> bool {
        self.own.contains(&waiting.host)
    }
}

/// What changes while people come and go: the parts of the page, by their ids.
pub(crate) fn sections(waiting: &WaitingTable, extras: &LobbyExtras, text: Text) -> Vec<(&'static str, String)> {
    let parts = [
        ("places", places::ring(waiting, extras, text)),
        ("me", me::me(waiting, extras, text)),
        ("told", told::told(waiting, text)),
        ("fills", places::fills(waiting, extras, text)),
    ];
    parts.map(|(id, part)| (id, part.into_string())).into()
}

/// What is read out when people come and go.
pub(crate) fn said(waiting: &WaitingTable, text: Text) -> String {
    let taken = waiting.seats.iter().filter(|seat| seat.kind != Kind::Open).count();
    text.with("lobby-seats-taken", &[("taken", taken.into()), ("all", waiting.players.count().into())])
}

/// How others come to a table.
pub(crate) struct Invitation {
    /// What they open.
    pub(crate) link: String,
    /// Whether nobody can but who sits at this computer.
    pub(crate) only_here: bool,
}

/// The whole page, as it is in this version of the table.
pub(crate) fn lobby(
    display: &DisplaySettings,
    version: u32,
    waiting: &WaitingTable,
    extras: &LobbyExtras,
    invitation: &Invitation,
) -> Markup {
    let text = display.text;
    let title = text.with("lobby-title", &[("code", code(waiting.table).into())]);
    let body = html! {
        (ornament("girih"))
        main #main .page data-table=(waiting.table) data-live=(format!("/t/{}/live", waiting.table))
            data-version=(version) data-phase="waiting" data-gone=(waiting.absent.digits()) data-offline=(text.say("lobby-offline")) {
            h1 { (title) }
            div.lobby {
                (places::ring(waiting, extras, text))
                div.stack {
                    // Who was invited sits down; who sits invites.
                    @let invite = html! { @if !waiting.ended { (share(text, invitation)) } };
                    @if !extras.own.is_empty() { (invite) }
                    (me::me(waiting, extras, text))
                    @if extras.own.is_empty() { (invite) }
                }
                (told::told(waiting, text))
            }
            (places::fills(waiting, extras, text))
        }
    };
    let about = text.with("lobby-about", &[("players", waiting.players.count().into())]);
    page(display, &Page::new("lobby-page", &title, about, body))
}

/// How others find the table.
fn share(text: Text, Invitation { link, only_here }: &Invitation) -> Markup {
    html! {
        section.panel #share {
            div.share {
                // A phone that reads it would look for the table on itself.
                @if !only_here { div.qr { (qr::svg(link, &text.say("lobby-qr-code"))) } }
                div.whole[*only_here] {
                    h2 { (text.say("lobby-invite")) }
                    p.soft.small { (text.say(if *only_here { "lobby-only-here" } else { "lobby-invite-hint" })) }
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
