//! The observer's own area: the hand, the controls for the next action, and the won jewels.

use maud::{Markup, html};
use sultan_domain::{Jewel, Kind, MoneyCard, Seat, ViewPhase};

use super::PageContext;
use crate::html::art::{draw, draw_jewel, emblem};

/// The area with the form for actions. A spectator gets a note instead, a player with a stand-in bot the form to
/// return.
pub(super) fn own_area(context: PageContext<'_>) -> Markup {
    let Some(seat) = context.own_seat() else {
        return html! {
            section #own aria-label=(context.say("table-own-place")) { p.soft.small { (context.say("table-watching")) } }
        };
    };
    let colour = context.person(seat).colour;
    html! {
        section #own aria-label=(context.say("table-own-place")) data-colour=(colour.name()) {
            @if context.playing.info.paused {
                (hand(context))
                form.confirm method="post" action=(context.form_address("resume")) data-live {
                    button.btn.key { (context.say("game-resume")) }
                }
            } @else if let Kind::StandIn(bot) = &context.person(seat).kind {
                (hand(context))
                form.confirm method="post" action=(context.form_address("return")) data-live {
                    input type="hidden" name="seat" value=(seat);
                    p.hint.away { (context.with("table-away", &[("bot", context.text.bot(bot).into())])) }
                    button.btn.key #take-back { (context.say("table-take-back")) }
                }
            } @else {
                form #choice method="post" action=(context.form_address("act")) {
                    input type="hidden" name="at" value=(context.view().action_count);
                    (hand(context))
                    (step(context))
                }
            }
            (treasure(context, seat))
        }
    }
}

/// The area in a replay, which has no controls. Empty if everything is shown.
pub(crate) fn own_area_without_controls(context: PageContext<'_>) -> Markup {
    html! {
        @if let Some(seat) = context.own_seat() {
            section #own aria-label=(context.say("table-own-place")) data-colour=(context.person(seat).colour.name()) {
                (hand(context))
                (treasure(context, seat))
            }
        }
    }
}

/// Returns whether the observer is to choose a card and a cushion.
pub(super) fn can_bid(context: PageContext<'_>) -> bool {
    context.is_turn() && context.view().phase == ViewPhase::Bid
}

/// Whether the cards in hand can be chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HandUse {
    /// The observer is to bid.
    Bid,
    /// Others bid before the observer. The radio buttons are disabled: the script enables them, so that a card can be
    /// chosen ahead. The choice stays in the page.
    Prepare,
    /// The observer has no bid to make in this phase of the round.
    Show,
}

/// Returns whether the observer can choose a card now.
pub(super) fn hand_use(context: PageContext<'_>) -> HandUse {
    let view = context.view();
    if can_bid(context) {
        return HandUse::Bid;
    }
    let own_bids = view.bids.iter().filter(|bid| Some(bid.seat()) == context.own_seat()).count();
    let has_bid_to_make = view.phase == ViewPhase::Bid && own_bids < usize::from(view.parameters.bids_per_player);
    if has_bid_to_make && !context.is_away() && !context.playing.replayed { HandUse::Prepare } else { HandUse::Show }
}

/// The cards in hand by their values.
pub(super) fn hand(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let hand_use = hand_use(context);
    let role = if hand_use == HandUse::Show { "group" } else { "radiogroup" };
    html! {
        div #own-hand .hand role=(role) aria-label=(context.say("table-hand")) {
            @for card in view.hand.values() {
                @for copy in 0..view.hand.count(card) { (hand_card(context, card, copy, hand_use)) }
            }
        }
    }
}

