//! The status line: the observer's next step, or the reason to wait.

use maud::{Markup, html};
use sultan_domain::{Kind, ViewPhase};

use super::{PageContext, deadline};

pub(super) fn status(context: PageContext<'_>) -> Markup {
    html! {
        // Not a live region: the script announces all events, and whose turn it is, in full sentences.
        p #status {
            span {
                @if context.is_turn() { (own_turn(context)) } @else { (other_turn(context)) }
            }
            @if !context.is_turn() {
                noscript { a.again href=(context.path()) { (context.say("table-again")) } }
            }
            @if let Some(own) = context.own_seat() { (deadline(context, own)) }
        }
    }
}

fn own_turn(context: PageContext<'_>) -> Markup {
    html! {
        @if context.view().phase == ViewPhase::Offer {
            span.now { (context.say("table-you-open")) } " " (context.say("table-you-open-how"))
        } @else {
            span.now { (context.say("table-your-turn")) } " " (how_to_bid(context))
        }
    }
}

/// The rules of a bid in the current situation.
pub(crate) fn how_to_bid(context: PageContext<'_>) -> String {
    let view = context.view();
    let placed = view.bids.iter().filter(|bid| Some(bid.seat()) == context.own_seat()).count();
    match (view.parameters.bids_per_round, placed) {
        (1, _) => context.say("table-bid-one"),
        (_, 0) => context.say("table-bid-first"),
        _ => context.say("table-bid-second"),
    }
}

fn other_turn(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let Some(to_act) = view.to_act else { return html! {} };
    let name = [("name", context.name(to_act).into())];
    let is_away = context.own_seat() == Some(to_act) && context.person(to_act).kind != Kind::Human;
    let sentence = match view.phase {
        _ if is_away => context.say("table-bot-for-you"),
        ViewPhase::Offer => context.with("table-opens", &name),
        ViewPhase::Bid | ViewPhase::Over => context.with("table-thinks", &name),
    };
    html! { (sentence) }
}
