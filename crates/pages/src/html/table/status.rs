//! What the table waits for, in one line.

use maud::{Markup, html};
use sultan_domain::{Kind, Outcome, ViewPhase};
use sultan_text::Text;

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

/// Who has won.
pub(crate) fn winners(look: PageContext<'_>, outcome: &Outcome) -> String {
    let text = look.text;
    let points = outcome.places.iter().find(|place| place.rank == 1).map_or(0, |place| place.points);
    let all: Vec<_> = outcome.winners().collect();
    match all[..] {
        [one] if Some(one) == look.own() => text.with("table-you-win", &[("points", points.into())]),
        [one] => {
            let who = look.name(one);
            text.with("table-wins", &[("name", (&who).into()), ("points", points.into())])
        }
        _ => {
            let names: Vec<String> = all.iter().map(|&seat| look.name(seat)).collect();
            text.with("table-share", &[("names", (&list(text, &names)).into()), ("points", points.into())])
        }
    }
}

/// Names one after the other: “Ana, Bo and Cy”.
pub(crate) fn list(text: Text, names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => text.with("table-and", &[("most", (&most.join(", ")).into()), ("last", last.into())]),
    }
}
