//! The status line: the observer's next step, or the reason to wait.

use maud::{Markup, html};
use sultan_domain::{Seat, ViewPhase};

use super::{PageContext, deadline};

/// The status line, with the observer's deadline.
pub(super) fn status(context: PageContext<'_>) -> Markup {
    html! {
        // No live region for screen readers: the script announces all events and turns in full sentences.
        p #status {
            span {
                @if context.is_turn() {
                    @let [notice, instruction] = own_turn(context);
                    span.now { (notice) } " " (instruction)
                } @else if let Some(to_act) = context.view().to_act {
                    (other_turn(context, to_act))
                }
            }
            @if !context.is_turn() {
                noscript { a.again href=(format!("/t/{}{}", context.playing.info.table, context.query)) { (context.say("table-again")) } }
            }
            @if let Some(seat) = context.own_seat() { (deadline(context, seat)) }
        }
    }
}

/// A notice that it is the observer's turn, and an instruction for the action that is due.
pub(crate) fn own_turn(context: PageContext<'_>) -> [String; 2] {
    let view = context.view();
    let own_bids = view.bids.iter().filter(|bid| Some(bid.seat()) == context.own_seat()).count();
    let [notice, instruction] = match (view.phase, view.parameters.bids_per_player, own_bids) {
        (ViewPhase::Offer, ..) => ["table-you-open", "table-you-open-how"],
        // No seat is to act when the game is over; `Over` is here only because the match must be exhaustive.
        (ViewPhase::Bid | ViewPhase::Over, 1, _) => ["table-your-turn", "table-bid-one"],
        (ViewPhase::Bid | ViewPhase::Over, _, 0) => ["table-your-turn", "table-bid-first"],
        (ViewPhase::Bid | ViewPhase::Over, ..) => ["table-your-turn", "table-bid-second"],
    };
    [context.say(notice), context.say(instruction)]
}

/// A sentence about the turn of another player, or of a stand-in bot in the observer's seat.
fn other_turn(context: PageContext<'_>, to_act: Seat) -> String {
    let name = [("name", context.name(to_act).into())];
    match context.view().phase {
        _ if context.own_seat() == Some(to_act) && context.is_away() => context.say("table-bot-for-you"),
        ViewPhase::Offer => context.with("table-opens", &name),
        ViewPhase::Bid | ViewPhase::Over => context.with("table-thinks", &name),
    }
}
