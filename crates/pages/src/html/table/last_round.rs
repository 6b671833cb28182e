//! The last finished round, as cards and as text.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, RoundRecord, Seat};

use super::board::{points_coin, visible_bid_in_words};
use super::{PageContext, dialog};
use crate::html::art::{draw, emblem, jewel, ornament};

pub(super) fn last_round(context: PageContext<'_>) -> Markup {
    let body = match &context.view().last_round {
        None => html! { p.soft { (context.say("table-no-round-yet")) } },
        Some(round) => {
            let values = [("stage", round.stage.0.into()), ("round", round.round.0.into())];
            html! {
                p.soft { (context.with("table-round", &values)) }
                (turned_up_cards(context, round))
                ul.told { @for sentence in result_in_words(context, round) { li { (sentence) } } }
            }
        }
    };
    dialog(context, "last-round", &context.last_round_title(), &body)
}

/// The carpet of a finished round, with all cards turned up.
pub(crate) fn turned_up_cards(context: PageContext<'_>, round: &RoundRecord) -> Markup {
    html! { div.carpet.revealed data-round=(context.round_key()) { (ornament("weave")) div.lay { (settled_cushions(context, round)) } } }
}

/// A cushion of a finished round.
struct SettledCushion {
    cushion: Cushion,
    jewel: Jewel,
    bids: Vec<Bid>,
    winner: Option<Seat>,
    /// The bid that won the jewel.
    winning_bid: Option<Bid>,
}

fn cushions(round: &RoundRecord) -> Vec<SettledCushion> {
    let (Some(offer), Some(winners)) = (round.offer, round.winners) else { return Vec::new() };
    let cushions = Cushion::first(Cushion::MOST).zip(offer.iter()).zip(winners);
    let settled = cushions.map(|((cushion, jewel), winner)| {
        let bids = round.bids.into_iter().filter(|bid| bid.cushion == cushion).collect();
        SettledCushion { cushion, jewel, bids, winner, winning_bid: round.winning_bid(cushion) }
    });
    settled.collect()
}

/// The cushions with all cards turned up.
fn settled_cushions(context: PageContext<'_>, round: &RoundRecord) -> Markup {
    html! {
        div.cushions {
            @for settled in cushions(round) {
                div.cushion.is-settled.to-pouch[settled.winner.is_none()] data-cushion=(settled.cushion)
                    data-jewel=(settled.jewel) data-winner=[settled.winner] {
                    (draw("cushion", "velvet"))
                    (jewel(settled.jewel))
                    (points_coin(context, settled.jewel))
                    ol.bids { @for bid in &settled.bids { (turned_up_card(context, round, *bid, settled.winning_bid == Some(*bid))) } }
                    (winner_label(context, &settled))
                }
            }
        }
    }
}

fn turned_up_card(context: PageContext<'_>, round: &RoundRecord, bid: Bid, is_winning: bool) -> Markup {
    let colour = context.person(bid.seat).colour;
    let order = round.bids.iter().position(|other| *other == bid).unwrap_or_default() + 1;
    html! {
        li.bid.won[is_winning].lost[!is_winning] data-colour=(colour.name()) {
            span.flip aria-hidden="true" {
                span.back { (draw("card-back", "ornament")) (emblem(colour)) }
                span.face { b { (bid.card) } (emblem(colour)) }
            }
            // Losing cards too: their values are useful information for users of screen readers as well.
            span.visually-hidden { (visible_bid_in_words(context, bid, order)) }
        }
    }
}

fn winner_label(context: PageContext<'_>, settled: &SettledCushion) -> Markup {
    html! {
        @match settled.winner {
            Some(seat) => {
                @let colour = context.person(seat).colour;
                p.taker data-colour=(colour.name()) {
                    (emblem(colour))
                    span { (context.name_or_you(seat)) }
                }
            }
            None => p.taker { (draw("pouch", "")) span { (context.say("table-to-pouch")) } },
        }
    }
}

/// The winner of each cushion, in sentences.
pub(crate) fn result_in_words(context: PageContext<'_>, round: &RoundRecord) -> Vec<String> {
    context.narrator().settled(round, context.view().parameters.ties)
}
