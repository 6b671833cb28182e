//! What the table waits for, in one line.

use maud::{Markup, html};
use sultan_domain::{Kind, ViewPhase};

use super::{PageContext, deadline};

pub(super) fn status(look: PageContext<'_>) -> Markup {
    html! {
        // Not read out when it changes: all that happens, and whose turn it is, is announced in full sentences.
        p #status {
            span {
                @if look.is_turn() { (own_turn(look)) } @else { (other_turn(look)) }
            }
            @if !look.is_turn() {
                noscript { a.again href=(look.path()) { (look.text.say("table-again")) } }
            }
            @if let Some(own) = look.own() { (deadline(look, own)) }
        }
    }
}

fn own_turn(look: PageContext<'_>) -> Markup {
    let text = look.text;
    html! {
        @if look.view().phase == ViewPhase::Offer {
            span.now { (text.say("table-you-open")) } " " (text.say("table-you-open-how"))
        } @else {
            span.now { (text.say("table-your-turn")) } " " (how_to_bid(look))
        }
    }
}

/// What a bid is, right now.
pub(crate) fn how_to_bid(look: PageContext<'_>) -> String {
    let text = look.text;
    let view = look.view();
    let placed = view.bids.iter().filter(|bid| Some(bid.seat()) == look.own()).count();
    match (view.parameters.bids_per_round, placed) {
        (1, _) => text.say("table-bid-one"),
        (_, 0) => text.say("table-bid-first"),
        _ => text.say("table-bid-second"),
    }
}

fn other_turn(look: PageContext<'_>) -> Markup {
    let text = look.text;
    let view = look.view();
    let Some(to_act) = view.to_act else { return html! {} };
    let who = look.name(to_act);
    let away = look.own() == Some(to_act) && look.person(to_act).kind != Kind::Human;
    let said = match view.phase {
        _ if away => text.say("table-bot-for-you"),
        ViewPhase::Offer => text.with("table-opens", &[("name", (&who).into())]),
        ViewPhase::Bid | ViewPhase::Over => text.with("table-thinks", &[("name", (&who).into())]),
    };
    html! { (said) }
}
