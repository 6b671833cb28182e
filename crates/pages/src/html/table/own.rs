//! The observer's own place: hand, choice, treasure.

use maud::{Markup, html};
use sultan_domain::{Jewel, Kind, MoneyCard, Seat, ViewPhase};

use super::PageContext;
use crate::html::art::{colour, draw, emblem, jewel};

pub(super) fn own(look: PageContext<'_>) -> Markup {
    let text = look.text;
    let Some(seat) = look.own() else {
        return html! {
            section #own aria-label=(text.say("table-own-place")) { p.soft.small { (text.say("table-watching")) } }
        };
    };
    let of = look.person(seat).colour;
    html! {
        section #own aria-label=(text.say("table-own-place")) data-colour=(colour(of)) {
            @if look.is_away() {
                (hand(look))
                form.confirm method="post" action=(look.action("return")) data-live {
                    input type="hidden" name="seat" value=(seat);
                    (away(look, seat))
                }
            } @else {
                form #choice method="post" action=(look.action("act")) {
                    input type="hidden" name="at" value=(look.view().at);
                    (hand(look))
                    div.confirm { (confirm(look)) }
                }
            }
            (treasure(look, seat))
        }
    }
}

/// The same in a moment that is over: nothing can be chosen.
pub(super) fn replayed(look: PageContext<'_>) -> Markup {
    html! {
        @if let Some(seat) = look.own() {
            section #own aria-label=(look.text.say("table-own-place")) data-colour=(colour(look.person(seat).colour)) {
                (hand(look))
                (treasure(look, seat))
            }
        }
    }
}

/// The hand, sorted. Cards can be chosen when it is time to bid.
fn hand(look: PageContext<'_>) -> Markup {
    let view = look.view();
    let choose = look.is_turn() && view.phase == ViewPhase::Bid;
    html! {
        div.hand role=(if choose { "radiogroup" } else { "group" }) aria-label=(look.text.say("table-hand")) {
            @for card in view.hand.values() {
                @for copy in 0..view.hand.count(card) { (card_of(look, card, copy, choose)) }
            }
        }
    }
}

fn card_of(look: PageContext<'_>, card: MoneyCard, copy: u8, choose: bool) -> Markup {
    let of = look.own().map(|own| look.person(own).colour);
    // Of two equal cards, one is the second.
    let id = if copy == 0 { format!("card-{card}") } else { format!("card-{card}-{}", copy + 1) };
    let label = look.text.with("table-card", &[("card", card.value().into())]);
    let face = html! {
        span.face aria-hidden=[choose.then_some("true")] {
            (draw("card-frame", "ornament"))
            i aria-hidden="true" { (card) }
            b { (card) }
            @if let Some(of) = of { (emblem(of)) }
        }
    };
    html! {
        @if choose {
            label.card data-card=(card) id=(id) {
                // Where there is one card left, there is nothing to choose.
                input type="radio" name="card" value=(card) required checked[look.view().hand.len() == 1] aria-label=(label);
                (face)
            }
        } @else {
            span.card data-card=(card) id=(id) { (face) }
        }
    }
}

/// What is to be done, and the button that does it.
fn confirm(look: PageContext<'_>) -> Markup {
    let text = look.text;
    let view = look.view();
    let template = || text.with("table-confirm-bid", &[("card", "{card}".into()), ("cushion", "{cushion}".into())]);
    html! {
        @if look.is_turn() && view.phase == ViewPhase::Offer {
            span.hint.need-back { (text.say("table-need-back")) }
            button.btn.key #confirm { (text.say("table-confirm-offer")) }
        } @else if look.is_turn() {
            span.hint.need-card { (text.say("table-need-card")) }
            span.hint.need-cushion { (text.say("table-need-cushion")) }
            button.btn.key #confirm data-template=(template()) { (text.say("table-confirm")) }
        } @else {
            p.hint.wait { (draw("icon-clock", "icon")) span { (waiting(look)) } }
        }
        // Seen only while a script turns the cards up: what was asked before is answered then.
        p.hint.turned { (draw("icon-eye", "icon")) span { (text.say("tell-turned-up")) } }
    }
}

/// What there is to wait for.
fn waiting(look: PageContext<'_>) -> String {
    let text = look.text;
    let view = look.view();
    let left = usize::from(view.parameters.bids()) - view.bids.len().min(usize::from(view.parameters.bids()));
    match (view.phase, view.to_act) {
        (ViewPhase::Bid, _) => text.with("table-bids-left", &[("count", left.into())]),
        (_, Some(seat)) => {
            let who = look.name(seat);
            text.with("table-waiting", &[("name", (&who).into())])
        }
        _ => text.say("table-title-over"),
    }
}

fn away(look: PageContext<'_>, seat: Seat) -> Markup {
    let text = look.text;
    let bot = match &look.person(seat).kind {
        Kind::StandIn(bot) => text.bot(bot),
        _ => String::new(),
    };
    html! {
        p.hint.away { (text.with("table-away", &[("bot", (&bot).into())])) }
        button.btn.key #take-back { (text.say("table-take-back")) }
    }
}

/// What lies behind the own screen.
fn treasure(look: PageContext<'_>, seat: Seat) -> Markup {
    let text = look.text;
    let seen = look.seat(seat);
    let collection = seen.collection.unwrap_or_default();
    let parameters = &look.view().parameters;
    html! {
        div.treasure {
            h2 {
                @if look.view().first_seat == seat {
                    (draw("crown", "crown"))
                    span.visually-hidden { (text.say("table-you-first")) }
                } @else {
                    (emblem(look.person(seat).colour))
                }
                span.label { (text.say("table-treasure")) }
                span.deck aria-hidden="true" { (seen.deck) }
                span.visually-hidden { (text.with("table-own-deck", &[("count", seen.deck.into())])) }
                span.num aria-hidden="true" { (parameters.points(collection)) }
                span.visually-hidden { (text.with("table-own-points", &[("points", parameters.points(collection).into())])) }
            }
            ul aria-label=(text.say("table-jewels")) {
                @for one in Jewel::ALL {
                    @let count = collection.count(one);
                    @let extra = parameters.bonus(count);
                    li class=[(count == 0).then_some("none")] data-jewel=(one) {
                        (jewel(one))
                        span { (count) }
                        span.visually-hidden { " " (text.jewel(one)) }
                        small { @if extra > 0 { "+" (extra) } }
                    }
                }
            }
        }
    }
}
