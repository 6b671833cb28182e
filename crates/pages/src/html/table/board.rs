//! The board: the pouch, the cushions with jewels and bids, and what was drawn.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, PlacedBid, ViewPhase};

use super::PageContext;
use crate::html::art::{colour, draw, emblem, jewel, ornament};

pub(super) fn board(look: PageContext<'_>) -> Markup {
    let view = look.view();
    html! {
        section #board aria-label=(look.text.say("table-board")) {
            (ornament("weave"))
            (draw("medallion", "medallion"))
            div.lay {
                (pouch(look))
                div.cushions {
                    @for cushion in Cushion::first(view.parameters.cushions) { (cushion_of(look, cushion)) }
                }
                @if view.phase == ViewPhase::Offer { (drawn(look)) }
            }
        }
    }
}

fn pouch(look: PageContext<'_>) -> Markup {
    let text = look.text;
    html! {
        p.pouch #pouch-place {
            (draw("pouch", ""))
            @if let Some(back) = look.view().put_back() {
                span.label { (text.say("table-put-back")) }
                (jewel(back))
                span.visually-hidden { (text.jewel(back)) }
            }
        }
    }
}

/// Whether an own card lies there already (RULES 4.3).
fn has_own(look: PageContext<'_>, cushion: Cushion) -> bool {
    look.view().bids.iter().any(|bid| bid.cushion() == cushion && Some(bid.seat()) == look.own())
}

fn cushion_of(look: PageContext<'_>, cushion: Cushion) -> Markup {
    let text = look.text;
    let view = look.view();
    let there = view.cushions.iter().find(|one| one.cushion == cushion).map(|one| one.jewel);
    let id = format!("cushion-{cushion}");
    let bidding = look.is_turn() && view.phase == ViewPhase::Bid;
    let closed = bidding && view.parameters.bids_per_round > 1 && has_own(look, cushion);
    let number = ("number", cushion.number().into());
    let inside = html! {
        (draw("cushion", "velvet"))
        @if let Some(there) = there { (jewel(there)) (worth(look, there)) }
        span.visually-hidden {
            @match there {
                Some(there) => {
                    (text.with("table-cushion", &[number, ("jewel", (&text.the_jewel(there)).into())]))
                    " " (worth_in_words(look, there)) "."
                }
                None => (text.with("table-cushion-empty", &[number])),
            }
        }
        (bids(look, cushion))
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

/// What a jewel brings, as a coin beside it: those who listen hear it with the cushion.
pub(super) fn worth(look: PageContext<'_>, of: Jewel) -> Markup {
    html! { b.worth aria-hidden="true" title=(worth_in_words(look, of)) { (of.points()) } }
}

fn worth_in_words(look: PageContext<'_>, of: Jewel) -> String {
    look.text.with("table-worth", &[("points", of.points().into())])
}

/// The cards on a cushion, in the order they were placed.
fn bids(look: PageContext<'_>, cushion: Cushion) -> Markup {
    let text = look.text;
    html! {
        ol.bids {
            @for (bid, order) in look.view().bids.iter().zip(1_u8..).filter(|(bid, _)| bid.cushion() == cushion) {
                @let seat = look.seat(bid.seat());
                @let who = look.name(seat.seat);
                li.bid id=(format!("bid-{order}")) data-colour=(colour(look.person(seat.seat).colour)) {
                    span.back { (draw("card-back", "ornament")) (emblem(look.person(seat.seat).colour)) }
                    b.order aria-hidden="true" { (order) }
                    @match bid {
                        PlacedBid::Own(own) => {
                            b.value aria-hidden="true" { (own.card) }
                            span.visually-hidden { (face_up(look, *own, order.into())) }
                        }
                        PlacedBid::FaceDown(_) => span.visually-hidden {
                            (text.with("table-bid", &[("order", order.into()), ("name", (&who).into())]))
                        },
                    }
                }
            }
        }
    }
}

/// A card whose value is known, in words: an own one, or any where all is open.
pub(super) fn face_up(look: PageContext<'_>, bid: Bid, order: usize) -> String {
    let (order, card) = (("order", order.into()), ("card", bid.card.value().into()));
    if look.own() == Some(bid.seat) {
        return look.text.with("table-bid-own", &[order, card]);
    }
    let who = look.name(bid.seat);
    look.text.with("replay-bid-open", &[order, ("name", (&who).into()), card])
}

/// The jewels drawn for the round; the first player chooses which one goes back.
fn drawn(look: PageContext<'_>) -> Markup {
    let text = look.text;
    let inside = |one: Jewel| {
        let values = [("colour", text.jewel(one)), ("points", one.points().to_string())];
        let values = values.each_ref().map(|(name, value)| (*name, value.into()));
        html! { (jewel(one)) span.when-kept { (text.with("table-drawn", &values)) } }
    };
    html! {
        div.drawn {
            ul aria-label=(text.say("table-drawn-all")) {
                @for (place, one) in look.view().drawn.iter().enumerate() {
                    li {
                        @if look.is_turn() {
                            @let confirm = text.with("table-confirm-back", &[("jewel", (&text.the_jewel(one)).into())]);
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
