//! The status line: the observer's next step, or the reason to wait.

use maud::{Markup, html};
use sultan_domain::{Seat, ViewPhase};

use super::menu::{replaceable_seat, stand_in_button};
use super::seats::is_absent;
use super::{PageContext, deadline, utc_time};

/// The status line, with the observer's deadline, a note about a player whose time ran out, and what to do if the player
/// to act is away.
pub(super) fn status(context: PageContext<'_>) -> Markup {
    html! {
        // No live region for screen readers: the script announces all events and turns in full sentences.
        div #status {
            p {
                @if context.playing.info.paused {
                    (context.say("game-paused"))
                } @else if context.is_turn() {
                    @let [notice, instruction] = own_turn(context);
                    span.now { (notice) } " " (instruction)
                } @else if let Some(to_act) = context.view().to_act {
                    (other_turn(context, to_act))
                }
                @if let Some(sentence) = time_up(context) { small { (sentence) } }
            }
            @if !context.is_turn() {
                noscript { a.again href=(format!("/t/{}{}", context.playing.info.table, context.query)) { (context.say("table-again")) } }
            }
            @if let Some(seat) = context.own_seat() { (deadline(context, seat)) }
            @if let Some((seat, from)) = remedy(context) {
                // The script shows the button when the countdown has ended.
                form.remedy method="post" action=(context.form_address("fill")) data-live {
                    span { (context.say("table-fill-in")) " " time.clock role="timer" datetime=(from) { (utc_time(from)) } }
                    (stand_in_button(context, seat))
                }
            }
        }
    }
}

/// The sentence about the last action, if its player's time had run out. The observer's own action is mentioned until
/// the observer acts again, because the player may have looked away.
pub(super) fn time_up(context: PageContext<'_>) -> Option<String> {
    let (timed_out, count) = (context.playing.clock.timed_out, context.view().action_count);
    let is_recent = |seat| timed_out[seat].is_some_and(|at| context.own_seat() == Some(seat) || at + 1 == count);
    let mut seats = context.view().parameters.players.seats().filter(|&seat| is_recent(seat));
    let seat = context.own_seat().filter(|&seat| is_recent(seat)).or_else(|| seats.next())?;
    Some(context.narrator().time_up(seat, &context.playing.clock.stand_in))
}

/// The absent player for whom the observer may let a bot play, and the time from which this is possible.
pub(super) fn remedy(context: PageContext<'_>) -> Option<(Seat, &str)> {
    let seat = replaceable_seat(context).filter(|&seat| is_absent(context, seat))?;
    Some((seat, context.playing.clock.stand_in_from.as_deref()?))
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
        _ if is_absent(context, to_act) => context.with("event-is-gone", &name),
        ViewPhase::Offer => context.with("table-opens", &name),
        ViewPhase::Bid | ViewPhase::Over => context.with("table-thinks", &name),
    }
}

#[cfg(test)]
mod tests;
