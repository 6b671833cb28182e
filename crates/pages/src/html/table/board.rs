//! The board: the pouch, the cushions with jewels and bids, and the drawn jewels.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, PlacedBid, ViewPhase};

use super::PageContext;
use super::own::can_bid;
use crate::html::art::{draw, emblem, jewel, ornament};

pub(crate) fn board(context: PageContext<'_>) -> Markup {
    let view = context.view();
    html! {
        section #board aria-label=(context.say("table-board")) {
            (ornament("weave"))
            (draw("medallion", "medallion"))
            div.lay {
                (pouch(context))
                div.cushions {
                    @for cushion in Cushion::first(view.parameters.cushions) { (cushion_of(context, cushion)) }
                }
                @if view.phase == ViewPhase::Offer { (drawn(context)) }
            }
        }
    }
}

pub(super) fn pouch(context: PageContext<'_>) -> Markup {
    let text = context.text;
    html! {
        p.pouch #pouch-place {
            (draw("pouch", ""))
            @if let Some(back) = context.view().put_back() {
                span.label { (text.say("table-put-back")) }
                (jewel(back))
                span.visually-hidden { (text.jewel(back)) }
            }
        }
    }
}

/// Returns whether the observer has a bid on this cushion already (RULES 4.3).
pub(super) fn has_own(context: PageContext<'_>, cushion: Cushion) -> bool {
    context.view().bids.iter().any(|bid| bid.cushion() == cushion && Some(bid.seat()) == context.own())
}

pub(super) fn cushion_of(context: PageContext<'_>, cushion: Cushion) -> Markup {
    let text = context.text;
    let view = context.view();
    let there = view.offer.jewel_on(cushion);
    let id = format!("cushion-{cushion}");
    let bidding = can_bid(context);
    let closed = bidding && view.parameters.bids_per_round > 1 && has_own(context, cushion);
    let number = ("number", cushion.number().into());
    let inside = html! {
        (draw("cushion", "velvet"))
        @if let Some(there) = there { (jewel(there)) (worth(context, there)) }
        span.visually-hidden {
            @match there {
                Some(there) => {
                    (text.with("table-cushion", &[number, ("jewel", text.the_jewel(there).into())]))
                    " " (worth_in_words(context, there)) "."
                }
                None => (text.with("table-cushion-empty", &[number])),
            }
        }
        (bids(context, cushion))
    };
    html! {
        @if bidding && !closed {
            label.cushion id=(id) {
                input type="radio" name="cushion" value=(cushion) form="choice" required;
                (inside)
                (draw("icon-check", "tick"))
            }
        } @else {
            div.cushion.is-closed[closed] id=(id) {
                (inside)
                @if closed { small.why { (text.say("table-own-card-there")) } }
            }
        }
    }
}

/// The points of a jewel, as a coin beside it. Screen readers read them with the cushion.
pub(super) fn worth(context: PageContext<'_>, of: Jewel) -> Markup {
    html! { b.worth aria-hidden="true" title=(worth_in_words(context, of)) { (of.points()) } }
}

fn worth_in_words(context: PageContext<'_>, of: Jewel) -> String {
    context.with("table-worth", &[("points", of.points().into())])
}

/// The bids on a cushion, in the order they were placed.
fn bids(context: PageContext<'_>, cushion: Cushion) -> Markup {
    html! {
        ol.bids {
            @for (bid, order) in context.view().bids.iter().zip(1_u8..).filter(|(bid, _)| bid.cushion() == cushion) {
                @let seat = context.seat(bid.seat());
                li.bid id=(format!("bid-{order}")) data-colour=(context.person(seat.seat).colour.name()) {
                    span.back { (draw("card-back", "ornament")) (emblem(context.person(seat.seat).colour)) }
                    b.order aria-hidden="true" { (order) }
                    @match bid {
                        PlacedBid::Own(own) => {
                            b.value aria-hidden="true" { (own.card) }
                            span.visually-hidden { (face_up(context, *own, order.into())) }
                        }
                        PlacedBid::FaceDown(_) => span.visually-hidden {
                            (context.with("table-bid", &[("order", order.into()), ("name", context.name(seat.seat).into())]))
                        },
                    }
                }
            }
        }
    }
}

/// A bid with a visible card, in words: the observer's own, or any in an open view.
pub(super) fn face_up(context: PageContext<'_>, bid: Bid, order: usize) -> String {
    let (order, card) = (("order", order.into()), ("card", bid.card.value().into()));
    if context.own() == Some(bid.seat) {
        return context.with("table-bid-own", &[order, card]);
    }
    context.with("replay-bid-open", &[order, ("name", context.name(bid.seat).into()), card])
}

/// The jewels drawn for the round; the first player chooses the one to put back.
fn drawn(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let inside = |one: Jewel| {
        let values = [("colour", text.jewel(one).into()), ("points", one.points().to_string().into())];
        html! { (jewel(one)) span.when-kept { (text.with("table-drawn", &values)) } }
    };
    html! {
        div.drawn {
            ul aria-label=(text.say("table-drawn-all")) {
                @for (place, one) in context.view().drawn.iter().enumerate() {
                    li {
                        @if context.is_turn() {
                            @let confirm = text.with("table-confirm-back", &[("jewel", text.the_jewel(one).into())]);
                            label data-jewel=(one) {
                                input type="radio" name="back" value=(place) form="choice" required data-confirm=(confirm);
                                (inside(one))
                                span.when-back { (text.say("table-goes-back")) }
                                (draw("icon-check", "tick"))
                            }
                        } @else {
                            span data-jewel=(one) { (inside(one)) }
                        }
                    }
                }
            }
        }
    }
}