/// A card in hand. `copy` counts equal cards, starting with 0.
fn hand_card(context: PageContext<'_>, card: MoneyCard, copy: u8, hand_use: HandUse) -> Markup {
    let colour = context.own_seat().map(|seat| context.person(seat).colour);
    // Two equal cards need different ids.
    let id = if copy == 0 { format!("card-{card}") } else { format!("card-{card}-{}", copy + 1) };
    let label = context.with("table-card", &[("card", card.value().into())]);
    let face = html! {
        span.face aria-hidden=[(hand_use != HandUse::Show).then_some("true")] {
            (draw("card-frame", "ornament"))
            i aria-hidden="true" { (card) }
            b { (card) }
            @if let Some(colour) = colour { (emblem(colour)) }
        }
    };
    html! {
        @if hand_use == HandUse::Show {
            span.card data-card=(card) id=(id) { (face) }
        } @else {
            label.card data-card=(card) id=(id) {
                // If only one card is left, it is chosen from the start of the turn.
                @let is_chosen = hand_use == HandUse::Bid && context.view().hand.len() == 1;
                input type="radio" name="card" value=(card) required checked[is_chosen]
                    disabled[hand_use == HandUse::Prepare] aria-label=(label);
                (face)
            }
        }
    }
}

/// A hint about the next action and the button to confirm it, or the reason to wait.
pub(super) fn step(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let template = || context.with("table-confirm-bid", &[("card", "{card}".into()), ("cushion", "{cushion}".into())]);
    html! {
        div #own-step .confirm {
            @if context.is_turn() && view.phase == ViewPhase::Offer {
                span.hint.need-back { (context.say("table-need-back")) }
                button.btn.key #confirm { (context.say("table-confirm-offer")) }
            } @else if context.is_turn() {
                span.hint.need-card { (context.say("table-need-card")) }
                span.hint.need-cushion { (context.say("table-need-cushion")) }
                button.btn.key #confirm data-template=(template()) { (context.say("table-confirm")) }
            } @else {
                p.hint.wait {
                    (draw("icon-clock", "icon"))
                    span {
                        (waiting_reason(context))
                        // The style sheet shows one of these texts while the hand has cards to choose ahead.
                        small.may-prepare { (context.say("table-may-prepare")) }
                        small.is-prepared { (context.say("table-is-prepared")) }
                    }
                }
            }
            // The style sheet shows only this hint while the script turns the cards up, and hides it at other times.
            p.turned.hint { (draw("icon-eye", "icon")) span { (context.say("event-turned-up")) } }
        }
    }
}

/// The reason to wait: bids that are still missing in this round, or the offer of another player.
pub(super) fn waiting_reason(context: PageContext<'_>) -> Markup {
    let view = context.view();
    let missing_bids = usize::from(view.parameters.bids_per_round()).saturating_sub(view.bids.len());
    let reason = match (view.phase, view.to_act) {
        (ViewPhase::Bid, _) => context.with("table-bids-left", &[("count", missing_bids.into())]),
        (_, Some(seat)) => context.with("table-waiting", &[("name", context.name(seat).into())]),
        _ => context.say("table-title-over"),
    };
    html! { span #own-wait { (reason) } }
}

/// The jewels behind the observer's own screen with their points, and the number of cards in the deck.
pub(super) fn treasure(context: PageContext<'_>, seat: Seat) -> Markup {
    let text = context.text;
    let seat_view = context.seat_view(seat);
    let collection = seat_view.collection.unwrap_or_default();
    let parameters = &context.view().parameters;
    let points = parameters.points(collection);
    html! {
        div #own-treasure .treasure {
            h2 {
                @if context.view().first_seat == seat {
                    (draw("crown", "crown"))
                    span.visually-hidden { (text.say("table-you-first")) }
                } @else {
                    (emblem(context.person(seat).colour))
                }
                span.label { (text.say("table-treasure")) }
                span.deck aria-hidden="true" { (seat_view.deck) }
                span.visually-hidden { (text.with("table-own-deck", &[("count", seat_view.deck.into())])) }
                span.num aria-hidden="true" { (points) }
                span.visually-hidden { (text.with("table-own-points", &[("points", points.into())])) }
            }
            ul aria-label=(text.say("table-jewels")) {
                @for jewel in Jewel::ALL {
                    @let count = collection.count(jewel);
                    @let bonus = parameters.bonus(count);
                    li.won.none[count == 0] data-jewel=(jewel) {
                        (draw_jewel(jewel))
                        span { (count) }
                        span.visually-hidden { " " (text.jewel(jewel)) }
                        small { @if bonus > 0 { "+" (bonus) } }
                    }
                }
            }
        }
    }
}
