//! The board: the pouch, the cushions with jewels and bids, and the drawn jewels.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, PlacedBid, ViewPhase};

use super::PageContext;
use super::own::can_bid;
use crate::html::art::{draw, draw_jewel, emblem, ornament};

/// The whole board, as a carpet.
pub(crate) fn board(context: PageContext<'_>) -> Markup {
    let view = context.view();
    html! {
        section #board aria-label=(context.say("table-board")) {
            (ornament("weave"))
            (draw("medallion", "medallion"))
            div.lay {
                (pouch(context))
                div.cushions {
                    @for cushion in Cushion::first(view.parameters.cushions) { (cushion_with_bids(context, cushion)) }
                }
                @if view.phase == ViewPhase::Offer { (drawn(context)) }
            }
        }
    }
}

/// The pouch, with the jewel that was put back in this round.
pub(super) fn pouch(context: PageContext<'_>) -> Markup {
    let text = context.text;
    html! {
        p.pouch #pouch-place {
            (draw("pouch", ""))
            @if let Some(put_back) = context.view().put_back() {
                span.label { (text.say("table-put-back")) }
                (draw_jewel(put_back))
                span.visually-hidden { (text.jewel(put_back)) }
            }
        }
    }
}

/// Returns whether the observer has a bid on this cushion already (RULES 4.3).
pub(super) fn has_own_bid(context: PageContext<'_>, cushion: Cushion) -> bool {
    context.view().bids.iter().any(|bid| bid.cushion() == cushion && Some(bid.seat()) == context.own_seat())
}

/// A cushion with its jewel and bids. If the observer is to bid, the cushion can be chosen, except for a second bid on
/// the same cushion.
pub(super) fn cushion_with_bids(context: PageContext<'_>, cushion: Cushion) -> Markup {
    let text = context.text;
    let view = context.view();
    let offered = view.offer.jewel_on(cushion);
    let id = format!("cushion-{cushion}");
    let can_bid = can_bid(context);
    let is_closed = can_bid && view.parameters.bids_per_player > 1 && has_own_bid(context, cushion);
    let number = ("number", cushion.number().into());
    let content = html! {
        (draw("cushion", "velvet"))
        @if let Some(offered) = offered { (draw_jewel(offered)) (points_coin(context, offered)) }
        span.visually-hidden {
            @match offered {
                Some(offered) => {
                    (text.with("table-cushion", &[number, ("jewel", text.the_jewel(offered).into())]))
                    " " (points_in_words(context, offered)) "."
                }
                None => (text.with("table-cushion-empty", &[number])),
            }
        }
        (bids(context, cushion))
    };
    html! {
        @if can_bid && !is_closed {
            label.cushion id=(id) {
                input type="radio" name="cushion" value=(cushion) form="choice" required;
                (content)
                (draw("icon-check", "tick"))
            }
        } @else {
            div.cushion.is-closed[is_closed] id=(id) {
                (content)
                @if is_closed { small.why { (text.say("table-own-card-there")) } }
            }
        }
    }
}

/// The points of a jewel, as a coin beside it. It is hidden from screen readers, because the cushion has a text.
pub(super) fn points_coin(context: PageContext<'_>, jewel: Jewel) -> Markup {
    html! { b.worth aria-hidden="true" title=(points_in_words(context, jewel)) { (jewel.points()) } }
}

/// The points of a jewel in words, as in "3 points".
fn points_in_words(context: PageContext<'_>, jewel: Jewel) -> String {
    context.with("table-worth", &[("points", jewel.points().into())])
}

/// The bids on a cushion, in the order they were placed.
fn bids(context: PageContext<'_>, cushion: Cushion) -> Markup {
    html! {
        ol.bids {
            @for (bid, order) in context.view().bids.iter().zip(1_u8..).filter(|(bid, _)| bid.cushion() == cushion) {
                @let colour = context.person(bid.seat()).colour;
                li.bid id=(format!("bid-{order}")) data-colour=(colour.name()) {
                    span.back { (draw("card-back", "ornament")) (emblem(colour)) }
                    b.order aria-hidden="true" { (order) }
                    @match bid {
                        PlacedBid::Own(own_bid) => {
                            b.value aria-hidden="true" { (own_bid.card) }
                            span.visually-hidden { (visible_bid_in_words(context, *own_bid, order.into())) }
                        }
                        PlacedBid::FaceDown(_) => span.visually-hidden {
                            (context.with("table-bid", &[("order", order.into()), ("name", context.name(bid.seat()).into())]))
                        },
                    }
                }
            }
        }
    }
}

/// A bid with a visible card in words. `order` is its number in the round.
pub(super) fn visible_bid_in_words(context: PageContext<'_>, bid: Bid, order: usize) -> String {
    let (order, card) = (("order", order.into()), ("card", bid.card.value().into()));
    if context.own_seat() == Some(bid.seat) {
        return context.with("table-bid-own", &[order, card]);
    }
    context.with("replay-bid-open", &[order, ("name", context.name(bid.seat).into()), card])
}

/// The jewels drawn for the round. If the observer is to make the offer, the jewel to put back can be chosen.
fn drawn(context: PageContext<'_>) -> Markup {
    let text = context.text;
    let content = |jewel: Jewel| {
        let values = [("colour", text.jewel(jewel).into()), ("points", jewel.points().to_string().into())];
        html! { (draw_jewel(jewel)) span.when-kept { (text.with("table-drawn", &values)) } }
    };
    html! {
        div.drawn {
            ul aria-label=(text.say("table-drawn-all")) {
                @for (index, jewel) in context.view().drawn.iter().enumerate() {
                    li {
                        @if context.is_turn() {
                            @let confirm = text.with("table-confirm-back", &[("jewel", text.the_jewel(jewel).into())]);
                            label data-jewel=(jewel) {
                                input type="radio" name="back" value=(index) form="choice" required data-confirm=(confirm);
                                (content(jewel))
                                span.when-back { (text.say("table-goes-back")) }
                                (draw("icon-check", "tick"))
                            }
                        } @else {
                            span data-jewel=(jewel) { (content(jewel)) }
                        }
                    }
                }
            }
        }
    }
}
