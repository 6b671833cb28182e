//! The last finished round: the cushions with all cards turned up, and the result in sentences.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, Offer, RoundRecord};

use super::board::{points_coin, visible_bid_in_words};
use super::{PageContext, dialog};
use crate::html::art::{draw, draw_jewel, emblem, ornament};

/// The dialog with the last finished round.
pub(super) fn last_round(context: PageContext<'_>) -> Markup {
    let body = match &context.view().last_round {
        None => html! { p.soft { (context.say("table-no-round-yet")) } },
        Some(round) => html! {
            p.soft { (context.text.round_label(round.stage.0, round.round.0)) }
            (turned_up_cards(context, round))
            ul.told { @for sentence in result_in_words(context, round) { li { (sentence) } } }
        },
    };
    dialog(context, "last-round", &context.last_round_title(), &body)
}

/// The cushions of a finished round, with all cards turned up. Without cushions if the round is unfinished.
pub(crate) fn turned_up_cards(context: PageContext<'_>, round: &RoundRecord) -> Markup {
    let offer = round.offer.filter(|_| round.winners.is_some());
    let jewels = offer.into_iter().flat_map(Offer::on_cushions);
    html! {
        div.carpet.revealed data-round=(context.round_key()) {
            (ornament("weave"))
            div.lay {
                div.cushions {
                    @for (cushion, jewel) in jewels { (settled_cushion(context, round, cushion, jewel)) }
                }
            }
        }
    }
}

/// A cushion of a finished round: its jewel, the turned-up cards in the order they were placed, and the winner, or the
/// pouch if there was no bid.
fn settled_cushion(context: PageContext<'_>, round: &RoundRecord, cushion: Cushion, jewel: Jewel) -> Markup {
    let winning_bid = round.winning_bid(cushion);
    let winner = winning_bid.map(|bid| bid.seat);
    html! {
        div.cushion.is-settled.to-pouch[winner.is_none()] data-cushion=(cushion) data-jewel=(jewel) data-winner=[winner] {
            (draw("cushion", "velvet"))
            (draw_jewel(jewel))
            (points_coin(context, jewel))
            ol.bids {
                @for (bid, order) in round.bids.into_iter().zip(1..).filter(|(bid, _)| bid.cushion == cushion) {
                    (turned_up_card(context, bid, order, winning_bid == Some(bid)))
                }
            }
            @if let Some(seat) = winner {
                @let colour = context.person(seat).colour;
                p.taker data-colour=(colour.name()) { (emblem(colour)) (context.short_name_or_you(seat)) }
            } @else {
                p.taker { (draw("pouch", "")) span { (context.say("table-to-pouch")) } }
            }
        }
    }
}

/// A card of a finished round. `order` is the number of the bid in the round.
fn turned_up_card(context: PageContext<'_>, bid: Bid, order: usize, is_winning: bool) -> Markup {
    let colour = context.person(bid.seat).colour;
    html! {
        li.bid.won[is_winning].lost[!is_winning] data-colour=(colour.name()) {
            span.flip aria-hidden="true" {
                span.back { (draw("card-back", "ornament")) (emblem(colour)) }
                span.face { b { (bid.card) } (emblem(colour)) }
            }
            // Screen readers read losing cards too, because sighted players see their values.
            span.visually-hidden { (visible_bid_in_words(context, bid, order)) }
        }
    }
}

/// The winner of each cushion, in sentences.
pub(crate) fn result_in_words(context: PageContext<'_>, round: &RoundRecord) -> Vec<String> {
    context.narrator().settled(round, context.view().parameters.ties)
}
